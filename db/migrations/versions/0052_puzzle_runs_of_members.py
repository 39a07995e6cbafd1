"""Puzzle runs of members."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    op.create_table(
        "puzzle_runs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("puzzle", sa.String, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("mistakes", sa.Integer, nullable=False),
        sa.CheckConstraint("solved >= 0 AND mistakes >= 0", name="from_zero"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzle_runs_guild_begun_at", "puzzle_runs", ["guild", "begun_at"])
    op.create_index("ix_puzzle_runs_user_id_begun_at", "puzzle_runs", ["user_id", "begun_at"])
