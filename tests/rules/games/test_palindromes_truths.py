"""Known facts about the Palindromic Card Game, by the referee and by a second way of counting palindromes."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.match import Match
from rules.games.palindromes import Deal, Palindromes, PalindromesState, palindromes
from tests.rules.plain.palindromes_rows import number, patterns
from tests.rules.walks import trials

rows = st.text("RB", min_size=1, max_size=26)


def test_the_row_of_the_post_is_worth_one() -> None:
    assert palindromes("RBBRRBBBRBBR") == ("R", "RR", "RBBR", "RBBBR")
    match = Match.start(Palindromes(), {"cards": 12}, 2).play(None, "deal 5")
    match = match.play(0, "RBBRRBBBRBBR").play(1, "RRRRRRRBBBBB")
    for name in palindromes("RBBRRBBBRBBR"):
        match = match.play(1, name)
    assert match.play(1, "done").play(0, "done").scores == (1, 7)


@trials(200)
@given(row=rows)
def test_two_ways_find_the_same_palindromes(row: str) -> None:
    found = palindromes(row)
    assert {*found} == {str(stretch) for stretch in patterns(number(row), len(row))}
    assert len(found) <= row.count("R")
    assert all(
        name in row and name == name[::-1] and name[0] == "R" and palindromes(name)[-1] == name
        for name in found
    )


@trials(100)
@given(row=rows)
def test_a_row_turned_round_holds_the_same(row: str) -> None:
    assert palindromes(row) == palindromes(row[::-1])


@pytest.mark.parametrize("cards", [8, 9, 26])
def test_the_deal_is_hypergeometric(cards: int) -> None:
    """Out of all hands of `cards` from a pack of twice as many, so many hold each number of reds."""
    game = Palindromes()
    chances = game.chances(PalindromesState(cards))
    assert [move for move, _ in chances] == [Deal(reds) for reds in range(cards + 1)]
    assert sum(weight for _, weight in chances) == comb(2 * cards, cards)
    assert all(weight == comb(cards, move.reds) ** 2 for move, weight in chances if isinstance(move, Deal))
    assert game.chances(PalindromesState(cards, 3)) == ()
