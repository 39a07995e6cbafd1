"""The cells of a line of X's and Lines, traced one by one: straight (`-` or `|`) or a corner."""

Point = tuple[int, int]
"""Column and row, from 0 at the bottom left."""

Route = tuple[Point, ...]
"""Start, corner if there is one, end."""


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
