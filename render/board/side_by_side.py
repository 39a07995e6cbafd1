"""Lines along rows and columns, drawn side by side where they would cover each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from render.engine.scene import Point
from rules.core.notation import Cell

_BETWEEN = 0.22
"""The distance between neighbouring lines, in cells, if there are few."""
_BUNDLE = 0.72
"""The greatest distance between the first and the last of the lines, in cells."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A straight part of a line: from `start` to `end` (start < end) along row or column number `track`."""

    line: int
    part: int
    upright: bool
    track: int
    start: int
    end: int

    def beside(self, other: "_Run") -> bool:
        """Return True if the runs would cover each other."""
        same = (self.upright, self.track) == (other.upright, other.track)
        return same and self.start < other.end and other.start < self.end


Bundle = tuple[_Run, ...]
"""Runs that would cover each other, in the order in which they are drawn side by side."""


def side_by_side(lines: Sequence[Sequence[Cell]]) -> list[tuple[Point, ...]]:
    """Return each line as points (column, row), moved off the middle of cells where it runs along other lines.

    A line is given by its ends and corners. The order side by side is chosen so that few lines cross.
    """
    runs = [run for number, line in enumerate(lines) for run in _runs(number, line)]
    bundles = _bundles(runs)
    for number, bundle in enumerate(bundles):
        bundles[number] = _untangled(bundles, number, bundle, lines)
    return _offset_lines(bundles, lines)


def _runs(number: int, line: Sequence[Cell]) -> Iterator[_Run]:
    for part, (here, there) in enumerate(pairwise(line)):
        upright = here.column == there.column
        ends = sorted((here.row, there.row) if upright else (here.column, there.column))
        yield _Run(number, part, upright, here.column if upright else here.row, *ends)


def _bundles(runs: Iterable[_Run]) -> list[Bundle]:
    """Group the runs that cover each other, directly or through other runs."""
    bundles: list[Bundle] = []
    for run in runs:
        joined = [bundle for bundle in bundles if any(run.beside(other) for other in bundle)]
        bundles = [bundle for bundle in bundles if bundle not in joined]
        bundles.append((*(other for bundle in joined for other in bundle), run))
    return bundles


def _untangled(
    bundles: Sequence[Bundle], number: int, bundle: Bundle, lines: Sequence[Sequence[Cell]]
) -> Bundle:
    """Return the bundle with each run in turn moved to the position where the fewest lines cross."""

    def tangle(order: Bundle) -> int:
        return _crossings(_offset_lines([*bundles[:number], order, *bundles[number + 1 :]], lines))

    for run in bundle if len(bundle) > 1 else ():
        rest = tuple(other for other in bundle if other != run)
        orders = [(*rest[:place], run, *rest[place:]) for place in range(len(bundle))]
        bundle = min([bundle, *orders], key=tangle)
    return bundle


def _offset_lines(bundles: Sequence[Bundle], lines: Sequence[Sequence[Cell]]) -> list[tuple[Point, ...]]:
    off: dict[tuple[int, int], float] = {}
    for bundle in bundles:
        off |= _offsets(bundle)
    moved = []
    for number, line in enumerate(lines):
        points = [(float(cell.column), float(cell.row)) for cell in line]
        for part, (here, there) in enumerate(pairwise(line)):
            for end in (part, part + 1):
                x, y = points[end]
                more = off[number, part]
                points[end] = (x + more, y) if here.column == there.column else (x, y + more)
        moved.append(tuple(points))
    return moved


def _offsets(bundle: Bundle) -> dict[tuple[int, int], float]:
    lanes: dict[_Run, int] = {}
    for run in bundle:
        lanes[run] = 1 + max((lane for other, lane in lanes.items() if run.beside(other)), default=-1)
    last = max(lanes.values())
    between = min(_BETWEEN, _BUNDLE / max(1, last))
    return {(run.line, run.part): (lane - last / 2) * between for run, lane in lanes.items()}


def _crossings(lines: Sequence[tuple[Point, ...]]) -> int:
    parts = [part for line in lines for part in pairwise(line)]
    return sum(_cross(*one, *other) or _cross(*other, *one) for one, other in combinations(parts, 2))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return True if the level part from a to b and the upright part from c to d cross."""
    if a[1] != b[1] or c[0] != d[0]:
        return False
    return min(a[0], b[0]) < c[0] < max(a[0], b[0]) and min(c[1], d[1]) < a[1] < max(c[1], d[1])
