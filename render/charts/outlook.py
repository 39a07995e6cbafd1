"""The chart of a reviewed game: the expected result of each seat after each move, and the key mistakes.

The seats' expected shares of the win are stacked, the first player's at the bottom. A line between two is firm where
it is proved under best play, and dotted where it is an estimate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from render.board.page import WIDTH
from render.board.phrases import as_fit, shortened
from render.board.seats import piece, who
from render.board.text import ALT_LIMIT
from render.engine import fonts
from render.engine.raster import png
from render.engine.scene import Area, Disc, Face, Group, Mix, Point, Role, Scene, Shape, Stroke, Text
from render.engine.theme import SEATS
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class Expected:
    """The shares of the win that the seats could expect after so many moves; `exact` if they are proved."""

    shares: tuple[float, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment: the move after `ply` others, by `seat`."""

    ply: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class OutlookChart:
    """A reviewed game.

    `expected` has an entry for every position from the start to the end, None where none is known.
    """

    title: str
    about: str
    expected: tuple[Expected | None, ...]
    marks: tuple[Mark, ...]


_LEFT, _RIGHT = 118.0, WIDTH - 62.0
_HIGH = 250.0
"""Page units between a share of nothing and the whole."""
_MARK = 21.0
"""The radius of the mark of a moment."""
_APART = 62.0
"""Page units between the middles of two marks, at least."""
_DOT = 15.0
"""Page units from one dot of an estimate to the next."""


def draw_outlook(chart: OutlookChart, theme: str = "paper") -> bytes:
    """Return the picture as a PNG, 900 pixels wide. The same review gives the same bytes."""
    return png(outlook_scene(chart), theme)


def outlook_scene(chart: OutlookChart) -> Scene:
    """Return the scene of a reviewed game."""
    top = 226.0 if chart.marks else 150.0
    shapes: list[Shape] = [
        Text((50, 66), chart.title, _title_size(chart), face=Face.TITLE, anchor="l"),
        Text((WIDTH - 50, 70), chart.about, 30, Role.MUTED, anchor="r"),
        *_bands(chart, top),
        *_lines(chart, top),
        *_seats(chart, top),
        *_marks(chart, top),
        *_axis(chart, top + _HIGH),
        *_legend(chart, top + _HIGH + 92),
    ]
    return Scene(WIDTH, round(top + _HIGH + 132), tuple(shapes))


def outlook_alt(chart: OutlookChart, limit: int = ALT_LIMIT) -> str:
    """Return the picture in words, at most `limit` characters; sentences that do not fit are left out."""
    count = len(chart.marks)
    told = f"{chart.title}, {chart.about}: the expected result after each of {len(chart.expected) - 1} moves."
    parts = [
        f"{count} {'move' if count == 1 else 'moves'} gave something away." if count else "No clear mistake."
    ]
    for number, mark in enumerate(chart.marks, 1):
        before, after = (_share(chart, at, mark.seat) for at in (mark.ply, mark.ply + 1))
        parts.append(f"{number}: move {mark.ply + 1} by {who(mark.seat)}, from {before} to {after}.")
    return shortened(as_fit(told, parts, limit), limit)


def _share(chart: OutlookChart, at: int, seat: Seat) -> str:
    found = chart.expected[at]
    return "unknown" if found is None else f"{round(100 * found.shares[seat])}%"


def _title_size(chart: OutlookChart) -> int:
    room = WIDTH - 140 - fonts.width(chart.about, Face.READ, 30)
    return round(fonts.fitted(chart.title, Face.TITLE, 78, room))


