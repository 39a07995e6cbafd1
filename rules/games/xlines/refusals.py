"""The reasons why an x may not be placed, or a line not be drawn."""

from rules.core.bits import members
from rules.core.errors import Illegal
from rules.core.lattice import cells, check_on_board
from rules.core.notation import Cell
from rules.games.xlines.state import Line, XLinesState
from rules.games.xlines.tracks import track_of, ways


def misplaced(state: XLinesState, cell: Cell) -> Illegal:
    """Return the reason why this x may not be placed."""
    check_on_board(cell, state.size, state.size)
    if state.placing:
        return Illegal(f"{cell} already holds an x.", rule="taken", marks=[str(cell)])
    example = next(iter(state.open), "c4-c7-f7")
    return Illegal(f"All x's are placed; now draw a line from x to x, like `{example}`.", rule="phase")


def undrawable(state: XLinesState, line: Line) -> Illegal:
    """Return the reason why a line that is not open may not be drawn."""
    for cell in line:
        if cell is not None:
            check_on_board(cell, state.size, state.size)
    if state.placing:
        left = state.size - len(state.xs)
        return Illegal(f"Lines come later; {left} of the x's are still to be placed.", rule="phase")
    start, _, end = line
    if start == end or line not in ways(start, end):
        return Illegal(
            f"{line} is no line; it must run along rows and columns, with one right-angle turn at most.",
            rule="shape",
        )
    if state.pen is not None and start != state.pen:
        return Illegal(
            f"Your line starts at {state.pen}, where the last one ended, not at {start}.",
            rule="start",
            marks=[str(state.pen)],
        )
    for cell in (start, end):
        if cell not in state.xs:
            return Illegal(
                f"There is no x on {cell}; lines lead from x to x.", rule="no x", marks=[str(cell)]
            )
    if end in state.used:
        return Illegal(f"The x on {end} has a line already.", rule="used", marks=[str(end)])
    track, paper = track_of(line, state.size), cells(state.size, state.size)
    over = [str(cell) for cell in members(track.over & state.held, paper)]
    if over:
        sentence = f"{line} would pass over the x on {' and '.join(over)}."
        return Illegal(sentence, rule="passes over", marks=over)
    crossed: dict[str, Line] = {}
    for other in state.lines:
        _, _, level, upright = track_of(other, state.size)
        met = members(track.level & upright | track.upright & level, paper)
        crossed |= {str(cell): other for cell in met}
    where, earlier = next(iter(crossed.items()))
    return Illegal(f"{line} would cross {earlier} in {where}.", rule="crosses", marks=crossed)
