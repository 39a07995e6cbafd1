"""The picture of a match between two servers: the score, and a row for each board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from render.board.page import WIDTH
from render.board.phrases import as_fit, spell_points
from render.board.players import cut_name, drawable_name
from render.board.text import ALT_LIMIT
from render.charts.cross_table import GROUND, Mark, legend, mark_shapes
from render.charts.leaderboard import NAMELESS
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Area, Face, Point, Role, Scene, Shape, Stroke, Text, rectangle


@dataclass(frozen=True, slots=True)
class MatchSide:
    """One of the two players of a board: the results of their games, and their half points.

    `names` are as in ChartRow.
    """

    games: tuple[Mark, ...]
    points: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchTable:
    """A match between two servers, the hosts first: their names, and the players of each board by its number.

    Each server has one or more names, the best first, of which the last one can be drawn. `about` says how far the
    match is. In a `final` table the name of the server that has lost is muted.
    """

    title: str
    about: str
    servers: tuple[tuple[str, ...], tuple[str, ...]]
    boards: tuple[tuple[MatchSide, MatchSide], ...]
    final: bool = False

    @property
    def score(self) -> tuple[int, int]:
        """The half points of both servers."""
        hosts, guests = (sum(board[side].points for board in self.boards) for side in (0, 1))
        return hosts, guests


_MARGIN = 40
_SCORE, _TOP = 208, 262
"""The height of the score, and of the upper end of the rows."""
_ROW, _CELL, _GAP = 56, 52, 5
"""The height of a row, the width of a cell, and half the distance between the cells of both players."""
_NUMBER = 66
"""The middle of the number of a board."""


def draw_match_table(chart: MatchTable, theme: str = "paper") -> bytes:
    """Return the table as a PNG, 900 pixels wide. The same boards give the same bytes."""
    return png(match_table_scene(chart), theme)


def match_table_scene(chart: MatchTable) -> Scene:
    bottom = _TOP + _ROW * len(chart.boards)
    shapes: list[Shape] = [*_head(chart)]
    for number, board in enumerate(chart.boards):
        y = _TOP + _ROW * (number + 0.5)
        shapes += _row(board, number, y)
        if number:
            line = ((_MARGIN, y - _ROW / 2), (WIDTH - _MARGIN, y - _ROW / 2))
            shapes.append(Stroke(line, 2, Role.GRID, wobble=0))
    if any(Mark.RUNNING in side.games for board in chart.boards for side in board):
        shapes += legend(bottom + 38)
        bottom += 44
    return Scene(WIDTH, round(bottom + 34), tuple(shapes))


def match_table_alt(chart: MatchTable) -> str:
    """Return the match in words, at most ALT_LIMIT characters; boards that do not fit are left out."""
    hosts, guests = map(drawable_name, chart.servers)
    rows = (_told(number, board) for number, board in enumerate(chart.boards, 1))
    score = f"{hosts} {spell_points(chart.score[0])} : {spell_points(chart.score[1])} {guests}"
    return as_fit(f"{chart.title}, {chart.about}. {score}.", rows, ALT_LIMIT)


def _told(number: int, board: Sequence[MatchSide]) -> str:
    host, guest = (f"{drawable_name(it.names) or NAMELESS} {spell_points(it.points)}" for it in board)
    return f"Board {number}: {host}, {guest}."


def _head(chart: MatchTable) -> Iterator[Shape]:
    room = WIDTH - 2 * _MARGIN
    size = fonts.fitted(chart.title, Face.TITLE, 92, room)
    yield Text((_MARGIN, 66), chart.title, size, face=Face.TITLE, anchor="l")
    about = fonts.fitted(chart.about, Face.READ, 32, room)
    yield Text((_MARGIN, 132), chart.about, about, Role.MUTED, anchor="l")
    score = " : ".join(map(spell_points, chart.score))
    yield Text((WIDTH / 2, _SCORE), score, 44)
    beside = fonts.width(score, Face.READ, 44) / 2 + 24
    for side, names in enumerate(chart.servers):
        lost = chart.final and chart.score[side] < chart.score[1 - side]
        x = WIDTH / 2 + (beside if side else -beside)
        yield _name(names, 36, (x, _SCORE), side, WIDTH / 2 - beside - _MARGIN, muted=lost)
    yield Stroke(((_MARGIN, _TOP - 8), (WIDTH - _MARGIN, _TOP - 8)), 3, Role.INK, wobble=0.8)


def _row(board: Sequence[MatchSide], number: int, y: float) -> Iterator[Shape]:
    yield Text((_NUMBER, y), str(number + 1), 32, Role.MUTED)
    half = _ROW / 2 - 3
    for side, player in enumerate(board):
        width = _CELL * len(player.games)
        left = WIDTH / 2 + (_GAP if side else -_GAP - width)
        for place, mark in enumerate(player.games):
            middle = left + _CELL * (place + 0.5)
            if mark in GROUND:
                box = rectangle(middle - _CELL / 2 + 2, y - half, middle + _CELL / 2 - 2, y + half)
                yield Area(box, GROUND[mark])
            yield from mark_shapes(mark, (middle, y), _CELL)
        x = left + width + 16 if side else left - 16
        yield _name(player.names, 34, (x, y), side, WIDTH - _MARGIN - x if side else x - _NUMBER - 26)


def _name(
    names: Sequence[str], size: float, at: Point, side: int, room: float, *, muted: bool = False
) -> Text:
    """Return a name at the left or, of the guests, at the right of the middle."""
    name = cut_name(drawable_name(names), size, room)
    anchor: Literal["l", "r"] = "l" if side else "r"
    if not name:
        fitted = fonts.fitted(NAMELESS, Face.READ, 32, room)
        return Text(at, NAMELESS, fitted, Role.MUTED, anchor=anchor)
    return Text(at, name, size, Role.MUTED if muted else Role.INK, anchor=anchor)
