"""Marks of advice on a board: the better move is drawn firmly with a tick, the move that was played is dashed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from render.board.game_board import Board, Spot
from render.board.seats import Item, space, text_item
from render.engine.scene import Group, Point, Ring, Role, Shape, Stroke

_LINE, _EDGE = 8.0, 4.0
"""Page units: the width of a mark, and of its dark or light edge on either side."""
_SMALLEST = 17.0
"""Page units: the least radius of a ring."""
_DASH = 24.0
"""Page units from one dash to the next."""
_TICK = 15.0
"""Page units: half the width of a tick."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The better move, and the move that was played instead (None: none yet), both as canonical texts."""

    better: str
    played: str | None = None


def advice_text(advice: Advice) -> str:
    """Return a sentence or two about the marks of an advice."""
    if advice.played is None:
        return f"The move {advice.better} is marked with a tick."
    return f"The better move, {advice.better}, is marked with a tick; {advice.played}, which was played, is dashed."


def advised(shown: Board, advice: Advice, unit: float) -> Board:
    """Return the board with an advice marked on it; `unit` is the number of page units in a unit of the board.

    A move without a spot on the board is left out. A line below explains the marks.
    """
    pen = _Pen(unit)
    shapes: list[Shape] = []
    line: list[Item] = []
    if advice.played is not None:
        spot = shown.spot(advice.played)
        if spot is not None:
            shapes.append(Group(f"played {advice.played}", tuple(pen.dashed(spot))))
            line += _said(_Pen(1).dashed(Spot(((24, 0),), 18)), f"played {advice.played}")
            line.append(space(56))
    spot = shown.spot(advice.better)
    if spot is not None:
        shapes.append(Group(f"better {advice.better}", tuple(pen.firm(spot))))
        word = "better" if advice.played is not None else "best found"
        line += _said(_Pen(1).firm(Spot(((24, 0),), 18)), f"{word} {advice.better}")
    return replace(shown, shapes=(*shown.shapes, *shapes), correction=tuple(line))


def _said(sample: Iterator[Shape], meaning: str) -> list[Item]:
    return [Item(48, tuple(sample)), space(18), text_item(meaning, 34)]


@dataclass(frozen=True, slots=True)
class _Pen:
    """The pen that marks moves on a board whose unit is `unit` page units."""

    unit: float

    def firm(self, spot: Spot) -> Iterator[Shape]:
        """Yield a ring around a point or a stroke along a line, and a tick beside it."""
        for width, ink in self._layers(Role.ACCENT, Role.INK):
            if len(spot.points) == 1:
                yield Ring(spot.points[0], self._radius(spot), width, ink)
            else:
                yield Stroke(spot.points, width, ink, wobble=0)
        (x, y), reach = spot.middle, self._radius(spot) if len(spot.points) == 1 else 0.0
        yield from self._tick((x + 0.75 * reach, y - 0.75 * reach))

    def dashed(self, spot: Spot) -> Iterator[Shape]:
        """Dashes around a point or along a line."""
        lines = list(self._arcs(spot) if len(spot.points) == 1 else self._dashes(spot.points))
        for width, ink in self._layers(Role.CORRECTION, Role.PAGE):
            yield from (Stroke(line, width, ink, wobble=0) for line in lines)

    def _radius(self, spot: Spot) -> float:
        return max(1.12 * spot.reach, _SMALLEST / self.unit)

    def _layers(self, ink: Role, edge: Role) -> Iterator[tuple[float, Role]]:
        yield (_LINE + _EDGE) / self.unit, edge
        yield _LINE / self.unit, ink

    def _tick(self, at: Point) -> Iterator[Shape]:
        (x, y), half = at, _TICK / self.unit
        points = ((x - half, y), (x - 0.3 * half, y + 0.7 * half), (x + half, y - half))
        yield Stroke(points, 15 / self.unit, Role.PAGE, wobble=0)
        yield Stroke(points, 7 / self.unit, Role.INK, wobble=0)

    def _arcs(self, spot: Spot) -> Iterator[tuple[Point, ...]]:
        (x, y), radius = spot.points[0], self._radius(spot)
        count = max(7, round(2 * math.pi * radius * self.unit / _DASH))
        for dash in range(count):
            angles = [2 * math.pi * (dash + 0.55 * step / 4) / count for step in range(5)]
            yield tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)

    def _dashes(self, points: tuple[Point, ...]) -> Iterator[tuple[Point, ...]]:
        for (ax, ay), (bx, by) in pairwise(points):
            count = max(1, round(math.dist((ax, ay), (bx, by)) * self.unit / _DASH))
            for dash in range(count):
                shares = (dash + 0.15) / count, (dash + 0.7) / count
                yield tuple((ax + (bx - ax) * share, ay + (by - ay) * share) for share in shares)
