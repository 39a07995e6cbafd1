"""The computer player of Alaric: exact play on rings of up to 16 cells, search on larger ones.

- `position.py`: the fast position, and the captures of a stone.
- `retrograde.py`: positions without their rotations and reflections, and the solution of a ring from its ends, or
  from a file; `tables/` holds those of 10 to 16 cells, `python -m rules.players.games.alaric` makes them again.
- `compiled.py`: the same solution with numba, for rings of up to 20 cells.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from rules.core.match import Match
from rules.players.games.alaric.position import AlaricPosition, Key, captured, parts
from rules.players.games.alaric.retrograde import EXACT, Decided, Seen, classifier, followers, table
from rules.players.levels import Level
from rules.players.player import BudgetSpent, SearchPlayer, Solution, Solved, Unsolvable

NEAR, FAR = 0.02, 0.5
"""The weight of a losing reply that loses within two plies, and of one that loses much later, against 1 for others."""
STEP = 0.04
"""The weight that each further ply adds."""


def weight(plies: int) -> float:
    """Return how likely a losing reply is, by the plies until it has lost: players see the near ends."""
    return min(FAR, NEAR + STEP * max(0, plies - 2))


class Traps:
    """Estimates of what an opponent who errs now and then gives away, over a table of decided positions."""

    def __init__(
        self, size: int, classify: Callable[[int, int, int], int], decided: Mapping[int, Decided]
    ) -> None:
        self._size, self._classify, self._decided = size, classify, decided
        self._known: dict[tuple[int, int], float] = {}
        self.looked = 0

    def hope(self, after: Seen, depth: int) -> float:
        """Return the share that is expected where the opponent is to move, who errs, and looks so many moves ahead."""
        return self._hope(self._classify(*after), after, depth)

    def _hope(self, key: int, after: Seen, depth: int) -> float:
        value = self._decided.get(key)
        if value is not None and value[0] < 0:
            return 1.0
        known = self._known.get((key, depth))
        if known is not None:
            return known
        total = share = 0.0
        for reply in followers(after, self._size):
            self.looked += 1
            key_after = self._classify(*reply)
            lost = self._decided.get(key_after)
            if lost is None or lost[0] < 0:
                # the reply keeps the draw, or wins
                total += 1
                if lost is None:
                    share += self._best(reply, depth - 1) if depth > 1 else 0.5
            else:
                chance = weight(lost[1])
                total += chance
                share += chance
        found = share / total if total else 0.5 if value is None else 0.0
        self._known[key, depth] = found
        return found

    def _best(self, here: Seen, depth: int) -> float:
        """Return the most that one's own move keeps, where one is to move in a drawn position."""
        best = 0.0
        for after in followers(here, self._size):
            key = self._classify(*after)
            value = self._decided.get(key)
            if value is None:
                best = max(best, self._hope(key, after, depth))
        return best or 0.5


Barred = frozenset[tuple[Seen, bool]]
"""Positions that end the game as a draw when they are reached, and True for each in which the winner is to move."""

LIMIT = 20_000


class Proof:
    """A search for a win that avoids all barred positions. Each of its steps brings the end nearer."""

    def __init__(
        self,
        size: int,
        classify: Callable[[int, int, int], int],
        decided: Mapping[int, Decided],
        barred: Barred,
    ) -> None:
        self._size, self._classify, self._decided, self._barred = size, classify, decided, barred
        self._known: dict[Seen, bool] = {}

    def wins(self, here: Seen) -> bool:
        """Return True if the winner, who is to move, can force the win. Raises BudgetSpent."""
        known = self._known.get(here)
        if known is None:
            if len(self._known) >= LIMIT:
                raise BudgetSpent
            over = not followers(here, self._size)  # with more stones for the winner, since the table says so
            known = self._known[here] = over or any(self.holds(after) for after in self._progress(here))
        return known

    def holds(self, after: Seen) -> bool:
        """Return True if the opponent, who is to move, cannot avoid the loss. Raises BudgetSpent."""
        if (after, False) in self._barred:
            return False
        replies = followers(after, self._size)
        return all((reply, True) not in self._barred and self.wins(reply) for reply in replies)

    def _progress(self, here: Seen) -> list[Seen]:
        """Return the positions after the moves that win by more, or by as much and sooner."""
        margin, plies = self._decided[self._classify(*here)]
        found = []
        for after in followers(here, self._size):
            lost, left = self._decided.get(self._classify(*after), (0, 0))
            if lost < 0 and (lost, left) < (-margin, plies):
                found.append(((lost, left), after))
        return [after for _, after in sorted(found)]


