"""Ends of pauses and absences of which boards and players are still to be told."""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"

WAKING = sa.text("finished_at IS NULL AND wakes_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("matches", sa.Column("wakes_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_matches_waking_wakes_at",
        "matches",
        ["wakes_at", "id"],
        sqlite_where=WAKING,
        postgresql_where=WAKING,
    )
