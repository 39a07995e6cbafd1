"""The computer player of Co-Compositeness."""

from collections.abc import Mapping
from math import gcd
from typing import ClassVar

from rules.core.match import Match
from rules.players.games.cocomposite.endings import (
    solve_ending,
    solve_for_several,
    solve_small,
    solve_start,
)
from rules.players.games.cocomposite.position import CocompositePosition
from rules.players.levels import Level
from rules.players.player import SearchPlayer, Solution, Solved, Unsolvable
from rules.players.uct import Tuning

_LARGEST = 5
"""The largest board that is solved from its start."""


class CocompositePlayer(SearchPlayer[CocompositePosition]):
    """Searches with playouts that score where they can, and solves ends of walks."""

    key = "cocomposite"
    tuning: ClassVar = Tuning(exploration=0.5)
    levels: ClassVar = (
        Level(12, temperature=0.33, overlooked=0.95),
        Level(48, temperature=0.105, overlooked=0.67),
        Level(160, temperature=0.05, overlooked=0.4),
        Level(260, temperature=0.02, overlooked=0.2),
        Level(435, solver=2_600),
        Level(1200, solver=10_000),
        Level(3000, solver=40_000),
    )

    def position(self, match: Match) -> CocompositePosition:
        return CocompositePosition.of(match.state)

    def text(self, position: CocompositePosition, code: int) -> str:
        return position.board.texts[code]

    def solved(self, position: CocompositePosition, limit: int) -> Solved | None:
        several = len(position.points) > 2
        return solve_for_several(position, limit) if several else solve_ending(position, limit)

    def whole(self, position: CocompositePosition) -> Solved | None:
        return solve_small(position) if len(position.points) == 2 else None

    def hidden(self, position: CocompositePosition, code: int) -> float:
        """Return the chance: 0 for common factors of 3 and 5, 0.5 for 7, and 1 for 11, 13 and so on."""
        held = position.held[code]
        if not held:
            return 0.0
        common = gcd(2 * held - 1, 2 * position.turn + 1)
        return 0.0 if common % 3 == 0 or common % 5 == 0 else 0.5 if common % 7 == 0 else 1.0

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        size = options["size"]
        if size > _LARGEST:
            raise Unsolvable(f"Co-Compositeness is solved for two players up to size {_LARGEST}.")
        margin, positions = solve_start(size)
        winner = None if margin == 0 else 0 if margin > 0 else 1
        return Solution(winner, abs(margin), "tie" if margin == 0 else "win", positions)
