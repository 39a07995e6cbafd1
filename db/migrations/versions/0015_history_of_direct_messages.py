"""History of direct messages.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

DIRECT = sa.text("finished_at IS NOT NULL AND guild IS NULL")


def upgrade() -> None:
    op.create_index(
        "ix_matches_finished_direct_finished_at",
        "matches",
        ["channel", "finished_at", "id"],
        sqlite_where=DIRECT,
        postgresql_where=DIRECT,
    )


def downgrade() -> None:
    op.drop_index("ix_matches_finished_direct_finished_at", table_name="matches")
