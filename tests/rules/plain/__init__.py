"""Each game a second time, as somebody would write it in an afternoon from the rules alone: lists and loops.

`tests/rules/laws/test_plain.py` compares them with the referee, and `tests/bench/playouts.py` measures against them.
Like the referee they refuse a move that is not legal; unlike it they change in place and give no reason. Modules with a
longer name find facts about a game in another way.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

TextTurn = Callable[[str], str | None]
"""The text of a move on the turned board; None if it cannot be known, as for the numbers of a maze's sections."""


def board_stays(options: Mapping[str, int]) -> tuple[TextTurn, ...]:
    """Return the only way to turn a board that cannot be rotated or mirrored."""
    return (str,)


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about one game that the tests for all games need; its module here defines them as `FACTS`."""

    small: Mapping[str, int]
    """The options of a board on which random games are short and meet in the same positions."""
    counts: Sequence[tuple[Mapping[str, int], str, tuple[int, ...]]] = ()
    """Options, an opening, and the numbers of its continuations by 0, 1, 2 and so on moves, which second
    implementations and other programs have confirmed. Empty only for a game with secret moves."""
    transposed: tuple[str, str] | None = None
    """Two orders of moves that lead to the same position on the standard board, if the game leaves the order out."""
    one_order: bool = False
    """True if hardly any position of the small board is reached in two ways."""
    turns: Callable[[Mapping[str, int]], tuple[TextTurn, ...]] = board_stays
    """The ways in which the texts of moves change with the board, by options; the first changes nothing."""


class PlainGame(ABC):
    """A game under way; the module that is named by the key of a game defines it as `Plain`."""

    points: Sequence[int] | None = None
    """The points of each seat, if the game counts them during play."""

    @abstractmethod
    def moves(self) -> Sequence[Any]:
        """Return all legal moves, none when the game is over."""

    def play(self, move: Any) -> None:
        """Play a move. Raises ValueError if it is not legal."""
        if move not in self.moves():
            raise ValueError(move)
        self.make(move)

    @abstractmethod
    def make(self, move: Any) -> None:
        """Play a legal move."""

    @abstractmethod
    def text(self, move: Any) -> str:
        """Return the canonical text of a move."""

    @abstractmethod
    def winners(self) -> list[int]:
        """Return the seats that share the best result of a game that is over."""


def plain(key: str, options: Mapping[str, int]) -> PlainGame:
    """Return the game with this key, at its start, for the fewest players."""
    game: PlainGame = import_module(f"{__name__}.{key}").Plain(**options)
    return game


def facts(key: str) -> Facts:
    """Return the facts about the game with this key."""
    found = getattr(import_module(f"{__name__}.{key}"), "FACTS", None)
    assert isinstance(found, Facts), (
        f"tests/rules/plain/{key}.py must define FACTS, which the tests of all games need."
    )
    return found


def name(cell: tuple[int, int]) -> str:
    """Return the name of a cell given as column and row."""
    return "abcdefghijklmnopqrstuvwxyz"[cell[0]] + str(cell[1] + 1)


def best(points: Sequence[int]) -> list[int]:
    """Return the seats with the most points."""
    return [seat for seat, own in enumerate(points) if own == max(points)]
