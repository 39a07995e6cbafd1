"""By which rules the stored ratings were computed. Those of before are computed again at the next start.

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rating_rules",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_rating_rules_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_rules")),
    )
    # Without rated matches there is nothing to compute again.
    op.execute(
        "INSERT INTO rating_rules (id, version) SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM rated) THEN 1 ELSE 2 END"
    )


def downgrade() -> None:
    op.drop_table("rating_rules")
