"""what servers have still to be told

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tidings",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("match_id > 0", name=op.f("ck_tidings_of_a_match")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_tidings_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_tidings")),
    )
    op.create_index("ix_tidings_since", "tidings", ["since"])


def downgrade() -> None:
    op.drop_table("tidings")
