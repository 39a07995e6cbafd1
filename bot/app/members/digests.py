"""Daily messages to members who chose them in the place of single notices, with hours as members write them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import available_timezones

from bot.app.bans import digest_of_member
from bot.app.challenges.challenges import Challenges
from bot.app.clocks.dates import OFFSET, time_of_day, zone_of
from bot.app.errors import Refused
from bot.app.matches.listed import Listed, in_own_server, readable
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
        proposals = await self._proposals.waiting(user)
        there = await in_own_server(self._store, user, [loaded for _, loaded in proposals])
        proposed = [(proposal, loaded) for (proposal, _), loaded in zip(proposals, there, strict=True)]
        ended = await self._store.history.ended(user, digest.since, digest.until, MOST_RESULTS)
        results = await in_own_server(self._store, user, readable(ended))
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


_BETWEEN = re.compile(r"-|–|to|until|till|bis")
_HOUR = re.compile(r"(?P<hour>[0-9]{1,2})(?P<half>[ap]\.?m\.?)?")
_WHOLE = re.compile(r"(?<=[0-9])[:.]?00(?![0-9])")
_WHOLE_DAY = ("always", "anytime", "allday", "wholeday", "thewholeday")
_QUARTER = timedelta(minutes=15)
FARTHEST_EAST, FARTHEST_WEST = timedelta(hours=14), timedelta(hours=-12)
"""The largest and the smallest offset from UTC that is in use."""

HOURS_HINT = "Write the hours like `18-23`, or `0-24` for the whole day."
HOUR_HINT = "Write the hour like `18` or `6 pm`."
ZONE_HINT = (
    "Write a time zone like `Europe/Berlin` or `UTC+2`, or the time that your clock shows now, like `20:15`."
)


def read_hours(text: str) -> tuple[int, int]:
    """Return the first hour and the hour after the last one that `18-23`, `6-11 pm` or `22:00 to 2:00` means.

    They are 0 to 23 and 1 to 24. Raises Refused.
    """
    plain = re.sub(r"\s", "", text.lower())
    if plain in _WHOLE_DAY:
        return 0, 24
    parts = [_WHOLE.sub("", part) for part in _BETWEEN.split(plain)]
    hours = [_hour(part) for part in _with_halves(parts)]
    if len(hours) != 2 or None in hours:
        raise Refused(HOURS_HINT)
    first, end = (hour or 0 for hour in hours)
    first, end = first % 24, end or 24
    if first == end:
        raise Refused(HOURS_HINT)
    return first, end


def _with_halves(parts: list[str]) -> list[str]:
    """Return the ends of a span, both with am or pm if one has them and the number grows: `6-11pm` is `6pm-11pm`."""
    ends = [_HOUR.fullmatch(part) for part in parts]
    numbers = [int(end["hour"]) for end in ends if end is not None]
    halves = [end["half"] for end in ends if end is not None]
    if (
        len(parts) != 2
        or len(numbers) != 2
        or all(halves)
        or max(numbers) > 12
        or numbers[0] % 12 >= numbers[1] % 12
    ):
        return parts
    return [f"{number}{halves[0] or halves[1] or ''}" for number in numbers]


def read_hour(text: str) -> int:
    """Return the hour, 0 to 23, that `18`, `18:00`, `6 pm`, `noon` or `24` means. Raises Refused."""
    hour = _hour(re.sub(r"\s", "", text.lower()))
    if hour is None:
        raise Refused(HOUR_HINT)
    return hour % 24


def _hour(text: str) -> int | None:
    """Return the hour that `18`, `6pm`, `18h`, `noon` or `24` means, 0 to 24; None if it is no hour."""
    plain = _WHOLE.sub("", text)
    if plain in ("24", "24h"):
        return 24
    at = time_of_day(plain, bare=True)
    return None if at is None or at.minute else at.hour


def within_hours(hour: int, first: int, end: int) -> bool:
    """Return True if an hour is among those from `first` to the one before `end`, which may be of the next day."""
    return first <= hour < end if first < end else hour >= first or hour < end


def read_zone(text: str, now: datetime) -> str:
    """Return the time zone that `Europe/Berlin`, `berlin`, `UTC+2` or the time on a clock at `now` means.

    The result is a name that `zone_of` takes. Raises Refused.
    """
    plain = re.sub(r"\s+", "", text.lower())
    if plain in ("utc", "gmt", "z"):
        return "UTC"
    if (offset := OFFSET.fullmatch(plain)) is not None:
        span = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
        return _named(span if offset["sign"] == "+" else -span)
    if (time := time_of_day(plain)) is not None:
        there = timedelta(hours=time.hour, minutes=time.minute)
        utc = now.astimezone(UTC)
        difference = there - timedelta(hours=utc.hour, minutes=utc.minute)
        span = round(difference / _QUARTER) * _QUARTER
        if span > timedelta(hours=12):
            span -= timedelta(days=1)
        elif span <= timedelta(hours=-12):
            span += timedelta(days=1)
        return _named(span)
    name = _names().get(re.sub(r"[\s_]+", "", text.lower()))
    if name is None:
        raise Refused(ZONE_HINT)
    return name


async def zone_told(store: Store, user: DiscordId) -> tzinfo:
    """Return the time zone that a member has told for their daily message or their interests, or else UTC."""
    told = await store.digests.get(user) or await store.interests.get(user)
    return UTC if told is None else zone_of(told.zone)


def _named(span: timedelta) -> str:
    """Return the name of the zone with this offset from UTC. Raises Refused if no such zone is in use."""
    if not FARTHEST_WEST <= span <= FARTHEST_EAST:
        raise Refused(ZONE_HINT)
    minutes = abs(span) // timedelta(minutes=1)
    if not minutes:
        return "UTC"
    return f"UTC{'-' if span < timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}"


@cache
def _names() -> dict[str, str]:
    """Return the names of zones by what members may write for them: the name, or its city if only one has it."""
    zones = {name for name in available_timezones() if not name.startswith(("posix/", "right/", "Etc/"))}
    cities: dict[str, set[str]] = {}
    for name in zones:
        if "/" in name:
            cities.setdefault(name.rpartition("/")[2], set()).add(name)
    written = {city: next(iter(found)) for city, found in cities.items() if len(found) == 1}
    written |= {name: name for name in zones}
    return {re.sub(r"[\s_]+", "", text.lower()): name for text, name in written.items()}
