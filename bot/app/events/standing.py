"""The standing of a cup: its games, the tables of its groups, and the entrants of the final group. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.app.events.pairings import FINALISTS
from bot.app.events.tables import DRAW, LOSS, WIN, Game, Row, table
from bot.app.matches.results import HALVES
from db.values.events import Correction, Entrant, Event, EventState, Pairing

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
    return [
        it
        for it in event.of_stage(len(event.stages) - 1)
        if it.running and (it.first in entrants or it.second in entrants)
    ]
