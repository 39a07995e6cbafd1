"""find finished matches again

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

FINISHED = sa.text("finished_at IS NOT NULL")


def upgrade() -> None:
    op.drop_index("ix_matches_finished_guild_game", "matches")
    _index("ix_matches_finished_guild_finished_at", "matches", "guild", "finished_at", "id")
    _index("ix_matches_finished_guild_game_finished_at", "matches", "guild", "game", "finished_at", "id")
    op.add_column("seats", sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "UPDATE seats SET finished_at = (SELECT finished_at FROM matches WHERE matches.id = seats.match_id)"
    )
    _index("ix_seats_played_user_id_finished_at", "seats", "user_id", "finished_at", "match_id")


def downgrade() -> None:
    op.drop_index("ix_seats_played_user_id_finished_at", "seats")
    op.drop_column("seats", "finished_at")
    op.drop_index("ix_matches_finished_guild_game_finished_at", "matches")
    op.drop_index("ix_matches_finished_guild_finished_at", "matches")
    _index("ix_matches_finished_guild_game", "matches", "guild", "game")


def _index(name: str, table: str, *columns: str) -> None:
    op.create_index(name, table, list(columns), sqlite_where=FINISHED, postgresql_where=FINISHED)
