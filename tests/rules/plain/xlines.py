"""X's and Lines a second time, from the rule sheet and drawn on paper, to compare the referee with.

The paper is an array of characters. Each line is traced cell by cell; a cell that it enters and leaves in the same
direction is straight (`-` or `|`), one where it changes direction is a corner, and every question is answered by
tracing all lines again.
"""

from collections.abc import Iterator
from dataclasses import dataclass

Point = tuple[int, int]
"""Column and row, from 0 at the bottom left."""

Route = tuple[Point, ...]
"""Start, corner if there is one, end."""


@dataclass(frozen=True)
class Paper:
    size: int
    xs: tuple[Point, ...] = ()
    drawn: tuple[Route, ...] = ()


def steps(route: Route) -> list[Point]:
    """All cells of a route, from the first to the last, one step at a time."""
    column, row = route[0]
    walked = [(column, row)]
    for stop in route[1:]:
        while (column, row) != stop:
            column += (stop[0] > column) - (stop[0] < column)
            row += (stop[1] > row) - (stop[1] < row)
            walked.append((column, row))
    return walked


def signs(route: Route) -> dict[Point, str]:
    """Return the form of the route in the cells between its ends."""
    walked = steps(route)
    looks = {}
    for before, here, after in zip(walked, walked[1:], walked[2:], strict=False):
        if before[1] == after[1]:
            looks[here] = "-"
        elif before[0] == after[0]:
            looks[here] = "|"
        else:
            looks[here] = "+"
    return looks


def allowed(paper: Paper, route: Route) -> bool:
    """True if a route between two x's that may be joined runs over no x and crosses no line."""
    looks = signs(route)
    if any(point in paper.xs for point in looks):
        return False
    for other in paper.drawn:
        for point, look in signs(other).items():
            if {look, looks.get(point)} == {"-", "|"}:
                return False
    return True


def routes(start: Point, end: Point) -> set[Route]:
    """The ways with one turn at most."""
    corners = {(start[0], end[1]), (end[0], start[1])}
    return {(start, end) if corner in (start, end) else (start, corner, end) for corner in corners}


def moves(paper: Paper) -> Iterator[Route]:
    """The cells (as routes of one cell) or the routes that may be played."""
    if len(paper.xs) < paper.size:
        for row in range(paper.size):
            for column in range(paper.size):
                if (column, row) not in paper.xs:
                    yield ((column, row),)
        return
    touched = {end for route in paper.drawn for end in (route[0], route[-1])}
    for start in [paper.drawn[-1][-1]] if paper.drawn else paper.xs:
        for end in paper.xs:
            if end != start and end not in touched:
                yield from (route for route in routes(start, end) if allowed(paper, route))


def play(paper: Paper, move: Route) -> Paper:
    if len(move) == 1:
        return Paper(paper.size, (*paper.xs, *move), paper.drawn)
    return Paper(paper.size, paper.xs, (*paper.drawn, move))


def mover(paper: Paper) -> int:
    return len(paper.xs) % 2 if len(paper.xs) < paper.size else len(paper.drawn) % 2


def perft(paper: Paper, depth: int) -> int:
    """The number of ways to make `depth` moves, one after the other."""
    if depth == 0:
        return 1
    return sum(perft(play(paper, move), depth - 1) for move in moves(paper))


def wins(paper: Paper) -> bool:
    """True if the player on turn wins with best play; without a move they win at once."""
    after = [play(paper, move) for move in moves(paper)]
    return not after or any(wins(child) == (mover(child) == mover(paper)) for child in after)


def name(move: Route) -> str:
    return "-".join("abcdefghijkl"[column] + str(row + 1) for column, row in move)
