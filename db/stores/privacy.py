"""What is kept of one member: handed out, or deleted.

TRACES is the one list of what holds members. A new column that holds some (`UserId` in db.models) needs its line here;
a test walks the tables and fails until it has one.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    cast,
    delete,
    false,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from db.api.clocks import TimeControl
from db.api.places import FORMER, DiscordId, former
from db.api.privacy import Entangled, Erased, ExportedRows
from db.models import (
    OPEN,
    AwardRow,
    Base,
    BlockRow,
    ChallengeRow,
    ConsentRow,
    MatchRow,
    MemberRow,
    ParticipantRow,
    PlyRow,
    ProposalRow,
    RatedSeatRow,
    RatingRow,
    SeatRow,
)
from db.models.base import HOLDS
from db.stores.base import StorePart
from db.stores.ratings.listing import leave_leaderboards
from db.types import HeldPacked, OptionsJson
from rules.core.match import LEAVING

SEATS = 2**8
"""More than a match has seats."""
ROOM = 2**24
"""More than a challenge ever has members."""

_host = (
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
_done = or_(SeatRow.finished_at.is_not(None), _left)


@dataclass(frozen=True, slots=True)
class Trace:
    """A column that holds members, and what takes the place of one who is forgotten: nothing, so that the row goes, or
    a number that is nobody's, and another one in every match and challenge, so that it leads nowhere.

    Only rows that are `settled` are touched. What is not `shared` is another's secret.
    """

    row: type[Base]
    column: InstrumentedAttribute[int]
    instead: ColumnElement[int] | None = None
    settled: ColumnElement[bool] = true()  # noqa: RUF009 - an expression never changes
    shared: bool = True
    first: Callable[[AsyncSession, DiscordId], Awaitable[None]] | None = None
    """What must be done before."""


TRACES = (
    Trace(MemberRow, MemberRow.user_id),
    Trace(BlockRow, BlockRow.user_id),
    Trace(BlockRow, BlockRow.blocked_id, shared=False),
    # Before the participants, among whom the challenger is found.
    Trace(
        ChallengeRow,
        ChallengeRow.challenger,
        -(cast(ChallengeRow.id, BigInteger) * ROOM + func.coalesce(_host, ROOM - 1)),
        ~OPEN,
    ),
    Trace(
        ParticipantRow,
        ParticipantRow.user_id,
        -(cast(ParticipantRow.challenge_id, BigInteger) * ROOM + ParticipantRow.number),
        ParticipantRow.challenge_id.in_(select(ChallengeRow.id).where(~OPEN)),
    ),
    Trace(SeatRow, SeatRow.user_id, -(cast(SeatRow.match_id, BigInteger) * SEATS + SeatRow.seat), _done),
    # After the seats: a match that ends meanwhile may be proof of nothing, but never of somebody who is gone.
    Trace(AwardRow, AwardRow.user_id),
    # After the seats, as a match that ends does it.
    Trace(RatingRow, RatingRow.user_id, first=leave_leaderboards),
    Trace(
        RatedSeatRow,
        RatedSeatRow.user_id,
        -(cast(RatedSeatRow.match_id, BigInteger) * SEATS + RatedSeatRow.seat),
    ),
)

WORDS = (MatchRow.void,)
"""Columns of words that somebody typed, who may have named a member (`Typed` in db.models)."""

WITHHELD = ("matches.plies", "matches.panel_plies", "plies.ply")
"""What nobody is handed out: how many entries a log has would tell of what others have played in secret."""


class PrivacyPart(StorePart):
    """The queries of db.api.privacy."""

    async def export_member(self, user: DiscordId) -> ExportedRows:
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

    async def erase(self, user: DiscordId) -> Erased:
        async with self._sessions.write() as session:
            await _check_free(session, user)
            seats = select(SeatRow.match_id).where(SeatRow.user_id == user)
            matches = (await session.scalars(seats.order_by(SeatRow.match_id.desc()))).all()
            asked = select(ChallengeRow.id).where(_concerned(user))
            challenges = (await session.scalars(asked.order_by(ChallengeRow.id.desc()))).all()
            # Of two who have blocked each other and leave together, neither may wait for the other in a circle.
            blocks = select(BlockRow.user_id).where(
                or_(BlockRow.user_id == user, BlockRow.blocked_id == user)
            )
            await session.execute(blocks.order_by(BlockRow.user_id, BlockRow.blocked_id).with_for_update())
            for trace in TRACES:
                row, theirs = trace.row, (trace.column == user) & trace.settled
                if trace.first is not None:
                    await trace.first(session, user)
                forgetting = (
                    delete(row).where(theirs)
                    if trace.instead is None
                    else update(row).where(theirs).values({trace.column: trace.instead})
                )
                await session.execute(forgetting, execution_options={"synchronize_session": False})
            for words in WORDS:
                named: ColumnElement[Any] = words.expression
                for name in (f"<@{user}>", f"<@!{user}>", str(user)):
                    named = func.replace(named, name, FORMER)
                mending = update(words.class_).where(words.contains(str(user))).values({words: named})
                await session.execute(mending, execution_options={"synchronize_session": False})
        return Erased(tuple(matches), tuple(challenges))


async def _check_free(session: AsyncSession, user: DiscordId) -> None:
    """Raises Entangled."""
    asked = select(ChallengeRow.id).where(OPEN, _concerned(user)).order_by(ChallengeRow.id)
    seats = select(SeatRow.match_id).where(SeatRow.user_id == user, ~_done).order_by(SeatRow.match_id)
    challenges, matches = (await session.scalars(asked)).all(), (await session.scalars(seats)).all()
    if challenges or matches:
        raise Entangled(tuple(challenges), tuple(matches))


def _theirs(user: DiscordId) -> Mapping[type[Base], ColumnElement[bool]]:
    """Which rows of each table concern a member and are no other's secret: their own moves, never another's."""
    found: dict[type[Base], ColumnElement[bool]] = {}
    for trace in TRACES:
        if trace.shared:
            found[trace.row] = or_(found.get(trace.row, false()), trace.column == user)
    own = select(SeatRow.match_id, SeatRow.seat).where(SeatRow.user_id == user)
    asked = (
        select(ProposalRow.id, SeatRow.seat)
        .join(SeatRow, SeatRow.match_id == ProposalRow.match_id)
        .where(SeatRow.user_id == user)
    )
    return found | {
        ChallengeRow: _concerned(user),
        MatchRow: MatchRow.id.in_(select(SeatRow.match_id).where(SeatRow.user_id == user)),
        PlyRow: tuple_(PlyRow.match_id, PlyRow.seat).in_(own),
        ProposalRow: tuple_(ProposalRow.match_id, ProposalRow.seat).in_(own),
        ConsentRow: tuple_(ConsentRow.proposal_id, ConsentRow.seat).in_(asked),
    }


def _concerned(user: DiscordId) -> ColumnElement[bool]:
    """Whether a challenge concerns a member, or did."""
    asked = select(ParticipantRow.challenge_id).where(ParticipantRow.user_id == user)
    return or_(ChallengeRow.challenger == user, ChallengeRow.id.in_(asked))


def _plain(column: Column[Any], value: Any) -> object:
    """The value of a column as JSON can say it: times in ISO 8601, spans in seconds, Discord ids as texts."""
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case TimeControl(span=span, increment=increment):
            per_move = increment is None
            return {
                "seconds": span.total_seconds(),
                "for_each_move": per_move,
                "increment": None if increment is None else increment.total_seconds(),
            }
        case tuple() if isinstance(column.type, HeldPacked):
            return [[it.skill.mu, it.skill.sigma] for it in value]
        case tuple():
            return dict(value) if isinstance(column.type, OptionsJson) else list(value)
        case int() if HOLDS in column.info:
            return None if former(value) else str(value)
    return value
