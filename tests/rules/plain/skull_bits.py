"""Skull a third time, as bitboards that are fast enough to visit every position of the board in the post.

A position is `(skulls, one end, other end)`, all sets of cells as bits. A cell lengthens the path when the ends are
beside it and no other skull is; "beside two or more skulls" is kept up to date as the path grows.
"""

from typing import NamedTuple

from tests.rules.plain.skull_paths import Skulls, cells, neighbours


class Path(NamedTuple):
    """`once` and `twice` hold the cells that are beside at least one, at least two of the skulls."""

    skulls: Skulls
    ends: Skulls
    once: Skulls
    twice: Skulls


EMPTY = Path(0, 0, 0, 0)


def followers(path: Path, beside: tuple[Skulls, ...]) -> list[tuple[int, Path]]:
    """Each legal cell with the path that it makes."""
    if not path.skulls:
        return [(cell, Path(1 << cell, 1 << cell, beside[cell], 0)) for cell in range(len(beside))]
    single = path.once & ~path.twice & ~path.skulls
    found = []
    for end in cells(path.ends):
        for cell in cells(beside[end] & single):
            keeps = path.ends if path.ends.bit_count() == 1 else path.ends & ~(1 << end)
            grown = Path(
                skulls=path.skulls | 1 << cell,
                ends=keeps | 1 << cell,
                once=path.once | beside[cell],
                twice=path.twice | path.once & beside[cell],
            )
            found.append((cell, grown))
    return found


def solve(width: int, height: int) -> dict[Skulls, bool]:
    """For every set of skulls that can be reached: whether the player on turn wins with best play.

    The set alone fixes the position: which skulls are the ends can be read off it.
    """
    beside = neighbours(width, height)
    layers: list[dict[Skulls, Path]] = [{0: EMPTY}]
    while layers[-1]:
        layers.append(
            {after.skulls: after for path in layers[-1].values() for _, after in followers(path, beside)}
        )
    wins: dict[Skulls, bool] = {}
    for layer in reversed(layers):
        for skulls, path in layer.items():
            wins[skulls] = any(not wins[after.skulls] for _, after in followers(path, beside))
    return wins
