"""Shapes in pixels around an origin: their layers and texts, computed once for all places where the shapes stand."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from render.engine.brush import batched, layers
from render.engine.fonts import Box, covered
from render.engine.scene import Group, Shape, Text


class Sketch:
    """The layers and the texts of shapes, in drawing order. Sketches are equal only if they are the same object."""

    def __init__(self, shapes: tuple[Shape, ...], scale: float) -> None:
        single = [layer for shape in shapes for layer in layers(shape, (0.0, 0.0), scale)]
        self.layers = tuple(batched(single))
        self.texts = tuple(shape.placed((0.0, 0.0), scale) for shape in shapes if isinstance(shape, Text))
        boxes = [*map(covered, self.texts)]
        if single:
            # Pointed joins and smooth edges need more room than half of the width.
            margin = max(it.width for it in single) + 2
            across, down = ([at for it in single for at in it.points[axis::2]] for axis in (0, 1))
            boxes.append((min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin))
        lefts, tops, rights, bottoms = zip(*boxes or [(0.0, 0.0, 0.0, 0.0)], strict=True)
        self.box = min(lefts), min(tops), max(rights), max(bottoms)
        """The pixels outside this box do not depend on the sketch. Without layers and texts it has no pixels."""


class Part:
    """A sketch with its origin on the page. Parts are equal only if they are the same object."""

    def __init__(self, sketch: Sketch, x: float, y: float) -> None:
        # Sums of numbers of so few digits are exact, so that a part has the same pixels on every canvas.
        self.sketch, self.x, self.y = sketch, round(1024 * x) / 1024, round(1024 * y) / 1024

    @cached_property
    def box(self) -> Box:
        """The pixels outside this box do not depend on the part."""
        left, top, right, bottom = self.sketch.box
        return left + self.x, top + self.y, right + self.x, bottom + self.y


def parts_of(shapes: Iterable[Shape], scale: float) -> tuple[Part, ...]:
    """Return the parts of the shapes of a page in drawing order; `scale` is the number of pixels in a page unit."""
    found: list[Part] = []
    for shape in shapes:
        if isinstance(shape, Group) and Group in map(type, shape.shapes):
            # This is the board, which changes with every move, while most of its shapes stay.
            x, y = shape.at[0] * scale, shape.at[1] * scale
            for inner in shape.shapes:
                found += _parts(inner, x, y, scale * shape.scale)
        else:
            found += _parts(shape, 0.0, 0.0, scale)
    return tuple(found)


@lru_cache(maxsize=8192)
def _parts(shape: Shape, x: float, y: float, scale: float) -> tuple[Part, ...]:
    """Return the parts of a shape whose group has this origin and scale, in pixels."""
    if not isinstance(shape, Group):
        return (Part(_sketch((shape,), scale), x, y),)
    x, y, scale = x + shape.at[0] * scale, y + shape.at[1] * scale, scale * shape.scale
    if Group in map(type, shape.shapes):
        return tuple(part for inner in shape.shapes for part in _parts(inner, x, y, scale))
    return (Part(_sketch(shape.shapes, scale), x, y),)


@lru_cache(maxsize=2048)
def _sketch(shapes: tuple[Shape, ...], scale: float) -> Sketch:
    """Return shapes, none of them a group, as a sketch. Trembling lines take long to compute."""
    return Sketch(shapes, scale)


def forget() -> None:
    """Compute the lines of all shapes again."""
    _parts.cache_clear()
    _sketch.cache_clear()
