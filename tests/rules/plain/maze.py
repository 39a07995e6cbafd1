"""The game of "Maze" of Polygonal Sections, plainly: every segment against every line, sections as faces."""

from fractions import Fraction
from math import floor

from tests.rules.plain import Facts, PlainGame, best, name
from tests.rules.plain.faces import Point, Segment, area, faces, meeting
from tests.rules.plain.turns import cell_turns

Vertex = tuple[int, int]


def on_line(line: Segment, x: Fraction | int, y: Fraction | int) -> bool:
    """Return True if a point is on a segment."""
    (ax, ay), (bx, by) = line
    inside = min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)
    return inside and (bx - ax) * (y - ay) == (by - ay) * (x - ax)


def centroid(walk: list[Point]) -> Point:
    x = y = Fraction(0)
    for (ax, ay), (bx, by) in zip(walk, walk[1:] + walk[:1], strict=True):
        cross = ax * by - bx * ay
        x += (ax + bx) * cross
        y += (ay + by) * cross
    return x / (3 * area(walk)), y / (3 * area(walk))


class Plain(PlainGame):
    def __init__(self, size: int) -> None:
        self.size = size
        self.vertices = [(column, row) for column in range(size + 1) for row in range(size + 1)]
        self.lines: list[Segment] = [
            ((0, 0), (size, 0)),
            ((0, size), (size, size)),
            ((0, 0), (0, size)),
            ((size, 0), (size, size)),
        ]
        self.beside: list[list[int]] = []
        self.filled: list[int] = []
        self.points: list[int] = [0, 0]
        self.mover = 0

    def moves(self) -> list[Segment] | list[int]:
        if not self.beside:
            return self.segments()
        empty = [section for section in range(len(self.beside)) if section not in self.filled]
        if self.filled:
            following = [section for section in empty if section in self.beside[self.filled[-1]]]
            if following:
                return following
        return empty

    def touched(self, vertex: Vertex) -> bool:
        return any(on_line(line, *vertex) for line in self.lines)

    def segments(self) -> list[Segment]:
        touched = [vertex for vertex in self.vertices if self.touched(vertex)]
        ends = [vertex for vertex in self.vertices if vertex not in touched]
        pairs = [(start, end) for start in touched for end in ends]
        return [segment for segment in pairs if self.allowed(segment, touched)]

    def allowed(self, segment: Segment, touched: list[Vertex]) -> bool:
        for vertex in touched:
            if vertex != segment[0] and on_line(segment, *vertex):
                return False
        for line in self.lines:
            point = meeting(segment, line)
            if point is not None and point != (Fraction(segment[0][0]), Fraction(segment[0][1])):
                return False
        return True

    def make(self, move: Segment | int) -> None:
        if isinstance(move, int):
            self.filled.append(move)
            if all(section in self.filled for section in self.beside[move]):
                self.points[self.mover] += 1
        else:
            self.lines.append(move)
            if all(self.touched(vertex) for vertex in self.vertices):
                self.cut()
        self.mover = 1 - self.mover

    def cut(self) -> None:
        """Find the sections, in the order of their numbers, and the neighbours of each."""
        size, drawn = self.size, self.lines[4:]
        grid = [((0, at), (size, at)) for at in range(size + 1)]
        grid += [((at, 0), (at, size)) for at in range(size + 1)]
        sections = []
        for walk in faces([*grid, *drawn]):
            x, y = centroid(walk)
            sections.append((-floor(y), floor(x), -y, x, walk))
        sections.sort()
        owner = {}
        for number, (*_, walk) in enumerate(sections):
            for a, b in zip(walk, walk[1:] + walk[:1], strict=True):
                owner[a, b] = number
        self.beside = [[] for _ in sections]
        for (a, b), number in owner.items():
            on_grid = any(on_line(line, *a) and on_line(line, *b) for line in grid)
            covered = any(on_line(line, *a) and on_line(line, *b) for line in drawn)
            if on_grid and not covered and (b, a) in owner:
                self.beside[number].append(owner[b, a])

    def text(self, move: Segment | int) -> str:
        return str(move + 1) if isinstance(move, int) else "-".join(name(end) for end in move)

    def winners(self) -> list[int]:
        return best(self.points)


FACTS = Facts(
    small={"size": 3},
    counts=(
        ({"size": 2}, "", (1, 8, 36, 56, 80, 96, 64, 0)),
        ({"size": 3}, "", (1, 48, 1360)),
        ({"size": 4}, "", (1, 144)),
    ),
    transposed=("a2-b2 a3-b3 a4-b4", "a4-b4 a3-b3 a2-b2"),
    turns=lambda options: cell_turns(options["size"] + 1, options["size"] + 1),
)
