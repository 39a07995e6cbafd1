"""Stored ratings follow earlier rules, so they are computed again at the next start.

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
        "outdated_ratings",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_outdated_ratings_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outdated_ratings")),
    )
    op.execute("INSERT INTO outdated_ratings (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM rated)")


def downgrade() -> None:
    op.drop_table("outdated_ratings")
