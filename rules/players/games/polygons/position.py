"""The fast position of Polygons & Dots."""

import random
from collections.abc import Sequence
from typing import Self

from rules.core.lattice import cells
from rules.games.polygons import PolygonsState
from rules.players.games.polygons.plane import count_regions, directions, line
from rules.players.position import SearchPosition, Shares, Trace

_PATIENCE = 40
"""So many times a playout tries a point at random before it looks for those that are free."""


class PolygonsPosition(SearchPosition):
    """The dots in the order placed and the path in the order joined, as numbers of points in board order.

    The code of a dot is the number of its point; the code of a segment says start and end.
    """

    __slots__ = ("barred", "dots", "each", "path", "size")

    def __init__(self, each: int, size: int) -> None:
        self.each, self.size, self.barred, self.mover = each, size, 0, 0
        self.dots: tuple[int, ...] = ()
        self.path: tuple[int, ...] = ()

    @classmethod
    def of(cls, state: PolygonsState) -> Self:
        position = cls(state.each, state.size)
        board = cells(state.size, state.size)
        for dot in state.dots:
            position.play(board.index(dot))
        position.path = tuple(board.index(dot) for dot in state.path)
        position.mover = state.mover
        return position

    @property
    def placing(self) -> bool:
        return len(self.dots) < 2 * self.each and self.barred != (1 << self.size**2) - 1

    @property
    def rest(self) -> list[int]:
        """The dots that are not joined."""
        return [dot for dot in self.dots if dot not in self.path]

    def point(self, dot: int) -> tuple[int, int]:
        """Return a point as (x, y); y grows downwards."""
        y, x = divmod(dot, self.size)
        return x, y

    def moves(self) -> Sequence[int]:
        count, barred = self.size**2, self.barred
        if self.placing:
            return [dot for dot in range(count) if not barred >> dot & 1]
        if self.path:
            base = count * (self.path[-1] + 1)
            return [base + dot for dot in self.rest]
        return [count * (start + 1) + end for start in self.dots for end in self.dots if start != end]

    def over(self) -> bool:
        # To list the points that are free takes long.
        return not self.placing and super().over()

    def play(self, code: int) -> None:
        start, end = divmod(code, self.size**2)
        if start:
            self.path = (*self.path, end) if self.path else (start - 1, end)
            self.mover = (len(self.path) - 1) % 2
            return
        self.barred |= 1 << code
        for dot in self.dots:
            self.barred |= line(self.size, dot, code)
        self.dots = (*self.dots, code)
        # Seat 0 draws the first segment, also where it has placed the last dot.
        self.mover = len(self.dots) % 2 if self.placing else 0

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.each, twin.size, twin.barred, twin.mover = self.each, self.size, self.barred, self.mover
        twin.dots, twin.path = self.dots, self.path
        return twin

    def counts(self) -> tuple[int, int]:
        """Return the points of both seats once all dots are joined."""
        return count_regions([self.point(dot) for dot in self.path])

    def shares(self) -> Shares:
        odd, even = self.counts()
        return (1.0, 0.0) if odd > even else (0.0, 1.0) if even > odd else (0.5, 0.5)

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        mover = self.mover
        if self.placing:
            mover = self._place_rest(chance, trace)
        path, rest = list(self.path), self.rest
        chance.shuffle(rest)
        if not path:
            path.append(rest.pop())
        if trace is not None:
            base = self.size**2
            for dot in rest:
                trace[mover].append(base * (path[-1] + 1) + dot)
                path.append(dot)
                mover ^= 1
        else:
            path += rest
        self.path = tuple(path)
        return self.shares()

    def _place_rest(self, chance: random.Random, trace: Trace | None) -> int:
        """Place dots at random until all are placed or no point is free, and return who moves then."""
        pick, size, mover = chance.random, self.size, self.mover
        wide, table = 2 * size, directions(size)
        count, dots = size**2, list(self.dots)
        points = [dot % size + wide * (dot // size) for dot in dots]
        wanted, misses = 2 * self.each, 0
        while len(dots) < wanted:
            dot = int(pick() * count)
            point = dot % size + wide * (dot // size)
            if dot in dots or len({table[point - other] for other in points}) < len(points):
                misses += 1
                if misses < _PATIENCE:
                    continue
                free = _free(size, dots)
                if not free:
                    break
                dot = free[int(pick() * len(free))]
                point = dot % size + wide * (dot // size)
            misses = 0
            dots.append(dot)
            points.append(point)
            if trace is not None:
                trace[mover].append(dot)
            mover ^= 1
        self.dots = tuple(dots)
        return 0


def _free(size: int, dots: Sequence[int]) -> list[int]:
    """Return the points that are not on a line through two dots, and hold no dot."""
    barred = sum(1 << dot for dot in dots)
    for number, dot in enumerate(dots):
        for other in dots[:number]:
            barred |= line(size, dot, other)
    return [dot for dot in range(size**2) if not barred >> dot & 1]


SAMPLE = 40
KEPT = 12


class NarrowPosition(PolygonsPosition):
    """A position that names a few of the points only. The same dots always name the same points."""

    __slots__ = ("_named",)

    _named: Sequence[int] | None

    @classmethod
    def like(cls, position: PolygonsPosition) -> Self:
        """Return the same position, narrowed."""
        twin = object.__new__(cls)
        twin.each, twin.size, twin.barred, twin.mover = (
            position.each,
            position.size,
            position.barred,
            position.mover,
        )
        twin.dots, twin.path, twin._named = position.dots, position.path, None
        return twin

    def moves(self) -> Sequence[int]:
        if not self.placing:
            return super().moves()
        if self._named is None:
            chance = random.Random(str(self.dots))  # noqa: S311 - for play, not for secrets
            codes = super().moves()
            sample = chance.sample(codes, min(SAMPLE, len(codes)))
            corners = self._corners(sample)
            sample.sort(key=corners.__getitem__, reverse=self.mover == 0)
            self._named = sample[:KEPT]
        return self._named

    def _corners(self, codes: Sequence[int]) -> dict[int, int]:
        """Return for each new dot, which is on no line through two others, the corners that the hull has with it."""
        outline = hull([self.point(dot) for dot in self.dots])
        if len(outline) < 3:
            return dict.fromkeys(codes, len(outline) + 1)
        edges = []
        for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
            edges.append((bx - ax, by - ay, (bx - ax) * ay - (by - ay) * ax))
        found, size = {}, self.size
        for code in codes:
            y, x = divmod(code, size)
            seen = sum([dx * y - dy * x < limit for dx, dy, limit in edges])
            # A dot outside replaces the corners between the edges that it sees.
            found[code] = len(outline) + 2 - seen if seen else len(outline)
        return found

    def play(self, code: int) -> None:
        self._named = None
        super().play(code)

    def copy(self) -> Self:
        twin = super().copy()
        twin._named = self._named
        return twin


def hull(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the corners of the convex hull in one direction of rotation."""
    ordered = sorted(points)
    return _chain(ordered) + _chain(ordered[::-1])


def _chain(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for x, y in points:
        while len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            kept.pop()
        kept.append((x, y))
    return kept[:-1]
