"""The divisions of a league: who moves up and down after a month, and where newcomers begin. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.app.events.standing import groups_of
from db.values.events import Entrant, Event
from db.values.places import DiscordId

LARGEST = 8
"""The most entrants of a division; the fewest of several divisions are four."""
MOVING = 2
"""The number of entrants of a division who move up, and of those who move down."""


class Seed(NamedTuple):
    """The order in which entrants are dealt to divisions: by division, then by the division and rank before."""

    division: int
    before: int
    rank: int


def seeds_after(event: Event) -> dict[DiscordId, Seed]:
    """Return the seeds of the entrants of a league's month for the next month, as its tables stand.

    The first two of a division move up and the last two down, one in a division of two or three. Those whose games do
    not count are the last.
    """
    found = {}
    groups = groups_of(event, 0) if event.stages else []
    users = {it.number: it.user for it in event.entrants}
    for group in groups:
        order = [*(it.entrant for it in group.rows), *group.annulled]
        moving = min(MOVING, len(order) // 2)
        for rank, entrant in enumerate(order):
            up = rank < moving and group.number > 0
            down = rank >= len(order) - moving and group.number < len(groups) - 1
            found[users[entrant]] = Seed(group.number - up + down, group.number, rank)
    return found


def divisions(
    entrants: Sequence[Entrant], strength: Mapping[int, int], months: Sequence[Event]
) -> list[list[int]]:
    """Return the numbers of the entrants by division, the best division first.

    `months` are the last months of the league, the newest first: who was in none but the one before keeps their
    division. A newcomer begins as the last of the highest division whose mean `strength` is not above theirs.
    """
    earlier: dict[DiscordId, Seed] = {}
    for month in reversed(months):
        earlier |= seeds_after(month)
    seeds = {it.number: earlier[it.user] for it in entrants if it.user in earlier}
    levels: dict[int, list[int]] = {}
    for number, seed in seeds.items():
        levels.setdefault(seed.division, []).append(strength[number])
    means = {division: sum(levels[division]) / len(levels[division]) for division in sorted(levels)}
    last = max(means, default=0)
    for it in entrants:
        if it.number not in seeds:
            fitting = (division for division, mean in means.items() if strength[it.number] >= mean)
            seeds[it.number] = Seed(next(fitting, last), len(entrants), -strength[it.number])
    order = sorted(seeds, key=lambda it: (seeds[it], it))
    count = -(-len(order) // LARGEST)
    smallest, larger = divmod(len(order), count)
    dealt = []
    for division in range(count):
        size = smallest + (division < larger)
        dealt.append(order[:size])
        order = order[size:]
    return dealt
