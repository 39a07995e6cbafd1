"""The player of Uncooked Spaghetti: search, and exact play once few lines are open."""

from typing import ClassVar

from rules.core.match import Match
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.player import SearchPlayer
from rules.players.uct import Tuning


class SpaghettiPlayer(SearchPlayer[SpaghettiPosition]):
    """A player of Uncooked Spaghetti."""

    key = "spaghetti"
    tuning: ClassVar[Tuning] = Tuning(amaf=300)

    def position(self, match: Match) -> SpaghettiPosition:
        return SpaghettiPosition(match.state)

    def text(self, position: SpaghettiPosition, code: int) -> str:
        table = position.table
        return str(table.lines[code] if code < table.count else table.squares[code - table.count])
