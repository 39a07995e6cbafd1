"""Single matches in the database: reading them, appending entries, and ending them."""

from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import (
    PLAYING,
    RUNNING,
    AwardRow,
    MatchRow,
    MomentRow,
    PlyRow,
    PostRow,
    RatedRow,
    SeatRow,
    VariationRow,
)
from db.processes.notifications import Subject
from db.sessions import Sessions
from db.stores.achievements import store_awards
from db.stores.base import HIGHEST, MatchCache, StorePart, run_at_once
from db.stores.challenges import rest_offer
from db.stores.events import note_result
from db.stores.matches.rows import add_match, find_match, key_columns, read_match, read_matches, store_faced
from db.stores.posts import add_post, change_post
from db.stores.proposals import close, offer_seat
from db.stores.standings.recompute import revert
from db.stores.standings.rows import rate_match
from db.values.challenges import Answer
from db.values.clocks import ClocksMoved, Ticking
from db.values.matches import Beginning, Ending, MovedOn, NewEntry, StoredMatch
from db.values.places import DiscordId, Place
from db.values.posts import PostKind
from db.values.proposals import NewProposal, Takeover
from rules.core.game import Seat
from rules.core.match import Ply

_APPEND = (
    update(MatchRow)
    .where(
        MatchRow.id == bindparam("match"),
        MatchRow.plies == bindparam("known"),
        MatchRow.finished_at.is_(None),
    )
    .values(
        plies=MatchRow.plies + 1,
        turns=bindparam("next"),
        newest_key=bindparam("newest_key"),
        key_before=bindparam("key_before"),
        earliest_key=bindparam("earliest_key"),
        keyed_plies=bindparam("keyed_plies"),
    )
)
"""Changes no row if the match has another number of plies or is over, and else locks it."""
_ENTRY = insert(PlyRow)
_CLOCK = (
    update(SeatRow)
    .where(SeatRow.match_id == bindparam("match"), SeatRow.seat == bindparam("of"))
    .values(time_left=bindparam("left"), deadline=bindparam("until"), remind_at=bindparam("reminding"))
)


def append_entry(
    connection: Connection, known: StoredMatch | None, match: int, plies: int, new: NewEntry
) -> StoredMatch:
    """Append an entry to the log of a match, which then is locked, and return the match.

    `known` is the match as it was read earlier. Raises MovedOn and ClocksMoved as `MatchStore.append` does.
    """
    counted = {
        "match": match,
        "known": plies,
        "next": new.turns,
        **key_columns(new.position, plies + 1),
    }
    if not connection.execute(_APPEND, counted).rowcount:
        found = read_match(connection, match, known)
        raise MovedOn(f"match {match} has {len(found.log)} plies, not {plies}, or is over")
    change_post(connection, PostKind.BOARD, match, new.at)
    connection.execute(
        _ENTRY,
        {
            "match_id": match,
            "ply": plies,
            "seat": new.ply.seat,
            "text": new.ply.text,
            "played_at": new.at,
            "salt": new.salt,
            "conditional": new.conditional,
        },
    )
    if new.position is not None:
        store_faced(connection, match, new.position)
    if known is not None and len(known.log) == plies:
        known = replace(
            known,
            log=(*known.log, new.ply),
            salts=(*known.salts, new.salt),
            times=(*known.times, new.at.astimezone(UTC)),
            conditional=known.conditional | ({plies} if new.conditional else set()),
        )
    stored = read_match(connection, match, known)
    return stored if new.ticking is None else _tick(connection, stored, new.ticking)


def _tick(connection: Connection, stored: StoredMatch, ticking: Ticking) -> StoredMatch:
    """Store the clocks `ticking.after` of a match, which is locked, and return the match. Raises ClocksMoved.

    Clocks that start now stand still if their players are away or the match is paused, by what is stored now.
    """
    clocks, changes = list(stored.clocks), []
    for seat, (now, before, after) in enumerate(
        zip(stored.clocks, ticking.before, ticking.after, strict=True)
    ):
        same = now is None if before is None else before.same_time(now)
        if not same:
            raise ClocksMoved(f"the clock of seat {seat} in match {stored.id} has changed")
        if after != before:  # otherwise its reminder may have been sent meanwhile
            if after is not None:
                after = after.not_before(stored.stopped_until(seat))
            clocks[seat] = after
            left, until, reminding = (None, None, None) if after is None else astuple(after)
            changes.append(
                {"match": stored.id, "of": seat, "left": left, "until": until, "reminding": reminding}
            )
    if changes:
        connection.execute(_CLOCK, changes)
    return replace(stored, clocks=tuple(clocks))


