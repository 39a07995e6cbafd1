"""Notices to the players of matches without a clock while these waited.

Matches that are running already never end by themselves.
"""

import sqlalchemy as sa
from alembic import op

from db.types import UtcTime

revision = "0048"
down_revision = "0047"

RUNNING = sa.text(
    "INSERT INTO forgotten (match_id, plies, stage, told_at)"
    " SELECT id, NULL, 0, started_at FROM matches WHERE finished_at IS NULL"
)


def upgrade() -> None:
    op.create_table(
        "forgotten",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("plies", sa.Integer),
        sa.Column("stage", sa.Integer, nullable=False),
        sa.Column("told_at", UtcTime(), nullable=False),
        sa.CheckConstraint("stage >= 0", name="from_zero"),
    )
    op.execute(RUNNING)
