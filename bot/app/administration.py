"""Powers of the owner of the bot: ban members and servers, and announce maintenance.

Bans and the announcement are asked for at every interaction, so they are remembered; `refresh` reads them again.

A ban ends the running games: members resign theirs, and those of a server end without a result. So nobody waits for
somebody who may not answer, and no clock runs where nobody may move.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.app.bans import SERVER_BANNED, digest_of_member, digest_of_server, is_active
from bot.app.errors import Refused
from bot.app.matches.matches import Matches
from bot.app.members.privacy import Privacy
from bot.app.mentions import mention
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.stores.challenges import LISTED
from db.values.administration import AdminAction, Announcement, Ban, ServerActivity
from db.values.members import is_computer
from db.values.places import DiscordId, Ownership, Shards

log = structlog.get_logger()

LATELY = timedelta(days=7)
"""The time in which games that have ended count as activity of a server."""
LONGEST = timedelta(days=14)
"""The longest time for which something is announced."""
MOST_ENDED = 1000
"""Number of games after which a round leaves further ones to the next."""
PAGE = 500
"""Number of bans that one query reads."""
ENDING = "bans"
"""Name of the task whose items are the games of banned members and servers."""


@dataclass(frozen=True, slots=True)
class Left:
    """The games and challenges that a banned member has left."""

    matches: tuple[int, ...] = ()
    challenges: tuple[int, ...] = ()


class Administration:
    """The bans, the announcement and the log of the owner's actions. Methods raise Refused; then nothing was changed.

    The caller checks that a member is an owner.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        matches: Matches,
        privacy: Privacy,
        ownership: Ownership,
        rounds: Rounds,
    ) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._privacy = privacy
        self._ownership = ownership
        self._rounds = rounds
        self._bans: Mapping[str, Ban] = {}
        self._announcement: Announcement | None = None
        self._ending = asyncio.Lock()
        """Held while games of banned members and servers are ended, so that a ban returns all that it has ended."""
        self._left: set[tuple[int, DiscordId | None]] = set()
        """Games that were ended because of a ban; those who have left a game of several are listed until its end."""

    async def refresh(self) -> None:
        """Read bans and the announcement again, which another process may have changed."""
        now, bans, after = self._clock.now(), dict[str, Ban](), 0
        while page := await self._store.administration.bans(now, after, PAGE):
            bans |= {ban.digest: ban for ban in page}
            after = page[-1].id
        self._bans = bans
        self._announcement = await self._store.administration.announcement()
        self._ownership.banned = frozenset(ban.guild for ban in bans.values() if ban.guild is not None)

    def ban_of_member(self, user: DiscordId) -> Ban | None:
        """Return the ban of a member that holds now, or None."""
        return self._ban_by(digest_of_member(user)) if self._bans else None

    def ban_of_server(self, guild: DiscordId | None) -> Ban | None:
        """Return the ban of a server that holds now, or None. Direct messages (None) are never banned."""
        return None if guild is None or not self._bans else self._ban_by(digest_of_server(guild))

    def _ban_by(self, digest: str) -> Ban | None:
        ban = self._bans.get(digest)
        return ban if ban is not None and is_active(ban, self._clock.now()) else None

    @property
    def announcement(self) -> Announcement | None:
        """Return the announcement that is shown now, or None."""
        found = self._announcement
        return found if found is not None and found.until > self._clock.now() else None

    async def ban_member(self, owner: DiscordId, user: DiscordId, reason: str, days: int | None) -> Left:
        """Ban a member. They resign their running games and leave their open challenges."""
        if user == owner:
            raise Refused("You cannot ban yourself.")
        if is_computer(user):
            raise Refused("Computer players cannot be banned.")
        async with self._ending:
            await self._ban(
                owner,
                Ban(
                    digest_of_member(user), user, None, _one_line(reason), self._end(days), self._clock.now()
                ),
            )
            challenges: list[int] = []
            while True:
                found = [it.id for it in await self._store.challenges.open(user=user)]
                await self._privacy.leave(user, (), found)
                challenges += (it for it in found if it not in challenges)
                if len(found) < LISTED:
                    break
            ended = await self._end_games()
        return Left(tuple(match for match, whose in ended if whose == user), tuple(challenges))

    async def ban_server(
        self, owner: DiscordId, guild: DiscordId, reason: str, days: int | None
    ) -> Sequence[int]:
        """Ban a server. Return its games, which have ended without a result."""
        async with self._ending:
            await self._ban(
                owner,
                Ban(
                    digest_of_server(guild),
                    None,
                    guild,
                    _one_line(reason),
                    self._end(days),
                    self._clock.now(),
                ),
            )
            return [match for match, whose in await self._end_games() if whose is None]

    async def end_games(self, shards: Shards | None = None) -> list[tuple[int, DiscordId | None]]:
        """End the running games of banned members and servers, those of these shards or all, and return them.

        A game may have begun while another process did not know the ban yet, so this is repeated. Each is returned with
        the member who has left it, or None if its server is banned.
        """
        async with self._ending:
            return await self._end_games(shards)

    async def _end_games(self, shards: Shards | None = None) -> list[tuple[int, DiscordId | None]]:
        ended: list[tuple[int, DiscordId | None]] = []

        async def end(game: tuple[int, DiscordId | None]) -> None:
            match, user = game
            if user is None:
                await self._matches.abandon(match, SERVER_BANNED)
            else:
                await self._privacy.leave(user, (match,), ())
            self._left.add(game)
            ended.append(game)

        # Again, since the second game of two begins when the first ends.
        while self._bans and len(ended) < MOST_ENDED:
            limit = await self._rounds.limit(ENDING) + len(self._left)
            found = await self._store.administration.banned_games(self._clock.now(), shards, limit)
            if len(found) < limit:
                self._left.intersection_update(found)
            new = [it for it in found if it not in self._left]
            before = len(ended)
            # Only the number of the game is stored if it fails, not the member.
            await self._rounds.each(ENDING, new, end, key=lambda it: it[0])
            if len(ended) == before:
                break
        return ended

    async def unban(self, owner: DiscordId, number: int) -> Ban:
        """Lift the ban with this number, and return it."""
        await self.refresh()
        ban = next((it for it in self._bans.values() if it.id == number), None)
        if ban is None or not await self._store.administration.unban(
            number, self._action(owner, "unban", _whom(ban))
        ):
            raise Refused(f"There is no ban {number}; `/admin bans` lists all of them.")
        await self.refresh()
        return ban

    async def bans(self) -> Sequence[Ban]:
        """Return the bans that hold now, the newest first."""
        await self.refresh()
        return sorted(self._bans.values(), key=lambda it: it.id, reverse=True)

    async def announce(self, owner: DiscordId, text: str, hours: int) -> Announcement:
        """Announce something for so many hours, in the place of what was announced before."""
        found = Announcement(_one_line(text), self._clock.now() + min(timedelta(hours=hours), LONGEST))
        await self._store.administration.announce(
            found, self._action(owner, f"announce for {hours} h:", found.text)
        )
        await self.refresh()
        return found

    async def end_announcement(self, owner: DiscordId) -> None:
        """Announce nothing any more."""
        await self.refresh()
        if self.announcement is None:
            raise Refused("Nothing is announced now.")
        await self._store.administration.announce(None, self._action(owner, "end the announcement"))
        await self.refresh()

    async def log(self, owner: DiscordId, what: str, about: str = "") -> None:
        """Note an action of an owner that changes nothing in the store."""
        await self._store.administration.log_action(self._action(owner, what, about))

    async def activity(self) -> Mapping[DiscordId, ServerActivity]:
        """Return the activity of the servers with most games, by server."""
        return {it.guild: it for it in await self._store.administration.activity(self._clock.now() - LATELY)}

    async def moves(self, span: timedelta) -> int:
        """Return the number of moves in the last `span`."""
        return await self._store.administration.moves_since(self._clock.now() - span)

    async def _ban(self, owner: DiscordId, ban: Ban) -> None:
        until = "without an end" if ban.until is None else f"until {ban.until:%Y-%m-%d %H:%M} UTC"
        await self._store.administration.ban(
            ban, self._action(owner, f"ban {until}:", f"{_whom(ban)}, {ban.reason}")
        )
        await self.refresh()

    def _action(self, owner: DiscordId, what: str, about: str = "") -> AdminAction:
        """Log an action and return it with what it is about, which is stored but not logged: it may name members."""
        log.info("admin.action_taken", owner=owner, what=what)
        return AdminAction(self._clock.now(), owner, f"{what} {about}".strip())

    def _end(self, days: int | None) -> datetime | None:
        return None if days is None else self._clock.now() + timedelta(days=days)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _whom(ban: Ban) -> str:
    if ban.user is not None:
        return f"member {mention(ban.user)}"
    return "somebody who was deleted" if ban.guild is None else f"server {ban.guild}"
