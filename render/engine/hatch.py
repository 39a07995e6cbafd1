"""Areas: what is known of their shape, and hatching, by which they differ in more than a tint."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from render.engine.scene import Ink, Point, Stroke

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


def area(loops: Iterable[Sequence[Point]]) -> "BaseGeometry":
    """Return the area that lies inside an odd number of the closed `loops`, which may touch or cross themselves."""
    import shapely  # only here: a start does not need it

    parts = [_without_lines(shapely.make_valid(shapely.Polygon(loop))) for loop in loops]
    return reduce(shapely.symmetric_difference, parts) if parts else shapely.Polygon()


def label_point(outline: Sequence[Point]) -> tuple[Point, float]:
    """Return the point inside an outline that is farthest from it (the pole of inaccessibility), and that distance."""
    import shapely  # only here: a start does not need it

    radius = shapely.maximum_inscribed_circle(area([outline]))
    (x, y), _ = radius.coords
    return (x, y), radius.length


def _without_lines(shape: "BaseGeometry") -> "BaseGeometry":
    """Return a valid shape without the lines that an outline leaves where it runs there and back."""
    import shapely  # only here: a start does not need it

    if shape.geom_type in ("Polygon", "MultiPolygon"):
        return shape
    return shapely.union_all([part for part in shapely.get_parts(shape) if part.area])


_DIGITS = 6
"""Decimals of a coordinate, so that every version of the geometry library gives the same line."""


def hatch(
    loops: Iterable[Sequence[Point]], pitch: float, slant: float, width: float, ink: Ink, wobble: float = 0.5
) -> Iterator[Stroke]:
    """Return lines `pitch` apart in the area that lies inside an odd number of the closed `loops`.

    The lines rise to the right at `slant` degrees. The lines of neighbouring areas meet. Pieces shorter than `width`
    are left out.
    """
    import shapely  # only here: a start does not need it

    filled = area(loops)
    if filled.is_empty:
        return
    along = math.cos(math.radians(slant)), -math.sin(math.radians(slant))
    across = -along[1], along[0]
    corners = shapely.get_coordinates(filled).tolist()
    near, far = _extent(corners, along)
    first, last = _extent(corners, across)
    lines = [
        [_at(reach, along, number * pitch, across) for reach in (near - pitch, far + pitch)]
        for number in range(math.ceil(first / pitch), math.floor(last / pitch) + 1)
    ]
    if not lines:
        return
    for piece in shapely.get_parts(shapely.intersection(shapely.linestrings(lines), filled)):
        if piece.geom_type == "LineString" and piece.length > width:
            start, end = sorted(piece.coords, key=lambda point: _dot(point, along))
            yield Stroke((_rounded(start), _rounded(end)), width, ink, wobble)


def _extent(points: Iterable[Point], way: Point) -> tuple[float, float]:
    """Return the least and the greatest extent of points in a direction."""
    reaches = [_dot(point, way) for point in points]
    return min(reaches), max(reaches)


def _at(reach: float, along: Point, level: float, across: Point) -> Point:
    return reach * along[0] + level * across[0], reach * along[1] + level * across[1]


def _rounded(point: Point) -> Point:
    return round(point[0], _DIGITS), round(point[1], _DIGITS)


def _dot(one: Point, other: Point) -> float:
    return one[0] * other[0] + one[1] * other[1]
