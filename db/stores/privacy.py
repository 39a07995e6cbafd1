"""The data that is kept about a member: which rows concern them, exporting or deleting these, and last activity."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CompoundSelect,
    cast,
    delete,
    false,
    func,
    null,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from db.models import (
    OPEN,
    AdminActionRow,
    AwardRow,
    BanRow,
    Base,
    BlockRow,
    ChallengeRow,
    ConsentRow,
    CorrectedSkillRow,
    DeedRow,
    DigestRow,
    DirectMessageRow,
    EntrantRow,
    EventRow,
    ExclusionRow,
    FollowerRow,
    InterestRow,
    InterestServerRow,
    LessonRow,
    MatchRow,
    MemberRow,
    MomentRow,
    ParticipantRow,
    PlyRow,
    PostRow,
    ProposalRow,
    PuzzleAttemptRow,
    PuzzleRunRow,
    PuzzleSolverRow,
    RatedSeatRow,
    RatingRow,
    RevertedSeatRow,
    SeatRow,
    ServerRow,
    TitleRow,
    VariationRow,
    VolunteerRow,
    VoteRow,
)
from db.models.base import HOLDS
from db.processes.notifications import Notification, Subject
from db.stores.base import StorePart, run_at_once, within
from db.stores.servers import forget_all
from db.stores.standings.rows import leave_leaderboards
from db.stores.titles import take_roles
from db.types import OptionsJson, PackedSkills
from db.values.clocks import TimeControl
from db.values.members import ExportedRows, StillNeeded, level_of
from db.values.places import EVERY, FORMER, SEATS, DiscordId, Shards, former
from db.values.posts import BOARDS, PostKind
from rules.core.match import LEAVING

ROOM = 2**24
"""More than the members of any challenge."""

_challenger = (
    select(ParticipantRow.number)
    .where(ParticipantRow.challenge_id == ChallengeRow.id, ParticipantRow.user_id == ChallengeRow.challenger)
    .correlate(ChallengeRow)
    .scalar_subquery()
)
_left = (
    select(PlyRow.ply)
    .where(PlyRow.match_id == SeatRow.match_id, PlyRow.seat == SeatRow.seat, PlyRow.text.in_(LEAVING))
    .correlate(SeatRow)
    .exists()
)
_open_vote = (
    select(MatchRow.id)
    .where(MatchRow.id == VoteRow.match_id, MatchRow.plies <= VoteRow.ply, MatchRow.finished_at.is_(None))
    .correlate(VoteRow)
    .exists()
)
_done = or_(SeatRow.finished_at.is_not(None), _left)


NOBODY: ColumnElement[int] = cast(null(), BigInteger)


@dataclass(frozen=True, slots=True)
class Trace:
    """A column with members, and the number that replaces one whose data is deleted; None deletes the row.

    Such numbers are below zero and differ in every match and challenge, so that they cannot be connected. Only rows
    that are `settled` are changed. Rows of a column that is not `shared` are another member's secret.
    """

    column: InstrumentedAttribute[int] | InstrumentedAttribute[int | None]
    instead: ColumnElement[int] | None = None
    settled: ColumnElement[bool] = true()  # noqa: RUF009 - an expression never changes
    shared: bool = True
    first: Callable[[AsyncSession, DiscordId], Awaitable[None]] | None = None
    """A function that must run before the change."""


TRACES = (
    Trace(MemberRow.user_id),
    Trace(LessonRow.user_id),
    Trace(PuzzleAttemptRow.user_id),
    Trace(PuzzleRunRow.user_id),
    Trace(PuzzleSolverRow.user_id),
    Trace(DigestRow.user_id),
    Trace(DirectMessageRow.user_id),
    Trace(ExclusionRow.user_id),
    Trace(FollowerRow.user_id),
    Trace(VariationRow.user_id),
    Trace(InterestServerRow.user_id),
    Trace(InterestRow.user_id),
    Trace(BlockRow.user_id),
    Trace(BlockRow.blocked_id, shared=False),
    # Before the participants, since the challenger is found among them.
    Trace(
        ChallengeRow.challenger,
        -(cast(ChallengeRow.id, BigInteger) * ROOM + func.coalesce(_challenger, ROOM - 1)),
        ~OPEN,
    ),
    Trace(
        ParticipantRow.user_id,
        -(cast(ParticipantRow.challenge_id, BigInteger) * ROOM + ParticipantRow.number),
        ParticipantRow.challenge_id.in_(select(ChallengeRow.id).where(~OPEN)),
    ),
    Trace(EventRow.organiser, -(cast(EventRow.id, BigInteger) * ROOM + ROOM - 1)),
    Trace(EntrantRow.user_id, -(cast(EntrantRow.event_id, BigInteger) * ROOM + EntrantRow.number)),
    # A member whose data is deleted must not vote twice for one move.
    Trace(VoteRow.user_id, settled=_open_vote),
    Trace(VoteRow.user_id, -cast(VoteRow.id, BigInteger)),
    Trace(VolunteerRow.user_id, settled=VolunteerRow.drawn_at.is_(None)),
    Trace(VolunteerRow.user_id, -cast(VolunteerRow.id, BigInteger)),
    # A role is taken away first; its row goes when Discord has confirmed that.
    Trace(TitleRow.user_id, settled=TitleRow.role.is_(None), first=take_roles),
    Trace(DeedRow.by_user, NOBODY),
    Trace(DeedRow.whom, NOBODY),
    Trace(SeatRow.user_id, -(cast(SeatRow.match_id, BigInteger) * SEATS + SeatRow.seat), _done),
    Trace(SeatRow.leaver, -(cast(SeatRow.match_id, BigInteger) * SEATS + SeatRow.seat)),
    # After the seats: a match that ends meanwhile then awards nothing to a former member.
    Trace(AwardRow.user_id),
    # After the seats: a search that ends meanwhile then keeps no moment of a former member.
    Trace(MomentRow.user_id),
    # After the seats, in the same order as a match that ends.
    Trace(RatingRow.user_id, first=leave_leaderboards),
    Trace(CorrectedSkillRow.user_id),
    Trace(RevertedSeatRow.user_id),
    Trace(RatedSeatRow.user_id, -(cast(RatedSeatRow.match_id, BigInteger) * SEATS + RatedSeatRow.seat)),
    # A ban is recognized by its digest alone then: it cannot be lifted by a deletion.
    Trace(BanRow.user_id, NOBODY),
    Trace(AdminActionRow.user_id, NOBODY),
)

WORDS = (MatchRow.void, BanRow.reason, AdminActionRow.what)
"""Columns with text that somebody typed and that may name a member (`Typed` in db.models.base)."""

WITHHELD = (
    *("matches.plies", "matches.turns", "plies.ply", "direct_messages.number"),
    *(
        "matches.newest_key",
        "matches.key_before",
        "matches.earliest_key",
        "matches.keyed_plies",
        "seats.faced",
    ),
)
"""Columns that are never exported, because they would reveal others' secret moves.

