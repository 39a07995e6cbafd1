"""Checks of all answers of the store about standings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from db.models import RatedRow, RatedSeatRow, RatingRow
from db.store import Store
from db.values.matches import Outcome
from db.values.places import DiscordId, former
from db.values.standings import (
    ALWAYS,
    EVERYWHERE,
    TOGETHER,
    Change,
    Leaderboard,
    PageTurn,
    PeriodKind,
    Rating,
)
from tests.db.standings.plain import Game, Ladder, kept

KEYS = ("skull", "maze")


@dataclass(frozen=True)
class Look:
    """Compares the answers at `now` with the plain ladder of the rated `games`."""

    store: Store
    games: Sequence[Game]
    ladder: Ladder
    now: datetime

    async def ratings(self) -> None:
        query = (
            select(RatedSeatRow, RatedRow.weight)
            .join(RatedRow, RatedRow.match_id == RatedSeatRow.match_id)
            .order_by(RatedRow.id, RatedSeatRow.seat)
        )
        async with self.store.sessions.read() as session:
            ratings = [row.value() for row in await session.scalars(select(RatingRow))]
            found = [(row, weight) for row, weight in await session.execute(query)]
        periods = kept(self.now)
        assert {(it.leaderboard, it.user): it for it in ratings if it.leaderboard.period in periods} == {
            spot: it for spot, it in self.ladder.ratings.items() if it.leaderboard.period in periods
        }
        for row, weight in found:
            game = next(it for it in self.games if it.match == row.match_id)
            before = self.ladder.found[game.match]
            assert weight == before.weight
            assert row.before[: len(game.boards)] == tuple(before.before[row.seat].values())
            sat = game.seats[row.seat]
            assert (None if former(row.user_id) else row.user_id, row.rank) == (sat.user, sat.rank)
        assert len(found) == sum(len(it.seats) for it in self.games)

    async def counts(self) -> None:
        """Check how many games everybody won, drew and lost on each leaderboard."""
        async with self.store.sessions.read() as session:
            ratings = [row.value() for row in await session.scalars(select(RatingRow))]
        periods = kept(self.now)
        assert {
            (it.leaderboard, it.user): (it.won, it.drawn, it.lost, it.listed)
            for it in ratings
            if it.leaderboard.period in periods
        } == {
            spot: (it.won, it.drawn, it.lost, it.listed)
            for spot, it in self.ladder.ratings.items()
            if it.leaderboard.period in periods
        }

    async def board(
        self, period_kind: PeriodKind, user: DiscordId, game: str | None, guild: DiscordId | None
    ) -> None:
        """Check that all pages together are a plain sort."""

        async def page(turn: PageTurn, mark: tuple[int, DiscordId] = (0, 0)) -> Any:
            return await self.store.leaderboards.page(game, guild, period_kind, self.now, user, 2, turn, mark)

        seen = await page(PageTurn.FIRST)
        expected = self.ladder.board(seen.leaderboard, self.now)
        rating = self.ladder.ratings.get((seen.leaderboard, user))
        assert seen.hidden == (rating is not None and not rating.listed)
        around = [row for row in seen.around if row.rating.user == user]
        rows = list(seen.rows)
        own = [row for row in expected if row.rating.user == user]
        assert around == [it for it in own if it not in rows]
        while seen.lower:
            seen = await page(PageTurn.FORWARD, seen.rows[-1].mark)
            rows += seen.rows
        assert rows == expected
        assert seen.members == len(expected)
        mine = await page(PageTurn.MINE)
        assert set(own) <= set(mine.rows)

    async def profile(self, user: DiscordId, game: str | None, guild: DiscordId | None) -> None:
        """Check that a profile covers the games that count there."""
        board = Leaderboard(ALWAYS, game or TOGETHER, guild or EVERYWHERE)
        told = await self.store.profiles.get(user, game, guild, KEYS)
        wanted = (Leaderboard(ALWAYS, it, board.guild) for it in (TOGETHER, *KEYS))
        assert told.ratings == tuple(it for on in wanted if (it := self.ladder.ratings.get((on, user))))
        placed = [(it.rank, it.rating) for it in self.ladder.board(board, self.now)]
        place = next((place for place, it in placed if it.user == user), 0)
        assert (told.rank, told.members) == (place, len(placed) if place else 0)
        played = [
            (it, it.users.index(user))
            for it in sorted(self.games, key=lambda it: (it.at, it.match))
            if board in it.boards and user in it.users
        ]
        outcomes = [it.outcome(_seat(it, user)) for it, _ in played]
        own = self.ladder.ratings.get((board, user))
        assert Counter(outcomes) == (Counter() if own is None else _record(own))
        runs = told.runs
        assert (runs.won, runs.most_won) == _in_a_row(it is Outcome.WON for it in outcomes)
        assert (runs.unbeaten, runs.most_unbeaten) == _in_a_row(it is not Outcome.LOST for it in outcomes)
        assert told.scores == tuple(
            (it.at, self.ladder.found[it.match].after[_seat(it, user)][board].skill.score) for it, _ in played
        )
        seats = Counter(
            (_seat(it, user), it.outcome(_seat(it, user))) for it, _ in played if game and it.first is None
        )
        counted = ((seat, zip(Outcome, counts, strict=True)) for seat, counts in told.seats)
        assert seats == Counter({(seat, how): count for seat, each in counted for how, count in each})

    async def changes(self, game: Game) -> None:
        """Check the changes of ratings of a game."""
        told: tuple[Change, ...] | None = await self.store.ratings.changes(game.match)
        if game.forgotten and not game.everywhere:
            assert told is None
            return
        assert told is not None
        board, found = Leaderboard(ALWAYS, game.game, game.guild or EVERYWHERE), self.ladder.found[game.match]
        assert [(it.before, it.after) for it in told] == [
            (before[board].skill, after[board].skill)
            for before, after in zip(found.before, found.after, strict=True)
        ]

    async def duels(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> None:
        told = await self.store.profiles.duels(one, other, guild)
        both = [
            it for it in self.games
            if {one, other} <= {*it.users} and (it.everywhere or (guild is not None and it.guild == guild))
        ]  # fmt: skip
        expected: dict[str, list[int]] = {}
        for it in both:
            ranks = {seat.user: seat.rank for seat in it.seats}
            better = (ranks[one] > ranks[other]) - (ranks[one] < ranks[other])
            expected.setdefault(it.game, [0, 0, 0])[1 + better] += 1
        assert {game: list(counts) for game, counts in told.games} == expected
        assert told.last == max((it.at for it in both), default=None)


def _seat(game: Game, user: DiscordId) -> int:
    return next(number for number, seat in enumerate(game.seats) if seat.user == user)


def _record(rating: Rating) -> Counter[Outcome]:
    return +Counter({Outcome.WON: rating.won, Outcome.DRAWN: rating.drawn, Outcome.LOST: rating.lost})


def _in_a_row(good: Iterator[bool]) -> tuple[int, int]:
    """Return the length of the run at the end and of the longest run."""
    runs = [0]
    for it in good:
        runs.append(runs[-1] + 1 if it else 0)
    return runs[-1], max(runs)
