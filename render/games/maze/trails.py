"""A graph told as trails: where one can walk on and on without lifting the pencil."""

from collections.abc import Iterable


def trails(joins: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Walks that together use each join once, few and long, the lowest numbers first."""
    around: dict[int, set[int]] = {}
    for one, other in joins:
        around.setdefault(one, set()).add(other)
        around.setdefault(other, set()).add(one)
    found = []
    while around:
        # A walk that begins where an odd number of joins is left ends at another such place.
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
