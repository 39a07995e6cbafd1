"""The reasons why a wall may not be drawn, or a section not be filled."""

from rules.core.bits import members
from rules.core.errors import Illegal
from rules.core.lattice import check_on_board
from rules.core.plane import crosses, overlaps
from rules.core.walls import Wall, walls
from rules.games.maze.state import MazeState, follow, touched


def forbidden(state: MazeState, wall: Wall) -> Illegal:
    """Return the reason why this wall may not be drawn."""
    start, end = wall
    if state.plan is not None:
        return Illegal("The maze is drawn: fill a section by its number.", rule="phase")
    for vertex in wall:
        check_on_board(vertex, state.size + 1, state.size + 1)
    if start == end:
        return Illegal(
            f"A segment needs two ends, not {start} twice.", rule="same vertex", marks=[str(start)]
        )
    if not touched(state, start):
        return Illegal(
            f"No line touches {start} or {end}; begin where one does.", rule="loose", marks=map(str, wall)
        )
    if touched(state, end):
        return Illegal(
            f"{end} is touched already; end where no line touches.", rule="touched", marks=[str(end)]
        )
    along = [str(other) for other in state.walls if overlaps(wall, other)]
    if along:
        return Illegal(f"{wall} would run along {_listed(along)}.", rule="along", marks=along)
    table = walls(state.size)
    met = [
        str(vertex)
        for vertex in members(table.vertices_on[wall] & ~state.untouched, table.vertices)
        if vertex != start
    ]
    if met:
        return Illegal(f"{wall} would touch a line again at {_listed(met)}.", rule="touches", marks=met)
    crossed = [str(other) for other in state.walls if crosses(wall, other)]
    return Illegal(f"{wall} would cross {_listed(crossed)}.", rule="crosses", marks=crossed)


def unfillable(state: MazeState, number: int) -> Illegal:
    """Return the reason why this section may not be filled."""
    count = len(state.owners)
    if not 0 <= number < count:
        return Illegal(f"There is no section {number + 1}: they go from 1 to {count}.", rule="no section")
    if state.owners[number] is not None:
        return Illegal(f"Section {number + 1} is filled already.", rule="filled", marks=[str(number + 1)])
    last = state.string[-1] + 1
    marks = [str(choice + 1) for choice in members(follow(state), range(count))]
    return Illegal(
        f"Section {number + 1} is no open neighbour of {last}, which was filled last; fill {_listed(marks, ' or ')}.",
        rule="apart",
        marks=marks,
    )


def _listed(names: list[str], joint: str = " and ") -> str:
    """Names for a sentence, the first few of very many."""
    return joint.join(names if len(names) <= 8 else [*names[:7], f"{len(names) - 7} more"])
