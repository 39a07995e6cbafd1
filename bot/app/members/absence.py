"""Absence: a member who is away says until when, and the clocks of their lasting matches stand still.

Only clocks of a day or more do so (`TimeControl.lasting`). An absence begins at once, and it ends by itself or earlier.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.app.clocks.dates import read_date
from bot.app.errors import Refused
from bot.app.matches.loaded import name_of
from bot.app.matches.move_log import MoveLog
from bot.app.members.digests import zone_told
from bot.app.system import Clock
from db.store import Store
from db.values.members import Member
from db.values.places import DiscordId

LONGEST = timedelta(days=10)
"""The longest absence. A new date while a member is away makes the same absence longer or shorter."""
PER_YEAR = timedelta(days=21)
"""The most time away in a calendar year in UTC."""
LEAST_LEFT = timedelta(hours=1)
"""The least time that a member's running clocks must have left when an absence begins."""


class Absences:
    """The service of absences. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, move_log: MoveLog) -> None:
        self._store = store
        self._clock = clock
        self._move_log = move_log

    async def begin(self, user: DiscordId, text: str) -> datetime:
        """Let a member be away from now until the date in `text`, or change that date. Return the end.

        A time of day is one of the member's time zone, if they have told it, or else in UTC.
        """
        now = self._clock.now()
        until = read_date(text, now, await zone_told(self._store, user))
        after = away(await self._store.members.get(user), now, until)
        assert after.absent_until is not None
        await self._change(after, least_left=LEAST_LEFT)
        return after.absent_until

    async def end(self, user: DiscordId) -> None:
        """End the absence of a member who is back."""
        now, member = self._clock.now(), await self._store.members.get(user)
        if not is_away(member, now):
            raise Refused("You are not away; your clocks run as usual.")
        await self._change(returned(member, now))

    async def _change(self, member: Member, least_left: timedelta | None = None) -> None:
        """Store when a member is away, with the clocks of their matches. Raises Refused if a clock has less left."""
        user = member.user
        guilds = {it.place.guild for it in await self._store.clocks.lasting(user)}
        # Deadlines must not be moved between the computation of clocks and their storage.
        async with self._move_log.shard_clocks.storing_in(guilds) as now:
            if least_left is not None:
                for match in await self._store.clocks.lasting(user):
                    clock = match.clocks[match.users.index(user)]
                    runs = clock is not None and clock.deadline is not None and not clock.stands_still_at(now)
                    if clock is not None and runs and clock.left_at(now) < least_left:
                        raise Refused(
                            f"You have less than an hour left in {name_of(match.setup.game, match.id)}; move there"
                            " before you go away."
                        )
            await self._store.clocks.absent(member, now)
        self._move_log.ticked.set()

    async def of(self, users: Collection[DiscordId]) -> Mapping[DiscordId, datetime]:
        """Return the end of the absence of each of these users who is away."""
        now = self._clock.now()
        found = await self._store.members.get_all(users)
        return {it.user: it.absent_until for it in found if is_away(it, now) and it.absent_until is not None}


def is_away(member: Member, now: datetime) -> bool:
    return member.absent_until is not None and member.absent_until > now


def away(member: Member, now: datetime, until: datetime) -> Member:
    """Return a member who is away until then, also if they were away already. Raises Refused beyond the limits."""
    since = member.absent_since if is_away(member, now) else None
    if since is None:
        since = now
        member = replace(member, absent_since=now, absent_before=used_in(member, now.astimezone(UTC).year))
    after = replace(member, absent_until=until)
    if until - since > LONGEST:
        raise Refused(
            f"You can be away for {LONGEST.days} days at a time, so until {_spelled(since + LONGEST)} at the latest."
        )
    for year in {since.astimezone(UTC).year, until.astimezone(UTC).year}:
        if (more := used_in(after, year) - PER_YEAR) > timedelta(0):
            if until - more <= now:
                raise Refused(f"You have been away for {PER_YEAR.days} days in this year, which is the most.")
            raise Refused(
                f"You can be away for {PER_YEAR.days} days in a year, so until {_spelled(until - more)} at the latest."
            )
    return after


def returned(member: Member, now: datetime) -> Member:
    """Return a member who is back before the end of their absence.

    No end is kept: it would be in the future again if the wall clock was set back.
    """
    used = used_in(replace(member, absent_until=now), now.astimezone(UTC).year)
    return replace(member, absent_since=now, absent_until=None, absent_before=used)


def used_in(member: Member, year: int) -> timedelta:
    """Return the time for which a member has been away in a calendar year, or will have been."""
    since, until = member.absent_since, member.absent_until
    if since is None:
        return timedelta(0)
    first, last = (datetime(it, 1, 1, tzinfo=UTC) for it in (year, year + 1))
    during = min(since if until is None else until, last) - max(since, first)
    before = member.absent_before if since.astimezone(UTC).year == year else timedelta(0)
    return max(timedelta(0), during) + before


def left_in_year(member: Member, now: datetime) -> timedelta:
    """Return the time for which a member may still be away in this calendar year, beyond a present absence."""
    return max(timedelta(0), PER_YEAR - used_in(member, now.astimezone(UTC).year))


def _spelled(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:f>"
