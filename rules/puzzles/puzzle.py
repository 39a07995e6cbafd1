"""A puzzle: a position, and the only moves that keep its value; or cards to be laid or searched."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.core.game import Seat
from rules.core.match import Match, Observation
from rules.games import find
from rules.games.palindromes import Row, palindromes

CARDS = "palindromes"
"""The game whose puzzles have no replies, and whose moves may be found in any order (`rules/puzzles/cards.py`)."""
HARDEST = 4
"""The difficulty above which puzzles count as equally hard."""


@dataclass(frozen=True)
class Puzzle:
    """A position of two players in which one move keeps what the player on turn can reach; all others give it away.

    `moves` lead to the position and `line` on from it: the only move, the reply that asks for the most further only
    moves, the next only move, and so on, up to the last. All are canonical texts; the seats follow from the rules.
    `value` is the share of the win that the line keeps, 1 or 0.5. `plies` counts the moves from the position to the
    end of the game under best play. `hard` is the difficulty, 0 where the number of only moves is the difficulty.

    A puzzle of `CARDS` has no replies: `line` holds all palindromes that are to be found, or one of the best rows.
    """

    game: str
    options: tuple[int, ...]
    moves: tuple[str, ...]
    line: tuple[str, ...]
    value: float
    plies: int
    hard: int = 0

    @cached_property
    def name(self) -> str:
        """A short name that the position alone decides, such as `skull-3fa9c1d0`."""
        position = json.dumps([self.game, self.options, self.moves])
        return f"{self.game}-{hashlib.sha256(position.encode()).hexdigest()[:8]}"

    @property
    def cards(self) -> bool:
        """True for a puzzle of the game with cards, in which nobody answers."""
        return self.game == CARDS

    @property
    def lays(self) -> bool:
        """True if the best row of a hand is to be laid."""
        return self.line[0].startswith("arrange ")

    @property
    def answers(self) -> tuple[str, ...]:
        """The moves of the line that are to be found."""
        return self.line if self.cards else self.line[::2]

    @property
    def only_moves(self) -> int:
        """The number of only moves in a row against the best defence, or of the palindromes that are to be found."""
        return len(self.answers)

    @property
    def difficulty(self) -> int:
        """The difficulty from 1 to HARDEST."""
        return self.hard or min(self.only_moves, HARDEST)

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
        for text in self.line[: found if self.cards else 2 * found]:
            match = match.play(match.to_move[0], text)
        return match

    @property
    def seen(self) -> Observation:
        """The position as it is shown to everybody: where cards are laid or searched, as the seat sees it."""
        return self.match.observe(self.seat if self.cards else None)

    def asks(self, plies: int) -> bool:
        """Return True if the move of the line after `plies` is to be found."""
        return plies < len(self.line) and (self.cards or plies % 2 == 0)

    def reached(self, moves: Sequence[str]) -> Match:
        """Return the position after moves of the member, with the replies; without cards, after only moves."""
        if not self.cards:
            return self.after(len(moves))
        match = self.match
        for text in moves:
            match = match.play(self.seat, text)
        return match

    def found(self, moves: Sequence[str], *, failed: bool) -> int:
        """Return the number of right moves among those of a try. `failed` is True if the last one ended it."""
        return sum(map(self._right, moves)) if self.cards else len(moves) - failed

    def judged(self, moves: Sequence[str], after: Match) -> bool | None:
        """Return True if a try with cards has solved the puzzle, False if it has failed, None if it goes on."""
        if self.found(moves, failed=False) == self.only_moves:
            return True
        return None if self.seat in after.to_move else False

    def _right(self, text: str) -> bool:
        """Return True if a move with cards is right: it names a palindrome of the row, or lays a best row."""
        if self.lays:
            return row_worth(text.removeprefix("arrange ")) == row_worth(
                self.line[0].removeprefix("arrange ")
            )
        return text in self.line


def row_worth(row: Row) -> int:
    """Return the points of a row in which every palindrome is found."""
    return row.count("R") - len(palindromes(row))


def read(text: str) -> Puzzle:
    """Return the puzzle that a line of the stock holds."""
    game, options, moves, line, value, plies, *hard = json.loads(text)
    separator = _separator(game)
    return Puzzle(
        game, tuple(options), tuple(moves.split(separator)), tuple(line.split(separator)), value, plies, *hard
    )


def write(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the stock."""
    separator = _separator(puzzle.game)
    moves, line = separator.join(puzzle.moves), separator.join(puzzle.line)
    value = int(puzzle.value) if puzzle.value == 1 else puzzle.value
    fields = [puzzle.game, puzzle.options, moves, line, value, puzzle.plies, *filter(None, [puzzle.hard])]
    return json.dumps(fields, separators=(",", ":"))


def _separator(game: str) -> str:
    """Return the text between two moves: the moves with cards contain spaces."""
    return "," if game == CARDS else " "
