"""Matches that changed ratings, read back."""

from sqlalchemy import Select, select
from sqlalchemy.orm import selectinload

from db.api.places import DiscordId
from db.api.ratings import ALWAYS, EVERYWHERE, Change, Held, Leaderboard, RatedMatch, RatedSeat
from db.models import MatchRow, RatedRow
from db.rating_math.boards import after, boards_of


def rated_matches() -> Select[RatedRow, DiscordId | None]:
    """Rated matches with their seats, and the servers they were played in: two queries, however many there are."""
    query = select(RatedRow, MatchRow.guild).outerjoin(MatchRow, MatchRow.id == RatedRow.match_id)
    return query.options(selectinload(RatedRow.seats))


def rated_match(row: RatedRow, guild: DiscordId | None) -> RatedMatch:
    """One of `rated_matches` as the store gives it; of a server that was forgotten there are no boards any more."""
    at = row.seats[0].at
    boards = boards_of(row.game, guild, at, everywhere=row.everywhere)
    seats = tuple(RatedSeat(it.user_id, it.rank, it.before[: len(boards)]) for it in row.seats)
    return RatedMatch(row.id, row.match_id, at, row.weight, boards, seats)


def held_after(match: RatedMatch) -> list[tuple[Held, ...]]:
    """What its players held after a match, by seat."""
    ranks = [seat.rank for seat in match.seats]
    return after(match.boards, [seat.before for seat in match.seats], ranks, match.weight, match.at)


def changes(match: RatedMatch, game: str, guild: DiscordId | None) -> tuple[Change, ...]:
    """How a match changed the ratings of its players in its game and server, by seat."""
    board = match.boards.index(Leaderboard(ALWAYS, game, EVERYWHERE if guild is None else guild))
    return tuple(
        Change(seat.user, seat.before[board].skill, held[board].skill, match.weight)
        for seat, held in zip(match.seats, held_after(match), strict=True)
    )
