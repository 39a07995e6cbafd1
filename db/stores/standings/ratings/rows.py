"""Rows of ratings and of rated matches, read and written within a transaction."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, select
from sqlalchemy.orm import selectinload

from db.models import Base, MatchRow, RatedRow, RatedSeatRow, RatingRow
from db.rating_math import DAY, held_after, leaderboards_of
from db.stores.base import inserting
from db.values.matches import Outcome
from db.values.places import DiscordId
from db.values.standings import (
    ALWAYS,
    EVERYWHERE,
    Change,
    HeldSkill,
    Leaderboard,
    RatedMatch,
    RatedSeat,
    Rating,
    Skill,
)

KEY = ("guild", "period", "game", "user_id")
RATINGS = Base.metadata.tables[RatingRow.__tablename__]
CHANGED = ("mu", "sigma", "score", "won", "drawn", "lost", "week", "was", "listed")


def ratings_on(
    connection: Connection, leaderboards: Collection[Leaderboard], users: Collection[DiscordId]
) -> dict[tuple[Leaderboard, DiscordId], Rating]:
    """Return the ratings of the users on the leaderboards of a match, as far as they have any."""
    query = select(RATINGS).where(
        RatingRow.period.in_({it.period for it in leaderboards}),
        RatingRow.game.in_({it.game for it in leaderboards}),
        RatingRow.guild.in_({it.guild for it in leaderboards}),
        RatingRow.user_id.in_(users),
    )
    found = map(rating_of, connection.execute(query))
    return {(it.leaderboard, it.user): it for it in found}


def rating_of(row: Row[Any]) -> Rating:
    """Return a row of the table of ratings as a value."""
    return Rating(
        row.user_id,
        Leaderboard(row.period, row.game, row.guild),
        HeldSkill(Skill(row.mu, row.sigma), row.week, row.was),
        row.won,
        row.drawn,
        row.lost,
        row.listed,
    )


def write_ratings(connection: Connection, ratings: Iterable[Rating]) -> None:
    """Insert these ratings, or update those that exist."""
    rows = [
        {
            "period": it.leaderboard.period,
            "game": it.leaderboard.game,
            "guild": it.leaderboard.guild,
            "user_id": it.user,
            "mu": it.held.skill.mu,
            "sigma": it.held.skill.sigma,
            "score": it.held.skill.score,
            "won": it.won,
            "drawn": it.drawn,
            "lost": it.lost,
            "week": it.held.week,
            "was": it.held.was,
            "listed": it.listed,
        }
        for it in ratings
    ]
    if not rows:
        return
    made = inserting(connection, RatingRow)
    changes = {column: made.excluded[column] for column in CHANGED}
    writing = made.on_conflict_do_update(index_elements=KEY, set_=changes)
    connection.execute(writing, rows)


def recent_meetings(
    connection: Connection, game: str, users: Collection[DiscordId], at: datetime, *, until: int | None = None
) -> dict[int, set[DiscordId]]:
    """Return which of these users played each match of a game that was rated within the day before `at`, by its id.

    With `until`, the `RatedMatch.id` of a match, only matches that were rated before that one are returned.
    """
    query = select(RatedSeatRow.match_id, RatedSeatRow.user_id).where(
        RatedSeatRow.user_id.in_(users), RatedSeatRow.at > at - DAY, RatedSeatRow.game == game
    )
    if until is not None:
        query = query.join(RatedRow, RatedRow.match_id == RatedSeatRow.match_id).where(RatedRow.id < until)
    found: dict[int, set[DiscordId]] = {}
    for match, user in connection.execute(query):
        found.setdefault(match, set()).add(user)
    return found


def rated_matches() -> Select[RatedRow, DiscordId | None]:
    """Select rated matches with their seats, and the servers they were played in: two queries for any number."""
    query = select(RatedRow, MatchRow.guild).outerjoin(MatchRow, MatchRow.id == RatedRow.match_id)
    return query.options(selectinload(RatedRow.seats))


def rated_match(row: RatedRow, guild: DiscordId | None) -> RatedMatch:
    """Return a row of `rated_matches` as a value."""
    at = row.seats[0].at
    leaderboards = leaderboards_of(row.game, guild, at, everywhere=row.everywhere)
    seats = tuple(RatedSeat(it.user_id, it.rank, it.before[: len(leaderboards)]) for it in row.seats)
    return RatedMatch(row.id, row.match_id, at, row.weight, leaderboards, seats)


def held_after_match(match: RatedMatch) -> list[tuple[HeldSkill, ...]]:
    """Return the players' skills after a match, by seat, then by leaderboard."""
    ranks = [seat.rank for seat in match.seats]
    before = [seat.before for seat in match.seats]
    users = [seat.user for seat in match.seats]
    return held_after(match.leaderboards, before, ranks, match.weight, match.at, users)


def changes(match: RatedMatch, game: str, guild: DiscordId | None) -> tuple[Change, ...]:
    """Return how a match changed the ratings of its players in its game and server, by seat."""
    number = match.leaderboards.index(Leaderboard(ALWAYS, game, EVERYWHERE if guild is None else guild))
    return tuple(
        Change(seat.user, seat.before[number].skill, held[number].skill, match.weight)
        for seat, held in zip(match.seats, held_after_match(match), strict=True)
    )


def forget_rated(connection: Connection, match: int) -> None:
    """Delete the record that a match has changed ratings, without changing them back."""
    connection.execute(delete(RatedSeatRow).where(RatedSeatRow.match_id == match))
    connection.execute(delete(RatedRow).where(RatedRow.match_id == match))


def held_by(rating: Rating | None) -> HeldSkill:
    """Return the skill of a rating, or a newcomer's."""
    return HeldSkill() if rating is None else rating.held


def counted(
    rating: Rating | None, user: DiscordId, leaderboard: Leaderboard, held: HeldSkill, outcome: Outcome
) -> Rating:
    """Return the rating with this skill and one more match that ended like this."""
    return _with_result(rating or Rating(user, leaderboard, held, 0, 0, 0), held, outcome, 1)


def uncounted(rating: Rating, outcome: Outcome) -> Rating:
    """Return the rating with the same skill and one match less that ended like this."""
    return _with_result(rating, rating.held, outcome, -1)


def _with_result(rating: Rating, held: HeldSkill, outcome: Outcome, more: int) -> Rating:
    match outcome:
        case Outcome.WON:
            return replace(rating, held=held, won=rating.won + more)
        case Outcome.DRAWN:
            return replace(rating, held=held, drawn=rating.drawn + more)
        case Outcome.LOST:
            return replace(rating, held=held, lost=rating.lost + more)
