"""Uncooked Spaghetti: positions, refusals, what a line passes, and counts found by two routes."""

import random
import re
from fractions import Fraction
from functools import partial

import pytest

from rules.core.errors import Ambiguous, Illegal, Unreadable
from rules.core.match import Match
from rules.core.notation import Cell
from rules.core.prompt import SegmentPrompt
from rules.games.spaghetti import Line, Spaghetti, SpaghettiView
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import finish, step, view_of


def played(size: int, squares: str, *lines: str) -> Match:
    """Return a match with these squares filled and then these lines drawn."""
    match = Match.start(Spaghetti(), {"size": size}, 2)
    for text in (*squares.split(), *lines):
        match = match.play(match.to_move[0], text)
    return match


board = partial(view_of, SpaghettiView)


def test_vertices_are_numbered_clockwise_from_the_top_left_corner() -> None:
    spots = board(played(8, "")).spots
    assert len(spots) == 32
    corners = [spots[number - 1] for number in (1, 9, 17, 25)]
    assert corners == [Cell(0, 8), Cell(8, 8), Cell(8, 0), Cell(0, 0)]
    assert spots[1] == Cell(1, 8)
    assert spots[31] == Cell(0, 7)


def test_seat_0_fills_first_and_seat_1_draws_first_whatever_the_size() -> None:
    assert [seat for seat, _ in played(4, "a1 a2 a3 a4", "3-10", "2-11").log] == [0, 1, 0, 1, 1, 0]
    assert [seat for seat, _ in played(5, "a1 a2 a3 a4 a5", "4-12", "3-13").log] == [0, 1, 0, 1, 0, 1, 0]


def test_the_opponent_gets_a_point_for_each_line_crossed() -> None:
    """The example of the rule sheet."""
    match = played(8, "a1 b1 c1 a2 b2 c2 a3 b3", "4-20")
    assert match.scores == (0, 0)
    match = match.play(0, "7-15")
    assert match.scores == (0, 0)
    match = match.play(1, "10-30")
    assert match.scores == (2, 0)
    assert [len(points) for points in board(match).crossings] == [0, 0, 2]


def test_crossing_points_are_exact() -> None:
    match = played(4, "a1 a2 a3 a4", "2-10", "3-12", "7-15")
    first, second, third = board(match).crossings
    assert first == ()
    assert second == ((Fraction(5, 3), Fraction(8, 3)),)
    assert third == ((2, 2), (Fraction(3, 2), 2))


@refusals_of(lambda row: played(row["size"], row["squares"], *row["lines"]))
@pytest.mark.parametrize(
    ("size", "squares", "lines", "move", "rule", "marks"),
    [
        (4, "", (), "e1", "off the board", ()),
        (4, "", (), "a5", "off the board", ()),
        (4, "a1", (), "a1", "filled", ("a1",)),
        (4, "a1", (), "3-9", "phase", ()),
        (4, "a1 a2 a3 a4", (), "b1", "phase", ()),
        (4, "a1 a2 a3 a4", (), "3-17", "no vertex", ()),
        (4, "a1 a2 a3 a4", (), "0-3", "no vertex", ()),
        (4, "a1 a2 a3 a4", (), "99", "no vertex", ()),
        (4, "a1 a2 a3 a4", (), "3-3", "same vertex", ("3",)),
        (4, "a1 a2 a3 a4", (), "1", "same vertex", ("1",)),
        (4, "a1 a2 a3 a4", ("3-9",), "3-8", "used", ("3",)),
        (4, "a1 a2 a3 a4", ("3-9",), "9-3", "used", ("3", "9")),
        (4, "a1 a2 a3 a4", ("3-9",), "9", "used", ("9",)),
        (4, "a1 a2 a3 a4", (), "2-4", "one side", ("2", "4")),
        (4, "a1 a2 a3 a4", (), "1-5", "one side", ("1", "5")),
        (4, "a1 a2 a3 a4", (), "5-8", "one side", ("5", "8")),
        (4, "a1 a2 a3 a4", (), "1-15", "one side", ("1", "15")),
        (4, "a1 a2 a3 a4", (), "13-16", "one side", ("13", "16")),
        (4, "a1 a2 a3 a4", (), "9-14", "blocked", ("a1",)),
        (4, "b3 c2 a4 d1", (), "1-9", "blocked", ("b3", "c2", "a4", "d1")),
        (4, "b3 c2 a4 d1", (), "8-15", "blocked", ("c2",)),
    ],
)
def test_each_refusal_names_its_rule(
    size: int, squares: str, lines: tuple[str, ...], move: str, rule: str, marks: tuple[str, ...]
) -> None:
    match = played(size, squares, *lines)
    check_refusal(match, match.to_move[0], move, rule, marks, "")


