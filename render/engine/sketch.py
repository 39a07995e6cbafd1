"""Shapes in pixels around an origin: their layers and texts, computed once for all places where the shapes stand."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from render.engine.brush import calls, layers
from render.engine.fonts import Box, covered
from render.engine.scene import Group, Shape, Text


class Sketch:
    """The calls that draw shapes, in drawing order."""

    def __init__(self, shapes: tuple[Shape, ...], scale: float) -> None:
        single = [layer for shape in shapes for layer in layers(shape, scale)]
        self.calls = tuple(calls(single))
        # Pointed joins and smooth edges need more room than half of the width.
        margin = max((it.width for it in single), default=0) + 2
        across, down = ([at for it in single for at in it.points[axis::2]] for axis in (0, 1))
        self.box = min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin
        """The pixels outside this box do not depend on the sketch."""


class Part:
    """A sketch with its origin on the page, and texts on the page. Parts are equal only if they are the same object.

    The origin is rounded: sums of numbers with few digits are exact, so a part has the same pixels on every canvas.
    """

    def __init__(self, sketch: Sketch | None, x: float, y: float, texts: tuple[Text, ...]) -> None:
        self.sketch, self.x, self.y, self.texts = (
            sketch,
            round(1024 * x) / 1024,
            round(1024 * y) / 1024,
            texts,
        )

    @cached_property
    def box(self) -> Box:
        """The pixels outside this box do not depend on the part. A part that shows nothing has no pixels."""
        boxes = [covered(it) for it in self.texts]
        if self.sketch is not None:
            left, top, right, bottom = self.sketch.box
            boxes.append((left + self.x, top + self.y, right + self.x, bottom + self.y))
        lefts, tops, rights, bottoms = zip(*boxes or [(0.0, 0.0, 0.0, 0.0)], strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


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
    shapes: tuple[Shape, ...] = (shape,)
    if isinstance(shape, Group):
        shapes = shape.shapes
        x, y, scale = x + shape.at[0] * scale, y + shape.at[1] * scale, scale * shape.scale
        if Group in map(type, shapes):
            return tuple(part for inner in shapes for part in _parts(inner, x, y, scale))
    texts = tuple(it.placed((x, y), scale) for it in shapes if isinstance(it, Text))
    drawn = tuple(it for it in shapes if not isinstance(it, Text)) if texts else shapes
    return (Part(_sketch(drawn, scale) if drawn else None, x, y, texts),)


@lru_cache(maxsize=2048)
def _sketch(shapes: tuple[Shape, ...], scale: float) -> Sketch:
    """Return shapes, none of them a group, as a sketch. Trembling lines take long to compute."""
    return Sketch(shapes, scale)


def forget() -> None:
    """Compute the lines of all shapes again."""
    _parts.cache_clear()
    _sketch.cache_clear()
