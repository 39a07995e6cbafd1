"""Leagues, the months of which are events."""

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = "0064"

LEAGUE = sa.text("season IS NOT NULL")
LEAGUES = sa.text("league_channel IS NOT NULL")


def upgrade() -> None:
    op.add_column("events", sa.Column("season", sa.String(), nullable=True))
    op.create_index(
        "ix_events_league",
        "events",
        ["guild", "game", "season"],
        unique=True,
        sqlite_where=LEAGUE,
        postgresql_where=LEAGUE,
    )
    op.add_column("guilds", sa.Column("league_channel", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("leagues", sa.Text(), server_default="[]", nullable=False))
    op.add_column("guilds", sa.Column("leagues_opened", sa.String(), nullable=True))
    op.create_index(
        "ix_guilds_leagues", "guilds", ["guild_id"], sqlite_where=LEAGUES, postgresql_where=LEAGUES
    )
