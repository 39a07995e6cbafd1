"""Shapes in pixels around an origin: their layers and texts, computed once for all places where the shapes stand."""

from collections.abc import Iterator
from functools import cached_property, lru_cache

from render.engine.brush import layers
from render.engine.fonts import Box, covered
from render.engine.scene import Group, Shape, Text


class Sketch:
    """The layers and the texts of shapes, in drawing order. Sketches are equal only if they are the same object."""

    def __init__(self, shapes: tuple[Shape, ...], scale: float) -> None:
        self.layers = tuple(layer for shape in shapes for layer in layers(shape, (0.0, 0.0), scale))
        self.texts = tuple(shape.placed((0.0, 0.0), scale) for shape in shapes if isinstance(shape, Text))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """For each layer a box around all pixels that depend on it."""
        return tuple(it.reach() for it in self.layers)

    @cached_property
    def box(self) -> Box:
        """The pixels outside this box do not depend on the sketch. Without layers and texts it has no pixels."""
        boxes = (*self.boxes, *map(covered, self.texts))
        lefts, tops, rights, bottoms = zip(*boxes or [(0.0, 0.0, 0.0, 0.0)], strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


Part = tuple[Sketch, float, float]
"""A sketch, and its origin on the page."""


def parts_of(shapes: tuple[Shape, ...], x: float, y: float, scale: float) -> Iterator[Part]:
    """Yield the parts of shapes whose group has this origin and scale, in pixels, in drawing order."""
    for shape in shapes:
        if isinstance(shape, Group):
            at, inner = (x + shape.at[0] * scale, y + shape.at[1] * scale), scale * shape.scale
            if Group in map(type, shape.shapes):
                yield from parts_of(shape.shapes, *at, inner)
            else:
                yield sketch_of(shape.shapes, inner), *at
        else:
            yield sketch_of((shape,), scale), x, y


@lru_cache(maxsize=4096)
def sketch_of(shapes: tuple[Shape, ...], scale: float) -> Sketch:
    """Return shapes, none of them a group, as a sketch. Trembling lines take long to compute."""
    return Sketch(shapes, scale)


def box_of(part: Part) -> Box:
    """Return the box of a part on the page."""
    sketch, x, y = part
    left, top, right, bottom = sketch.box
    return left + x, top + y, right + x, bottom + y
