"""Marks of the worth of moves on a board: a badge on each move, with a sign beside its colour.

A tick is a won move, two bars a drawn one, a cross a lost one. A disc that is filled in part is an estimate: the part
is the share of the win.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist

from render.board.game_board import Board, Spot
from render.board.seats import Item, space, text_item
from render.engine.scene import Area, Disc, Group, Ink, Point, Ring, Role, Shape, Stroke
from rules.players.explore import Worth

MOST_PLACES, MOST_LINES = 64, 12
"""The most moves that are marked, where moves are places and where they are lines: the best ones."""
_BADGE = 17.0
"""Page units: the radius of a badge."""
_SIGN, _LINE, _EDGE = 5.0, 7.0, 4.0
"""Page units: the width of the strokes of a sign, of a marked line, and of the edge around a mark."""
_ALONG = (0.5, 0.3, 0.7, 0.15, 0.85)
"""The places of a badge on a line, as parts of its length: the first one that is free is taken."""

KINDS: dict[float | None, tuple[str, Role]] = {
    1.0: ("won", Role.SEAT_3),
    0.5: ("drawn", Role.MUTED),
    0.0: ("lost", Role.CORRECTION),
    None: ("estimated", Role.INK),
}
"""The word and the colour of each kind of worth, by its proved share; None is an estimate."""


def kind(worth: Worth) -> float | None:
    """Return the key of a worth in KINDS."""
    return worth.value if worth.exact and worth.value in KINDS else None


def judged(shown: Board, worths: Sequence[Worth], unit: float) -> Board:
    """Return the board with the best of these moves marked, which are sorted, and a line that explains the marks.

    `unit` is the number of page units in a unit of the board. A move without a spot on the board is left out.
    """
    spots = [(it, spot) for it in worths if it.value is not None and (spot := shown.spot(it.move))]
    places = [(it, spot) for it, spot in spots if _is_place(spot)][:MOST_PLACES]
    lines = [(it, spot) for it, spot in spots if not _is_place(spot)][:MOST_LINES]
    pen = _Pen(unit)
    shapes: list[Shape] = []
    taken: list[Point] = []
    # The best lines lie above the others.
    for it, spot in reversed(lines):
        shapes.append(Group("", tuple(pen.line(spot, KINDS[kind(it)][1]))))
    for it, spot in (*places, *lines):
        at = pen.place(spot, taken)
        taken.append(at)
        shapes.append(Group(f"worth {it.move}", tuple(pen.badge(at, it))))
    marked = len(places) + len(lines)
    more = f"the best {marked} of {len(worths)}" if marked < len(worths) else ""
    return replace(shown, shapes=(*shown.shapes, *shapes), correction=_legend([it for it, _ in spots], more))


def _is_place(spot: Spot) -> bool:
    return len(spot.points) == 1 or spot.apart


def _legend(worths: Sequence[Worth], more: str) -> tuple[Item, ...]:
    """Return the line below the board: each kind of mark that is there, and which moves are marked."""
    line: list[Item] = []
    found = {kind(it) for it in worths}
    for key, (word, _) in KINDS.items():
        if key in found:
            sample = Worth("", 0.6 if key is None else key, key is not None)
            line += [Item(2 * _BADGE + 6, tuple(_Pen(1).badge((_BADGE + 3, 0.0), sample))), space(8)]
            line += [text_item(word, 30), space(26)]
    if more:
        line.append(text_item(more, 30))
    return tuple(line)


@dataclass(frozen=True, slots=True)
class _Pen:
    """The pen that marks moves on a board whose unit is `unit` page units."""

    unit: float

    def line(self, spot: Spot, ink: Role) -> Iterator[Shape]:
        """Yield a stroke along the line of a move."""
        yield Stroke(spot.points, (_LINE + _EDGE) / self.unit, Role.PAGE, wobble=0)
        yield Stroke(spot.points, _LINE / self.unit, ink, wobble=0)

    def place(self, spot: Spot, taken: Sequence[Point]) -> Point:
        """Return the middle of the badge of a move: beside a place, or on a line where no other badge is."""
        if _is_place(spot):
            x, y = spot.points[0]
            # Beside the middle, where the name of the place may be written.
            away = max(0.62 * spot.reach, 1.35 * _BADGE / self.unit)
            return x + away, y - away
        apart = 2 * (_BADGE + _EDGE) / self.unit
        points = [spot.along(part) for part in _ALONG]
        return next((at for at in points if all(dist(at, it) > apart for it in taken)), points[0])

    def badge(self, at: Point, worth: Worth) -> Iterator[Shape]:
        """Yield a disc with the sign of a worth."""
        radius, key = _BADGE / self.unit, kind(worth)
        _, ink = KINDS[key]
        yield Disc(at, radius + _EDGE / 2 / self.unit, Role.PAGE)
        if key is None:
            yield Ring(at, radius - 1.5 / self.unit, 3 / self.unit, ink)
            share = worth.value or 0.0
            if share > 0:
                yield Area(_sector(at, radius - 4 / self.unit, share), ink)
            return
        yield Disc(at, radius, ink)
        yield from self._sign(at, key, Role.PAGE)

    def _sign(self, at: Point, key: float, ink: Ink) -> Iterator[Shape]:
        """Yield a tick, two bars or a cross."""
        (x, y), half, width = at, 0.5 * _BADGE / self.unit, _SIGN / self.unit
        if key == 1:
            points = (
                (x - half, y + 0.1 * half),
                (x - 0.2 * half, y + 0.8 * half),
                (x + half, y - 0.7 * half),
            )
            yield Stroke(points, width, ink, wobble=0)
        elif key == 0:
            for way in (-1, 1):
                ends = (x - 0.8 * half, y - 0.8 * way * half), (x + 0.8 * half, y + 0.8 * way * half)
                yield Stroke(ends, width, ink, wobble=0)
        else:
            for way in (-1, 1):
                yield Stroke(
                    ((x - half, y + 0.5 * way * half), (x + half, y + 0.5 * way * half)), width, ink, wobble=0
                )


def _sector(at: Point, radius: float, share: float) -> tuple[Point, ...]:
    """Return the outline of a share of a disc, clockwise from its top."""
    (x, y), count = at, max(2, math.ceil(24 * share))
    angles = [2 * math.pi * share * step / count for step in range(count + 1)]
    rim = tuple((x + radius * math.sin(angle), y - radius * math.cos(angle)) for angle in angles)
    return rim if share >= 1 else (at, *rim)
