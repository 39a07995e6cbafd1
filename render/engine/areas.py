"""Areas in the plane, with Shapely: what closed lines enclose, and the point in it with the most room for a label."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from render.engine.scene import Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


def area(loops: Iterable[Sequence[Point]]) -> "BaseGeometry":
    """The area that lies inside an odd number of the closed `loops`, which may touch or cross themselves."""
    import shapely  # only here: a start does not need it

    parts = [_without_lines(shapely.make_valid(shapely.Polygon(loop))) for loop in loops]
    return reduce(shapely.symmetric_difference, parts) if parts else shapely.Polygon()


def label_point(outline: Sequence[Point]) -> tuple[Point, float]:
    """The point inside an outline that is farthest from it (the pole of inaccessibility), and that distance."""
    import shapely  # only here: a start does not need it

    radius = shapely.maximum_inscribed_circle(area([outline]))
    (x, y), _ = radius.coords
    return (x, y), radius.length


def _without_lines(shape: "BaseGeometry") -> "BaseGeometry":
    """A valid shape without the lines that an outline leaves where it runs there and back."""
    import shapely  # only here: a start does not need it

    if shape.geom_type in ("Polygon", "MultiPolygon"):
        return shape
    return shapely.union_all([part for part in shapely.get_parts(shape) if part.area])
