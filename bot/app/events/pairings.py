"""The pairings of a stage of an event, with seats. Pure; entrants are counted from 0 in the order of seeds.

The seats of a round robin are those of the Berger tables, as FIDE publishes them: everybody begins as often as not, or
one time more or less. The rounds of these tables are not needed, since all games of a stage begin together.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

FEWEST, MOST = 2, 48
"""The number of entrants of a cup."""
TWICE = 6
"""The most entrants who play each other twice, with swapped seats."""
ONE_GROUP = 16
"""The most entrants who play in one group. More are divided into groups, with a final group of the first of each."""
LARGEST_GROUP = 6
"""The most entrants of one of several groups; the fewest are four."""
FINALISTS = 2
"""The number of entrants of each group who play in the final group."""


class Pair(NamedTuple):
    """Two entrants of a game, in the order of their seats."""

    first: int
    second: int


def round_robin(entrants: int) -> list[Pair]:
    """Return the games of a group, in which each pair plays twice if there are few entrants."""
    once = [_seated(one, other, entrants) for other in range(entrants) for one in range(other)]
    return once if entrants > TWICE else [*once, *(Pair(it.second, it.first) for it in once)]


def _seated(one: int, other: int, entrants: int) -> Pair:
    """Return the game of two entrants, of whom `one` has the lower number, as in the Berger table."""
    # The last of an even number meets the upper half as the second player.
    last = entrants % 2 == 0 and other == entrants - 1
    begins = one < entrants // 2 if last else (one + other) % 2 == 1
    return Pair(one, other) if begins else Pair(other, one)


def groups(entrants: int) -> list[list[int]]:
    """Divide entrants, who are numbered in the order of their seeds, into groups of equal strength.

    The seeds are dealt to the groups there and back, like a snake: 1 2 3, 3 2 1, 1 2 3. Up to ONE_GROUP are one group.
    """
    count = 1 if entrants <= ONE_GROUP else -(-entrants // LARGEST_GROUP)
    dealt: list[list[int]] = [[] for _ in range(count)]
    for entrant in range(entrants):
        row, column = divmod(entrant, count)
        dealt[column if row % 2 == 0 else count - 1 - column].append(entrant)
    return dealt


@cache
def most_games(entrants: int) -> int:
    """Return the most games that a stage with at most so many entrants may have: groups that play twice have more."""
    return max(
        sum(len(round_robin(len(group))) for group in groups(it)) for it in range(FEWEST, entrants + 1)
    )


def late_pairs(entrant: int, others: Sequence[int], *, twice: bool) -> list[Pair]:
    """Return the games of an entrant who comes late to a group with these others, who play each other `twice`."""
    once = [
        Pair(entrant, other) if number % 2 else Pair(other, entrant) for number, other in enumerate(others)
    ]
    return [*once, *(Pair(it.second, it.first) for it in once)] if twice else once
