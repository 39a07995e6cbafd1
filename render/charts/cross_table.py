"""The picture of a cross table: who met whom in a group, with which result, and the points."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from render.board.page import WIDTH
from render.board.phrases import as_fit, counted, counted_points, spell_points
from render.board.players import cut_name, drawable_name
from render.board.text import ALT_LIMIT
from render.charts.computer_mark import computer
from render.charts.leaderboard import MEDALS, NAMELESS, medal
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Area, Disc, Face, Ink, Mix, Point, Role, Scene, Shape, Stroke, Text, rectangle


class Mark(StrEnum):
    """The sign of one game in a cell."""

    WON = "1"
    DRAWN = "="
    LOST = "0"
    RUNNING = "running"
    NONE = "none"
    """The game ended without a result."""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A row: an entrant, their games against each entrant in the order of the rows, and their points.

    `rank` is None for an entrant who has left, and `points` are half points. `names` are as in ChartRow.
    """

    rank: int | None
    cells: tuple[tuple[Mark, ...], ...]
    points: int
    played: int
    names: tuple[str, ...] = ()
    computer: bool = False


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A cross table of up to MOST rows, the best first. `final` ones have medals; `about` says how far it is."""

    title: str
    about: str
    rows: tuple[CrossRow, ...]
    final: bool = False


MOST = 16
"""The most rows of a cross table that can be read."""
_MARGIN = 40
_TOP = 226
_ROW = 56
_PLACE, _NAME, _POINTS = 66, 98, 858
"""Columns: the middle of the rank, the left end of the name, the right end of the points."""
_CELLS = 784
"""The right end of the cells."""
_WIDEST, _NARROWEST = 64.0, 33.0
"""The width of a cell with one game. Two games have half as much again."""
_SIZE, _SMALL, _HEAD = 32.0, 29.0, 25.0
GROUND: dict[Mark, Ink] = {Mark.WON: Mix(Role.ACCENT, 0.45), Mark.DRAWN: Mix(Role.ACCENT, 0.18)}
"""The ground of a cell, by its sign."""
_SELF = Mix(Role.MUTED, 0.35)


def draw_cross_table(chart: CrossTable, theme: str = "paper") -> bytes:
    """Return the cross table as a PNG, 900 pixels wide. The same rows give the same bytes."""
    return png(cross_table_scene(chart), theme)


def cross_table_scene(chart: CrossTable) -> Scene:
    cell = _cell_width(chart)
    left = _CELLS - cell * len(chart.rows)
    bottom = _TOP + _ROW * len(chart.rows)
    shapes: list[Shape] = [*_head(chart, left, cell)]
    for number, row in enumerate(chart.rows):
        y = _TOP + _ROW * (number + 0.5)
        shapes += _row(row, number, y, left, cell, final=chart.final)
        if number:
            line = ((_MARGIN, y - _ROW / 2), (WIDTH - _MARGIN, y - _ROW / 2))
            shapes.append(Stroke(line, 2, Role.GRID, wobble=0))
    if any(mark is Mark.RUNNING for row in chart.rows for cells in row.cells for mark in cells):
        shapes += legend(bottom + 38)
        bottom += 44
    return Scene(WIDTH, round(bottom + 34), tuple(shapes))


def cross_table_alt(chart: CrossTable) -> str:
    """Return the cross table in words, at most ALT_LIMIT characters; rows that do not fit are left out."""
    rows = (_told(row) for row in chart.rows)
    return as_fit(f"Cross table: {chart.title}, {chart.about}.", rows, ALT_LIMIT)


def _told(row: CrossRow) -> str:
    place = "left" if row.rank is None else str(row.rank)
    kind = ", computer player" if row.computer else ""
    points, games = counted_points(row.points), counted(row.played, "game")
    return f"{place}: {drawable_name(row.names) or NAMELESS}{kind}, {points} of {games}."


def _cell_width(chart: CrossTable) -> float:
    games = max((len(cells) for row in chart.rows for cells in row.cells), default=1)
    widest = _WIDEST * (1.5 if games > 1 else 1)
    return max(_NARROWEST, min(widest, (_CELLS - _NAME - 190) / max(1, len(chart.rows))))


def _head(chart: CrossTable, left: float, cell: float) -> Iterator[Shape]:
    room = WIDTH - 2 * _MARGIN
    yield Text(
        (_MARGIN, 66),
        chart.title,
        fonts.fitted(chart.title, Face.TITLE, 92, room),
        face=Face.TITLE,
        anchor="l",
    )
    about = fonts.fitted(chart.about, Face.READ, 30, room)
    yield Text((_MARGIN, 132), chart.about, about, Role.MUTED, anchor="l")
    for number in range(len(chart.rows)):
        yield Text((left + cell * (number + 0.5), _TOP - 34), str(number + 1), _HEAD, Role.MUTED)
    yield Text((_POINTS, _TOP - 34), "points", _HEAD, Role.MUTED, anchor="r")
    yield Stroke(((_MARGIN, _TOP - 8), (WIDTH - _MARGIN, _TOP - 8)), 3, Role.INK, wobble=0.8)


def _row(row: CrossRow, number: int, y: float, left: float, cell: float, *, final: bool) -> Iterator[Shape]:
    half = _ROW / 2 - 3
    for opponent, marks in enumerate(row.cells):
        x = left + cell * (opponent + 0.5)
        if opponent == number:
            yield Area(rectangle(x - cell / 2 + 2, y - half, x + cell / 2 - 2, y + half), _SELF)
            continue
        width = cell / max(1, len(marks))
        for place, mark in enumerate(marks):
            middle = x - cell / 2 + width * (place + 0.5)
            if mark in GROUND:
                box = rectangle(middle - width / 2 + 2, y - half, middle + width / 2 - 2, y + half)
                yield Area(box, GROUND[mark])
            yield from mark_shapes(mark, (middle, y), width)
    if row.rank is not None and final and row.rank <= MEDALS:
        yield medal(row.rank, (_PLACE, y - 2), 25)
    elif row.rank is not None:
        yield Text((_PLACE, y), str(row.rank), 30)
    else:
        yield Stroke(((_PLACE - 10, y), (_PLACE + 10, y)), 3, Role.MUTED, wobble=0)
    yield from _name(row, y, left)
    yield Text(
        (_POINTS, y), spell_points(row.points), 32, Role.MUTED if row.rank is None else Role.INK, anchor="r"
    )


def _name(row: CrossRow, y: float, left: float) -> Iterator[Shape]:
    start, ink = float(_NAME), Role.MUTED if row.rank is None else Role.INK
    if row.computer:
        yield computer((start + 12, y + 2), 12, Role.SEAT_2, Role.PAGE)
        start += 32
    room = left - 12 - start
    name = cut_name(drawable_name(row.names), 30, room)
    if name:
        yield Text((start, y), name, 30, ink, anchor="l")
    else:
        yield Text((start, y), NAMELESS, fonts.fitted(NAMELESS, Face.READ, 28, room), Role.MUTED, anchor="l")


def mark_shapes(mark: Mark, at: Point, width: float) -> Iterator[Shape]:
    """Yield the sign of a game in a cell of this width."""
    if mark is Mark.RUNNING:
        yield from _running(at, 8)
    elif mark is Mark.NONE:
        yield Stroke(((at[0] - 8, at[1]), (at[0] + 8, at[1])), 3, Role.MUTED, wobble=0)
    else:
        yield Text(at, mark.value, _SIZE if width > 40 else _SMALL)


def legend(y: float) -> Iterator[Shape]:
    """Yield what the sign of a running game means, at this height."""
    words = "still playing"
    start = (WIDTH - fonts.width(words, Face.READ, 26)) / 2 + 18
    yield from _running((start - 22, y), 8)
    yield Text((start, y), words, 26, Role.MUTED, anchor="l")


def _running(at: Point, radius: float) -> Iterator[Shape]:
    yield Disc(at, radius, Role.MUTED)
    yield Disc(at, radius - 3, Role.PAGE)
