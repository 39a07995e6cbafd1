"""The computer player of X's and Lines."""

from typing import ClassVar

from rules.core.match import Match
from rules.players.games.xlines.position import XLinesPosition
from rules.players.games.xlines.tracks import line_text, names
from rules.players.player import SearchPlayer
from rules.players.uct import Tuning


class XLinesPlayer(SearchPlayer[XLinesPosition]):
    """A player of X's and Lines."""

    tuning: ClassVar[Tuning] = Tuning(amaf=300)

    def position(self, match: Match) -> XLinesPosition:
        return XLinesPosition.of(match.state)

    def text(self, position: XLinesPosition, code: int) -> str:
        count = position.size**2
        return names(position.size)[code] if code < count else line_text(position.size, code)
