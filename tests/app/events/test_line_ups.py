"""The boards of a match between servers, as tables: line-ups, reserves, blocks, seats, scores and forfeits."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.app.events.line_ups import boards_of, forfeits, line_up, score_of, seated
from db.values.events import Correction, Entrant, Event, EventState, Pairing, Terms, Versus
from db.values.matches import Outcome
from db.values.places import Place

NOW = datetime(2026, 12, 1, tzinfo=UTC)
WON, DRAWN, LOST = Outcome
STRENGTH = {0: 10, 1: 30, 2: 20, 10: 5, 11: 50, 12: 40}
"""By number: the hosts are 0 to 2, the guests 10 to 12."""


@pytest.mark.parametrize(
    ("joined", "boards", "blocked", "expected"),
    [
        ([0, 10, 1, 11, 2, 12], 3, [], [(1, 11), (2, 12), (0, 10)]),
        ([0, 10, 1, 11, 2, 12], 2, [], [(1, 11), (0, 10)]),
        ([0, 1, 2, 10], 3, [], [(0, 10)]),
        ([0, 1, 2], 3, [], []),
        ([0, 10, 1, 11, 2, 12], 3, [(1, 11)], [(1, 12), (2, 11), (0, 10)]),
        ([0, 10, 1, 11, 2, 12], 2, [(1, 11), (1, 10)], [(1, 12), (0, 11)]),
        ([0, 10], 1, [(0, 10)], []),
    ],
    ids=["all", "reserves", "fewer guests", "no guest", "blocked", "a reserve steps in", "nobody left"],
)
def test_line_ups(
    joined: list[int], boards: int, blocked: list[tuple[int, int]], expected: list[tuple[int, int]]
) -> None:
    entrants = [Entrant(it, 100 + it, guest=it >= 10) for it in joined]
    assert line_up(entrants, STRENGTH, boards, {frozenset(it) for it in blocked}) == expected


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        (1, [(0, 1, 11), (1, 12, 2), (2, 0, 10)]),
        (2, [(0, 1, 11), (0, 11, 1), (1, 12, 2), (1, 2, 12), (2, 0, 10), (2, 10, 0)]),
    ],
)
def test_servers_begin_in_turn_down_the_boards(games: int, expected: list[tuple[int, int, int]]) -> None:
    assert seated([(1, 11), (2, 12), (0, 10)], games) == expected


def event(*results: tuple[int, int, int, Outcome | None]) -> Event:
    """A match whose games have these boards, first and second players, and results of the first; None if they run."""
    users = [Entrant(it, 100 + it, guest=it >= 10) for it in STRENGTH]
    pairings = [
        Pairing(0, board, first, second, number, outcome is None, outcome)
        for number, (board, first, second, outcome) in enumerate(results)
    ]
    terms = Terms("skull", (), None, rated=True, most=6)
    return Event(
        id=1,
        place=Place(1, 11),
        organiser=100,
        terms=terms,
        state=EventState.RUNNING,
        version=1,
        starts_at=None,
        due_at=NOW,
        made_at=NOW,
        late=False,
        entrants=tuple(users),
        stages=(),
        pairings=tuple(pairings),
        deeds=(),
        versus=Versus(2, None, Place(2, 21)),
    )


@pytest.mark.parametrize(
    ("results", "scores"),
    [
        ([(0, 0, 10, WON), (0, 10, 0, WON)], [(2, 2)]),
        ([(0, 0, 10, DRAWN), (0, 10, 0, None)], [(1, 1)]),
        ([(0, 0, 10, WON), (1, 11, 1, WON), (2, 2, 12, None)], [(2, 0), (0, 2), (0, 0)]),
        ([(0, 10, 0, LOST), (0, 0, 10, WON)], [(4, 0)]),
    ],
)
def test_scores_are_the_sums_of_the_games(
    results: list[tuple[int, int, int, Outcome | None]], scores: list[tuple[int, int]]
) -> None:
    boards = boards_of(event(*results))
    assert [it.score for it in boards] == scores
    assert score_of(boards) == (sum(it[0] for it in scores), sum(it[1] for it in scores))


@pytest.mark.parametrize(
    ("absent", "expected"),
    [
        ([0], [Correction.SECOND, Correction.FIRST]),
        ([10], [Correction.FIRST, Correction.SECOND]),
        ([0, 10], [Correction.NONE, Correction.NONE]),
    ],
)
def test_absent_players_forfeit_what_still_runs(absent: list[int], expected: list[Correction]) -> None:
    match = event((0, 0, 10, None), (0, 10, 0, None), (1, 1, 11, None), (2, 0, 12, WON))
    gone = [it for it in match.entrants if it.number in absent]
    change = forfeits(match, gone, NOW + timedelta(days=1))
    assert [it.corrected for it in change.corrected] == expected
    assert [it.match for it in change.corrected] == [0, 1]
    assert all(it.annulled for it in change.left)
    by_match = {it.match: it for it in change.corrected}
    after = replace(match, pairings=tuple(by_match.get(it.match, it) for it in match.pairings))
    assert score_of(boards_of(after))[0] + score_of(boards_of(after))[1] == (2 if len(absent) == 2 else 6)
