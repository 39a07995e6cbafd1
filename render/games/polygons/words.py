"""Polygons & Dots as text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from render.board.phrases import counted, sentence, wrapped
from render.board.seats import SEAT_MARKS, who
from render.board.text import Description, describe, lettered
from rules.core.match import Observation
from rules.core.notation import Cell, joined, letter
from rules.core.plane import crosses
from rules.games.polygons import PolygonsView, enclosed


@describe.register
def words(view: PolygonsView, seen: Observation) -> Description:
    offered = view.choices if seen.winners is None else ()
    return Description(
        lambda: _position(view, seen, offered),
        lambda: (*_rows(view, seen, frozenset(offered)), *_lists(view, offered)),
        _SIGNS,
        _move(view),
        _ending(view),
        verb="drew" if view.path else "placed",
    )


def note(view: PolygonsView) -> str:
    """Return the number of polygons of each seat at the end, those of the winner first, for the picture."""
    if not view.regions:
        return ""
    odd = sum(region.owner == 0 for region in view.regions)
    counts = sorted(((odd, "odd"), (len(view.regions) - odd, "even")), key=lambda one: -one[0])
    return " against ".join(f"{count} {parity}" for count, parity in counts)


def _ending(view: PolygonsView) -> str:
    """Return whose the polygons are at the end: `the first player gets 8 triangles; no even polygon for ...`."""
    if not view.regions:
        return ""
    told = []
    for seat, parity in enumerate(("odd", "even")):
        kinds = _kinds([region.sides for region in view.regions if region.owner == seat])
        told.append(f"{who(seat)} gets {kinds}" if kinds else f"no {parity} polygon for {who(seat)}")
    return "; ".join(told)


_NAMES = {3: "triangle", 4: "quadrilateral", 5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon"}
"""The names of polygons by their numbers of sides."""


def _kinds(sides: Sequence[int]) -> str:
    """Return polygons with these numbers of sides: `3 triangles and a pentagon`; "" if there are none."""
    told = []
    for number, count in sorted(Counter(sides).items()):
        name = _NAMES.get(number, f"polygon with {number} sides")
        article = "an" if name[0] in "aeiou" else "a"
        many = f"{name}s" if number in _NAMES else f"polygons with {number} sides"
        told.append(f"{article} {name}" if count == 1 else f"{count} {many}")
    return joined(told)


_SIGNS = {
    SEAT_MARKS[0].letter: SEAT_MARKS[0].word,
    SEAT_MARKS[1].letter: SEAT_MARKS[1].word,
    "@": "last dot",
    "+": "joinable",
    "*": "joined",
    "·": "free",
    "×": "in line with two dots",
}


def _rows(view: PolygonsView, seen: Observation, offered: frozenset[Cell]) -> tuple[str, ...]:
    """Return a line for each row of points, with spaces between points on small boards."""
    wide = 2 if 2 * view.size + 3 <= 40 else 1
    return lettered(view.size, view.size, lambda point: _sign(view, seen, point, offered), wide)


def _sign(view: PolygonsView, seen: Observation, point: Cell, offered: frozenset[Cell]) -> str:
    if point not in view.dots:
        return "×" if seen.phase == "place" and point not in view.choices else "·"
    if view.path and point in offered:
        return "+"
    if not view.regions and point == (view.path or view.dots)[-1]:
        return "@"
    return "*" if point in view.path else SEAT_MARKS[view.dots.index(point) % 2].letter


def _lists(view: PolygonsView, offered: Sequence[Cell]) -> Iterator[str]:
    if view.path:
        back = " and back" if view.regions else ""
        yield from wrapped(f"Path: {' '.join(map(str, view.path))}{back}")
    if view.path and offered:
        yield from wrapped(f"Join {view.path[-1]} to: {' '.join(map(str, offered))}")
    if view.path:
        yield from wrapped(_tally(view, 0))
        yield from wrapped(_tally(view, 1))


def _tally(view: PolygonsView, owner: int) -> str:
    """Return the polygons of a seat that are closed so far, like `odd polygons: 4 (3 sides: 3, 5 sides: 1)`."""
    closed = view.regions or enclosed(view.path)
    sides = Counter(region.sides for region in closed if region.owner == owner)
    each = ", ".join(f"{side} sides: {count}" for side, count in sorted(sides.items()))
    so_far = "" if view.regions else " so far"
    return f"{('odd', 'even')[owner]} polygons{so_far}: {sides.total()}{f' ({each})' if each else ''}"


def _position(view: PolygonsView, seen: Observation, offered: Sequence[Cell]) -> tuple[str, ...]:
    told = []
    if view.path:
        told += [sentence(_tally(view, seat)) for seat in (0, 1)]
        back = f" and back to {view.path[0]}" if view.regions else ""
        told.append(f"The path runs {' to '.join(map(str, view.path))}{back}.")
        if offered:
            told.append(f"It can go on to {joined([str(dot) for dot in offered])}.")
    for seat in (0, 1):
        dots = ", ".join(map(str, view.dots[seat::2])) or "none"
        told.append(f"{sentence(who(seat))[:-1]} collects {('odd', 'even')[seat]} polygons; dots: {dots}.")
    corner = f"{letter(view.size - 1)}{view.size}"
    if seen.phase == "place" and seen.winners is None:
        told.append(f"Each places {view.each} dots; {len(offered)} of the points a1 to {corner} are free.")
        told.append("The others hold a dot or are in line with two.")
    elif offered and not view.path:
        told.append("Any two dots can be joined.")
    told.append(f"The paper has the points a1 to {corner}.")
    return tuple(told)


def _move(view: PolygonsView) -> str:
    if not view.path:
        return f"dot {len(view.dots)} of {2 * view.each} on {view.dots[-1]}" if view.dots else ""
    segment = f"{view.path[-2]}-{view.path[-1]}"
    if view.regions:
        # The reason of the end tells the polygons.
        return f"{segment}; then {view.path[-1]}-{view.path[0]} closed the path automatically"
    return f"{segment}{_crossing([*pairwise(view.path)])}{_closing(view.path)}"


def _closing(path: tuple[Cell, ...]) -> str:
    """Return the polygons that the last segment of a path closes, like `, closing a triangle and a hexagon`."""
    before, after = (Counter(it.sides for it in enclosed(drawn)) for drawn in (path[:-1], path))
    kinds = _kinds([*(after - before).elements()])
    return f", closing {kinds}" if kinds else ""


def _crossing(drawn: Sequence[tuple[Cell, Cell]]) -> str:
    """Return the number of segments that the last one crosses, like ` (crossing 2 segments)`."""
    count = sum(crosses(drawn[-1], earlier) for earlier in drawn[:-1])
    return f" (crossing {counted(count, 'segment')})" if count else ""
