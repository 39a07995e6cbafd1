"""A maze as text: walls and points while it is drawn, corridors while sections are filled."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from render.board.phrases import counted, spans
from render.board.seats import SEAT_MARKS, who
from render.board.text import Description, describe, lettered
from render.games.maze.drawing import FEW, drawable
from rules.core.bits import members
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import Cell, joined
from rules.core.sections import plan
from rules.core.walls import walls
from rules.games.maze.state import MazeView

T = TypeVar("T")


@describe.register
def words(view: MazeView, seen: Observation) -> Description:
    if view.sections:
        tell, draw = _filling_told, _filling_rows
    else:
        tell, draw = _drawing_told, _drawing_rows
    return Description(
        lambda: tell(view, seen),
        lambda: draw(view, seen),
        _signs(view),
        _move(view),
        note(view),
        verb="filled" if view.string else "drew",
    )


def note(view: MazeView) -> str:
    return "every section is filled" if view.sections and not view.choices else ""


def _signs(view: MazeView) -> dict[str, str]:
    if not view.sections:
        return {"*": "on a wall", "o": "free", "[ ]": "last"}
    return {"[ ]": "last", **{mark.letter: mark.word for mark in SEAT_MARKS[: len(view.points)]}}


_ALT_REACH = 400
_ROWS_REACH = 900
_ALT_ROOM = 780
_ROWS_ROOM = 1060
_WALKS_ROOM = 800
"""Limits in characters, so that alt text and text board stay within those of Discord."""


def _move(view: MazeView) -> str:
    if view.string:
        return _filled_last(view)
    if not view.walls:
        return ""
    wall = view.walls[-1]
    table = walls(view.size)
    met = [point for point in members(table.vertices_on[wall], table.vertices) if point != wall.start]
    met.sort(key=lambda point: math.dist(point, wall.start))
    passed = f", touching {joined(list(map(str, met[:-1])))} on its way" if met[1:] else ""
    return f"a wall from {wall.start} to {wall.end}{passed}"


def _filled_last(view: MazeView) -> str:
    last, length = view.string[-1], len(view.string)
    if view.ended:
        return f"{last}, a dead end: 1 point"
    return f"{last} (first in a new string)" if length == 1 else f"{last} ({_nth(length)} in the string)"


_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def _nth(number: int) -> str:
    """Return an ordinal number above 1: `second` or `11th`."""
    if number <= len(_ORDINALS) + 1:
        return _ORDINALS[number - 2]
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _drawing_told(view: MazeView, seen: Observation) -> tuple[str, ...]:
    size = view.size
    told = [f"Free points: {', '.join(map(str, view.untouched))}."]
    if seen.winners is None:
        told.append(_drawable_told(view, _ALT_REACH))
    if view.walls:
        told.append(f"Drawn: {', '.join(map(str, view.walls))}.")
    told.append(f"A grid of {size} by {size} squares; its points are a1 to {Cell(size, size)}.")
    return tuple(told)


def _drawable_told(view: MazeView, room: int) -> str:
    """Return the segments that can be drawn, by their start.

    Only their number and the other points on a line if these take more than `room` characters.
    """
    offered = drawable(view)
    if len(offered) <= FEW:
        return f"Can be drawn: {', '.join(map(str, offered))}."
    ends: dict[Cell, list[str]] = {}
    for start, end in offered:
        ends.setdefault(start, []).append(str(end))
    told = f"Can be drawn: {'; '.join(f'{start} to {joined(names)}' for start, names in ends.items())}."
    if len(told) <= room:
        return told
    dull = [str(vertex) for vertex in walls(view.size).vertices if vertex not in (*ends, *view.untouched)]
    nowhere = f"; none from {joined(dull)}" if dull else ""
    return f"{len(offered)} walls can be drawn, each from a point on a wall to a free one{nowhere}."


def _drawing_rows(view: MazeView, seen: Observation) -> tuple[str, ...]:
    untouched = frozenset(view.untouched)
    across = view.size + 1
    rows = [*lettered(across, across, lambda point: "o" if point in untouched else "*")]
    if view.walls:
        *earlier, last = map(str, view.walls)
        rows += ["", *_wrapped(f"{part} " for part in ("Drawn:", *earlier, f"[{last}]"))]
    if seen.winners is None:
        rows += ["", *_wrapped(f"{part} " for part in _drawable_told(view, _ROWS_REACH).split())]
    return tuple(rows)


def _filling_told(view: MazeView, seen: Observation) -> tuple[str, ...]:
    told = []
    if seen.winners is None:
        told.append(f"Can be filled: {spans(view.choices)}.")
    if view.string:
        state = "which has ended" if view.ended else "which goes on"
        told.append(f"The last string, {state}: {_walk(view.string)}.")
    if seen.winners is not None and (earlier := view.strings[:-1]):
        told.append(f"Strings before it: {', '.join(map(_walk, earlier))}.")
    if empty := _corridors(view):
        told.append(f"Empty corridors: {', '.join(map(_walk, empty))}.")
    told.append(" ".join(f"Filled by {who(seat)}: {spans(owned)}." for seat, owned in _owned(view)))
    told.append(
        f"A grid of {view.size} by {view.size} squares with {counted(len(view.sections), 'section')}."
    )
    told.append(f"Walls: {', '.join(map(str, view.walls))}.")
    return tuple(_within(_ALT_ROOM, told, len))


def _filling_rows(view: MazeView, seen: Observation) -> tuple[str, ...]:
    blocks = []
    if seen.winners is None:
        blocks.append(_wrapped(_entries(f"Can be filled: {spans(view.choices)}")))
    if view.string:
        *earlier, last = view.string
        ended = " ended" if view.ended else ""
        blocks.append(_wrapped(("Last string: ", *(f"{number}-" for number in earlier), f"[{last}]", ended)))
    if empty := _corridors(view):
        # The largest boards have too many corridors for a message: list those first that can be entered now.
        walks = sorted(empty, key=lambda walk: (frozenset(view.choices).isdisjoint(walk), walk))
        told = list(_within(_WALKS_ROOM, walks, lambda walk: len(_walk(walk)) + 1))
        more = [f"and {len(empty) - len(told)} more"] if len(told) < len(empty) else []
        steps = (step for walk in told for step in _steps(walk))
        blocks.append(_wrapped(("Empty corridors: ", *steps, *more)))
    blocks.append(["Squares by the first of their sections:", *_squares(view)])
    blocks.append([])
    for seat, owned in _owned(view):
        blocks[-1] += _wrapped(_entries(f"{SEAT_MARKS[seat].letter} {spans(owned)}"))
    if before := view.strings[:-1]:
        steps = (step for string in before for step in _steps(string))
        blocks.append(_wrapped(("Earlier strings: ", *steps)))
    kept = _within(_ROWS_ROOM, blocks, lambda block: sum(len(line) + 1 for line in block) + 1)
    return tuple(line for block in kept for line in (*block, ""))[:-1]


def _within(room: int, parts: Iterable[T], size: Callable[[T], int]) -> Iterator[T]:
    """Yield the parts that fit, earlier ones first."""
    for part in parts:
        if size(part) < room:
            room -= size(part) + 1
            yield part


def _corridors(view: MazeView) -> tuple[tuple[int, ...], ...]:
    """Trails through all openings between empty sections; an empty section without openings is a trail by itself."""
    count, openings = len(view.sections), plan(view.size, view.walls).beside
    empty = [index for index, section in enumerate(view.sections) if section.owner is None]
    beside = {index: members(openings[index], range(count)) for index in empty}
    joins = [
        (one + 1, other + 1) for one in empty for other in beside[one] if one < other and other in beside
    ]
    alone = [(index + 1,) for index in empty if not any(other in beside for other in beside[index])]
    return tuple(sorted((*trails(joins), *alone)))


def _entries(listed: str) -> Iterator[str]:
    """Split a list into parts at which a line may break."""
    *earlier, last = listed.split(", ")
    yield from (f"{entry}, " for entry in earlier)
    yield last


def _steps(walk: tuple[int, ...]) -> Iterator[str]:
    yield from (f"{number}-" for number in walk[:-1])
    yield f"{walk[-1]}  "


def _walk(numbers: Iterable[int]) -> str:
    return "-".join(map(str, numbers))


def _owned(view: MazeView) -> Iterator[tuple[Seat, list[int]]]:
    """Yield the numbers of the sections that each seat has filled."""
    for seat in range(len(view.points)):
        yield seat, [number for number, section in enumerate(view.sections, 1) if section.owner == seat]


def _squares(view: MazeView) -> Iterator[str]:
    """Yield the rows of the grid, with the number of the first section in each square."""
    first: dict[tuple[int, int], int] = {}
    for number, section in enumerate(view.sections, 1):
        x, y = section.centre
        first.setdefault((int(x), int(y)), number)
    for row in reversed(range(view.size)):
        yield " ".join(f"{first[column, row]:3}" for column in range(view.size))


def _wrapped(parts: Iterable[str]) -> list[str]:
    """Join parts, which contain their own spaces and hyphens, to lines of at most 40 columns. No part is broken."""
    lines = [""]
    for part in parts:
        if len(lines[-1]) + len(part.rstrip()) > 40:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def trails(joins: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return few and long trails that together use each edge (`joins`) once, the lowest numbers first."""
    around: dict[int, set[int]] = {}
    for one, other in joins:
        around.setdefault(one, set()).add(other)
        around.setdefault(other, set()).add(one)
    found = []
    while around:
        # A trail that begins at a node with an odd number of unused edges ends at another such node.
        start = min(around, key=lambda place: (len(around[place]) % 2 == 0, place))
        walk = [start]
        while walk[-1] in around:
            here = walk[-1]
            following = min(around[here])
            for place, end in ((here, following), (following, here)):
                around[place].discard(end)
                if not around[place]:
                    del around[place]
            walk.append(following)
        found.append(tuple(walk if walk[0] <= walk[-1] else walk[::-1]))
    return tuple(sorted(found))
