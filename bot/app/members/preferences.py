"""The preferences of members, the settings of servers, and whom to tell when somebody looks for opponents."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Unpack

from bot.app.challenges.limits import takes_none
from bot.app.clocks.dates import zone_of
from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.app.members.digests import within_hours
from bot.app.mentions import mention
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer, Challenge, Reply
from db.values.clocks import TimeControl
from db.values.members import FOREVER, Interest, Member, MemberChange
from db.values.places import DiscordId, Place
from db.values.servers import ServerSettings

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


MOST_TOLD = 5
"""The most members who are told of one challenge."""
MOST_READ = 500
"""The most members of a server whose wishes are read for a challenge: those who were told the longest ago."""
MOST_CANDIDATES = 50
"""The most members of whom Discord is asked whether they see the channel of a challenge."""


class Interests:
    """The wishes of members to be told of open challenges."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def choose(self, wish: Interest, guild: DiscordId | None, *, here: bool) -> None:
        """Store a wish. It then covers the server `guild` if `here`, and does not otherwise.

        A wish that covers no server is deleted.
        """
        known = await self._store.interests.get(wish.user)
        guilds = set(known.guilds if known is not None else ()) - {guild}
        if here and guild is not None:
            guilds.add(guild)
        if guilds:
            await self._store.interests.keep(replace(wish, guilds=tuple(sorted(guilds))))
        else:
            await self._store.interests.forget(wish.user)

    async def candidates(self, challenge: Challenge) -> list[DiscordId]:
        """Return the members who want to be told of an open challenge now, who were told the longest ago first.

        They may have left the server, or may not see the channel.
        """
        guild = challenge.place.guild
        if guild is None or not challenge.public or challenge.answer is not Answer.OPEN:
            return []
        now = self._clock.now()
        found = [
            wish.user
            for wish in await self._store.interests.of_server(guild, MOST_READ)
            if challenge.reply_of(wish.user) is None and _wants(wish, challenge, now)
        ]
        unwilling = await self._unwilling(challenge, found)
        return [user for user in found if user not in unwilling][:MOST_CANDIDATES]

    async def told(self, users: Iterable[DiscordId]) -> list[DiscordId]:
        """Count a notification of the first MOST_TOLD of these members who have room for one today; return those."""
        now, told = self._clock.now(), list[DiscordId]()
        for user in users:
            wish = await self._store.interests.get(user)
            if wish is None:
                continue
            if await self._store.interests.tell(user, now.astimezone(zone_of(wish.zone)).date(), now):
                told.append(user)
            if len(told) == MOST_TOLD:
                break
        return told

    async def _unwilling(self, challenge: Challenge, users: Collection[DiscordId]) -> set[DiscordId]:
        """Return those of these members who may not, or want not, play with those who have joined."""
        members = self._store.members
        unwilling = await takes_none(self._store, self._clock, users)
        if challenge.place.guild is not None:
            unwilling.update(await self._store.servers.excluded(challenge.place.guild))
        for player in challenge.users(Reply.IN):
            unwilling.update(await members.blocked(player), await members.blockers(player, users))
        return unwilling


def _wants(wish: Interest, challenge: Challenge, now: datetime) -> bool:
    """Return True if a challenge is for a game of a wish, and now is among its hours and within its daily number."""
    there = now.astimezone(zone_of(wish.zone))
    room = wish.told_on != there.date() or wish.told < wish.most
    game = challenge.terms.any_game or not wish.games or challenge.terms.game in wish.games
    return room and game and within_hours(there.hour, wish.first_hour, wish.end_hour)
