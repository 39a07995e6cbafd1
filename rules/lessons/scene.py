"""Positions that lessons show, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find


@dataclass(frozen=True, slots=True)
class Scene:
    """A position. `moves` are separated by commas, each played by the first seat on turn or by the one that it names,
    as `1: done` does; `seat` is the seat that sees it, or None for everybody."""

    moves: str
    options: Mapping[str, int] = field(default_factory=dict)
    players: int = 2
    seat: Seat | None = None

    @property
    def plies(self) -> int:
        """The number of moves."""
        return len(self.moves.split(",")) if self.moves else 0

    def match(self, key: str) -> Match:
        """Return the match of this position in the game with this key. Raises RuleError."""
        match = Match.start(find(key), self.options, self.players)
        for entry in self.moves.split(",") if self.moves else ():
            named, colon, text = entry.strip().rpartition(": ")
            match = match.play(int(named) if colon else match.to_move[0], text)
        return match
