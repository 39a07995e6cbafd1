"""The plies that count after takebacks, and the moves that can be taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, back_to, counting, target
from db.values.matches import StoredMatch
from db.values.places import Place
from rules.core.match import Match, Ply, Setup
from rules.games import find
from tests.ui.test_messages import NOW

SKULL = Setup("skull", (("width", 6), ("height", 5)), 2)
MAZE = Setup("maze", (("size", 2),), 3)


def replayed(setup: Setup, *plies: tuple[int | None, str]) -> Match:
    return Match.replay(find(setup.game), setup, (Ply(*ply) for ply in plies))


@given(st.lists(st.integers(-3, -1) | st.just(0), max_size=20))
def test_what_counts_is_what_a_plain_list_would_hold(steps: list[int]) -> None:
    """0 plays a ply, a negative number takes that many back."""
    log: list[Ply] = []
    counts: list[Ply] = []
    for number, step in enumerate(steps):
        if step == 0:
            counts.append(Ply(0, str(number)))
            log.append(counts[-1])
        elif counts:
            counts = counts[:step]
            log.append(back_to(len(counts)))
    assert [log[index] for index in counting(log)] == counts


def test_a_table_is_where_the_takebacks_left_it() -> None:
    played = [Ply(0, "c3"), Ply(1, "d3"), Ply(0, "e3")]
    log = (*played, back_to(1))
    stored = StoredMatch(1, SKULL, 1, Place(1, 2), (7, 8), log, (None,) * 4, NOW, None, None)
    loaded = LoadedMatch.of(stored)
    assert loaded.match.log == (Ply(0, "c3"),)
    assert loaded.waiting_for == (8,)
    assert loaded.taken_back
    # Boards and buttons are told apart by a number that never comes twice.
    assert (loaded.plies, loaded.shown) == (4, 4)
    assert loaded.since(2) == (played[2], back_to(1))
    before = loaded.back_to(3)
    assert (before.match.log, before.shown, before.taken_back) == (tuple(played), 3, False)


def test_the_last_own_move_goes_and_all_that_came_after_it() -> None:
    match = replayed(SKULL, (0, "c3"), (1, "d3"), (0, "e3"))
    assert target(match, 0) == 2
    assert target(match, 1) == 1


def test_a_move_without_a_choice_goes_with_the_one_before() -> None:
    strip = Setup("skull", (("width", 4), ("height", 1)), 2)
    match = replayed(strip, (0, "b1"), (1, "c1"), (0, "d1"))
    assert match.legal() == ("a1",)
    assert target(match.play(1, "a1"), 1) == 1
    with pytest.raises(Refused, match="nothing to take back"):
        target(replayed(strip, (0, "a1"), (1, "b1")), 1)


@pytest.mark.parametrize(
    ("match", "seat", "sentence"),
    [
        (replayed(SKULL, (0, "c3")), 1, "have not moved yet"),
        (
            replayed(Setup("palindromes", (("cards", 8),), 2), (None, "deal 4"), (0, "arrange RRRRBBBB")),
            0,
            "Secret moves",
        ),
        (replayed(MAZE, (0, "a1-b2"), (2, "resign")), 0, "Somebody has left"),
    ],
    ids=["nothing", "secret", "left"],
)
def test_what_cannot_be_taken_back(match: Match, seat: int, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        target(match, seat)
