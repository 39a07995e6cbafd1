"""The preferences of members and the settings of servers."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Unpack

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.app.system import Clock
from db.store import Store
from db.values.clocks import TimeControl
from db.values.members import FOREVER, Member, MemberChange
from db.values.places import DiscordId, Place
from db.values.servers import ServerChange, ServerSettings

AWAY = timedelta(hours=8)
"""The time for which a member who chose "not now" gets no challenges."""

MOST_BLOCKED = 100
"""Members that one member may block."""


class Preferences:
    """The choices of members and the settings of servers. Methods raise Refused; then nothing was changed.

    The caller checks that a member may change a server's settings: Discord says so with the interaction.
    """

    def __init__(self, store: Store, clock: Clock, theme: str) -> None:
        self._store = store
        self._clock = clock
        self.usual_theme = theme

    async def theme(self, place: Place, user: DiscordId | None = None) -> str:
        """Return the name of the theme for a picture that everybody at a place sees, or that `user` alone sees."""
        if user is not None:
            chosen = (await self._store.members.get(user)).theme
            if chosen is not None:
                return chosen
        return (await self.guild(place.guild)).theme or self.usual_theme

    async def guild(self, guild: DiscordId | None) -> ServerSettings:
        """Return the settings of a server; direct messages (None) have the defaults."""
        return ServerSettings(0) if guild is None else await self._store.servers.settings(guild)

    async def time_control(self, guild: DiscordId | None, clock: str) -> TimeControl | None:
        """Return the time control that these words mean, or the server's default if there are none."""
        return read_time_control(clock) if clock.strip() else (await self.guild(guild)).time_control

    async def change(self, guild: DiscordId, **changes: Unpack[ServerChange]) -> None:
        """Change settings of a server."""
        await self._store.servers.change(guild, **changes)

    async def excluded(self, guild: DiscordId) -> list[DiscordId]:
        """Return the members whom a server has excluded from its games."""
        return await self._store.servers.excluded(guild)

    async def exclude(self, guild: DiscordId, users: Collection[DiscordId]) -> None:
        """Exclude these members from the games that begin in a server from now on, and admit all others."""
        await self._store.servers.exclude(guild, users, self._clock.now())

    async def member(self, user: DiscordId) -> Member:
        """Return the choices of a member. A pause of challenges that is over is removed."""
        found = await self._store.members.get(user)
        if found.away_until is not None and found.away_until <= self._clock.now():
            await self._store.members.change(user, away_until=None)
            return await self._store.members.get(user)
        return found

    async def choose(self, user: DiscordId, **choices: Unpack[MemberChange]) -> None:
        """Change choices of `user` (see Member). With `away_until` None they can be challenged again.

        Who switches conditional moves off loses those that they have entered.
        """
        await self._store.members.change(user, **choices)
        if not choices.get("conditional", True):
            await self._store.variations.forget(user)
        # A press is judged by the choices as they were read with the match.
        self._store.matches.forget(lambda it: user in it.users)

    async def away(self, user: DiscordId, *, for_good: bool) -> datetime:
        """Accept no challenges for `user` for a while, or until they choose otherwise if `for_good`. Return the end."""
        until = FOREVER if for_good else self._clock.now() + AWAY
        await self._store.members.change(user, away_until=until)
        return until

    async def unlisted(self, users: Collection[DiscordId]) -> set[DiscordId]:
        """Return those of these users who chose not to be listed."""
        return {it.user for it in await self._store.members.get_all(users) if not it.listed}

    async def block(self, user: DiscordId, other: DiscordId) -> None:
        """Keep `other` from playing with `user`."""
        if user == other:
            raise Refused("You cannot block yourself; name somebody else.")
        already = await self._store.members.blocked(user)
        if other in already:
            raise Refused(f"You have blocked {mention(other)} already; `/preferences` lets you unblock them.")
        if len(already) >= MOST_BLOCKED:
            raise Refused(f"You have blocked {MOST_BLOCKED} members, which is the most; unblock one first.")
        await self._store.members.block(user, other, self._clock.now())

    async def unblock(self, user: DiscordId, other: DiscordId) -> None:
        """Withdraw a block."""
        if not await self._store.members.unblock(user, other):
            raise Refused(
                f"You have not blocked {mention(other)}; `/preferences` lists the members you have blocked."
            )
