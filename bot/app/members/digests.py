"""Daily messages to members who chose them in the place of single notices."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from bot.app.bans import digest_of_member
from bot.app.challenges.challenges import Challenges
from bot.app.clocks.dates import zone_of
from bot.app.matches.listed import Listed, readable
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.proposals import Proposals
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.challenges import Challenge, Reply, Terms
from db.values.members import Digest, Interest, Notice
from db.values.places import DiscordId
from db.values.posts import News, Occasion
from db.values.proposals import Proposal

TASK = "digests"
"""Name of the task whose items are members whose daily message is due."""
DAY = timedelta(days=1)
LATELY = timedelta(days=30)
"""The time since their last game in a channel for which members are told of open games there."""
MOST_RESULTS = 10
"""The most results that a message tells of: the newest."""
MOST_OFFERS = 5
"""The most open games of others that a message tells of."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a daily message."""

    due: Sequence[Listed]
    """Matches that wait for the member, the longest waiting first."""
    asked: Sequence[Challenge]
    proposed: Sequence[tuple[Proposal, LoadedMatch]]
    results: Sequence[LoadedMatch]
    """Matches that ended since the message before, the newest first."""
    resting: Sequence[Challenge]
    """Standing offers of the member that rest."""
    offers: Sequence[Challenge]
    """Open games of others in channels where the member plays, without those with less than a day for a move."""


class Digests:
    """The service of daily messages."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rounds: Rounds,
        matches: Matches,
        challenges: Challenges,
        proposals: Proposals,
    ) -> None:
        self._store = store
        self._clock = clock
        self._rounds = rounds
        self._matches = matches
        self._challenges = challenges
        self._proposals = proposals

    async def of(self, user: DiscordId) -> Digest:
        """Return the daily message of a member as stored, or as it would be by default, in their known time zone."""
        now = self._clock.now()
        found = await self._store.digests.get(user)
        if found is None:
            wish = await self._store.interests.get(user)
            found = Digest(user, now) if wish is None else Digest(user, now, zone=wish.zone)
        return replace(found, due_at=next_due(found.hour, found.zone, now))

    async def begin(self, user: DiscordId, hour: int | None = None, zone: str | None = None) -> Digest:
        """Send a member a daily message from now on, at an hour of a time zone; None keeps what they had."""
        before, now = await self.of(user), self._clock.now()
        hour, zone = before.hour if hour is None else hour, zone or before.zone
        digest = Digest(user, next_due(hour, zone, now), hour, zone, now, now)
        await self._store.digests.keep(digest)
        await self._store.members.change(user, notice=Notice.DIGEST)
        self._store.matches.forget(lambda it: user in it.users)
        return digest

    async def queue_due(self) -> None:
        """Queue the daily messages that are due. One that is late is queued once."""
        due = await self._store.digests.due(self._clock.now(), await self._rounds.limit(TASK))
        await self._rounds.each(TASK, due, self._queue, key=lambda it: digest_of_member(it.user))

    async def _queue(self, due: Digest) -> None:
        now = self._clock.now()
        after = replace(
            due, due_at=next_due(due.hour, due.zone, now), since=due.until or now - DAY, until=now
        )
        await self._store.digests.queue(due, after, News(Occasion.DIGEST, _day(now)), now)

    async def contents(self, user: DiscordId, day: int) -> Contents | None:
        """Return what the message of a day tells; None if it is out of date, or if there is nothing to tell.

        `day` is an ordinal number. Open games and resting offers alone are nothing to tell.
        """
        digest = await self._store.digests.get(user)
        if digest is None or digest.since is None or digest.until is None or _day(digest.until) != day:
            return None
        if (await self._store.members.get(user)).notice is not Notice.DIGEST:
            return None
        mine, _ = await self._matches.by_hand(user)
        due = sorted((it for it in mine if user in it.waiting_for), key=lambda it: (it.since(user), it.id))
        waiting = await self._challenges.waiting(user)
        asked = [it for it in waiting if it.reply_of(user) is Reply.ASKED]
        proposed = await self._proposals.waiting(user)
        ended = await self._store.history.ended(user, digest.since, digest.until, MOST_RESULTS)
        results = readable(ended)
        if not (due or asked or proposed or results):
            return None
        wish = await self._store.interests.get(user)
        offers = await self._challenges.nearby(user, self._clock.now() - LATELY)
        fitting = [it for it in offers if _fits(it.terms, wish)]
        resting = [it for it in waiting if it.standing is not None and it.standing.rests]
        return Contents(due, asked, proposed, results, resting, fitting[:MOST_OFFERS])


def _fits(terms: Terms, wish: Interest | None) -> bool:
    """Return True for a game that a member may read of a day later, and that they want to play if they said which."""
    slow = terms.time_control is None or terms.time_control.lasting
    return slow and (wish is None or not wish.games or terms.any_game or terms.game in wish.games)


def _day(at: datetime) -> int:
    """Return the day of a time in UTC as an ordinal number."""
    return at.astimezone(UTC).date().toordinal()


def next_due(hour: int, zone: str, now: datetime) -> datetime:
    """Return the next time after `now` at which it is this hour in a time zone."""
    there = now.astimezone(zone_of(zone))
    for days in (0, 1):
        at = datetime.combine(there.date() + days * DAY, time(hour), there.tzinfo)
        if at > now:
            return at
    raise AssertionError("tomorrow's hour is not over")
