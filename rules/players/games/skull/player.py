"""Skull's computer player."""

from rules.core.match import Match
from rules.core.notation import Cell
from rules.players.games.skull.position import SkullPosition
from rules.players.player import SearchPlayer


class SkullPlayer(SearchPlayer[SkullPosition]):
    """Searches over bit sets."""

    key = "skull"

    def position(self, match: Match) -> SkullPosition:
        return SkullPosition.of(match.state)

    def text(self, position: SkullPosition, code: int) -> str:
        row, column = divmod(code, position.width)
        return str(Cell(column, row))
