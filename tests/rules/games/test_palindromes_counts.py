"""Known facts about the Palindromic Card Game, and its moves counted by trying every text and without the referee."""

from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import Illegal
from rules.core.match import Match
from rules.games import find
from rules.games.palindromes import Deal, Palindromes, PalindromesState, palindromes
from tests.rules.plain.palindromes_rows import number, patterns
from tests.rules.walks import trials

CARDS = 8

ROWS = {0: 1, 1: 8, 2: 28, 3: 56, 4: 70, 5: 56, 6: 28, 7: 8, 8: 1}
"""Rows that can be laid, by the number of red cards in the hand of eight."""

NAMES = {0: 0, 1: 8, 2: 56, 3: 168, 4: 280, 5: 278, 6: 168, 7: 56, 8: 8}
"""Names that can be found in all these rows together."""


def accepted(match: Match, texts: list[str]) -> int:
    """Return the number of these texts that seat 0 may play."""
    count = 0
    for text in texts:
        try:
            match.play(0, text)
        except Illegal:
            continue
        count += 1
    return count


def rows_with(reds: int) -> set[str]:
    return {
        "".join("R" if place in chosen else "B" for place in range(CARDS))
        for chosen in combinations(range(CARDS), reds)
    }


@pytest.mark.parametrize("reds", ROWS)
def test_rows(reds: int) -> None:
    match = Match.start(find("palindromes"), {"cards": CARDS}, 2).play(None, f"deal {reds}")
    every = ["arrange " + "".join(row) for row in product("RB", repeat=CARDS)]
    assert accepted(match, every) == len(rows_with(reds)) == ROWS[reds]


@pytest.mark.parametrize("reds", NAMES)
def test_names(reds: int) -> None:
    game = find("palindromes")
    halves = [half for length in range(5) for half in product("RB", repeat=length)]
    mirrored = {
        "".join((*half, *middle, *reversed(half))) for half in halves for middle in ((), ("R",), ("B",))
    }
    every = [f"find {name}" for name in mirrored if 0 < len(name) <= CARDS]
    by_referee = by_hand = 0
    for row in rows_with(reds):
        mine = "R" * (CARDS - reds) + "B" * reds
        match = Match.start(game, {"cards": CARDS}, 2).play(None, f"deal {CARDS - reds}")
        match = match.play(0, f"arrange {mine}").play(1, f"arrange {row}")
        by_referee += accepted(match, every)
        pieces = {row[start:end] for start in range(CARDS) for end in range(start + 1, CARDS + 1)}
        by_hand += sum(piece == piece[::-1] and piece[0] == "R" for piece in pieces)
    assert by_referee == by_hand == NAMES[reds]


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