class MatchStore(StorePart):
    """The transactions and queries of single matches."""

    def __init__(self, sessions: Sessions, cache: MatchCache) -> None:
        super().__init__(sessions)
        self._cache = cache

    async def load(self, match: int) -> StoredMatch | None:
        """Return the match with this id and its context, or None."""
        if match > HIGHEST:
            return None
        known = self._cache.get(match)
        stored = await self._sessions.read_at_once(lambda it: find_match(it, match, known))
        if stored is not None:
            self._cache.put(stored)
        return stored

    def cached(self, match: int) -> StoredMatch | None:
        """Return a match as this process has last read or changed it, which may be out of date, or None.

        `append` raises MovedOn if anything was played since, by this process or another.
        """
        known = self._cache.get(match)
        # What belongs to another process is changed there, and nobody tells us.
        return known if known is not None and self._sessions.ownership.owns(known.place.guild) else None

    def when_put(self, told: Callable[[int], None]) -> None:
        """Call a function with the id of every match that this process reads or changes from now on."""
        self._cache.on_put = told

    def forget(self, stale: Callable[[StoredMatch], bool]) -> None:
        """Forget those of the matches that `cached` returns of which `stale` is true."""
        self._cache.forget(stale)

    async def append(
        self,
        match: int,
        plies: int,
        new: NewEntry,
        ending: Ending | None = None,
        *,
        proposal: int | None = None,
        takeover: Takeover | None = None,
        offer: NewProposal | None = None,
    ) -> StoredMatch:
        """Append an entry to a match that has `plies` plies. Return the match as it then stands.

        `ending` is given if the entry ends the match. `proposal` is the id of a proposal in this match that the entry
        carries out; the proposal is accepted with it, and the `takeover` is what was proposed. `offer` is stored with
        the entry.

        Raises MovedOn if the match has another number of plies or is over, ClocksMoved if its clocks are not as in
        `new.ticking.before`, and ProposalClosed if the proposal is no longer open.
        """
        known = self._cache.get(match)

        def enter(connection: Connection) -> StoredMatch:
            if ending is not None:
                _lock_first_game(connection, match)
            entered = append_entry(connection, known, match, plies, new)
            self._tell(connection, Subject.MATCH, match, entered.place.guild)
            if ending is None:
                return entered
            if new.ply.text == "timeout" and new.ply.seat is not None:
                rest_offer(connection, match, entered.users[new.ply.seat], new.at)
            return _end(connection, entered, new.at, ending)

        if proposal is None and offer is None and (ending is None or ending.then is None):
            stored = await self._sessions.write_at_once(enter)
        else:
            async with self._sessions.write() as session:
                entered = await run_at_once(session, enter)
                if proposal is not None:
                    await close(session, proposal, Answer.ACCEPTED, new.at)
                if takeover is not None:
                    await _take_over(session, entered, takeover, new.at)
                if offer is not None:
                    await offer_seat(session, offer)
                if ending is not None and ending.then is not None:
                    await _begin_second(session, entered, ending.then, new.at)
                await session.flush()
                stored = await run_at_once(session, read_match, match, entered)
        self._cache.put(stored)
        return stored

    async def break_off(
        self,
        match: int,
        plies: int,
        ply: Ply,
        at: datetime,
        reason: str,
        forgotten_by: Sequence[DiscordId] = (),
    ) -> None:
        """End a match that has `plies` plies without a result; `ply` records it in the log.

        Offers of `forgotten_by`, for whom it waited, rest. Raises MovedOn if the match has another number of plies or
        is over.
        """
        async with self._sessions.write() as session:
            row = await _match(session, match)
            new = NewEntry(ply, at, turns=row.turns)
            await run_at_once(session, append_entry, None, match, plies, new)
            row.finished_at, row.void, row.voided_at = at, reason, at
            # A player who has left may be rated already.
            if await session.scalar(select(RatedRow.id).where(RatedRow.match_id == match)) is not None:
                await run_at_once(session, revert, match, at)
            await run_at_once(session, _forget_variations, match)
            for user in forgotten_by:
                await run_at_once(session, rest_offer, match=match, forgetful=user, at=at)
            await _announce(session, row, PostKind.RESULT, at)
            await run_at_once(session, note_result, match, at)
            await self._tell_of_match(session, row)
            await session.execute(
                update(SeatRow),
                [
                    {
                        "match_id": match,
                        "seat": seat,
                        "finished_at": at,
                        "deadline": None,
                        "remind_at": None,
                        "faced": None,
                    }
                    for seat in range(row.players)
                ],
            )

    async def void(self, match: int, at: datetime, reason: str) -> None:
        """Take back the result of a finished match, with its achievements and its changes of ratings.

        Ratings that depend on many later matches are recomputed later (`RatingStore.recompute`).
        A two-game match then changes no ratings: neither those that it has changed already, nor later.
        Raises MovedOn if the match is not over or has no result.
        """
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.finished_at is None or row.void is not None:
                raise MovedOn(f"match {match} has no result")
            row.void, row.voided_at = reason, at
            for where in VOID_ANNOUNCED:
                await _announce(session, row, PostKind.VOID, at, where)
            await change_board(session, match, at)
            second = await session.scalar(_second_game(match))
            if second is not None:
                await change_board(session, second, at)
            await self._tell_of_match(session, row)
            await session.execute(update(SeatRow).where(SeatRow.match_id == match).values(outcome=None))
            await session.execute(delete(AwardRow).where(AwardRow.match_id == match))
            await session.execute(delete(MomentRow).where(MomentRow.match_id == match))
            await session.flush()
            await run_at_once(session, note_result, match, at)
            rated = match if second is None else second
            await run_at_once(session, revert, rated, at)

    async def take_hint(self, match: int, plies: int, seat: Seat) -> None:
        """Note that a seat takes a hint in a match that has `plies` plies; for good.

        Raises MovedOn if the match has another number of plies or is over.
        """
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.finished_at is not None or row.plies != plies:
                raise MovedOn(f"match {match} is not at ply {plies}")
            theirs = SeatRow.match_id == match, SeatRow.seat == seat
            await session.execute(update(SeatRow).where(*theirs).values(hinted=True))
            await change_board(session, match)

    async def second_game(self, match: int) -> int | None:
        """Return the id of the game that followed a match as the second of two, or None."""
        return await self._scalar(_second_game(match))

    async def move(self, match: int, channel: DiscordId, home: DiscordId | None) -> None:
        """Move a match to another channel of its server. `home` is the channel that it belongs to if it is a thread."""
        async with self._sessions.write() as session:
            row = await _match(session, match)
            row.channel, row.home = channel, home
            unposted = PostRow.subject == match, PostRow.kind == PostKind.BOARD, PostRow.message.is_(None)
            await session.execute(update(PostRow).where(*unposted).values(channel=channel))

    async def open(self, match: int, at: datetime) -> None:
        """Show a private match to everybody in its channel, by a new board."""
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.private:
                row.private = False
                board = PostRow.kind == PostKind.BOARD, PostRow.subject == match
                await session.execute(
                    update(PostRow).where(*board).values(guild=row.guild, message=None, companions=())
                )
                await change_board(session, match, at)
                await session.flush()
                self._cache.put(await run_at_once(session, read_match, match))

    async def running(
        self,
        *,
        user: DiscordId | None = None,
        channel: DiscordId | None = None,
        guild: DiscordId | None = None,
    ) -> list[StoredMatch]:
        """Return the matches that are not over, the oldest first. Each argument that is given narrows the search."""
        query = select(MatchRow.id).where(RUNNING).order_by(MatchRow.started_at, MatchRow.id)
        if user is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id == user, PLAYING)
            query = query.where(MatchRow.id.in_(theirs))
        if channel is not None:
            query = query.where(MatchRow.channel == channel)
        if guild is not None:
            query = query.where(MatchRow.guild == guild)
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(query).all()))

    async def _tell_of_match(self, session: AsyncSession, row: MatchRow) -> None:
        """Tell the process that owns the server of a match that it has changed."""
        await run_at_once(session, self._tell, Subject.MATCH, row.id, row.guild)


