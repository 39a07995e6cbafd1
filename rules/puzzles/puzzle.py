"""A puzzle: a position, and the only moves that keep its value."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find


@dataclass(frozen=True)
class Puzzle:
    """A position of two players in which one move keeps what the player on turn can reach; all others give it away.

    `moves` lead to the position and `line` on from it: the only move, the reply that asks for the most further only
    moves, the next only move, and so on, up to the last. All are canonical texts; the seats follow from the rules.
    `value` is the share of the win that the line keeps, 1 or 0.5. `plies` counts the moves from the position to the
    end of the game under best play.
    """

    game: str
    options: tuple[int, ...]
    moves: tuple[str, ...]
    line: tuple[str, ...]
    value: float
    plies: int

    @cached_property
    def name(self) -> str:
        """A short name that the position alone decides, such as `skull-3fa9c1d0`."""
        position = json.dumps([self.game, self.options, self.moves])
        return f"{self.game}-{hashlib.sha256(position.encode()).hexdigest()[:8]}"

    @property
    def only_moves(self) -> int:
        """The number of only moves in a row against the best defence: the measure of difficulty."""
        return (len(self.line) + 1) // 2

    @cached_property
    def match(self) -> Match:
        """The position, as a match."""
        game = find(self.game)
        keys = (option.key for option in game.options)
        match = Match.start(game, dict(zip(keys, self.options, strict=True)), 2)
        for text in self.moves:
            match = match.play(match.to_move[0], text)
        return match

    @property
    def seat(self) -> Seat:
        """The seat that is to find the line."""
        seat = self.match.to_move[0]
        assert seat is not None
        return seat

    def after(self, found: int) -> Match:
        """Return the position after the first `found` only moves of the line, each with its reply, if one follows."""
        match = self.match
        for text in self.line[: 2 * found]:
            match = match.play(match.to_move[0], text)
        return match


def read(text: str) -> Puzzle:
    """Return the puzzle that a line of the stock holds."""
    game, options, moves, line, value, plies = json.loads(text)
    return Puzzle(game, tuple(options), tuple(moves.split()), tuple(line.split()), value, plies)


def write(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the stock."""
    moves, line = " ".join(puzzle.moves), " ".join(puzzle.line)
    value = int(puzzle.value) if puzzle.value == 1 else puzzle.value
    return json.dumps([puzzle.game, puzzle.options, moves, line, value, puzzle.plies], separators=(",", ":"))
