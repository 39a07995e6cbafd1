"""The search itself, on a game so small that every position's value is known: take one to three of a heap."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Self

import pytest

from rules.players.position import SearchPosition, Shares
from rules.players.uct import Tuning, search


class Heap(SearchPosition):
    """The player who takes the last counter wins. A heap of a multiple of four is lost for the mover."""

    def __init__(self, left: int, mover: int = 0) -> None:
        self.left, self.mover = left, mover

    def moves(self) -> Sequence[int]:
        return range(1, min(3, self.left) + 1)

    def play(self, code: int) -> None:
        self.left -= code
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        return type(self)(self.left, self.mover)

    def shares(self) -> Shares:
        return (0.0, 1.0) if self.mover == 0 else (1.0, 0.0)


TUNINGS = [Tuning(), Tuning(amaf=50), Tuning(widening=0.5)]


@pytest.mark.parametrize("tuning", TUNINGS, ids=str)
def test_small_heaps_are_proved(tuning: Tuning) -> None:
    for left, mover in product(range(1, 14), (0, 1)):
        found = search(Heap(left, mover), 2, random.Random(1), tuning, nodes=4000)
        best = found.moves[0]
        assert best.exact, (left, mover)
        assert best.value == (0 if left % 4 == 0 else 1), (left, mover)
        if left % 4:
            assert best.code == left % 4, (left, mover)
            assert all(move.value == 0 for move in found.moves if move.exact and move.code != best.code)
        assert found.nodes < 4000, (left, mover)


def test_best_move_is_found_before_it_is_proved() -> None:
    found = search(Heap(13), 2, random.Random(1), Tuning(), nodes=400)
    assert found.moves[0].code == 1
    assert not found.moves[0].exact
    assert found.nodes == 400


def test_search_is_the_same_for_a_seed_and_leaves_the_position_as_it_was() -> None:
    heap = Heap(21)
    one, other = (search(heap, 2, random.Random(3), Tuning(), nodes=200) for _ in range(2))
    assert one == other
    assert (heap.left, heap.mover) == (21, 0)


def test_seconds_are_a_budget_too() -> None:
    assert search(Heap(60), 2, random.Random(3), Tuning(), seconds=0.02).nodes > 8


class Truce(SearchPosition):
    """After the first move 0 the opponent may make a draw at once, or go on in what seat 0 wins nine times of ten.
    After the first move 1 seat 0 wins six times of ten. The last of many further moves decides; nothing else is proved.
    """

    def __init__(self, codes: tuple[int, ...] = ()) -> None:
        self.codes = codes
        self.mover = len(codes) % 2

    def moves(self) -> Sequence[int]:
        if self.codes == (0, 0) or len(self.codes) == 14:
            return ()
        return range(10) if self.codes else range(2)

    def play(self, code: int) -> None:
        self.codes += (code,)
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        return type(self)(self.codes)

    def shares(self) -> Shares:
        if self.codes == (0, 0):
            return (0.5, 0.5)
        won = sum(self.codes[1:]) % 10 < (6 if self.codes[0] else 9)
        return (1.0, 0.0) if won else (0.0, 1.0)


def test_a_certain_draw_counts_in_the_value_of_the_position_before_it() -> None:
    found = search(Truce(), 2, random.Random(1), Tuning(), nodes=4000)
    values = {move.code: move.value for move in found.moves}
    assert found.moves[0].code == 1
    assert (values[0] or 0) < 0.6


def test_a_certain_draw_is_taken_before_a_worse_chance() -> None:
    position = Truce((0,))
    found = search(position, 2, random.Random(1), Tuning(), nodes=1000)
    assert found.moves[0].exact
    assert (found.moves[0].code, found.moves[0].value) == (0, 0.5)
