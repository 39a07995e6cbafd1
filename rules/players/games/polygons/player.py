"""The computer player of Polygons & Dots."""

from typing import ClassVar

from rules.core.lattice import cells
from rules.core.match import Match
from rules.players.games.polygons.position import PolygonsPosition
from rules.players.player import SearchPlayer
from rules.players.uct import Tuning


class PolygonsPlayer(SearchPlayer[PolygonsPosition]):
    """A player of Polygons & Dots."""

    tuning: ClassVar[Tuning] = Tuning(amaf=300)

    def position(self, match: Match) -> PolygonsPosition:
        return PolygonsPosition.of(match.state)

    def text(self, position: PolygonsPosition, code: int) -> str:
        board = cells(position.size, position.size)
        start, end = divmod(code, len(board))
        return f"{board[start - 1]}-{board[end]}" if start else str(board[end])