@pytest.mark.parametrize(
    ("squares", "move", "says"),
    [
        ("a1", "3-9", "First the meatballs are laid: name a square for yours."),
        ("a1 a2 a3 a4", "9-14", "the meatball on a1; a strand may only touch its edges and corners."),
        (
            "b3 c2 a4 d1",
            "1-9",
            "the meatballs on b3, c2, a4 and d1; a strand may only touch their edges and corners.",
        ),
    ],
)
def test_refusal_speaks_of_meatballs(squares: str, move: str, says: str) -> None:
    match = played(4, squares)
    with pytest.raises(Illegal, match=re.escape(says)):
        match.play(match.to_move[0], move)


def test_a_line_may_run_along_an_edge_and_over_a_corner_of_filled_squares() -> None:
    edges = played(4, "b3 b2 c4 d1").legal() or ()
    assert {"2-12", "3-11", "6-16"} <= set(edges)
    # along the diagonal four filled squares touch the line in a corner
    corners = played(4, "c4 b3 a2 d3").legal() or ()
    assert "5-13" in corners
    assert "5-12" not in corners
    assert "4-13" not in corners


def test_a_line_squeezes_through_where_two_filled_squares_touch_in_a_corner() -> None:
    match = played(2, "a1 b2")
    assert match.legal() == ("1-5", "2-6", "2-8", "4-6", "4-8")
    assert played(2, "a2 b1").legal() == ("2-4", "2-6", "3-7", "4-8", "6-8")


def test_lines_cross_in_pairs_even_in_one_point() -> None:
    """Three lines through the centre of the board: each crossing counts by itself."""
    match = played(4, "a2 a3 d2 d3", "3-11", "1-9")
    assert match.scores == (0, 1)
    match = match.play(1, "5-13")
    assert board(match).crossings == ((), ((2, 2),), ((2, 2), (2, 2)))
    assert match.scores == (2, 1)


def test_the_cheapest_lines_are_named_first() -> None:
    match = finish(Match.start(Spaghetti(), {}, 2), random.Random(2), 12)
    prompt = match.observe(match.to_move[0]).prompt
    assert isinstance(prompt, SegmentPrompt)
    drawn = board(match).lines

    def cost(text: str) -> int:
        return sum(Line(*map(int, text.split("-"))).crosses(line) for line in drawn)

    costs = [cost(text) for text in prompt.cheapest]
    assert len(costs) == 14
    assert costs == sorted(map(cost, prompt.choices))[:14]
    while not match.over and len(match.legal() or ()) > 15:
        match = step(match, random.Random(len(match.log)))
    prompt = match.observe(match.to_move[0]).prompt
    assert isinstance(prompt, SegmentPrompt)
    assert sorted(prompt.cheapest) == sorted(prompt.choices)


def test_the_game_ends_when_no_line_is_left() -> None:
    match = played(2, "a1 b2", "2-6", "4-8")
    assert match.to_move == (1,)
    assert match.scores == (0, 1)
    match = match.play(1, "1-5")
    assert match.over
    assert match.scores == (2, 1)
    assert match.winners == (0,)


def test_a_draw_is_shared() -> None:
    games = [finished(seed) for seed in range(20)]
    draws = [match for match in games if match.scores and match.scores[0] == match.scores[1]]
    assert draws
    assert all(match.winners == (0, 1) for match in draws)
    decided = [match for match in games if match not in draws]
    assert all(match.winners == (match.scores.index(max(match.scores)),) for match in decided if match.scores)


def finished(seed: int) -> Match:
    chance = random.Random(seed)
    match = Match.start(Spaghetti(), {"size": 3}, 2)
    while legal := match.legal():
        match = match.play(match.to_move[0], chance.choice(legal))
    return match


@pytest.mark.parametrize(
    "text", ["3-9", "9-3", "3 9", " 9 , 3 ", "3->9", "#3 to #9", "3–9", "`3-9`", "03-09", "９-３"]
)
def test_a_line_is_read_generously(text: str) -> None:
    assert played(4, "a1 a2 a3 a4").play(1, text).log[-1] == (1, "3-9")


@pytest.mark.parametrize("text", ["c4", "C4", "4c", "c 4", "c-4"])
def test_a_square_is_read_generously(text: str) -> None:
    assert played(4, "a1").play(1, text).log[-1] == (1, "c4")


@pytest.mark.parametrize("text", ["", "3-9-11", "line", "3-", "-9", "3-c4", "12345", "3--9-"])
def test_what_is_no_line_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        played(4, "a1 a2 a3 a4").play(1, text)


@pytest.mark.parametrize("text", ["", "3", "a", "a1-a2", "a0"])
def test_what_is_no_square_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        played(4, "a1").play(1, text)


def test_one_end_is_enough_where_it_can_only_mean_one_line() -> None:
    match = played(2, "a1 b2")
    assert match.play(1, "5").log[-1] == (1, "1-5")
    with pytest.raises(Ambiguous) as refused:
        played(4, "a1 a2 a3 a4").play(1, "2")
    readings = refused.value.readings
    assert readings == tuple(
        text for text in played(4, "a1 a2 a3 a4").legal() or () if "2" in text.split("-")
    )
    assert len(readings) > 1
