"""Ratings and tallies in the database, the locks that protect them, and the rating of a match that ends."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, case, delete, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import Base, MatchRow, MemberRow, RatedRow, RatedSeatRow, RatingRow, ServerRow, TallyRow
from db.rating_math import DAY, has_rank, held_after, held_in, leaderboards_of, outcomes_of, weight
from db.stores.base import inserting, run_at_once
from db.values.matches import Outcome, StoredMatch
from db.values.places import SEATS, DiscordId, former
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
from rules.core.game import Seat


def share_ratings(connection: Connection) -> None:
    """Lock the table of ratings together with others who rate: nobody takes ratings back meanwhile."""
    if _on_postgres(connection):
        connection.execute(text("LOCK TABLE ratings IN ROW EXCLUSIVE MODE"))


def own_ratings(connection: Connection) -> None:
    """Lock the table of ratings alone: nobody else changes ratings, but everybody can read them as they were."""
    if _on_postgres(connection):
        connection.execute(text("LOCK TABLE ratings IN EXCLUSIVE MODE"))


def lock_players(connection: Connection, users: Sequence[DiscordId]) -> None:
    """Lock the ratings of these users, who must be sorted so that no two transactions wait for each other."""
    if _on_postgres(connection):
        for user in users:
            connection.execute(select(func.pg_advisory_xact_lock(user)))


def _on_postgres(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


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


@dataclass(frozen=True, slots=True)
class Shift:
    """The skill of a member on a leaderboard before and after a change; None where they are not listed on it."""

    leaderboard: Leaderboard
    before: HeldSkill | None
    after: HeldSkill | None


def counting(rating: Rating | None) -> HeldSkill | None:
    """Return the skill that a leaderboard counts, None if the rating is not listed."""
    return rating.held if rating is not None and rating.listed else None


def keep_count(connection: Connection, shifts: Iterable[Shift]) -> None:
    """Add these shifts to the tallies.

    All transactions change tallies in the same order, so that no two wait for each other. Nothing is read first, so
    changes by other transactions add up with these.
    """
    by_leaderboard: defaultdict[Leaderboard, list[Shift]] = defaultdict(list)
    for shift in shifts:
        by_leaderboard[shift.leaderboard].append(shift)
    rows: list[dict[str, Any]] = [
        {"period": leaderboard.period, "game": leaderboard.game, "guild": leaderboard.guild, **row}
        for leaderboard, its in sorted(by_leaderboard.items(), key=lambda it: _order(it[0]))
        for row in _counts(its, ever=leaderboard.period == ALWAYS)
    ]
    if not rows:
        return
    made = inserting(connection, TallyRow)
    new, old = made.excluded, _TALLIES.c
    adding = made.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "members": old.members + new.members,
            # A tally of a later week has seen a week begin in which none of these members has played.
            "gained": case(
                (old.week < new.week, new.gained),
                (old.week == new.week, old.gained + new.gained),
                else_=old.gained,
            ),
            "week": case((old.week < new.week, new.week), else_=old.week),
        },
    )
    connection.execute(adding, rows)
    fewer = [{f"its_{name}": row[name] for name in _KEY} for row in rows if row["members"] <= 0]
    if fewer:
        connection.execute(_EMPTY, fewer)


_KEY = ("guild", "period", "game", "score")
_TALLIES = Base.metadata.tables[TallyRow.__tablename__]
_EMPTY = delete(_TALLIES).where(
    *(_TALLIES.c[name] == bindparam(f"its_{name}") for name in _KEY),
    _TALLIES.c.members == 0,
    _TALLIES.c.gained == 0,
)


def _order(leaderboard: Leaderboard) -> tuple[int, str, str]:
    return leaderboard.guild, leaderboard.period, leaderboard.game


def _counts(shifts: Iterable[Shift], *, ever: bool) -> list[dict[str, int]]:
    """Return the changes of tallies in the order of scores: `members`, and `gained` since the beginning of `week`.

    `week` is the latest in which any of the members played; it matters on leaderboards of all time (`ever`).
    """
    held = [(shift.before, shift.after) for shift in shifts]
    week = max((it.week for pair in held for it in pair if it is not None), default=0) if ever else 0
    members: defaultdict[int, int] = defaultdict(int)
    began: defaultdict[int, int] = defaultdict(int)
    for before, after in held:
        for it, sign in ((before, -1), (after, 1)):
            if it is not None:
                members[it.skill.score] += sign
                score = it.was if ever and it.week == week else it.skill.score
                if score is not None:
                    began[score] += sign
    return [
        {"score": score, "members": members[score], "week": week, "gained": gained}
        for score in sorted(members.keys() | began.keys())
        if (gained := members[score] - began[score] if ever else 0) or members[score]
    ]


_RATED, _RATED_SEATS = insert(RatedRow), insert(RatedSeatRow)


def listed(rating: Rating, unlisted: Collection[DiscordId]) -> Rating:
    """Return the rating with `listed` set, given the members who do not want to be on global leaderboards."""
    return replace(rating, listed=rating.leaderboard.guild != EVERYWHERE or rating.user not in unlisted)


def not_listed(connection: Connection, users: Collection[DiscordId] | None = None) -> set[DiscordId]:
    """Return those of `users`, or of all members, who do not want to be on global leaderboards."""
    query = select(MemberRow.user_id).where(MemberRow.listed.is_(False))
    if users is not None:
        query = query.where(MemberRow.user_id.in_(users))
    return set(connection.scalars(query))


def servers_apart(connection: Connection, guild: DiscordId | None = None) -> set[DiscordId]:
    """Return the servers, or only `guild`, whose games do not count on global leaderboards now."""
    query = select(ServerRow.guild_id).where(ServerRow.everywhere.is_(False))
    if guild is not None:
        query = query.where(ServerRow.guild_id == guild)
    return set(connection.scalars(query))


async def list_member(session: AsyncSession, user: DiscordId, *, on: bool) -> None:
    """Put a member on global leaderboards or take them off, after the change of their preferences."""
    await run_at_once(session, share_ratings)
    await run_at_once(session, lock_players, [user])
    theirs = (RatingRow.user_id == user, RatingRow.guild == EVERYWHERE, RatingRow.listed.is_(not on))
    before = [row.value() for row in await session.scalars(select(RatingRow).where(*theirs))]
    session.expunge_all()
    after = [replace(it, listed=on) for it in before]
    shifts = [
        Shift(it.leaderboard, counting(it), counting(now)) for it, now in zip(before, after, strict=True)
    ]
    await run_at_once(session, write_ratings, after)
    await run_at_once(session, keep_count, shifts)


async def leave_leaderboards(session: AsyncSession, user: DiscordId) -> None:
    """Subtract a member from the tallies of all leaderboards, before the same transaction deletes their ratings."""
    await run_at_once(session, own_ratings)
    rows = await session.scalars(select(RatingRow).where(RatingRow.user_id == user))
    shifts = [Shift(it.leaderboard, counting(it), None) for it in (row.value() for row in rows)]
    await run_at_once(session, keep_count, shifts)


def rate_match(
    connection: Connection,
    match: StoredMatch,
    ranks: Sequence[int],
    at: datetime,
    *,
    only: Seat | None = None,
) -> None:
    """Change the ratings of the players of a match that ends now. Its seats must be locked.

    `ranks` are by seat, from 1, equal for shared ranks; in the second game of two, those in both together. With `only`
    the match goes on, and changes nothing but the ratings of that seat: the others are stored like former members.
    """
    share_ratings(connection)
    game, guild, users = match.setup.game, match.place.guild, match.users
    members = sorted(user for user in users if not former(user))
    lock_players(connection, members)
    everywhere = guild is None or guild not in servers_apart(connection, guild)
    leaderboards = leaderboards_of(game, guild, at, everywhere=everywhere)
    known = ratings_on(connection, leaderboards, members)
    unlisted = not_listed(connection, members)
    before = [
        tuple(held_in(user, game, held_by(known.get((it, user)))) for it in leaderboards) for user in users
    ]
    meetings = recent_meetings(connection, game, members, at)
    share = weight(members, meetings.values())
    result = held_after(leaderboards, before, ranks, share, at, users)
    outcomes = outcomes_of(ranks)
    if only is not None:
        users = tuple(user if seat == only else -(match.id * SEATS + seat) for seat, user in enumerate(users))

    changed = [
        listed(counted(known.get((leaderboard, user)), user, leaderboard, now, outcome), unlisted)
        for user, outcome, held in zip(users, outcomes, result, strict=True)
        for leaderboard, now in zip(leaderboards, held, strict=True)
        if not former(user) and has_rank(user, leaderboard)
    ]
    shifts = [
        Shift(it.leaderboard, counting(known.get((it.leaderboard, it.user))), counting(it)) for it in changed
    ]
    write_ratings(connection, changed)
    keep_count(connection, shifts)
    its = {"match_id": match.id, "game": game, "everywhere": everywhere}
    connection.execute(_RATED, {**its, "weight": share})
    connection.execute(
        _RATED_SEATS,
        [
            {
                **its,
                "seat": seat,
                "user_id": user,
                "at": at,
                "rank": rank,
                "before": held,
                "guild": guild,
                "outcome": outcome,
                "games": match.games,
            }
            for seat, (user, rank, held, outcome) in enumerate(
                zip(users, ranks, before, outcomes, strict=True)
            )
        ],
    )
