"""Servers: their settings, alerts about their channels, and departures of the bot."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, GuildId, Snowflake, UserId, partial
from db.types import Ids, Words
from db.values.clocks import TimeControl
from db.values.servers import ResultPicture, ServerSettings


class ServerRow(Base):
    """The settings of a server. Every server of which anything is stored has a row (db.stores.privacy)."""

    __tablename__ = "guilds"
    __table_args__ = (CheckConstraint("guild_id > 0", name="is_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    theme: Mapped[str | None]
    channels: Mapped[Ids] = mapped_column(default=())
    withheld: Mapped[Words] = mapped_column(default=())
    results: Mapped[Snowflake | None]
    threads: Mapped[bool] = mapped_column(default=False)
    time_control: Mapped[TimeControl | None] = mapped_column("pace")
    podium: Mapped[bool] = mapped_column(default=False, server_default=false())
    everywhere: Mapped[bool] = mapped_column(default=True, server_default=true())
    showing: Mapped[bool] = mapped_column(default=True, server_default=true())
    result_picture: Mapped[ResultPicture] = mapped_column(default=ResultPicture.BOARD, server_default="board")
    pins: Mapped[bool] = mapped_column(default=False, server_default=false())
    puzzle_channel: Mapped[Snowflake | None]
    puzzle_hour: Mapped[int] = mapped_column(default=9, server_default="9")
    weekly_moment: Mapped[bool] = mapped_column(default=False, server_default=false())
    reports: Mapped[Snowflake | None]
    league_channel: Mapped[Snowflake | None]
    leagues: Mapped[Words] = mapped_column(default=(), server_default="[]")
    league_clock: Mapped[str] = mapped_column(default="1d", server_default="1d")
    league_size: Mapped[str] = mapped_column(default="standard", server_default="standard")
    leagues_opened: Mapped[str | None]
    """The month for which the leagues were last opened, so that each server is looked at once a month."""
    setup_due: Mapped[bool] = mapped_column(default=False, server_default=false())
    active_on: Mapped[date | None] = mapped_column(index=True)
    """The last day on which somebody used the bot there; NULL until the next round of the background task."""

    def value(self) -> ServerSettings:
        return self.read_as(ServerSettings, guild=self.guild_id)


class ExclusionRow(Base):
    """A member whom a server has excluded from its games."""

    __tablename__ = "exclusions"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[UserId] = mapped_column(primary_key=True, autoincrement=False, index=True)
    excluded_at: Mapped[datetime]


class AlertRow(Base):
    """The last alert about a channel to those who manage its server."""

    __tablename__ = "alerts"
    __table_args__ = (CheckConstraint("guild_id > 0", name="in_a_server"),)

    channel_id: Mapped[Snowflake] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[GuildId]
    alerted_at: Mapped[datetime]


class DepartureRow(Base):
    """A server that the bot is no longer in. Its data is deleted after a while."""

    __tablename__ = "departures"
    __table_args__ = (CheckConstraint("guild_id > 0", name="is_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    left_at: Mapped[datetime]


PODIUM = ServerRow.podium.is_(True)
LEAGUES = ServerRow.league_channel.is_not(None)
PUZZLES = ServerRow.puzzle_channel.is_not(None)

partial("ix_guilds_leagues", LEAGUES, ServerRow.guild_id)
partial("ix_guilds_podium", PODIUM, ServerRow.guild_id)
partial("ix_guilds_puzzle_hour", PUZZLES, ServerRow.puzzle_hour)
