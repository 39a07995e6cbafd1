"""The standing of an event: games, tables of groups, the final group, divisions of the next month, and titles. Pure.

Ties are broken by the direct result, then by Sonneborn-Berger; entrants who are still equal share a place. The direct
result counts only if all who are tied have finished all games against each other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from bot.app.events.pairings import FINALISTS
from bot.app.matches.results import HALVES
from db.store import Store
from db.values.events import Correction, Entrant, Event, EventState, Pairing, TitleKind
from db.values.members import is_computer
from db.values.places import DiscordId

WIN, DRAW, LOSS = 2, 1, 0
"""The half points of a result."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a group: the numbers of both entrants by seat, and the half points of the first; None without a result.

    A game that goes on and one that ended without a result both have none. Only the first is `running`.
    """

    first: int
    second: int
    halves: int | None = None
    running: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. Points are counted in halves, Sonneborn-Berger in quarters.

    Entrants who are equal share the `place`. `direct` is 0 if the direct result does not count.
    """

    entrant: int
    points: int
    played: int
    direct: int
    quarters: int
    place: int


def table(entrants: Sequence[int], games: Sequence[Game]) -> list[Row]:
    """Return the rows of a group, the best first. Rows with equal keys are in the order of `entrants`."""
    points, played = Counter[int](), Counter[int]()
    for entrant, _, halves in _results(games):
        points[entrant] += halves
        played[entrant] += 1
    quarters = Counter[int]()
    for entrant, opponent, halves in _results(games):
        quarters[entrant] += halves * points[opponent]
    direct = _direct(entrants, games, points)
    keys = {it: (points[it], direct[it], quarters[it]) for it in entrants}
    rows: list[Row] = []
    for key, equal in groupby(sorted(entrants, key=lambda it: keys[it], reverse=True), lambda it: keys[it]):
        place = len(rows) + 1
        rows += (Row(it, key[0], played[it], key[1], key[2], place) for it in equal)
    return rows


def _results(games: Iterable[Game]) -> Iterable[tuple[int, int, int]]:
    """Yield the result of each game twice, as entrant, opponent and the entrant's half points."""
    for game in games:
        if game.halves is not None:
            yield game.first, game.second, game.halves
            yield game.second, game.first, WIN - game.halves


def _direct(entrants: Sequence[int], games: Sequence[Game], points: Counter[int]) -> Counter[int]:
    """Return the half points in games against those who have the same points."""
    direct = Counter[int]()
    for score in {points[it] for it in entrants}:
        tied = {it for it in entrants if points[it] == score}
        among = [it for it in games if {it.first, it.second} <= tied]
        met = {frozenset((it.first, it.second)) for it in among}
        if len(met) < len(tied) * (len(tied) - 1) // 2 or any(it.halves is None for it in among):
            continue
        for entrant, _, halves in _results(among):
            direct[entrant] += halves
    return direct


_CORRECTED = {
    Correction.FIRST: WIN,
    Correction.DRAWN: DRAW,
    Correction.SECOND: LOSS,
    Correction.NONE: None,
}


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a stage. `rows` hold the entrants whose games count, `annulled` the numbers of the others."""

    number: int
    games: tuple[Game, ...]
    rows: tuple[Row, ...]
    annulled: tuple[int, ...]

    @property
    def finished(self) -> int:
        """The number of games that are over, without those that do not count."""
        return sum(not it.running for it in self.games)


def game_of(pairing: Pairing) -> Game:
    """Return a game with its result in the table: the corrected one, or that of its match."""
    halves = None if pairing.outcome is None else HALVES[pairing.outcome]
    if pairing.corrected is not None:
        halves = _CORRECTED[pairing.corrected]
    return Game(pairing.first, pairing.second, halves, pairing.running)


def groups_of(event: Event, stage: int) -> list[Group]:
    """Return the groups of a stage with their tables. Equal entrants are in the order in which they joined."""
    annulled = {it.number for it in event.entrants if it.annulled}
    found = []
    pairings = event.of_stage(stage)
    for number in sorted({it.group for it in pairings}):
        theirs = [it for it in pairings if it.group == number]
        entrants = sorted({entrant for it in theirs for entrant in (it.first, it.second)})
        games = tuple(game_of(it) for it in theirs if not {it.first, it.second} & annulled)
        rows = table([it for it in entrants if it not in annulled], games)
        found.append(Group(number, games, tuple(rows), tuple(it for it in entrants if it in annulled)))
    return found


def qualified(event: Event) -> list[int]:
    """Return the numbers of those who play in the final group after a stage of several groups; () after one group.

    They are the first of each group, then the second of each, in the order of groups. Entrants who have left are
    passed over. Of entrants who share a place, those who joined first qualify.
    """
    stage = len(event.stages) - 1
    groups = groups_of(event, stage)
    present = {it.number for it in event.present}
    if len(groups) < 2:
        return []
    best = [[it.entrant for it in group.rows if it.entrant in present][:FINALISTS] for group in groups]
    return [group[rank] for rank in range(FINALISTS) for group in best if rank < len(group)]


def podium(event: Event) -> list[tuple[Row, Entrant]]:
    """Return the rows with the places 1 to 3 of an event that is over, with their entrants.

    In a league they are those of the first division.

    Return an empty list unless a game had a result, or if the cup was ended before its final.
    """
    if event.state is not EventState.OVER or not event.stages or event.versus is not None:
        return []
    groups = groups_of(event, len(event.stages) - 1)
    if event.season is not None:
        groups = groups[:1]
    if len(groups) != 1 or not any(it.halves is not None for it in groups[0].games):
        return []
    by_number = {it.number: it for it in event.entrants}
    return [(it, by_number[it.entrant]) for it in groups[0].rows if it.place <= 3]


def running_of(event: Event, entrants: Sequence[int]) -> list[Pairing]:
    """Return the running games of the newest stage in which one of these entrants plays."""
    return [it for it in event.newest if it.running and (it.first in entrants or it.second in entrants)]


PUZZLE_DAYS = 30
"""The days in a row that earn a title."""


def titles_of(event: Event) -> Mapping[TitleKind, Sequence[DiscordId]]:
    """Return the titles that an event that is over has earned its players; none if a member ended it early."""
    if event.ended or event.versus is not None:
        return {}
    present = {it.number: it.user for it in event.present if not is_computer(it.user)}
    first = [it.user for row, it in podium(event) if row.place == 1 and it.number in present]
    if event.season is None:
        return {TitleKind.CUP: first}
    below = [
        present[row.entrant]
        for group in groups_of(event, 0)[1:]
        for row in group.rows
        if row.place == 1 and row.entrant in present and row.played
    ]
    return {TitleKind.CHAMPION: first, TitleKind.DIVISION: below}


async def award_puzzle_days(
    store: Store, user: DiscordId, guild: DiscordId, days: int, today: date, at: datetime
) -> None:
    """Store the title of a member who has solved the puzzles of so many days in a row, once for each streak."""
    if days >= PUZZLE_DAYS:
        begun = today - timedelta(days=days - 1)
        await store.titles.add(guild, TitleKind.PUZZLES, begun.isoformat(), [user], at)


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
    users = event.users
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