These are the length of a log, who is still to move, the position, and what the players see of it.
"""


class PrivacyStore(StorePart):
    """The stored data about one member: exported or deleted."""

    async def export(self, user: DiscordId) -> ExportedRows:
        """Return the rows that concern a member and are no secret of another. Tables without such rows are left out."""
        async with self._sessions.read() as session:
            found = {}
            for row, condition in _theirs(user).items():
                table = Base.metadata.tables[row.__tablename__]
                columns = [column for column in table.columns if str(column) not in WITHHELD]
                query = select(*columns).where(condition).order_by(*table.primary_key)
                rows = (await session.execute(query)).all()
                found[table.name] = [
                    {column.name: _plain(column, value) for column, value in zip(columns, it, strict=True)}
                    for it in rows
                ]
        return {name: rows for name, rows in found.items() if rows}

    async def erase(self, user: DiscordId) -> None:
        """Delete the data of a member. In rows that others share, delete only who the member was.

        Raises StillNeeded while there are open challenges or running matches that they have not left. Rows that are
        stored during the deletion stay.
        """
        async with self._sessions.write() as session:
            await _check_free(session, user)
            # Whoever changes an event locks it before its message.
            theirs = EventRow.id.in_(_events(user))
            locking = select(EventRow.id).where(theirs).order_by(EventRow.id).with_for_update()
            await session.execute(locking)
            # A change that was judged before must not begin games of a member who is deleted.
            raising = update(EventRow).where(theirs).values(version=EventRow.version + 1)
            await session.execute(raising, execution_options={"synchronize_session": False})
            # If two members who have blocked each other are deleted at once, neither may wait for the other.
            blocks = select(BlockRow.user_id).where(
                or_(BlockRow.user_id == user, BlockRow.blocked_id == user)
            )
            await session.execute(blocks.order_by(BlockRow.user_id, BlockRow.blocked_id).with_for_update())
            await _redraw(session, user)
            for trace in TRACES:
                row, settled = trace.column.class_, (trace.column == user) & trace.settled
                if trace.first is not None:
                    await trace.first(session, user)
                forgetting = (
                    delete(row).where(settled)
                    if trace.instead is None
                    else update(row).where(settled).values({trace.column: trace.instead})
                )
                await session.execute(forgetting, execution_options={"synchronize_session": False})
            for words in WORDS:
                named: ColumnElement[Any] = words.expression
                for name in (f"<@{user}>", f"<@!{user}>", str(user)):
                    named = func.replace(named, name, FORMER)
                mending = update(words.class_).where(words.contains(str(user))).values({words: named})
                await session.execute(mending, execution_options={"synchronize_session": False})
            await run_at_once(session, self._tell_all, Notification(Subject.MEMBER, user))


async def _redraw(session: AsyncSession, user: DiscordId) -> None:
    """Have every message updated that may name a member: boards, cards, events, and open posts of daily puzzles."""
    voted = select(VoteRow.match_id).where(VoteRow.user_id == user)
    volunteered = select(VolunteerRow.match_id).where(VolunteerRow.user_id == user)
    matches = select(SeatRow.match_id).where(_seated(user)).union(voted, volunteered)
    challenges = select(ChallengeRow.id).where(_concerned(user))
    guilds = select(PuzzleAttemptRow.guild).where(PuzzleAttemptRow.user_id == user)
    for theirs in (
        PostRow.kind.in_(BOARDS) & PostRow.subject.in_(matches),
        (PostRow.kind == PostKind.CARD) & PostRow.subject.in_(challenges),
        (PostRow.kind == PostKind.EVENT) & PostRow.subject.in_(_events(user)),
        (PostRow.kind == PostKind.PUZZLE) & PostRow.subject.in_(guilds) & (PostRow.progress == 0),
    ):
        shown = PostRow.message.is_not(None)
        await session.execute(update(PostRow).where(theirs, shown).values(version=PostRow.version + 1))


def _events(user: DiscordId) -> CompoundSelect[int]:
    """Select the events that a member organises, has joined, or has changed."""
    joined = select(EntrantRow.event_id).where(EntrantRow.user_id == user)
    changed = select(DeedRow.event_id).where(or_(DeedRow.by_user == user, DeedRow.whom == user))
    return select(EventRow.id).where(EventRow.organiser == user).union(joined, changed)


async def _check_free(session: AsyncSession, user: DiscordId) -> None:
    """Make sure that a member is in no open challenge and no running match. Raises StillNeeded."""
    asked = select(ChallengeRow.id).where(OPEN, _concerned(user)).order_by(ChallengeRow.id)
    seats = select(SeatRow.match_id).where(SeatRow.user_id == user, ~_done).order_by(SeatRow.match_id)
    challenges, matches = (await session.scalars(asked)).all(), (await session.scalars(seats)).all()
    if challenges or matches:
        raise StillNeeded(tuple(challenges), tuple(matches))


def _theirs(user: DiscordId) -> Mapping[type[Base], ColumnElement[bool]]:
    """Return which rows of each table concern a member and are no secret of another; of moves, only their own."""
    found: dict[Any, ColumnElement[bool]] = {}
    for trace in TRACES:
        if trace.shared:
            row = trace.column.class_
            found[row] = or_(found.get(row, false()), trace.column == user)
    own = select(SeatRow.match_id, SeatRow.seat).where(_seated(user))
    asked = (
        select(ProposalRow.id, SeatRow.seat)
        .join(SeatRow, SeatRow.match_id == ProposalRow.match_id)
        .where(SeatRow.user_id == user)
    )
    return found | {
        ChallengeRow: _concerned(user),
        MatchRow: MatchRow.id.in_(select(SeatRow.match_id).where(_seated(user))),
        PlyRow: tuple_(PlyRow.match_id, PlyRow.seat).in_(own),
        ProposalRow: tuple_(ProposalRow.match_id, ProposalRow.seat).in_(own),
        ConsentRow: tuple_(ConsentRow.proposal_id, ConsentRow.seat).in_(asked),
    }


def _seated(user: DiscordId) -> ColumnElement[bool]:
    """Return the condition for seats that a member has, or had until they left and a computer player took it."""
    return or_(SeatRow.user_id == user, SeatRow.leaver == user)


def _concerned(user: DiscordId) -> ColumnElement[bool]:
    """Return the condition for challenges that concern a member now or did so before."""
    asked = select(ParticipantRow.challenge_id).where(ParticipantRow.user_id == user)
    return or_(ChallengeRow.challenger == user, ChallengeRow.id.in_(asked))


def _plain(column: Column[Any], value: Any) -> object:
    """Return the value of a column for JSON: times in ISO 8601, spans in seconds, Discord ids as strings."""
    match value:
        case date():  # or a datetime, which is one
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case TimeControl(span=span, increment=increment, cap=cap):
            per_move = increment is None
            return {
                "seconds": span.total_seconds(),
                "for_each_move": per_move,
                "increment": None if increment is None else increment.total_seconds(),
                "cap": None if cap is None else cap.total_seconds(),
            }
        case tuple() if isinstance(column.type, PackedSkills):
            return [[it.skill.mu, it.skill.sigma] for it in value]
        case tuple():
            return dict(value) if isinstance(column.type, OptionsJson) else list(value)
        case int() if column.info.get(HOLDS) == "member" and (level := level_of(value)):
            return f"computer player, level {level}"
        case int() if HOLDS in column.info:
            return None if former(value) else str(value)
    return value


DATED = 5000
"""The most new rows that one transaction dates. There are more only after an update from an earlier version."""


class RetentionStore(StorePart):
    """The last activity of members and servers of which anything is stored."""

    async def note_activity(
        self, users: Collection[DiscordId], guilds: Collection[DiscordId], today: date, look_up_on: date
    ) -> None:
        """Record that these members and servers were active today, and date rows that have no date yet.

        Those of which nothing is stored are ignored. A call dates some thousand rows at most.
        The accounts of these members are next looked up on `look_up_on`.
        """
        member, server = MemberRow, ServerRow
        members = update(member).values(active_on=today, look_up_on=look_up_on)
        servers = update(server).values(active_on=today)
        new_members = select(member.user_id).where(member.active_on.is_(None), member.computer.is_(False))
        new_servers = select(server.guild_id).where(server.active_on.is_(None))
        changes = (
            members.where(member.user_id.in_(new_members.limit(DATED))),
            members.where(member.user_id.in_(sorted(users)), member.active_on < today),
            servers.where(server.guild_id.in_(new_servers.limit(DATED))),
            servers.where(server.guild_id.in_(sorted(guilds)), server.active_on < today),
        )
        await self._sessions.write_at_once(lambda it: [it.execute(changing) for changing in changes])

    async def inactive_members(self, before: date, limit: int) -> Sequence[DiscordId]:
        """Return members who were last active before a day, the longest ago first."""
        row = MemberRow
        query = select(row.user_id).where(row.active_on < before).order_by(row.active_on).limit(limit)
        return await self._scalars(query)

    async def inactive_servers(
        self, before: date, shards: Shards = EVERY, limit: int | None = None
    ) -> Sequence[DiscordId]:
        """Return servers of some shards in which nobody has been active since a day, the longest ago first."""
        row = ServerRow
        query = (
            select(row.guild_id)
            .where(row.active_on < before, within(shards, row.guild_id))
            .order_by(row.active_on)
            .limit(limit)
        )
        return await self._scalars(query)

    async def accounts_to_look_up(self, today: date, limit: int) -> Sequence[DiscordId]:
        """Return members whose accounts are to be looked up today or were to be before, the longest due first."""
        row = MemberRow
        query = select(row.user_id).where(row.look_up_on <= today).order_by(row.look_up_on).limit(limit)
        return await self._scalars(query)

    async def look_up_again(self, user: DiscordId, on: date) -> None:
        """Record on which day the account of a member is to be looked up next."""
        changing = update(MemberRow).where(MemberRow.user_id == user).values(look_up_on=on)
        await self._write(changing)

    async def forget_server(self, guild: DiscordId, before: date) -> bool:
        """Delete all data of a server in which nobody has been active since a day. Return True if this call did it."""
        async with self._sessions.write() as session:
            row = await session.get(ServerRow, guild, with_for_update=True)
            if row is None or row.active_on is None or row.active_on >= before:
                return False
            await forget_all(session, guild)
        return True
