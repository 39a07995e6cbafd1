"""Retention: the last activity of members and servers, by which old data is deleted."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Protocol

from db.api.places import DiscordId
from db.api.shards import EVERY, Shards


class RetentionStore(Protocol):
    """The last activity of members and servers of which anything is stored."""

    async def note_activity(
        self, users: Collection[DiscordId], guilds: Collection[DiscordId], today: date, look_up_on: date
    ) -> None:
        """Record that these members and servers were active today, and date rows that have no date yet.

        Those of which nothing is stored are ignored. A call dates some thousand rows at most.
        The accounts of these members are next looked up on `look_up_on`.
        """

    async def inactive_members(self, before: date, limit: int) -> Sequence[DiscordId]:
        """Return members who were last active before a day, the longest ago first."""

    async def inactive_servers(
        self, before: date, shards: Shards = EVERY, limit: int | None = None
    ) -> Sequence[DiscordId]:
        """Return servers of some shards in which nobody has been active since a day, the longest ago first."""

    async def accounts_to_look_up(self, today: date, limit: int) -> Sequence[DiscordId]:
        """Return members whose accounts are to be looked up today or were to be before, the longest due first."""

    async def look_up_again(self, user: DiscordId, on: date) -> None:
        """Record on which day the account of a member is to be looked up next."""

    async def forget_inactive_server(self, guild: DiscordId, before: date) -> bool:
        """Delete all data of a server in which nobody has been active since a day. Return True if this call did it."""
