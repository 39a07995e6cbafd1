"""Co-Compositeness, position by position: what may share a square, who scores, every refusal, and who leaves."""

from functools import partial

import pytest

from rules.core.errors import Unreadable
from rules.games.cocomposite import Cocomposite, CocompositeView
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import played as after
from tests.rules.walks import view_of

played = partial(after, Cocomposite(), size=8)
board = partial(view_of, CocompositeView)

TRIANGLE = ("c3", "d3", "d4", "c4")
"""1, 3, 5 and 7, so that 9 can go back to the 3."""


def test_sharing_a_factor_scores_a_point() -> None:
    match = played(*TRIANGLE)
    assert [str(cell) for cell in board(match).scoring] == ["d3"]
    match = match.play(0, "d3")
    assert match.scores == (1, 0)
    assert {str(cell): numbers for cell, numbers in board(match).squares}["d3"] == (3, 9)
    assert match.play(1, "e3").scores == (1, 0)


@refusals_of(lambda row: played(*row["moves"]))
@pytest.mark.parametrize(
    ("moves", "move", "rule", "marks", "says"),
    [
        ((), "i1", "off the board", (), "i1 is off the board, which goes from a1 to h8"),
        (("a1",), "a9", "off the board", (), "from a1 to h8"),
        (("c3",), "e3", "apart", ("c3",), "not one of the eight squares around c3, where 1 stands"),
        (("c3",), "c3", "apart", ("c3",), "1 stands on c3; 3 goes next to it."),
        (("c3", "d3"), "b3", "apart", ("d3",), "around d3, where 3 stands"),
        (
            ("c3", "d3"),
            "c3",
            "no common factor",
            ("c3",),
            "5 is prime, so it needs an empty square; c3 holds 1",
        ),
        (
            TRIANGLE,
            "c3",
            "no common factor",
            ("c3",),
            "9 needs an empty square or a multiple of 3; c3 holds 1",
        ),
        (
            TRIANGLE,
            "d4",
            "no common factor",
            ("d4",),
            "9 needs an empty square or a multiple of 3; d4 holds 5",
        ),
        (
            (*TRIANGLE, "d3"),
            "c4",
            "no common factor",
            ("c4",),
            "11 is prime, so it needs an empty square; c4 holds 7",
        ),
        ((*TRIANGLE, "d3", "e3", "e4"), "d3", "full", ("d3",), "d3 already holds two numbers, 3 and 9"),
    ],
)
def test_each_refusal_names_its_rule(
    moves: tuple[str, ...], move: str, rule: str, marks: tuple[str, ...], says: str
) -> None:
    match = played(*moves)
    check_refusal(match, match.to_move[0], move, rule, marks, says)


def test_a_full_square_is_refused_though_both_its_numbers_share_the_factor() -> None:
    match = played("c3", "d3", "d4", "c4", "d3", "e3", "e4")
    assert board(match).number == 15
    assert "d3" not in (match.legal() or ())
    assert "d4" in (match.legal() or ())


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        (("a1",), "a2 b2 b1"),
        (("d4",), "c5 d5 e5 c4 e4 c3 d3 e3"),
        (("h8",), "g8 g7 h7"),
        (("a1", "b1"), "a2 b2 c2 c1"),
        (TRIANGLE, "b5 c5 d5 b4 b3 d3"),
    ],
)
def test_legal_squares_run_from_the_top_row_down(moves: tuple[str, ...], legal: str) -> None:
    assert played(*moves).legal() == tuple(legal.split())


def test_the_walk_can_be_stuck_after_five_numbers() -> None:
    match = played("c1", "b1", "a2", "b2", "a1", size=4)
    assert (match.to_move, match.legal()) == ((), ())
    assert (match.scores, match.winners) == ((0, 0), (0, 1))


def test_the_highest_score_wins_when_the_walk_is_stuck() -> None:
    moves = ("d3", "c3", "d2", "c2", "c3", "b4", "a3", "b3", "a4")
    match = played(*moves, size=4, players=3)
    assert match.scores == (0, 1, 0)
    assert match.winners == (1,)


def test_if_the_first_player_has_left_the_next_writes_1() -> None:
    match = played("0 resign", players=3)
    assert match.to_move == (1,)
    assert match.play(1, "a1").to_move == (2,)
    assert played("1 resign", players=3).to_move == (0,)
    assert played("0 timeout", "1 resign", players=4).to_move == (2,)
    assert played("1 resign", "0 resign", players=4).to_move == (2,)


def test_those_who_stay_go_on_in_turn() -> None:
    match = played("a1", "2 resign", "b2", players=5)
    turns = []
    for square in ("c3", "d4", "e5", "f6"):
        turns.append(match.to_move[0])
        match = match.play(match.to_move[0], square)
    assert turns == [3, 4, 0, 1]
    assert board(match).writers == (0, 1, 3, 4, 0, 1)
    after = match.play(3, "timeout")
    assert after.to_move == (4,)
    assert match.play(4, "timeout").to_move == (3,)


def test_who_leaves_keeps_the_points_but_cannot_win() -> None:
    match = played("d3", "c3", "d2", "c2", "c3", "1 resign", "b4", "a3", "b3", "a4", size=4, players=3)
    assert match.scores == (0, 1, 0)
    assert match.winners == (0, 2)


def test_the_last_one_left_wins_at_once() -> None:
    match = played(*TRIANGLE, "1 resign", "2 timeout", players=3)
    assert match.winners == (0,)
    assert match.to_move == ()


def test_what_everyone_sees() -> None:
    view = board(played(*TRIANGLE, "d3"))
    assert [(str(cell), numbers) for cell, numbers in view.squares] == [
        ("c4", (7,)),
        ("d4", (5,)),
        ("c3", (1,)),
        ("d3", (3, 9)),
    ]
    assert [str(cell) for cell in view.path] == [*TRIANGLE, "d3"]
    assert view.number == 11
    assert [str(cell) for cell in view.choices] == ["e4", "e3", "c2", "d2", "e2"]


def test_one_is_asked_to_write_the_next_number() -> None:
    first, third = played().observe(0).prompt, played("a1", "b2").observe(0).prompt
    assert first is not None
    assert third is not None
    assert (first.ask, len(first.choices)) == ("Write 1 in any square.", 64)
    assert (third.ask, len(third.choices)) == (
        "Write 5, a prime, in an empty square next to b2.",
        7,
    )


@pytest.mark.parametrize("text", ["b2", "B2", " 2b ", "b-2", "`b2`", "ｂ２"])
def test_a_square_is_read_generously(text: str) -> None:
    assert played("a1").play(1, text).log[-1] == (1, "b2")


@pytest.mark.parametrize("text", ["", "3", "b", "b2 b1", "a1-b2", "b0", "3 b2"])
def test_what_is_no_square_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        played("a1").play(1, text)
