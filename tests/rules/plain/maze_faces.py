"""Maze a second time, as plainly as it can be said, to compare the referee with.

Each segment is held against every segment that there is, and sections are the faces of the whole drawing, grid lines
and all.
"""

from collections.abc import Sequence
from math import floor

from rules.core.plane import Face, Point, Segment, arrange, faces, meeting_point, meets, on_segment

Vertex = tuple[int, int]
Wall = tuple[Vertex, Vertex]


def boundary(size: int) -> list[Wall]:
    corners = [(0, 0), (size, 0), (size, size), (0, size)]
    return [(corners[side - 1], corners[side]) for side in range(4)]


def grid(size: int) -> list[Wall]:
    across = [((0, row), (size, row)) for row in range(size + 1)]
    return across + [((column, 0), (column, size)) for column in range(size + 1)]


def segments(size: int, drawn: Sequence[Wall]) -> list[Wall]:
    """The segments that may be drawn next, from the touched vertex."""
    lines = [*boundary(size), *drawn]
    vertices = [(column, row) for column in range(size + 1) for row in range(size + 1)]
    touched = {vertex for vertex in vertices if any(on_segment(vertex, line) for line in lines)}
    return [
        (start, end)
        for start in vertices
        for end in vertices
        if start in touched
        and end not in touched
        and all(meeting_point((start, end), line) == start for line in lines if meets((start, end), line))
    ]


def sections(size: int, drawn: Sequence[Wall]) -> list[Face]:
    """In the order of their numbers."""

    def place(face: Face) -> tuple[object, ...]:
        x, y = face.centroid
        return -floor(y), floor(x), -y, x

    return sorted(faces([*grid(size), *drawn]), key=place)


def neighbours(found: Sequence[Face], drawn: Sequence[Wall]) -> list[set[int]]:
    """For each section those beyond an edge that lies on a grid line and on no segment."""
    beyond: dict[Segment, int] = {edge: number for number, face in enumerate(found) for edge in face.edges}
    return [
        {beyond[b, a] for a, b in face.edges if (b, a) in beyond and _open(a, b, drawn)} for face in found
    ]


def _open(a: Point, b: Point, drawn: Sequence[Wall]) -> bool:
    on_grid = any(a[axis] == b[axis] and a[axis] == floor(a[axis]) for axis in (0, 1))
    return on_grid and not any(on_segment(a, wall) and on_segment(b, wall) for wall in drawn)


def euler(size: int, drawn: Sequence[Wall]) -> int:
    """The number of sections by Euler's formula: the drawing hangs together, so it is edges - corners + 1."""
    graph = arrange([*grid(size), *drawn])
    return len([*graph.edges]) - len(graph.corners) + 1
