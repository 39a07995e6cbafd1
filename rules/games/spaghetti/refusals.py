"""The reasons why a square may not be filled, or a line not be drawn."""

from rules.core.errors import Illegal
from rules.core.lattice import check_on_board
from rules.core.notation import Cell
from rules.games.spaghetti.lines import line_table
from rules.games.spaghetti.state import Line, SpaghettiState


def check_square(state: SpaghettiState, square: Cell) -> None:
    """Raises Illegal unless the square may be filled."""
    if not state.filling:
        raise Illegal("All squares are filled: name the two ends of a line.", rule="phase")
    check_on_board(square, state.size, state.size)
    if square in state.filled:
        raise Illegal(f"{square} is filled already.", rule="filled", marks=[str(square)])


def check_line(state: SpaghettiState, line: Line) -> None:
    """Raises Illegal unless the line may be drawn."""
    if state.filling:
        raise Illegal("Squares are still being filled: name one for yours.", rule="phase")
    table = line_table(state.size)
    if not state.open & table.alone.get(line, 0):
        raise _forbidden(state, line)


def _forbidden(state: SpaghettiState, line: Line) -> Illegal:
    """Return the reason why this line may not be drawn."""
    table, last = line_table(state.size), 4 * state.size
    for end in line:
        if not 1 <= end <= last:
            return Illegal(f"There is no vertex {end}: they go from 1 to {last}.", rule="no vertex")
    used = [str(end) for earlier in state.lines for end in earlier if end in line]
    if used:
        return Illegal(f"A line already ends at {' and at '.join(used)}.", rule="used", marks=used)
    ends = [str(line.low), str(line.high)]
    if line.low == line.high:
        return Illegal(f"A line needs two ends, not {line.low} twice.", rule="same vertex", marks=ends[:1])
    if line not in table.alone:
        return Illegal(
            f"{line.low} and {line.high} lie on one side of the board; a line joins two sides.",
            rule="one side",
            marks=ends,
        )
    filled = [str(square) for square in state.filled if table.through[square] & table.alone[line]]
    return Illegal(f"{line} would pass through the filled {', '.join(filled)}.", rule="blocked", marks=filled)
