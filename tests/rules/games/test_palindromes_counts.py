"""The number of moves, found by trying every text and by counting without the referee."""

from itertools import combinations, product

import pytest

from rules.core.errors import Illegal
from rules.core.match import Match
from rules.games import find

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


def rows(reds: int) -> set[str]:
    return {
        "".join("R" if place in chosen else "B" for place in range(CARDS))
        for chosen in combinations(range(CARDS), reds)
    }


@pytest.mark.parametrize("reds", ROWS)
def test_rows(reds: int) -> None:
    match = Match.start(find("palindromes"), {"cards": CARDS}, 2).play(None, f"deal {reds}")
    every = ["arrange " + "".join(row) for row in product("RB", repeat=CARDS)]
    assert accepted(match, every) == len(rows(reds)) == ROWS[reds]


@pytest.mark.parametrize("reds", NAMES)
def test_names(reds: int) -> None:
    game = find("palindromes")
    halves = [half for length in range(5) for half in product("RB", repeat=length)]
    mirrored = {
        "".join((*half, *middle, *reversed(half))) for half in halves for middle in ((), ("R",), ("B",))
    }
    every = [f"find {name}" for name in mirrored if 0 < len(name) <= CARDS]
    by_referee = by_hand = 0
    for row in rows(reds):
        mine = "R" * (CARDS - reds) + "B" * reds
        match = Match.start(game, {"cards": CARDS}, 2).play(None, f"deal {CARDS - reds}")
        match = match.play(0, f"arrange {mine}").play(1, f"arrange {row}")
        by_referee += accepted(match, every)
        pieces = {row[start:end] for start in range(CARDS) for end in range(start + 1, CARDS + 1)}
        by_hand += sum(piece == piece[::-1] and piece[0] == "R" for piece in pieces)
    assert by_referee == by_hand == NAMES[reds]
