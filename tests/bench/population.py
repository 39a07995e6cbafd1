"""A synthetic population: who plays whom, at what, where, and how it ends.

Few members play much and many play little; few servers are big and many small.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from rules.games import GAMES
from tests.rules.walks import AnyGame

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""The end of the last match: a Friday, late in a month."""
YEAR = timedelta(days=365)
FIRST_ID = 2**60
"""Ids of servers and members are as long as Discord's."""
UNEVEN = 1.2
"""The standard deviation of the logarithm of how much a member plays."""
UNLISTED = 0.03
"""The part of all members who do not want to be on boards of everywhere."""
APART = 0.05
"""The part of all servers whose games do not count there; never the biggest one."""


@dataclass(frozen=True, slots=True)
class Size:
    """The numbers of members, servers and games."""

    members: int
    guilds: int
    matches: int

    def times(self, factor: int) -> "Size":
        """So many times as many of each."""
        return Size(self.members * factor, self.guilds * factor, self.matches * factor)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match; `guild` is None in direct messages, and users, strengths and places are by seat.

    Strengths are around 0 with a standard deviation of 1. `everywhere` says whether it counts on boards of everywhere.
    """

    id: int
    game: AnyGame
    guild: int | None
    everywhere: bool
    at: datetime
    rated: bool
    users: tuple[int, ...]
    strengths: tuple[float, ...]
    places: tuple[int, ...]


class Population:
    """Members, the servers they are in, how strong they are and how eager to play."""

    def __init__(self, size: Size, chance: random.Random) -> None:
        self._size = size
        self._chance = chance
        self._strengths = [chance.gauss(0.0, 1.0) for _ in range(size.members)]
        eager = [chance.lognormvariate(0.0, UNEVEN) for _ in range(size.members)]
        self._everybody = _Club(range(size.members), eager)
        popular = list(accumulate(1 / (3 + number) for number in range(size.guilds)))
        self._homes: list[tuple[int, ...]] = []
        at_home: list[list[int]] = [[] for _ in range(size.guilds)]
        for member in range(size.members):
            homes = set(chance.choices(range(size.guilds), cum_weights=popular, k=chance.choice((1, 1, 2))))
            if member < 2 * size.guilds:  # in every server there are two to play
                homes.add(member % size.guilds)
            self._homes.append(tuple(homes))
            for home in homes:
                at_home[home].append(member)
        self._clubs = [_Club(them, [eager[it] for it in them]) for them in at_home]
        self.unlisted = _some_ids(range(size.members), UNLISTED, chance)
        self.apart = _some_ids(range(1, size.guilds), APART, chance)

    def matches(self) -> Iterator[Played]:
        """All matches, evenly over a year, in the order in which they end."""
        for number in range(1, self._size.matches + 1):
            yield self._match(number, NOW - YEAR * (1 - number / self._size.matches))

    def _match(self, number: int, at: datetime) -> Played:
        chance = self._chance
        (host,) = self._everybody.some(chance, 1)
        home = chance.choice(self._homes[host])
        game = GAMES[min(int(chance.expovariate(0.4)), len(GAMES) - 1)]
        players = min(chance.choice((2, 2, 2, 3, 4)), game.seats[1], len(self._clubs[home].members))
        seats = self._clubs[home].some(chance, players, host)
        chance.shuffle(seats)
        strengths = tuple(self._strengths[it] for it in seats)
        guild = None if chance.random() < 0.02 else FIRST_ID + home
        return Played(
            id=number,
            game=game,
            guild=guild,
            everywhere=guild not in self.apart,
            at=at,
            rated=chance.random() < 0.9,
            users=tuple(FIRST_ID + it for it in seats),
            strengths=strengths,
            places=_places(strengths, chance),
        )


class _Club:
    """Members, of whom the eager ones come more often."""

    def __init__(self, members: Sequence[int], eager: Sequence[float]) -> None:
        self.members = members
        self._eager = list(accumulate(eager))

    def some(self, chance: random.Random, count: int, *come: int) -> list[int]:
        """So many different members, these among them."""
        found = list(come)
        while len(found) < count:
            (one,) = chance.choices(self.members, cum_weights=self._eager)
            one = chance.choice(self.members) if one in found else one
            if one not in found:
                found.append(one)
        return found


def _some_ids(among: range, part: float, chance: random.Random) -> frozenset[int]:
    """About this part of them, and one at least."""
    return frozenset(FIRST_ID + it for it in chance.sample(among, max(round(len(among) * part), 1)))


def _places(strengths: Sequence[float], chance: random.Random) -> tuple[int, ...]:
    """The stronger come first more often, and now and then two share a place."""
    luck = [it - math.log(chance.expovariate(1.0)) for it in strengths]
    if chance.random() < 0.03:
        luck[0] = luck[-1]
    return tuple(1 + sum(other > it for other in luck) for it in luck)
