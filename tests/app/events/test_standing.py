"""The standing of a cup: groups, the entrants of the final, and the podium."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

from bot.app.events.standing import groups_of, podium, qualified
from db.values.events import (
    Correction,
    Entrant,
    Event,
    EventState,
    Pairing,
    Stage,
    Terms,
)
from db.values.matches import Outcome
from db.values.places import Place

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=14)
WON, DRAWN, LOST = Outcome


def cup(*stages: list[list[int]], result: Outcome = WON, state: EventState = EventState.RUNNING) -> Event:
    """A cup with these groups in each stage, in which the lower number has the result, and begins."""
    numbers = sorted({it for stage in stages for group in stage for it in group})
    pairings = [
        Pairing(stage, number, one, other, 100 * stage + 10 * one + other, False, result)
        for stage, groups in enumerate(stages)
        for number, group in enumerate(groups)
        for one, other in combinations(group, 2)
    ]
    return Event(
        id=1,
        place=Place(1, 11),
        organiser=101,
        terms=Terms("skull", (), None, rated=True, most=48),
        state=state,
        version=1,
        starts_at=None,
        due_at=LATER,
        made_at=NOW,
        late=False,
        entrants=tuple(Entrant(it, 101 + it) for it in numbers),
        stages=tuple(Stage(it, NOW, LATER) for it in range(len(stages))),
        pairings=tuple(pairings),
        deeds=(),
    )


def leaving(event: Event, number: int, *, annulled: bool) -> Event:
    """The cup after an entrant has left."""
    entrants = [
        Entrant(it.number, it.user, NOW, annulled) if it.number == number else it for it in event.entrants
    ]
    return replace(event, entrants=tuple(entrants))


def test_the_first_two_of_each_group_play_the_final() -> None:
    event = cup([[0, 3, 4], [1, 2, 5]])
    assert qualified(event) == [0, 1, 3, 2]
    assert qualified(cup([[0, 1, 2]])) == []


def test_of_equal_players_those_who_joined_first_go_on() -> None:
    assert qualified(cup([[0, 3, 4], [1, 2, 5]], result=DRAWN)) == [0, 1, 3, 2]


def test_who_has_left_does_not_go_on() -> None:
    event = cup([[0, 3, 4], [1, 2, 5]])
    assert qualified(leaving(event, 0, annulled=False)) == [3, 1, 4, 2]
    entrants = tuple(Entrant(it.number, -5 if it.number == 1 else it.user) for it in event.entrants)
    assert qualified(replace(event, entrants=entrants)) == [0, 2, 3, 5]


def test_annulled_games_do_not_count() -> None:
    (group,) = groups_of(leaving(cup([[0, 1, 2]]), 0, annulled=True), 0)
    assert [(it.entrant, it.points) for it in group.rows] == [(1, 2), (2, 0)]
    assert (group.annulled, len(group.games)) == ((0,), 1)


def test_corrected_results_count() -> None:
    event = cup([[0, 1]])
    for corrected, points in ((Correction.SECOND, [(1, 2), (0, 0)]), (Correction.NONE, [(0, 0), (1, 0)])):
        pairing = Pairing(0, 0, 0, 1, 1, False, WON, corrected)
        (group,) = groups_of(replace(event, pairings=(pairing,)), 0)
        assert [(it.entrant, it.points) for it in group.rows] == points


def test_a_podium_stands_at_the_end_of_the_final() -> None:
    over = cup([[0, 3, 4], [1, 2, 5]], [[0, 1, 2, 3]], state=EventState.OVER)
    assert [(row.place, it.number) for row, it in podium(over)] == [(1, 0), (2, 1), (3, 2)]
    assert podium(cup([[0, 1]])) == []
    assert podium(cup([[0, 1], [2, 3]], state=EventState.OVER)) == []
