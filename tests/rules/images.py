"""Matches on rotated and mirrored boards, by turning the text of each move: the plain way, to compare keys with."""

import re
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import partial

from rules.core.match import LEAVING, Match
from rules.core.notation import Cell, read_cell
from rules.games.maze import Maze
from rules.games.maze.state import MazeState

TextTurn = Callable[[str], str | None]
"""The text of a move on the turned board; None if it cannot be known, as for the numbers of a maze's sections."""

Number = int | Fraction
Point = tuple[Number, Number]

_CELL = re.compile(r"([a-z])([0-9]+)")


def walks(match: Match) -> Iterator[tuple[Match, ...]]:
    """Yield the positions of a match from its start, and those of each of its images as far as they are known."""
    for turn in text_turns(match):
        stages = [Match.start(match.game, dict(match.setup.options), match.setup.players)]
        for seat, text in match.log:
            moved = text if seat is None or text in LEAVING else turn(text)
            if moved is None:
                break
            stages.append(stages[-1].play(seat, moved))
        yield tuple(stages)


def images(match: Match) -> Iterator[Match]:
    """Yield a match, and the same match on the board rotated and mirrored in every way that is known."""
    for walk in walks(match):
        if len(walk) == len(match.log) + 1:
            yield walk[-1]


def text_turns(match: Match) -> tuple[TextTurn, ...]:
    """Return how the texts of moves change with the board, in every way; the first changes nothing."""
    options = dict(match.setup.options)
    match match.game.key:
        case "alaric":
            size = options["size"]
            return tuple(partial(_round, size, way, by) for way in (1, -1) for by in range(size))
        case "spaghetti":
            ways = [(quarters, flip) for flip in (False, True) for quarters in range(4)]
            return tuple(partial(_strand, options["size"], *way) for way in ways)
        case "maze":
            return _cells(options["size"] + 1, options["size"] + 1)
        case "skull":
            return _cells(options["width"], options["height"])
        case "xlines" | "polygons" | "cocomposite":
            return _cells(options["size"], options["size"])
        case _:
            return (str,)


def _cells(width: int, height: int) -> tuple[TextTurn, ...]:
    def turned(across: bool, up: bool, swap: bool, found: re.Match[str]) -> str:
        column, row = ord(found[1]) - ord("a"), int(found[2]) - 1
        column = width - 1 - column if across else column
        row = height - 1 - row if up else row
        return str(Cell(row, column) if swap else Cell(column, row))

    def of_text(turn: Callable[[re.Match[str]], str], text: str) -> str | None:
        return _CELL.sub(turn, text) if _CELL.match(text) else None

    swaps = (False, True) if width == height else (False,)
    ways = [(across, up, swap) for swap in swaps for up in (False, True) for across in (False, True)]
    return (str, *(partial(of_text, partial(turned, *way)) for way in ways[1:]))


def _round(size: int, way: int, offset: int, text: str) -> str:
    """Return a cell of a ring turned by `offset` cells, and first mirrored if `way` is -1."""
    return str((way * (int(text) - 1) + offset) % size + 1)


def _strand(size: int, quarters: int, flip: bool, text: str) -> str:
    """Return a move on the board that was mirrored in its diagonal from vertex 1 if `flip`, then turned clockwise."""
    if "-" in text:
        low, high = (int(end) - 1 for end in text.split("-"))
        ends = [(quarters * size + (-end if flip else end)) % (4 * size) + 1 for end in (low, high)]
        return f"{min(ends)}-{max(ends)}"
    cell = read_cell(text, text)
    if flip:
        cell = Cell(size - 1 - cell.row, size - 1 - cell.column)
    for _ in range(quarters):
        cell = Cell(cell.row, size - 1 - cell.column)
    return str(cell)


def orbit(match: Match) -> Hashable:
    """Return what is equal for two positions exactly if one is an image of the other.

    In two games more is left out: the seat on turn of Alaric, and who has how many points in Maze. The sections of a
    maze are compared by their corners.
    """
    match match.game.key:
        case "alaric":
            positions = frozenset(image.state.standing[:3] for image in images(match))
        case "maze":
            positions = frozenset(_mazes(match.state))
        case _:
            positions = frozenset(image.game.position(image.state) for image in images(match))
    return match.setup, match.playing, positions


def _mazes(state: MazeState) -> Iterator[Hashable]:
    """Yield a maze on each turned board: its walls, and which sections are empty or the one to go on from."""
    board = Maze().observe(state, None)
    end = board.string[-1:] if not board.ended else ()
    for swap in (False, True):
        for left in (False, True):
            for down in (False, True):

                def turned(
                    x: Number, y: Number, left: bool = left, down: bool = down, swap: bool = swap
                ) -> Point:
                    x, y = (state.size - x if left else x), (state.size - y if down else y)
                    return (y, x) if swap else (x, y)

                yield (
                    frozenset(frozenset(turned(*end) for end in wall) for wall in board.walls),
                    frozenset(
                        (
                            frozenset(turned(*corner) for corner in section.corners),
                            section.owner is None,
                            number in end,
                        )
                        for number, section in enumerate(board.sections, 1)
                    ),
                )
