"""Keys of the positions of running matches, by which checks of fair play find them.

Matches get them when first needed.
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

KEYS = ("newest_key", "key_before", "earliest_key")
RUNNING = "finished_at IS NULL"
UNKEYED = "finished_at IS NULL AND (keyed_plies IS NULL OR keyed_plies != plies)"
FACED = "faced IS NOT NULL"


def upgrade() -> None:
    for name in KEYS:
        op.add_column("matches", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("matches", sa.Column("keyed_plies", sa.Integer(), nullable=True))
    op.add_column("seats", sa.Column("faced", sa.String(), nullable=True))
    for name in KEYS:
        _partial(f"ix_matches_running_{name}", "matches", [name, "rated"], RUNNING)
    _partial("ix_matches_unkeyed_game", "matches", ["game", "finished_at", "id"], UNKEYED)
    _partial("ix_seats_faced", "seats", ["match_id"], FACED)


def _partial(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
