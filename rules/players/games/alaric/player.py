"""Alaric's computer player."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rules.core.match import Match
from rules.players.games.alaric.capture import captured
from rules.players.games.alaric.classes import Seen, classifier, followers
from rules.players.games.alaric.position import AlaricPosition, Key
from rules.players.games.alaric.proof import Proof
from rules.players.games.alaric.retrograde import Decided
from rules.players.games.alaric.table import EXACT, table
from rules.players.games.alaric.traps import Traps
from rules.players.levels import Level
from rules.players.player import SearchPlayer, Solution, Solved, Unsolvable
from rules.players.solving import BudgetSpent


class AlaricPlayer(SearchPlayer[AlaricPosition]):
    """Plays exactly on rings with a table, and searches on larger ones."""

    key = "alaric"
    levels: ClassVar[tuple[Level, ...]] = (
        Level(12, temperature=0.5, overlooked=0.7),
        Level(100, temperature=0.10, overlooked=0.4),
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
        own, enemy = position.stones if position.mover == 0 else position.stones[::-1]
        place = classifier(position.size)(own, enemy, position.forbidden)
        margin, _ = table(position.size).get(place, (0, 0))
        return (1 + (margin > 0) - (margin < 0)) / 2

    def hidden(self, position: AlaricPosition, code: int) -> float:
        """Return how far from the last stone a capture lies: players look at the place where somebody just played."""
        own, enemy = position.stones if position.mover == 0 else position.stones[::-1]
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
                "Alaric can be solved for rings of up to 14 cells, and of up to 19 with the extra solve."
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
        own, enemy = position.stones if position.mover == 0 else position.stones[::-1]
        seen: Seen = (own, enemy, position.forbidden)
        self.after = dict(zip(position.moves(), followers(seen, position.size), strict=True))
        self.values = {code: self._value(after) for code, after in self.after.items()}

    def _value(self, after: Seen) -> tuple[int, int]:
        """The margin that the mover gets after a move, and the plies to the end."""
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
        after = self.position.copy()
        after.play(code)
        return after.stood(after.key)

    def _proved(self, sign: int, keep: list[int], stood: Iterable[Key]) -> tuple[int, list[int]] | None:
        """The same where some positions stood twice, so that the next time is a draw; None if it is not found out."""
        winner = self.position.mover if sign > 0 else 1 - self.position.mover
        barred = frozenset(
            ((first, second, forbidden) if mover == 0 else (second, first, forbidden), mover == winner)
            for first, second, forbidden, mover in stood
        )
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
