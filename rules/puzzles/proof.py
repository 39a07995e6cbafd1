"""Proof of a puzzle: the value of every move, and the line of only moves against the best defence."""

from dataclasses import dataclass
from typing import Any

from rules.core.game import Game, Seat
from rules.core.match import Match
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from rules.players.position import SearchPosition
from rules.puzzles.puzzle import Puzzle

LIMIT = 3_000
"""Positions that a solver may look at to prove the value of one move."""
LONGEST = 8
"""Only moves in a row: a line that goes on for longer is no puzzle."""
FEWEST = 4
"""Legal moves that a puzzle offers at least."""
_FAR = 40
"""Plies that a game may go on for under best play; longer ones have no end that a player can see."""


class Unproved(Exception):
    """The solver of a game would need more positions than it may look at, or a prover more proofs than it may make."""


@dataclass(frozen=True, slots=True)
class After:
    """The position after a move, and the share of the win that the player who moved keeps by it."""

    position: SearchPosition
    value: float


class Prover:
    """Proves positions of one game for two players. A line ends where a player moves twice.

    With `draws`, a puzzle may ask to keep a draw; else only a win. In all its life it proves
    the values of at most `proofs` positions; None is any number.
    """

    def __init__(self, game: Game[Any, Any], *, draws: bool, proofs: int | None = None) -> None:
        self._least = 0.5 if draws else 1.0
        self._left = proofs
        player = find_player(game)
        assert isinstance(player, SearchPlayer), "a game with secrets has no such puzzles"
        self._player: SearchPlayer[Any] = player

    def puzzle(self, match: Match) -> Puzzle | None:
        """Return the puzzle that a position is, or None. Raises Unproved."""
        root: SearchPosition = self._player.position(match)
        if len(root.moves()) < FEWEST:
            return None
        value = max(after.value for after in self.after(root).values())
        line = self._line(root, value, LONGEST) if value >= self._least else []
        if not line or len(line) == 2 * LONGEST - 1:
            return None
        texts, position = [], root
        for code in line:
            texts.append(self._player.text(position, code))
            position = position.played(code)
        plies = len(line) + self._rest(position)
        if plies >= _FAR:
            return None
        moves = tuple(text for _, text in match.log)
        options = tuple(value for _, value in match.setup.options)
        return Puzzle(match.game.key, options, moves, tuple(texts), value, plies)

    def after(self, position: SearchPosition) -> dict[int, After]:
        """Return what each move leads to. Raises Unproved."""
        found = {}
        for code in position.moves():
            after = position.played(code)
            found[code] = After(after, self._value(after, position.mover))
        return found

    def _value(self, position: SearchPosition, seat: Seat) -> float:
        """Return a seat's share of the win under best play."""
        if not position.moves():
            return position.shares()[seat]
        if self._left is not None:
            if not self._left:
                raise Unproved
            self._left -= 1
        value = self._player.proved(position, LIMIT)
        if value is None:
            raise Unproved
        return value if position.mover == seat else 1 - value

    def _line(self, position: SearchPosition, value: float, most: int) -> list[int]:
        """Return the only moves that keep a value from here on, each with its reply: none if several keep it."""
        after = self.after(position)
        kept = [code for code, it in after.items() if it.value >= value]
        if len(kept) != 1 or len(after) == 1 or after[kept[0]].value > value:
            return []
        then = after[kept[0]].position
        if most == 1 or then.mover == position.mover:
            return kept
        longest: list[int] = []
        for reply in then.moves():
            reached = then.played(reply)
            goes_on = reached.moves() and reached.mover == position.mover
            rest = self._line(reached, value, most - 1) if goes_on else []
            if rest and len(rest) + 1 > len(longest):
                longest = [reply, *rest]
        return [*kept, *longest]

    def _rest(self, position: SearchPosition) -> int:
        """Count the plies to the end under best play, up to _FAR."""
        plies = 0
        while position.moves() and plies < _FAR:
            solved = self._player.solved(position, LIMIT)
            if solved is None:
                raise Unproved
            position = position.played(solved.best[0])
            plies += 1
        return plies