def _across(chart: OutlookChart, at: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * at / max(1, len(chart.expected) - 1)


def _up(shares: Sequence[float], seats: int, top: float) -> float:
    """Return the height at which the share of the seat before `seats` ends."""
    return top + _HIGH * (1 - min(1.0, sum(shares[:seats])))


def _known(chart: OutlookChart) -> Iterator[tuple[int, Expected, Expected]]:
    """Yield the neighbouring positions of which both are known, with the index of the first."""
    for at, (before, after) in enumerate(pairwise(chart.expected)):
        if before is not None and after is not None:
            yield at, before, after


def _bands(chart: OutlookChart, top: float) -> Iterator[Shape]:
    for at, before, after in _known(chart):
        left, right = _across(chart, at), _across(chart, at + 1)
        for seat in range(len(before.shares)):
            points = (
                (left, _up(before.shares, seat, top)),
                (right, _up(after.shares, seat, top)),
                (right, _up(after.shares, seat + 1, top)),
                (left, _up(before.shares, seat + 1, top)),
            )
            yield Area(points, Mix(SEATS[seat], 0.5))


def _lines(chart: OutlookChart, top: float) -> Iterator[Shape]:
    """Yield the lines between the seats' shares: firm where both ends are proved, else dotted."""
    even = top + _HIGH / 2
    if _seat_count(chart) == 2:
        yield Stroke(((_LEFT, even), (_RIGHT, even)), 2, Role.PAGE, wobble=0)
    for at, before, after in _known(chart):
        for count in range(1, len(before.shares)):
            ends = (
                (_across(chart, at), _up(before.shares, count, top)),
                (_across(chart, at + 1), _up(after.shares, count, top)),
            )
            if before.exact and after.exact:
                yield Stroke(ends, 6, Role.INK, wobble=0)
            else:
                yield from _dots(*ends)


def _dots(start: Point, end: Point) -> Iterator[Shape]:
    count = max(1, round(((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 / _DOT))
    for dot in range(count):
        share = (dot + 0.5) / count
        yield Disc(
            (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share), 3.6, Role.INK
        )


def _seat_count(chart: OutlookChart) -> int:
    return next((len(it.shares) for it in chart.expected if it is not None), 0)


def _seats(chart: OutlookChart, top: float) -> Iterator[Shape]:
    """Yield the marks of the seats at the left, from the bottom up."""
    seats = _seat_count(chart)
    radius = min(24.0, 0.4 * _HIGH / max(1, seats))
    for seat in range(seats):
        yield piece(f"seat {seat}", seat, (70, top + _HIGH * (1 - (seat + 0.5) / seats)), radius)


def _marks(chart: OutlookChart, top: float) -> Iterator[Shape]:
    """Yield a numbered marker for every key mistake, connected to its position on the chart."""
    places = _spread([_across(chart, mark.ply + 0.5) for mark in chart.marks])
    for number, (mark, x) in enumerate(zip(chart.marks, places, strict=True)):
        y, foot = top - 62, _across(chart, mark.ply + 0.5)
        yield Stroke(((x, y + _MARK), (foot, top - 12), (foot, top + _HIGH)), 3, Role.INK, wobble=0)
        label = Text((x, y - 43), str(number + 1), 30)
        yield Group(f"moment {number + 1}", (piece("", mark.seat, (x, y), _MARK), label))


def _spread(wanted: Sequence[float]) -> list[float]:
    """Return places in the same order that are at least `_APART` from each other, near to the wanted ones."""
    places: list[float] = []
    for x in wanted:
        places.append(max(x, places[-1] + _APART) if places else max(x, _LEFT - 20))
    limit = WIDTH - 50.0
    for index in range(len(places) - 1, -1, -1):
        places[index] = min(places[index], limit)
        limit = places[index] - _APART
    return places


def _axis(chart: OutlookChart, bottom: float) -> Iterator[Shape]:
    last = len(chart.expected) - 1
    yield Stroke(((_LEFT, bottom), (_RIGHT, bottom)), 4, Role.INK, wobble=0.6)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if last / step <= 10)
    for ply in range(step, last + 1, step):
        x = _across(chart, ply)
        yield Stroke(((x, bottom), (x, bottom + 9)), 3, Role.INK, wobble=0)
        yield Text((x, bottom + 32), str(ply), 26, Role.MUTED)


def _legend(chart: OutlookChart, y: float) -> Iterator[Shape]:
    kinds = {before.exact and after.exact for _, before, after in _known(chart)}
    x = _LEFT
    if True in kinds:
        yield Stroke(((x, y), (x + 60, y)), 6, Role.INK, wobble=0)
        yield Text((x + 76, y), "proved", 28, Role.MUTED, anchor="l")
        x += 76 + fonts.width("proved", Face.READ, 28) + 50
    if False in kinds:
        yield from _dots((x, y), (x + 60, y))
        yield Text((x + 76, y), "estimated", 28, Role.MUTED, anchor="l")
    yield Text((_RIGHT, y), "moves", 28, Role.MUTED, anchor="r")
