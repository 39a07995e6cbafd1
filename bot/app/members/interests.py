"""Members who want to know when somebody looks for opponents, and whom of them to tell of a challenge."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from bot.app.challenges.limits import takes_none
from bot.app.clocks.dates import zone_of
from bot.app.members.hours import within_hours
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer, Challenge, Reply
from db.values.members import Interest
from db.values.places import DiscordId

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

    async def of(self, user: DiscordId) -> Interest | None:
        """Return the wish of a member, or None."""
        return await self._store.interests.get(user)

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

    async def stop(self, user: DiscordId) -> None:
        """Delete the wish of a member."""
        await self._store.interests.forget(user)

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
