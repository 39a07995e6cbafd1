"""The contract of a game's computer player. What a game does not define is there for every game."""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from typing import ClassVar, Generic, TypeVar

from rules.core.game import Option, Seat
from rules.core.match import Match
from rules.players.levels import DEFAULT, EXACT, Budget, Level
from rules.players.position import SearchPosition, Shares
from rules.players.uct import Searched, Tuning, search

P = TypeVar("P", bound=SearchPosition)


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that a player decides for.

    `move` is its canonical text and `value` the expected share of the win for the seat that moves (1 win, 0.5 draw,
    0 loss), or None if the move was neither searched nor solved. `exact` is True if the value of the position is proved
    under best play. `nodes` counts playouts and solved positions. With more than two seats, `shares` holds every seat's
    expected share, or nothing if only `value` is known. `visits` counts the playouts of this move, from which an
    estimated `value` comes, or as many as it is worth; 0 if there were none.
    """

    move: str
    value: float | None
    exact: bool
    nodes: int
    shares: Shares = ()
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Solved:
    """The proven value of a position for its mover, and moves that keep it, the best first: all if time allows.

    If `worth` is not 0, the value is an estimate instead, as good as one from so many playouts. With more than two
    seats still playing, `shares` holds every seat's share under best play, in which each seat plays for its own result.
    """

    value: float
    best: tuple[int, ...]
    nodes: int
    worth: int = 0
    shares: Shares = ()

    @property
    def exact(self) -> bool:
        """True if the value is proved. Of several seats only a win is: else it matters how equal moves are chosen."""
        return not self.worth and (not self.shares or self.value == 1)


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a whole game under best play, from its start.

    `winner` is None for a tie, and for an `endless` game, where neither side can force an end that it does not lose.
    `margin` is in points of the winner, or None for a game without a score and for an endless one. `positions` were
    looked at.
    """

    winner: Seat | None
    margin: int | None
    end: str
    positions: int


class Unsolvable(Exception):
    """The game cannot be solved with these options; the text says what can be."""


class Player(ABC):
    """A computer player of one game. Instances may keep tables, but nothing of a match."""

    key: ClassVar[str]
    levels: ClassVar[tuple[Level, ...]] = DEFAULT
    parted: ClassVar[tuple[Option, ...]] = ()
    """Options of `solve` that the game itself does not have: they name the part that is solved."""

    @abstractmethod
    def choose(self, match: Match, seat: Seat, budget: Budget, seed: int) -> Choice:
        """Decide a move for `seat`, which is on turn, by nothing but what it may see."""

    def opened(self, match: Match, seat: Seat) -> Choice | None:
        """Return the best choice of `seat` by all that is known after a game, at a position in its course.

        None stands for a game without secrets, which `choose` judges as well. `shares` are given for all seats; at a
        position where chance acts, `move` is "".
        """
        return None

    def faced(self, match: Match, seat: Seat) -> str:
        """Return what the best choice of `seat`, which is on turn, depends on where moves are hidden.

        The choice of one seat tells another one what to play if one of their texts contains the other, forwards or
        backwards. The empty text is contained in all. The text depends only on what the seat may see.
        """
        return ""

    def remarks(self, match: Match) -> tuple[tuple[Seat, str], ...]:
        """Return what else is to be said of a finished game: seats, and what each did, as the rest of a sentence."""
        return ()

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        """Solve the game from its start. `options` holds a checked value for every option.

        `compiled` allows numba, which the extra `solve` installs. Raises Unsolvable.
        """
        raise Unsolvable("There is no solver for this game.")

    def parts(self, options: Mapping[str, int]) -> Sequence[Mapping[str, int]]:
        """Return the options of every part that is solved for its own sake: the whole game, for most games.

        `options` holds a checked value for every option of the game, and those of `parted` that were named.
        """
        return (options,)

    def level(self, budget: Budget) -> Level:
        """Return the level that a budget names; a budget of nodes or seconds is the strongest level's."""
        last = len(self.levels)
        return self.levels[min(budget.level or last, last) - 1]


