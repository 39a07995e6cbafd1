"""Pairings: the published Berger tables, and properties of round robins, groups and late entrants."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.events.pairings import (
    MOST,
    ONE_GROUP,
    TWICE,
    Pair,
    groups,
    late_pairs,
    most_games,
    round_robin,
)

# FIDE Handbook C.05, Annex 1: the games of all rounds, with the first player first.
BERGER = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 "
    "| 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
}
sizes = st.integers(2, ONE_GROUP)


def once(entrants: int) -> list[Pair]:
    """The games of a group in which each pair is listed once."""
    games = round_robin(entrants)
    return games if entrants > TWICE else games[: len(games) // 2]


@pytest.mark.parametrize("entrants", BERGER)
def test_seats_are_those_of_the_published_berger_tables(entrants: int) -> None:
    published = {tuple(map(int, it.split("-"))) for it in BERGER[entrants].replace("|", " ").split()}
    assert {(it.first + 1, it.second + 1) for it in once(entrants)} == published


@given(sizes)
def test_each_pair_plays_once_or_twice(entrants: int) -> None:
    games = round_robin(entrants)
    assert len(set(games)) == len(games)
    met = Counter(frozenset(it) for it in games)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {2 if entrants <= TWICE else 1}


@given(sizes)
def test_seats_are_balanced(entrants: int) -> None:
    games = round_robin(entrants)
    for entrant in range(entrants):
        begins = sum(it.first == entrant for it in games)
        follows = sum(it.second == entrant for it in games)
        assert abs(begins - follows) <= (0 if entrants <= TWICE else 1)


@given(st.integers(ONE_GROUP + 1, MOST))
def test_large_cups_have_groups_of_four_to_six(entrants: int) -> None:
    divided = groups(entrants)
    assert sorted(it for group in divided for it in group) == [*range(entrants)]
    assert {len(group) for group in divided} <= {4, 5, 6}
    assert max(map(len, divided)) - min(map(len, divided)) <= 1
    # The strongest of each group are the strongest of all: nobody of the first row meets another one of it.
    assert sorted(group[0] for group in divided) == [*range(len(divided))]
    assert 2 * len(divided) <= ONE_GROUP


def test_seeds_are_dealt_there_and_back() -> None:
    assert groups(17) == [[0, 5, 6, 11, 12], [1, 4, 7, 10, 13, 16], [2, 3, 8, 9, 14, 15]]
    assert groups(ONE_GROUP) == [[*range(ONE_GROUP)]]


@given(st.integers(1, ONE_GROUP - 1), st.booleans())
def test_a_late_entrant_meets_everybody(others: int, twice: bool) -> None:
    games = late_pairs(others, range(others), twice=twice)
    assert Counter(frozenset(it) for it in games) == {
        frozenset((others, it)): 2 if twice else 1 for it in range(others)
    }
    begins = sum(it.first == others for it in games)
    assert abs(2 * begins - len(games)) <= 1


def test_the_most_games_of_a_stage_are_counted() -> None:
    assert [most_games(it) for it in (2, 6, 8, ONE_GROUP, 18, MOST)] == [2, 30, 30, 120, 120, 240]
