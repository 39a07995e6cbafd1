"""Maze, position by position: every reason to refuse, what is read, strings and points, and seats that leave."""

from functools import partial

import pytest

from rules.core.errors import Ambiguous, Unreadable
from rules.games.maze import Maze
from rules.games.maze.state import MazeView
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import played as after
from tests.rules.walks import view_of

FOUR = ("c2-b2",)
"""On a grid of 2: sections 1 2 above 3 4, and a segment between 2 and 4."""

CORRIDOR = ("a3-c3", "d2-b2")
"""On a grid of 3: one corridor from section 1 down to 9, like an S."""


played = partial(after, Maze(), size=4)
board = partial(view_of, MazeView)


@refusals_of(lambda row: played(*row["moves"], size=row["size"]))
@pytest.mark.parametrize(
    ("size", "moves", "move", "rule", "marks", "says"),
    [
        (4, (), "f1-b2", "off the board", (), "a1 to e5"),
        (4, (), "a1-b6", "off the board", (), "a1 to e5"),
        (4, (), "a1-a1", "same vertex", ("a1",), "two ends"),
        (4, (), "b2-c3", "loose", ("b2", "c3"), "No wall touches b2 or c3 yet"),
        (4, (), "a1-e5", "touched", ("e5",), "A wall touches e5 already"),
        (4, (), "a1-a4", "touched", ("a4",), "A wall touches a4 already"),
        (4, (), "e1-c5", "touched", ("c5",), "A wall touches c5 already"),
        (4, (), "17", "phase", (), "still being drawn"),
        (4, ("a3-c3",), "a3-b3", "touched", ("b3",), "A wall touches b3 already"),
        (4, ("a3-c3",), "b3-d3", "along", ("a3-c3",), "run along a3-c3"),
        (4, ("a3-c3",), "a3-d3", "along", ("a3-c3",), "run along a3-c3"),
        (4, ("e3-d3",), "a3-d3", "touched", ("d3",), "A wall touches d3"),
        (4, ("a3-c3",), "c1-c4", "touches", ("c3",), "touch a wall again at c3"),
        (4, ("a3-b3", "b3-b2"), "e5-b2", "touched", ("b2",), "A wall touches b2"),
        (4, ("a3-c3",), "a1-d4", "touches", ("c3",), "touch a wall again at c3"),
        (4, ("a3-c3",), "b1-c4", "crosses", ("a3-c3",), "cross a3-c3"),
        (4, ("a3-c3", "a2-c2"), "c4-b1", "crosses", ("a3-c3", "a2-c2"), "cross a3-c3 and a2-c2"),
        (2, FOUR, "a1-b2", "phase", (), "All walls are drawn; name a section"),
        (2, FOUR, "0", "no section", (), "from 1 to 4"),
        (2, FOUR, "5", "no section", (), "from 1 to 4"),
        (2, (*FOUR, "1"), "1", "filled", ("1",), "filled already"),
        (2, (*FOUR, "1"), "4", "apart", ("1",), "with 1, the last section filled; fill 2 or 3."),
        (2, (*FOUR, "4"), "2", "apart", ("4",), "Section 2 shares no open stretch of grid line with 4"),
        (3, (*CORRIDOR, "1"), "4", "apart", ("1",), "fill 2"),
    ],
)
def test_each_refusal_names_its_rule(
    size: int, moves: tuple[str, ...], move: str, rule: str, marks: tuple[str, ...], says: str
) -> None:
    match = played(*moves, size=size)
    check_refusal(match, match.to_move[0], move, rule, marks, says)


@pytest.mark.parametrize(
    "text", ["a1-b3", "A1-B3", "a1 b3", "a1 -> b3", "1a 3b", "a1,b3", "b3-a1", "B3 to A1", "`a1-b3`"]
)
def test_a_segment_is_read_generously_and_from_its_touched_end(text: str) -> None:
    assert played().play(0, text).log == ((0, "a1-b3"),)


@pytest.mark.parametrize("text", ["2", " #2 ", "2.", "02"])
def test_a_section_is_read_generously(text: str) -> None:
    assert played(*FOUR, "1", size=2).play(0, text).log[-1] == (0, "2")


def test_one_end_will_do_where_it_can_only_mean_one_segment() -> None:
    assert played(size=2).play(0, "c2").log == ((0, "c2-b2"),)
    with pytest.raises(Ambiguous) as several:
        played(size=2).play(0, "b2")
    assert several.value.readings == tuple(
        f"{start}-b2" for start in ["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"]
    )
    with pytest.raises(Ambiguous):
        played().play(0, "a1")
    with pytest.raises(Unreadable):
        played("a3-c3").play(1, "b3-c3-d3")


