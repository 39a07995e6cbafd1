"""A graph as trails: walks that use no edge twice."""

from collections.abc import Iterable


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
