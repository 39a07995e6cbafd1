"""Servers that have set something."""

from sqlalchemy import CheckConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from db.api.clocks import Pace
from db.api.servers import ServerSettings
from db.models.base import Base, GuildId, Snowflake, partial
from db.types import Ids, Words


class GuildRow(Base):
    """What a server set."""

    __tablename__ = "guilds"
    __table_args__ = (CheckConstraint("guild_id > 0", name="is_a_server"),)

    guild_id: Mapped[GuildId] = mapped_column(primary_key=True, autoincrement=False)
    theme: Mapped[str | None]
    channels: Mapped[Ids] = mapped_column(default=())
    withheld: Mapped[Words] = mapped_column(default=())
    results: Mapped[Snowflake | None]
    threads: Mapped[bool] = mapped_column(default=False)
    pace: Mapped[Pace | None]
    podium: Mapped[bool] = mapped_column(default=False, server_default=false())
    everywhere: Mapped[bool] = mapped_column(default=True, server_default=true())
    announced: Mapped[str | None]
    """The last season whose podium was announced, like `2026-10`."""

    def value(self) -> ServerSettings:
        """The settings as the store gives them."""
        return ServerSettings(
            self.guild_id,
            self.theme,
            self.channels,
            self.withheld,
            self.results,
            self.threads,
            self.pace,
            self.podium,
            self.everywhere,
        )


PODIUM = GuildRow.podium.is_(True)

partial("ix_guilds_podium", PODIUM, GuildRow.guild_id)