@pytest.mark.parametrize("text", ["", "a", "a1-", "a0-b2", "first", "a1-b2-c3", "a1-b", "½"])
@pytest.mark.parametrize("moves", [(), FOUR])
def test_what_is_no_move_is_not_guessed_at(moves: tuple[str, ...], text: str) -> None:
    with pytest.raises(Unreadable):
        played(*moves, size=2).play(len(moves), text)


def test_vertices_passed_through_are_touched_and_may_be_started_from() -> None:
    match = played("a1-d4")
    assert {str(vertex) for vertex in board(match).untouched} == {"b3", "b4", "c2", "c4", "d2", "d3"}
    legal = match.legal() or ()
    assert "c3-b4" in legal
    assert "b2-c2" in legal
    assert "b4-c3" not in legal


def test_a_segment_may_start_anywhere_on_another_and_pass_on_both_sides() -> None:
    """Touching in the starting vertex is all that is allowed, whatever the angle."""
    match = played("a3-c3", "c3-d3")
    assert board(match).walls[1] == ((2, 2), (3, 2))
    assert "b3-c4" in (match.legal() or ())
    assert "d3-c4" in (match.legal() or ())


def test_the_next_player_opens_the_second_phase() -> None:
    match = played(*FOUR, size=2, players=3)
    assert (match.to_move, match.game.phase(match.state)) == ((1,), "fill")
    assert match.legal() == ("1", "2", "3", "4")


def test_a_grid_line_under_a_segment_separates() -> None:
    match = played(*FOUR, "2", size=2)
    assert match.legal() == ("1",)
    assert played(*FOUR, "1", size=2).legal() == ("2", "3")


def test_a_corridor_ends_where_every_neighbour_is_filled() -> None:
    match = played(*CORRIDOR, "1", "2", "3", "6", size=3)
    assert match.legal() == ("5",)
    match = match.play(0, "5").play(1, "4").play(0, "7").play(1, "8")
    assert match.scores == (0, 0)
    assert board(match).string == (1, 2, 3, 6, 5, 4, 7, 8)
    end = match.play(0, "9")
    assert (end.scores, end.winners) == ((1, 0), (0,))


def test_the_dead_end_scores_at_once_and_the_next_fills_anywhere() -> None:
    match = played(*CORRIDOR, "5", "6", "3", "2", size=3)
    assert not board(match).ended
    match = match.play(0, "1")
    assert match.scores == (1, 0)
    assert board(match).ended
    assert match.legal() == ("4", "7", "8", "9")
    match = match.play(1, "8")
    assert board(match).strings == ((5, 6, 3, 2, 1), (8,))
    assert match.legal() == ("7", "9")
    # 9 is a dead end as well, then 7 and 4 make the last string.
    match = match.play(0, "9")
    assert match.scores == (2, 0)
    assert match.legal() == ("4", "7")
    match = match.play(1, "7").play(0, "4")
    assert (match.scores, match.winners) == ((3, 0), (0,))


def test_the_best_result_can_be_shared() -> None:
    match = played(*FOUR, "1", "3", "4", "2", size=2)
    assert (match.scores, match.winners) == ((1, 1), (0, 1))


def test_a_seat_that_has_left_is_skipped_keeps_its_points_and_cannot_win() -> None:
    match = played(*FOUR, "1", "3", size=2, players=3)
    assert match.to_move == (0,)
    match = match.play(0, "4")
    assert match.scores == (1, 0, 0)
    match = match.play(0, "resign")
    assert match.to_move == (1,)
    end = match.play(1, "2")
    assert end.scores == (1, 1, 0)
    assert end.winners == (1,)
    assert board(end).gone == {0}


def test_the_mover_may_leave_in_either_phase_and_the_next_goes_on() -> None:
    match = played("a3-c3", "1 resign", size=3, players=4)
    assert match.to_move == (2,)
    match = match.play(2, "timeout")
    assert match.to_move == (3,)
    match = match.play(3, "d2-b2")
    assert match.to_move == (0,)
    match = match.play(0, "1")
    assert match.to_move == (3,)
    assert match.play(3, "resign").winners == (0,)


def test_a_point_goes_to_the_seat_that_filled_the_section_even_after_it_has_left() -> None:
    match = played(*CORRIDOR, "2", "1", size=3, players=3)
    assert match.log[-1].seat == 0
    match = match.play(0, "resign")
    assert match.scores == (1, 0, 0)
    assert match.to_move == (1,)
    for section in (3, 6, 5, 4, 7, 8, 9):
        match = match.play(match.to_move[0], str(section))
    assert match.scores == (1, 1, 0)
    assert match.winners == (1,)
