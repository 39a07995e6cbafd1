"""Alaric's computer player."""

from rules.core.match import Match
from rules.players.games.alaric.position import AlaricPosition
from rules.players.player import SearchPlayer


class AlaricPlayer(SearchPlayer[AlaricPosition]):
    """Searches over bit sets."""

    key = "alaric"

    def position(self, match: Match) -> AlaricPosition:
        return AlaricPosition.of(match.state)

    def text(self, position: AlaricPosition, code: int) -> str:
        return str(code + 1)
