"""Clocks in the database: deadlines, reminders, absences, pauses, and time that is given back after downtime."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from db.models import (
    CONCERNED,
    OPEN,
    PLAYING,
    REMINDED,
    RUNNING,
    TICKING,
    WAKING,
    AliveRow,
    ChallengeRow,
    MatchRow,
    MemberRow,
    ParticipantRow,
    PostRow,
    SeatRow,
)
from db.processes.notifications import Notification, Subject
from db.stores.base import StorePart, run_at_once, upsert, within
from db.stores.matches.rows import read_match, read_matches
from db.stores.posts import change_post
from db.stores.proposals import close
from db.values.challenges import Answer
from db.values.clocks import JUMP, Reminder, Resumption, stopped_until
from db.values.matches import MovedOn, StoredMatch
from db.values.members import Member
from db.values.places import DIRECT, DiscordId, Shards
from db.values.posts import BOARDS, PostKind
from db.values.proposals import Proposal
from rules.core.game import Seat


class ClockStore(StorePart):
    """The running clocks of all matches."""

    async def alive(
        self,
        at: datetime,
        patience: timedelta,
        shard: int = DIRECT,
        *,
        last: datetime | None = None,
        passed: timedelta = timedelta(0),
        owned: bool = True,
    ) -> Sequence[int]:
        """Record that a shard of the bot is connected at `at`, and return the matches whose deadlines were moved.

        If `at` differs from the last record by more than `patience`, the deadlines of the shard's matches are moved by
        the difference, so that each running clock shows the time that it showed at the last record. If several
        processes come back at once, only one of them moves the deadlines.

        `last` is the caller's own last record, and `passed` the time since then by a monotonic clock. If the stored
        record is that one, deadlines are moved by exactly the jump of the wall clock, if it is longer than JUMP. If
        another process has made a later record, no deadline becomes earlier than its seat is owed.

        A process that does not own the shard records nothing unless it moves deadlines.
        """
        count = self._sessions.ownership.owned.count
        # Where the number of shards has changed, the shard was last connected when the last of those of before was.
        before = select(func.max(AliveRow.at)).where(AliveRow.shards != count)

        def record(connection: Connection) -> Sequence[int]:
            longest = patience
            with Session(connection) as session, session.begin():
                row = session.get(AliveRow, (count, shard), with_for_update=True)
                others = session.scalar(before)
                if row is None:
                    row, since = AliveRow(shards=count, shard=shard, at=at), others
                    session.add(row)
                else:
                    since = row.at
                    # A record of another number of shards in the future is from before the wall clock was set back.
                    if others is not None and since < others <= at:
                        since = others
                own = last is not None and since == last
                if own and since is not None:
                    since, longest = since + passed, JUMP
                moves = since is not None and abs(at - since) > longest
                if owned or moves:
                    row.at = at
                if since is None or not moves:
                    return ()
                if last is not None and not own and at < since:
                    # The machine of another process is ahead. Clocks may have been started by either machine's time.
                    since = at
                return _give_back(session, since, at, within(Shards.some(count, {shard}), MatchRow.guild))

        with suppress(IntegrityError):  # another process has just inserted the first row
            return await self._sessions.write_at_once(record)
        return ()

    async def out_of_time(
        self, at: datetime, shards: Shards | None = None, limit: int | None = None
    ) -> Sequence[int]:
        """Return the ids of running matches in which a seat is out of time, the earliest deadline first.

        At most `limit`, and only matches of these shards; of those that this process serves if none are given.
        """
        query = (
            select(SeatRow.match_id)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(RUNNING, TICKING, SeatRow.deadline <= at, self._served(MatchRow.guild, shards))
            .group_by(SeatRow.match_id)
            .order_by(func.min(SeatRow.deadline), SeatRow.match_id)
            .limit(limit)
        )
        return tuple(await self._scalars(query))

    async def due_reminders(
        self, at: datetime, shards: Shards | None = None, limit: int | None = None
    ) -> Sequence[Reminder]:
        """Return at most `limit` reminders that are due until `reminded` is called, the earliest deadline first.

        Shards as for `out_of_time`.
        """
        query = (
            select(SeatRow.match_id, SeatRow.seat, SeatRow.deadline, SeatRow.remind_at)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(RUNNING, REMINDED, SeatRow.remind_at <= at, SeatRow.deadline > at)
            .where(self._served(MatchRow.guild, shards))
            .order_by(SeatRow.deadline, SeatRow.match_id, SeatRow.seat)
            .limit(limit)
        )
        return [
            Reminder(match, seat, deadline, due)
            for match, seat, deadline, due in await self._rows(query)
            if deadline is not None and due is not None
        ]

    async def reminded(self, reminder: Reminder) -> None:
        """Record that a reminder was sent, unless it has been put off meanwhile."""
        sent = update(SeatRow).where(
            SeatRow.match_id == reminder.match,
            SeatRow.seat == reminder.seat,
            SeatRow.remind_at == reminder.due,
        )
        await self._write(sent.values(remind_at=None))

    async def lasting(self, user: DiscordId) -> Sequence[StoredMatch]:
        """Return the running matches with a lasting time control that a member plays, the oldest first."""
        return await self._sessions.read_at_once(
            lambda it: [one for one in read_matches(it, it.scalars(_running(user)).all()) if _lasting(one)]
        )

    async def absent(self, member: Member, at: datetime) -> None:
        """Store the absence of a member, with their clocks in lasting matches, which change at the time `at`.

        The boards of the member's running matches and the cards of their open challenges are shown again.
        """
        user = member.user
        changes = {
            "absent_since": member.absent_since,
            "absent_until": member.absent_until,
            "absent_before": member.absent_before,
        }
        async with self._sessions.write() as session:
            # Lock the matches first, as a move does.
            await session.execute(_running(user).with_for_update())
            await upsert(session, MemberRow, {"user_id": user}, changes)

            def change(connection: Connection) -> None:
                # A match that began meanwhile is found now: its transaction had locked the member.
                for match in read_matches(connection, connection.scalars(_running(user)).all()):
                    seats = [match.users.index(user)] if _lasting(match) else []
                    self._change_clocks(connection, match, at, seats)
                theirs = select(ParticipantRow.challenge_id).where(ParticipantRow.user_id == user, CONCERNED)
                challenges = select(ChallengeRow.id, ChallengeRow.guild).where(
                    OPEN, ChallengeRow.id.in_(theirs)
                )
                for challenge, guild in connection.execute(challenges.order_by(ChallengeRow.id)).all():
                    change_post(connection, PostKind.CARD, challenge, at)
                    self._tell(connection, Subject.CHALLENGE, challenge, guild)
                self._tell_all(connection, Notification(Subject.MEMBER, user))

            await run_at_once(session, change)

    async def carry_out(
        self,
        proposal: Proposal,
        plies: int,
        at: datetime,
        *,
        more: timedelta | None = None,
        until: datetime | None = None,
    ) -> None:
        """Give the seat of a proposal `more` time, or pause the match until then. The proposal is accepted with it.

        Raises MovedOn if the match has another number of plies or is over, and ProposalClosed.
        """
        async with self._sessions.write() as session:
            row = await session.get_one(MatchRow, proposal.match, with_for_update=True)
            if row.plies != plies or row.finished_at is not None:
                raise MovedOn(f"match {row.id} has {row.plies} plies, not {plies}, or is over")
            # This also locks the board, before the proposal is locked.
            await run_at_once(session, change_post, PostKind.BOARD, row.id, at)
            await close(session, proposal.id, Answer.ACCEPTED, at)
            if more is not None:
                seat = await session.get_one(SeatRow, (row.id, proposal.seat), with_for_update=True)
                seat.clock = None if seat.clock is None else seat.clock.extended(more)
            else:
                row.paused_until = until
            await session.flush()
            await run_at_once(session, self._change_all_clocks, proposal.match, at)

    async def end_pause(self, match: int, at: datetime) -> bool:
        """Let the clocks of a paused match run again. Return False if the match is not paused, or over."""
        async with self._sessions.write() as session:
            row = await session.get_one(MatchRow, match, with_for_update=True)
            if row.finished_at is not None or row.paused_until is None or row.paused_until <= at:
                return False
            row.paused_until = None
            await session.flush()
            await run_at_once(session, self._change_all_clocks, match, at)
            return True

    def _change_all_clocks(self, connection: Connection, number: int, at: datetime) -> None:
        match = read_match(connection, number)
        self._change_clocks(connection, match, at, range(len(match.clocks)))

    def _change_clocks(
        self, connection: Connection, match: StoredMatch, at: datetime, seats: Iterable[Seat]
    ) -> None:
        """Let the clocks of seats in a match, which is locked, stand still as is stored with it and its players."""
        for seat in seats:
            clock = match.clocks[seat]
            after = None if clock is None else clock.standing_still(at, match.stopped_until(seat))
            if after is not None and after != clock:
                theirs = update(SeatRow).where(SeatRow.match_id == match.id, SeatRow.seat == seat)
                left, deadline, remind_at = after.left, after.deadline, after.remind_at
                connection.execute(theirs.values(time_left=left, deadline=deadline, remind_at=remind_at))
        self._wake(connection, match, at)

    def _wake(self, connection: Connection, match: StoredMatch, at: datetime) -> None:
        """Have the board of a match, which is locked, drawn again, and note which pause or absence ends next."""
        waking = update(MatchRow).where(MatchRow.id == match.id)
        connection.execute(waking.values(wakes_at=match.wakes_after(at)))
        change_post(connection, PostKind.BOARD, match.id, at)
        self._tell(connection, Subject.MATCH, match.id, match.place.guild)

    async def resumptions(self, at: datetime, limit: int) -> list[Resumption]:
        """Return at most `limit` pauses and absences in served matches that have ended, the earliest end first.

        Each is returned until `resumed` is called.
        """
        query = select(MatchRow.id, MatchRow.wakes_at).where(WAKING, MatchRow.wakes_at <= at)
        query = query.where(self._served(MatchRow.guild)).order_by(MatchRow.wakes_at, MatchRow.id)
        found = await self._rows(query.limit(limit))
        return [Resumption(match, end) for match, end in found if end is not None]

    async def resumed(self, resumption: Resumption, at: datetime) -> None:
        """Record that the players of a match were told that a pause or an absence has ended, and show its board again.

        Nothing happens if the end has been put off meanwhile.
        """
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, resumption.match, with_for_update=True)
            if row is not None and row.wakes_at == resumption.at:
                await run_at_once(session, lambda it: self._wake(it, read_match(it, resumption.match), at))

    async def next_due(self, after: datetime | None = None, shards: Shards | None = None) -> datetime | None:
        """Return the time of the next deadline or reminder later than `after`, or None. Shards as for `out_of_time`."""
        queries = self._built(self._next_due, shards)
        since = {"after": after or datetime.fromtimestamp(0, UTC)}
        times = await self._sessions.read_at_once(lambda it: [it.scalar(query, since) for query in queries])
        return min((time for time in times if time is not None), default=None)

    def _next_due(self, shards: Shards | None) -> Sequence[Select[datetime | None]]:
        return [
            select(column)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(RUNNING, condition, self._served(MatchRow.guild, shards))
            .where(column > bindparam("after"))
            .order_by(column)
            .limit(1)
            for column, condition in ((SeatRow.deadline, TICKING), (SeatRow.remind_at, REMINDED))
        ]


def _running(user: DiscordId) -> Select[int]:
    """Select the running matches that a member plays in public, in the order of their ids."""
    theirs = select(SeatRow.match_id).where(SeatRow.user_id == user, PLAYING)
    public = RUNNING, MatchRow.private.is_(False), MatchRow.id.in_(theirs)
    return select(MatchRow.id).where(*public).order_by(MatchRow.id)


def _lasting(match: StoredMatch) -> bool:
    return match.time_control is not None and match.time_control.lasting


def _give_back(session: Session, since: datetime, at: datetime, where: ColumnElement[bool]) -> Sequence[int]:
    # Lock the matches first, as a move does: the move then sees the clocks either before or after this change.
    ticking = select(SeatRow.match_id).where(TICKING)
    locked = (
        select(MatchRow.id)
        .where(RUNNING, MatchRow.id.in_(ticking), where)
        .order_by(MatchRow.id)
        .with_for_update()
    )
    matches = session.scalars(locked).all()
    boards = PostRow.kind.in_(BOARDS), PostRow.subject.in_(matches)
    session.execute(update(PostRow).where(*boards).values(version=PostRow.version + 1))
    rows = session.execute(
        select(SeatRow, MatchRow.time_control, MatchRow.paused_until, MemberRow.absent_until)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .outerjoin(MemberRow, MemberRow.user_id == SeatRow.user_id)
        .where(TICKING, SeatRow.match_id.in_(matches))
        .with_for_update(of=SeatRow)
    )
    for row, time_control, paused_until, absent_until in rows:
        clock = row.clock
        assert clock is not None
        row.clock = clock.given_back(since, at, stopped_until(time_control, paused_until, absent_until))
    return matches
