"""Profiles in the database: the results of members in all their rated games.

One index holds a member's games in order with all columns that are needed (`ix_rated_seats_fared`). So the results are
exact, and their cost depends on the number of games of the member, not of others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.models import MatchRow, RatedSeatRow, RatingRow, SeatRow, TallyRow
from db.rating_math import leaderboards_of
from db.stores.base import StorePart, run_at_once
from db.stores.members import computers
from db.stores.standings.recompute import job_is_open
from db.values.matches import Outcome
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId
from db.values.standings import (
    ALWAYS,
    EVERYWHERE,
    TOGETHER,
    Counts,
    Duels,
    Leaderboard,
    Profile,
    Rating,
    Runs,
)
from rules.core.game import Seat

POINTS = 60
"""The number of scores returned of a long history, not counting the first."""

Game = tuple[int, Seat | None, Outcome]
"""A match of a member, their seat in it and its outcome for them; in a two-game match they had both seats (None)."""


class ProfileStore(StorePart):
    """The results of members."""

    async def get(
        self, user: DiscordId, game: str | None, guild: DiscordId | None, games: Sequence[str]
    ) -> Profile:
        """Return the profile of a member. `game` None means all games, `guild` None everywhere.

        `games` are the keys of all games that there are.
        """
        leaderboard = Leaderboard(ALWAYS, game or TOGETHER, guild or EVERYWHERE)
        async with self._sessions.read() as session:
            ratings = await _ratings(session, user, leaderboard.guild, games)
            own = next((it for it in ratings if it.leaderboard == leaderboard), None)
            if own is None:
                return Profile(ratings)
            rank, members = await _rank(session, own) if own.listed else (0, 0)
            computer = user in await computers(session, [user])
            its = await _games(session, user, leaderboard)
            scores = await _scores(session, own, [match for match, _, _ in its])
            recomputing = await run_at_once(session, job_is_open)
        runs = _runs(outcome for _, _, outcome in its)
        seats = () if game is None else _seats(its)
        return Profile(ratings, rank, members, computer, runs, seats, scores, recomputing)

    async def casual(self, user: DiscordId, game: str | None) -> dict[bool, Counts]:
        """Return the casual games of a member with a result, in `game` or in all.

        The key is True for games with a computer player. The query reads all casual games of the member.
        """
        program = (
            select(SeatRow.seat)
            .where(SeatRow.match_id == MatchRow.id, SeatRow.user_id.in_(COMPUTER_PLAYERS))
            .correlate(MatchRow)
            .exists()
        )
        own = aliased(SeatRow)
        its = select(program.label("program"), own.outcome, MatchRow.game).join(
            own, own.match_id == MatchRow.id
        )
        its = its.where(
            own.user_id == user,
            own.finished_at.is_not(None),
            own.outcome.is_not(None),
            MatchRow.void.is_(None),
            MatchRow.rated.is_(False),
        )
        # Whoever has left has lost, whatever a computer player then reached in their seat.
        rated = select(RatedSeatRow.seat).where(
            RatedSeatRow.match_id == MatchRow.id, RatedSeatRow.user_id == user
        )
        left = (
            select(MatchRow.game)
            .join(own, own.match_id == MatchRow.id)
            .where(own.leaver == user, own.outcome.is_not(None), MatchRow.void.is_(None), ~rated.exists())
        )
        async with self._sessions.read() as session:
            rows = (await session.execute(its)).all()
            lost_by_leaving = (await session.scalars(left)).all()
        counts = Counter((bool(row.program), row.outcome) for row in rows if game in (None, row.game))
        counts[False, Outcome.LOST] += sum(game in (None, it) for it in lost_by_leaving)
        won, drawn, lost = Outcome
        return {
            kind: (counts[kind, won], counts[kind, drawn], counts[kind, lost])
            for kind in (False, True)
            if any(counts[kind, outcome] for outcome in Outcome)
        }

    async def duels(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """Return the rated games between two members that count everywhere or in `guild`."""
        async with self._sessions.read() as session:
            fewer, more = await _by_games(session, one, other)
            own, its = aliased(RatedSeatRow), aliased(RatedSeatRow)
            first, second = (own, its) if fewer == one else (its, own)
            better, equal, worse = (
                func.count().filter(it)
                for it in (first.rank < second.rank, first.rank == second.rank, first.rank > second.rank)
            )
            # A match ends for all players at the same time: by that time the index finds the other's row.
            together = and_(its.user_id == more, its.at == own.at, its.match_id == own.match_id)
            # Matches that counted only in their server have no server once its data was deleted: they count nowhere.
            here = [] if guild is None else [own.guild == guild]
            query = (
                select(own.game, better, equal, worse, func.max(own.at, type_=own.at.type))
                .join(its, together)
                .where(own.user_id == fewer, or_(own.everywhere.is_(True), *here))
                .group_by(own.game)
                .order_by(own.game)
            )
            rows = (await session.execute(query)).all()
            programs = await computers(session, (one, other))
        return Duels(
            tuple((game, (won, drawn, lost)) for game, won, drawn, lost, _ in rows),
            max((last for *_, last in rows), default=None),
            programs,
        )


async def _ratings(
    session: AsyncSession, user: DiscordId, guild: DiscordId, games: Sequence[str]
) -> tuple[Rating, ...]:
    query = select(RatingRow).where(
        RatingRow.user_id == user, RatingRow.guild == guild, RatingRow.period == ALWAYS
    )
    known = (TOGETHER, *games)
    found = [row.value() for row in await session.scalars(query) if row.game in known]
    return tuple(sorted(found, key=lambda it: known.index(it.leaderboard.game)))


async def _rank(session: AsyncSession, own: Rating) -> tuple[int, int]:
    higher = func.sum(TallyRow.members).filter(TallyRow.score > own.held.skill.score)
    query = select(func.coalesce(higher, 0), func.sum(TallyRow.members)).where(
        TallyRow.period == own.leaderboard.period,
        TallyRow.game == own.leaderboard.game,
        TallyRow.guild == own.leaderboard.guild,
    )
    above, members = (await session.execute(query)).one()
    return 1 + int(above), int(members)


def _counting(user: DiscordId, leaderboard: Leaderboard) -> ColumnElement[bool]:
    """Return the condition for the games of a member that count on a leaderboard of all time."""
    where = (
        RatedSeatRow.everywhere.is_(True)
        if leaderboard.guild == EVERYWHERE
        else RatedSeatRow.guild == leaderboard.guild
    )
    game = [] if leaderboard.game == TOGETHER else [RatedSeatRow.game == leaderboard.game]
    return and_(RatedSeatRow.user_id == user, where, *game)


async def _games(session: AsyncSession, user: DiscordId, leaderboard: Leaderboard) -> Sequence[Game]:
    """Return all games of a member that count on a leaderboard, the oldest first."""
    query = select(RatedSeatRow.match_id, RatedSeatRow.seat, RatedSeatRow.outcome, RatedSeatRow.games)
    ordered = query.where(_counting(user, leaderboard)).order_by(RatedSeatRow.at, RatedSeatRow.match_id)
    # Not through the session, which is slower than the database: there may be thousands of rows.
    found = (await (await session.connection()).execute(ordered)).all()
    return [(match, seat if number == 1 else None, outcome) for match, seat, outcome, number in found]


def _runs(outcomes: Iterable[Outcome]) -> Runs:
    won = most_won = unbeaten = most_unbeaten = 0
    for outcome in outcomes:
        won = won + 1 if outcome is Outcome.WON else 0
        unbeaten = 0 if outcome is Outcome.LOST else unbeaten + 1
        most_won, most_unbeaten = max(most_won, won), max(most_unbeaten, unbeaten)
    return Runs(won, most_won, unbeaten, most_unbeaten)


def _seats(games: Iterable[Game]) -> tuple[tuple[Seat, Counts], ...]:
    """Return the results of a member by seat, without two-game matches."""
    counts = Counter((seat, outcome) for _, seat, outcome in games if seat is not None)
    seats = sorted({seat for seat, _ in counts})
    won, drawn, lost = Outcome
    return tuple((it, (counts[it, won], counts[it, drawn], counts[it, lost])) for it in seats)


async def _scores(
    session: AsyncSession, own: Rating, matches: Sequence[int]
) -> tuple[tuple[datetime, int], ...]:
    """Return the scores after the first and the last of these matches, and after some evenly between.

    The score after a match is the one before the next match.
    """
    last = len(matches) - 1
    shown = sorted({0, *range(last, 0, -len(matches) // POINTS)})
    looked_at = {matches[it] for number in shown for it in (number, min(number + 1, last))}
    # Without the member in the condition: SQLite would use their index and read all of their games.
    found = await session.scalars(select(RatedSeatRow).where(RatedSeatRow.match_id.in_(looked_at)))
    rows = {row.match_id: row for row in found if row.user_id == own.user}
    return tuple(
        (
            rows[matches[it]].at,
            own.held.skill.score if it == last else _before(rows[matches[it + 1]], own.leaderboard),
        )
        for it in shown
    )


def _before(row: RatedSeatRow, leaderboard: Leaderboard) -> int:
    """Return the score of a member on a leaderboard before a match."""
    leaderboards = leaderboards_of(row.game, row.guild, row.at, everywhere=row.everywhere)
    return row.before[leaderboards.index(leaderboard)].skill.score


async def _by_games(session: AsyncSession, one: DiscordId, other: DiscordId) -> tuple[DiscordId, DiscordId]:
    """Return two members, the one with fewer rated games first."""
    query = select(RatedSeatRow.user_id, func.count()).where(RatedSeatRow.user_id.in_((one, other)))
    found = await session.execute(query.group_by(RatedSeatRow.user_id))
    games = {row.user_id: row[1] for row in found}
    return (one, other) if games.get(one, 0) <= games.get(other, 0) else (other, one)
