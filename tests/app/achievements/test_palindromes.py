"""The table of the best rows, against a second count of what rows are worth."""

import random

import pytest

from bot.app.achievements.palindromes import BEST, best, worth
from rules.games import find
from tests.rules.plain import palindromes_rows


@pytest.mark.parametrize("cards", [8, 9, 10, 11, 12, pytest.param(13, marks=pytest.mark.soak)])
def test_no_row_is_worth_more_and_one_is_worth_as_much(cards: int) -> None:
    assert palindromes_rows.best(cards) == tuple(best(cards, reds) for reds in range(cards + 1))


def test_rows_of_every_length_are_never_worth_more() -> None:
    chance = random.Random(1)
    lengths = next(it for it in find("palindromes").options if it.key == "cards")
    assert [*BEST] == [*range(lengths.low, lengths.high + 1)]
    for cards in BEST:
        assert len(BEST[cards]) == cards + 1
        for _ in range(100):
            row = "".join(chance.choices("RB", k=cards))
            assert 0 <= worth(row) <= best(cards, row.count("R"))
