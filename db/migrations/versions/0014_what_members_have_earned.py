"""Achievements that members have earned.

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "awards",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("user_id > 0", name=op.f("ck_awards_is_somebody")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_awards_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "user_id", "key", name=op.f("pk_awards")),
    )
    op.create_index("ix_awards_user_id_key", "awards", ["user_id", "key", "earned_at", "match_id"])


def downgrade() -> None:
    op.drop_index("ix_awards_user_id_key", table_name="awards")
    op.drop_table("awards")