VOID_ANNOUNCED = ("here", "results")
"""The keys of the announcements of a reverted result: in the channel of the game, and in that of results."""


async def change_board(session: AsyncSession, match: int, at: datetime | None = None) -> None:
    """Have the board of a match drawn again."""
    await run_at_once(session, change_post, PostKind.BOARD, match, at)


async def _announce(
    session: AsyncSession, row: MatchRow, kind: PostKind, at: datetime, key: str = ""
) -> None:
    """Have the end of a match announced, if the match is in a server."""
    await run_at_once(session, _announce_at, row.id, Place(row.guild, row.channel), kind, at, key)


def _announce_at(
    connection: Connection, match: int, place: Place, kind: PostKind, at: datetime, key: str = ""
) -> None:
    if place.guild is not None:
        add_post(connection, kind, match, place, at, key)


async def _match(session: AsyncSession, match: int) -> MatchRow:
    """Return the row of a match, locked until the transaction ends."""
    row = await session.get(MatchRow, match, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no match {match}")
    return row


def _lock_first_game(connection: Connection, match: int) -> None:
    """Lock the first game until the transaction ends, if this match is the second of two.

    It is locked before the second, in the order of ids, as whoever locks several matches does.
    """
    first = connection.scalar(_FIRST_GAME, {"match": match})
    if first is not None:
        connection.execute(select(MatchRow.id).where(MatchRow.id == first).with_for_update())


def _second_game(match: int) -> Select[int]:
    return select(MatchRow.id).where(MatchRow.first_game == match)


_FIRST_GAME = select(MatchRow.first_game).where(MatchRow.id == bindparam("match"))
_FINISH = update(MatchRow).where(MatchRow.id == bindparam("match")).values(finished_at=bindparam("at"))
_RESULT = (
    update(SeatRow)
    .where(SeatRow.match_id == bindparam("match"), SeatRow.seat == bindparam("of"))
    .values(outcome=bindparam("its"), finished_at=bindparam("at"))
)
_FORGET = delete(VariationRow).where(VariationRow.match_id == bindparam("match"))


def _end(connection: Connection, entered: StoredMatch, at: datetime, ending: Ending) -> StoredMatch:
    """Store the result of a match, its announcement, its achievements and ratings. Return the match after that."""
    match, outcomes, players = entered.id, ending.outcomes, entered.setup.players
    if len(outcomes) != players:
        raise ValueError(f"{players} seats cannot have {len(outcomes)} outcomes.")
    connection.execute(_FINISH, {"match": match, "at": at})
    _forget_variations(connection, match)
    connection.execute(
        _RESULT,
        [{"match": match, "of": seat, "its": outcome, "at": at} for seat, outcome in enumerate(outcomes)],
    )
    store_awards(connection, match, at, ending.awards)
    _announce_at(connection, match, entered.place, PostKind.RESULT, at)
    note_result(connection, match, at)
    if ending.ranks is not None and (entered.first is None or entered.first.void is None):
        rate_match(connection, entered, ending.ranks, at)
    return read_match(connection, match, entered)


def _forget_variations(connection: Connection, match: int) -> None:
    """Delete the conditional moves of a match that ends."""
    connection.execute(_FORGET, {"match": match})


async def _take_over(session: AsyncSession, entered: StoredMatch, takeover: Takeover, at: datetime) -> None:
    """Give the seat of a player who has left to a computer player, and make the match casual."""
    ranks, row = takeover.ranks, await _match(session, entered.id)
    if ranks is not None:
        await run_at_once(session, rate_match, entered, ranks, at, only=takeover.seat)
    row.rated = False
    seat = await session.get_one(SeatRow, (row.id, takeover.seat), with_for_update=True)
    seat.leaver, seat.user_id, seat.hinted = seat.user_id, takeover.computer, False


async def _begin_second(session: AsyncSession, first: StoredMatch, then: Beginning, at: datetime) -> None:
    """Begin the second game of two, with swapped seats and all else as in the first."""
    await add_match(session, first.setup, first, first.place, first.users[::-1], then, at, first.id)
