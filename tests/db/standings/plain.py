"""Ratings computed from the first game on, in the plainest way."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import combinations

from openskill.models import PlackettLuce

from db.values.matches import Outcome
from db.values.places import DiscordId
from db.values.standings import ALWAYS, EVERYWHERE, TOGETHER, HeldSkill, Leaderboard, Ranked, Rating, Skill

_model = PlackettLuce()


@dataclass
class Sat:
    """The player of a seat, None for a former member with a known skill, and their rank."""

    user: DiscordId | None
    rank: int
    held: dict[Leaderboard, HeldSkill] = field(default_factory=dict)


@dataclass
class Game:
    """A rated game. `weight` is known if a former member played, whose meetings are no longer known.

    `guild` is None in direct messages, and if the server is `forgotten`.
    """

    match: int
    game: str
    guild: DiscordId | None
    at: datetime
    everywhere: bool
    seats: list[Sat]
    weight: float | None = None
    forgotten: bool = False
    first: int | None = None
    """Of a two-game match, which is rated as one: the first game."""

    @property
    def users(self) -> tuple[DiscordId, ...]:
        return tuple(seat.user for seat in self.seats if seat.user is not None)

    @property
    def boards(self) -> tuple[Leaderboard, ...]:
        year, week, _ = self.at.isocalendar()
        periods = (ALWAYS, f"{self.at:%Y-%m}", f"{year}-W{week:02}")
        guilds = [EVERYWHERE] * self.everywhere + [self.guild] * (self.guild is not None)
        return tuple(Leaderboard(period, of, where) for where in guilds if where is not None for period in periods
                     for of in (TOGETHER, self.game))  # fmt: skip

    def outcome(self, seat: int) -> Outcome:
        """Return the outcome of a seat."""
        if self.seats[seat].rank > 1:
            return Outcome.LOST
        return Outcome.WON if sum(it.rank == 1 for it in self.seats) == 1 else Outcome.DRAWN


@dataclass(frozen=True)
class Found:
    """The skills before and after a game, by seat and leaderboard, and its weight."""

    weight: float
    before: tuple[dict[Leaderboard, HeldSkill], ...]
    after: tuple[dict[Leaderboard, HeldSkill], ...]


class Ladder:
    """All ratings after these games. `unlisted` members are not shown on global leaderboards."""

    def __init__(self, games: Sequence[Game], unlisted: frozenset[DiscordId]) -> None:
        self.ratings: dict[tuple[Leaderboard, DiscordId], Rating] = {}
        self.found: dict[int, Found] = {}
        self._unlisted = unlisted
        for number, game in enumerate(games):
            self._climb(game, games[:number])

    def _climb(self, game: Game, earlier: Sequence[Game]) -> None:
        weight = _weight(game, earlier) if game.weight is None else game.weight
        before = tuple({board: self._held(seat, board) for board in game.boards} for seat in game.seats)
        after: tuple[dict[Leaderboard, HeldSkill], ...] = tuple({} for _ in game.seats)
        ranks = [float(seat.rank) for seat in game.seats]
        for board in game.boards:
            held = [it[board] for it in before]
            teams = [[_model.rating(it.skill.mu, it.skill.sigma)] for it in held]
            for seat, (was, (now,)) in enumerate(zip(held, _model.rate(teams, ranks=ranks), strict=True)):
                skill = Skill(_part(was.skill.mu, now.mu, weight), _part(was.skill.sigma, now.sigma, weight))
                after[seat][board] = _in_week(was, skill, board, game.at)
                self._count(game, seat, board, after[seat][board])
        self.found[game.match] = Found(weight, before, after)

    def _held(self, seat: Sat, board: Leaderboard) -> HeldSkill:
        if seat.user is None:
            return seat.held[board]
        rating = self.ratings.get((board, seat.user))
        return HeldSkill() if rating is None else rating.held

    def _count(self, game: Game, seat: int, board: Leaderboard, held: HeldSkill) -> None:
        user = game.seats[seat].user
        if user is None:
            return
        seen = board.guild != EVERYWHERE or user not in self._unlisted
        rating = self.ratings.get((board, user)) or Rating(user, board, held, 0, 0, 0, seen)
        name = game.outcome(seat).value
        more = {name: getattr(rating, name) + 1}
        self.ratings[board, user] = replace(rating, held=held, **more)

    def board(self, board: Leaderboard, at: datetime) -> list[Ranked]:
        """Return all members shown on a leaderboard in the week of `at`, the best first."""
        week = _week(at)
        seen = [it for (where, _), it in self.ratings.items() if where == board and it.listed]
        began = {it.user: it.held.was if it.held.week == week else it.held.skill.score for it in seen}
        past = [score for score in began.values() if score is not None and board.period == ALWAYS]
        rows = []
        for it in sorted(seen, key=lambda it: (it.held.skill.score, it.user), reverse=True):
            place = 1 + sum(other.held.skill.score > it.held.skill.score for other in seen)
            was = began[it.user] if board.period == ALWAYS else None
            rows.append(Ranked(place, it, None if was is None else 1 + sum(other > was for other in past)))
        return rows


def kept(at: datetime) -> set[str]:
    """Return the periods that are stored at `at`: all time, this month and week, and the ones before them."""
    months = (at, at.replace(day=1) - timedelta(days=1))
    weeks = (it.isocalendar() for it in (at, at - timedelta(days=7)))
    return {ALWAYS, *(f"{it:%Y-%m}" for it in months), *(f"{year}-W{week:02}" for year, week, _ in weeks)}


def _weight(game: Game, earlier: Sequence[Game]) -> float:
    """Return 1 three times, 1/2, 1/4, 1/8, then 0: the pair that met most often in this game within a day decides."""
    lately = [set(it.users) for it in earlier if it.at > game.at - timedelta(days=1) and it.game == game.game]
    met = max((sum({*pair} <= it for it in lately) for pair in combinations(game.users, 2)), default=0)
    return (1.0, 1.0, 1.0, 0.5, 0.25, 0.125, 0.0)[min(met, 6)]


def _part(before: float, after: float, weight: float) -> float:
    return after if weight == 1 else before + weight * (after - before)


def _week(at: datetime) -> int:
    year, week, _ = at.isocalendar()
    return 100 * year + week


def _in_week(was: HeldSkill, skill: Skill, board: Leaderboard, at: datetime) -> HeldSkill:
    """The skill with its week: the first game in a week keeps the score before it."""
    if board.period != ALWAYS:
        return HeldSkill(skill)
    if was.week == _week(at):
        return HeldSkill(skill, was.week, was.was)
    return HeldSkill(skill, _week(at), was.skill.score if was.week else None)
