"""The data of a member: exported to them, or deleted by them, with their account, or after long inactivity."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import date, timedelta

import structlog

from bot.app.bans import digest_of_member
from bot.app.challenges.replies import gone
from bot.app.errors import Refused
from bot.app.matches.matches import Matches
from bot.app.matches.move_log import TimeIsOver
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.challenges import Answer, ChallengeChanged
from db.values.failures import StoreFailed
from db.values.members import StillNeeded
from db.values.places import EVERY, DiscordId, Shards

log = structlog.get_logger()


class Privacy:
    """The service that exports and deletes what is stored about a member."""

    def __init__(self, store: Store, clock: Clock, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches

    async def export(self, user: DiscordId) -> dict[str, object]:
        """Everything stored about `user`, their own hidden moves included, without the secrets of others."""
        tables = await self._store.privacy.export(user)
        return {"member": str(user), "at": self._clock.now().isoformat(timespec="seconds"), **tables}

    async def still_in(self, user: DiscordId) -> tuple[int, int]:
        """Return the numbers of running matches and open challenges that `user` would leave."""
        return len(await self._matches.mine(user)), len(await self._store.challenges.open(user=user))

    async def forget(self, user: DiscordId) -> None:
        """Let `user` leave everything that is open, and delete what is stored about them. Doing it again finds nothing.

        Every round closes what is open at that moment; another process may have closed it, or played on, meanwhile.
        """
        while True:
            try:
                return await self._store.privacy.erase(user)
            except StillNeeded as needed:
                log.info("member.left_matches", challenges=needed.challenges, matches=needed.matches)
                await self.leave(user, needed.matches, needed.challenges)

    async def leave(self, user: DiscordId, matches: Iterable[int], challenges: Iterable[int]) -> None:
        """Let `user` leave these challenges and matches, as far as they are still open.

        One that cannot be left does not keep the user in the others. Then its error is raised in the end.
        """
        failures: list[Exception] = []
        for leave, numbers in ((self._leave_challenge, challenges), (self._leave_match, matches)):
            for number in numbers:
                try:
                    await leave(number, user)
                except StoreFailed:
                    raise
                except Exception as error:
                    failures.append(error)
        if failures:
            raise failures[0]

    async def _leave_challenge(self, challenge: int, user: DiscordId) -> None:
        offer = await self._store.challenges.get(challenge)
        if offer is None or offer.answer is not Answer.OPEN or offer.reply_of(user) is None:
            return
        try:
            await self._store.challenges.change(offer, gone(offer, user), self._clock.now())
        except ChallengeChanged:
            log.info("challenge.changed_before_leaving", challenge=challenge)

    async def _leave_match(self, match: int, user: DiscordId) -> None:
        try:
            await self._matches.resign(match, user)
        except TimeIsOver:
            await self._matches.time_out(match)
        except Refused:
            log.info("match.ended_before_leaving", match=match)


MEMBERS, SERVERS, ACCOUNTS = "inactive-members", "inactive-servers", "accounts"
"""Names of the tasks. Members are named by a digest, since failed items are stored and logged."""

START_DELAY = timedelta(hours=1)
"""Time from the start in which nothing is deleted, since the machine's clock may still be wrong."""
LOOK_UP_EVERY = timedelta(days=30)
"""Time since the last activity, and since the last look-up, after which an account is looked up."""
LOOKED_UP = 10
"""The most accounts that one round looks up."""
BATCH = 500
"""The most members, and the most servers, that one transaction writes."""


class Retention:
    """The service that records activity and deletes the data of inactive members and servers after some months."""

    def __init__(self, store: Store, clock: Clock, privacy: Privacy, rounds: Rounds, months: int) -> None:
        self._store = store
        self._clock = clock
        self._privacy = privacy
        self._rounds = rounds
        self.months = months
        self._since = clock.monotonic()
        self._users: set[DiscordId] = set()
        self._guilds: set[DiscordId] = set()

    def note(self, user: DiscordId, guild: DiscordId | None) -> None:
        """Note that a member used the bot. `guild` is None in direct messages. The next round stores it."""
        self._users.add(user)
        if guild is not None:
            self._guilds.add(guild)

    async def store_activity(self) -> None:
        """Store what was noted, and date new rows. What a kill loses is noted again at the next use."""
        today = self._today()
        users, guilds = sorted(self._users), sorted(self._guilds)
        for start in range(0, max(len(users), len(guilds), 1), BATCH):
            batch = users[start : start + BATCH], guilds[start : start + BATCH]
            await self._store.retention.note_activity(*batch, today, today + LOOK_UP_EVERY)
            self._users.difference_update(batch[0])
            self._guilds.difference_update(batch[1])

    async def delete_members(self) -> int:
        """Delete the data of inactive members as they can do themselves, and return how many there were."""
        gone = 0

        async def forget(user: DiscordId) -> None:
            nonlocal gone
            await self._privacy.forget(user)
            gone += 1

        if self._past_start_delay():
            limit = await self._rounds.limit(MEMBERS)
            found = await self._store.retention.inactive_members(self._limit(), limit)
            await self._rounds.each(MEMBERS, found, forget, key=digest_of_member)
        if gone:
            log.info("members.inactive_deleted", members=gone)
        return gone

    async def delete_servers(self, shards: Shards = EVERY) -> None:
        """Delete the data of inactive servers of some shards, as if they had removed the bot."""
        before = self._limit()

        async def forget(guild: DiscordId) -> None:
            if await self._store.retention.forget_server(guild, before):
                self._store.matches.forget(lambda it: it.place.guild == guild)
                log.info("server.inactive_deleted", guild=guild)

        if self._past_start_delay():
            limit = await self._rounds.limit(SERVERS)
            found = await self._store.retention.inactive_servers(before, shards, limit)
            await self._rounds.each(SERVERS, found, forget)

    async def delete_accounts(self, deleted: Callable[[DiscordId], Awaitable[bool]]) -> int:
        """Look up some accounts of members who have not used the bot for a month, and delete the data of deleted ones.

        `deleted` asks Discord; it raises TryLater if Discord does not respond. Return how many accounts were deleted.
        """
        gone, today = 0, self._today()

        async def look_up(user: DiscordId) -> None:
            nonlocal gone
            if await deleted(user):
                await self._privacy.forget(user)
                gone += 1
            else:
                await self._store.retention.look_up_again(user, today + LOOK_UP_EVERY)

        if self._past_start_delay():
            limit = LOOKED_UP + len(await self._rounds.waiting(ACCOUNTS))
            found = await self._store.retention.accounts_to_look_up(today, limit)
            await self._rounds.each(ACCOUNTS, found, look_up, key=digest_of_member)
        if gone:
            log.info("members.deleted_accounts_removed", members=gone)
        return gone

    def _past_start_delay(self) -> bool:
        return self._clock.monotonic() - self._since >= START_DELAY

    def _today(self) -> date:
        return self._clock.now().date()

    def _limit(self) -> date:
        """Return the day before which the last activity is too long ago."""
        today = self._today()
        years, month = divmod(today.year * 12 + today.month - 1 - self.months, 12)
        return date(years, month + 1, min(today.day, 28))