class AlaricPlayer(SearchPlayer[AlaricPosition]):
    """Plays exactly on rings with a table, and searches on larger ones."""

    key = "alaric"
    levels: ClassVar[tuple[Level, ...]] = (
        Level(3, temperature=3.0, overlooked=0.9),
        Level(80, temperature=0.12, overlooked=0.45),
        Level(350, temperature=0.03, overlooked=0.15),
        Level(800),
        Level(6000, solver=500_000),
    )

    def position(self, match: Match) -> AlaricPosition:
        return AlaricPosition.of(match.state)

    def text(self, position: AlaricPosition, code: int) -> str:
        return str(code + 1)

    def solved(self, position: AlaricPosition, limit: int) -> Solved | None:
        if position.size not in EXACT:
            return None
        return _Root(position, table(position.size)).solved(3 if position.size <= 13 else 2)

    def proved(self, position: AlaricPosition, limit: int) -> float | None:
        if position.size not in EXACT or any(times > 1 for times in position.past.values()):
            return super().proved(position, limit)
        place = classifier(position.size)(*position.seen)
        margin, _ = table(position.size).get(place, (0, 0))
        return (1 + (margin > 0) - (margin < 0)) / 2

    def hidden(self, position: AlaricPosition, code: int) -> float:
        """Return how far from the last stone a capture lies: players look at the place where somebody just played."""
        own, enemy, _ = position.seen
        if position.last is None or not captured(own, enemy, code, position.size):
            return 0.0
        away = abs(code - position.last)
        return 2 * min(away, position.size - away) / position.size

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        size = options["size"]
        if compiled:
            from rules.players.games.alaric.compiled import LARGEST, solve
        else:
            from rules.players.games.alaric.retrograde import LARGEST, solve
        if size > LARGEST:
            raise Unsolvable(
                "Alaric can be solved for rings of up to 14 cells, and of up to 20 with the extra solve."
            )
        ring = solve(size)
        margin, _ = ring.decided.get(0, (0, 0))
        if margin:
            return Solution(0 if margin > 0 else 1, abs(margin), "win", ring.classes)
        return (
            Solution(None, 0, "tie", ring.classes)
            if ring.tie
            else Solution(None, None, "endless", ring.classes)
        )


class _Root:
    """A position whose moves are judged by a table."""

    def __init__(self, position: AlaricPosition, decided: Mapping[int, Decided]) -> None:
        self.position, self.decided = position, decided
        self.classify = classifier(position.size)
        self.after = dict(zip(position.moves(), followers(position.seen, position.size), strict=True))
        self.values = {code: self._value(after) for code, after in self.after.items()}

    def _value(self, after: Seen) -> tuple[int, int]:
        """Return the margin that the mover gets after a move, and the plies to the end."""
        margin, plies = self.decided.get(self.classify(*after), (0, 0))
        return -margin, plies

    def solved(self, depth: int) -> Solved | None:
        """Return the value and the moves that keep it, or None where repetitions of the match leave it open."""
        best = max(margin for margin, _ in self.values.values())
        sign = (best > 0) - (best < 0)
        keep = [code for code, (margin, _) in self.values.items() if (margin > 0) - (margin < 0) == sign]
        nodes = len(self.after) + 1
        if sign and (stood := [key for key, times in self.position.past.items() if times > 1]):
            proved = self._proved(sign, keep, stood)
            if proved is None:
                return None
            sign, keep = proved
        if sign > 0:
            # The largest margin first, and then the nearest end: a won game never comes back to a position.
            keep.sort(key=lambda code: (-self.values[code][0], self.values[code][1]))
        else:
            traps = Traps(self.position.size, self.classify, self.decided)
            hopes = {code: traps.hope(self.after[code], depth) for code in keep}
            # New positions first: a repetition brings the end of the game nearer.
            keep.sort(key=lambda code: (self._stood(code), -hopes[code], -self.values[code][1]))
            nodes += traps.looked
        return Solved((0.0, 0.5, 1.0)[sign + 1], tuple(keep), nodes)

    def _stood(self, code: int) -> int:
        after = self.position.played(code)
        return after.stood(after.key)

    def _proved(self, sign: int, keep: list[int], stood: Iterable[Key]) -> tuple[int, list[int]] | None:
        """Return the same where some positions stood twice, so that the next time is a draw.

        None if it is not found out.
        """
        size = self.position.size
        winner = self.position.mover if sign > 0 else 1 - self.position.mover
        barred = frozenset((seen, mover == winner) for seen, mover in (parts(size, key) for key in stood))
        proof = Proof(self.position.size, self.classify, self.decided, barred)
        try:
            if sign > 0:
                won = [code for code in keep if proof.holds(self.after[code])]
                return (sign, won) if won else None
            drawn = [code for code in keep if (self.after[code], True) in barred]
            if drawn:
                return 0, drawn
            return (sign, keep) if all(proof.wins(self.after[code]) for code in keep) else None
        except BudgetSpent:
            return None