class SearchPlayer(Player, Generic[P]):
    """A player of a game without secrets: solver first, then search, then the weaknesses of the level."""

    tuning: ClassVar[Tuning] = Tuning()
    solver_speed: ClassVar[int] = 0
    """Positions that the solver looks at per CPU second, or 0: then it has the level's budget in any case."""
    solver_part: ClassVar[float] = 0.5
    """The part of a budget of seconds that the solver gets."""

    @abstractmethod
    def position(self, match: Match) -> P:
        """Return the fast position of a match that is not over."""

    @abstractmethod
    def text(self, position: P, code: int) -> str:
        """Return the canonical text of a legal move."""

    def solved(self, position: P, limit: int) -> Solved | None:
        """Solve a position that is not over by looking at no more than `limit` positions; None if that is too few."""
        return None

    def proved(self, position: P, limit: int) -> float | None:
        """Return the value that `solved` proves, which may take less when no moves are asked for; None if neither."""
        solved = self.solved(position, limit)
        return solved.value if solved is not None and solved.exact else None

    def judged(self, position: P, limit: int) -> Solved | None:
        """Solve a position as `solved` does, or estimate its value by other means than playouts; None if neither."""
        return self.solved(position, limit)

    def whole(self, position: P) -> Solved | None:
        """Solve a position of a game so small that this takes less than a second; None for all others.

        Reviews and the levels from EXACT on ask, whatever their budget is.
        """
        return None

    def hidden(self, position: P, code: int) -> float:
        """Return how hard a move is to see, from 0 (plain) to 1 (only a strong player sees it)."""
        return 0.0

    def perceived(self, position: P, level: Level, chance: random.Random) -> P:
        """Return the position as a level sees it: with the same legal moves, or with those that it considers."""
        return position

    def choose(self, match: Match, seat: Seat, budget: Budget, seed: int) -> Choice:
        position = self.position(match)
        level = self.level(budget)
        # A text as seed gives the same numbers in every process.
        chance = random.Random(f"{seed} {len(match.log)}")  # noqa: S311 - for play, not for secrets
        begin = time.process_time()
        if (budget.level is None or budget.level >= EXACT) and (found := self.whole(position)) is not None:
            return Choice(self.text(position, found.best[0]), found.value, True, found.nodes)
        limit = self._solver_limit(level, budget)
        if limit and (found := self.judged(position, limit)) is not None:
            move = self.text(position, found.best[0])
            return Choice(move, found.value, found.exact, found.nodes, found.shares, found.worth)
        codes = position.moves()
        for code in codes:
            if self._wins(position, code):
                return Choice(self.text(position, code), 1.0, True, len(codes))
        if len(codes) == 1 and budget.level is not None and not budget.with_value:
            return Choice(self.text(position, codes[0]), None, False, 0)
        nodes = level.nodes if budget.level is not None or budget.seconds is None else None
        perceived = self.perceived(position, level, chance)
        result = search(
            perceived,
            match.setup.players,
            chance,
            self.tuning,
            nodes=budget.nodes if budget.nodes is not None else nodes,
            seconds=budget.seconds and max(0.0, budget.seconds - (time.process_time() - begin)),
        )
        seen = [move for move in result.moves if not self._overlooked(position, move.code, level, chance)]
        picked = pick(seen or result.moves, level.temperature, chance)
        return Choice(
            self.text(position, picked.code),
            picked.value,
            # What is proved of the position as a level perceives it is not proved of the position itself.
            perceived is position and _proves(picked, result.moves),
            result.nodes,
            picked.shares,
            picked.visits,
        )

    def _solver_limit(self, level: Level, budget: Budget) -> int:
        """Return how many positions the solver may look at."""
        if not self.solver_speed or budget.level is not None:
            return level.solver
        given = budget.nodes or int((budget.seconds or 0) * self.solver_speed * self.solver_part)
        return min(level.solver, given)

    def _wins(self, position: P, code: int) -> bool:
        after = position.copy()
        mover = position.mover
        after.play(code)
        return not after.moves() and after.shares()[mover] == 1

    def _overlooked(self, position: P, code: int, level: Level, chance: random.Random) -> bool:
        return level.overlooked > 0 and chance.random() < level.overlooked * self.hidden(position, code)


def _proves(picked: Searched, moves: Sequence[Searched]) -> bool:
    """Return True if the proved value of a move is the value of the position: no other move can be better."""
    return picked.exact and (
        picked.value == 1
        or all(move.exact and (move.value or 0.0) <= (picked.value or 0.0) for move in moves)
    )


def pick(moves: list[Searched] | tuple[Searched, ...], temperature: float, chance: random.Random) -> Searched:
    """Choose one of some moves, of which the best comes first: that one, or any by softmax over the values."""
    if not temperature:
        return moves[0]
    # A move that was not tried weighs as little as one that loses.
    values = [move.value or 0.0 for move in moves]
    top = max(values)
    weights = [exp((value - top) / temperature) for value in values]
    return chance.choices(moves, weights)[0]


class BudgetSpent(Exception):
    """A solver would have to look at more positions than it may."""


def keepers(moves: Sequence[int], reaches: Callable[[int, int], bool]) -> tuple[float, list[int]]:
    """Return the mover's share of the win, and the moves that keep it: all of them if the budget lasts, at least one.

    `reaches` tells if the mover can end ahead by so many points after a move. Raises BudgetSpent before any proof.
    """
    for share, points in ((1.0, 1), (0.5, 0)):
        found = next((number for number, move in enumerate(moves) if reaches(move, points)), None)
        if found is not None:
            kept = [moves[found]]
            with suppress(BudgetSpent):  # what is in the list by then stays there
                kept.extend(move for move in moves[found + 1 :] if reaches(move, points))
            return share, kept
    return 0.0, list(moves)


def by_margin(margins: Mapping[int, int]) -> tuple[float, tuple[int, ...]]:
    """Return the mover's share of the win, and the moves that keep it, the best first.

    `margins` holds for each legal move the points by which the mover ends ahead after it.
    """
    best = max(margins.values())
    kept = [
        move for move, margin in margins.items() if (margin > 0) - (margin < 0) == (best > 0) - (best < 0)
    ]
    share = 1.0 if best > 0 else 0.5 if best == 0 else 0.0
    return share, tuple(sorted(kept, key=lambda move: -margins[move]))
