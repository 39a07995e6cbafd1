"""X's and Lines, position by position: what crosses and what only touches, every refusal, and what may be left out."""

from functools import partial

import pytest

from rules.core.errors import Ambiguous, Illegal, Unreadable
from rules.core.match import Match
from rules.core.prompt import CellPrompt, SegmentPrompt
from rules.games.xlines import XLines, XLinesView
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import view_of


def played(xs: str, lines: str = "", size: int | None = None) -> Match:
    """Return the position after these x's and lines, each by the seat on turn; the size is by default the number of
    x's."""
    match = Match.start(XLines(), {"size": size or len(xs.split())}, 2)
    for move in f"{xs} {lines}".split():
        match = match.play(match.to_move[0], move)
    return match


board = partial(view_of, XLinesView)


@refusals_of(lambda row: played(row["xs"], row["lines"]), move="line")
@pytest.mark.parametrize(
    ("xs", "lines", "line", "cells", "crossed"),
    [
        pytest.param(
            "b4 g4 d7 d1 a8 h8 a1 h1",
            "b4-g4 g4-g7-d7",
            "d7-d1",
            ("d4",),
            "b4-g4 in d4",
            id="down over across",
        ),
        pytest.param(
            "d7 d1 b4 g4 a8 h8 a1 h1",
            "d7-d1 d1-b1-b4",
            "b4-g4",
            ("d4",),
            "d7-d1 in d4",
            id="across over down",
        ),
        pytest.param(
            "b6 g6 e4 c2 a8 h8 a1 h1",
            "b6-g6 g6-g4-e4",
            "e4-e8-h8",
            ("e6",),
            "b6-g6 in e6",
            id="before its corner",
        ),
        pytest.param(
            "c4 f1 d7 d2 a8 h8 h4 a7",
            "c4-f4-f1 f1-f7-d7",
            "d7-d4-h4",
            ("f4",),
            "f1-f7-d7 in f4",
            id="after its corner, in a cell where another line has one",
        ),
        pytest.param(
            "b6 f6 f4 b4 d8 d1 h1 a1",
            "b6-f6 f6-f4 f4-b4 b4-a4-a1 a1-d1",
            "d1-d8",
            ("d6", "d4"),
            "b6-f6 in d6",
            id="two lines at once",
        ),
    ],
)
def test_what_crosses(xs: str, lines: str, line: str, cells: tuple[str, ...], crossed: str) -> None:
    match = played(xs, lines)
    assert line not in (match.legal() or ())
    says = f"^{line} would cross {crossed}; lines may run together but not cross.$"
    with pytest.raises(Illegal, match=says) as refused:
        match.play(match.to_move[0], line)
    assert refused.value.rule == "crosses"
    assert refused.value.marks == cells


@pytest.mark.parametrize(
    ("xs", "lines", "line"),
    [
        pytest.param(
            "c4 f1 a1 d7 h4 a8 b8 g2",
            "c4-f4-f1 f1-a1 a1-a7-d7",
            "d7-d4-h4",
            id="turns on a straight run, follows it and leaves straight through its corner",
        ),
        pytest.param(
            "c4 f1 h4 d8 a8 b2 g7 a1", "c4-f4-f1 f1-h1-h4", "h4-d4-d8", id="the same the other way round"
        ),
        pytest.param(
            "a4 d1 g7 d8 f2 a8 h1 b7",
            "a4-d4-d1 d1-g1-g7 g7-g8-d8",
            "d8-d2-f2",
            id="comes down through a corner and leaves the run sideways",
        ),
        pytest.param(
            "c4 f1 a1 f7 h4 a8 b8 g2",
            "c4-f4-f1 f1-a1 a1-a7-f7",
            "f7-f4-h4",
            id="both turn in the same cell, in opposite quarters",
        ),
        pytest.param(
            "c4 f1 h4 f8 a8 b2 g7 a1", "c4-f4-f1 f1-h1-h4", "h4-f4-f8", id="the same from the other end"
        ),
        pytest.param("b4 f4 d6 d3 a8 h8 a1 h1", "b4-f4 f4-f6-d6", "d6-a6-a8", id="stays on its own side"),
        pytest.param("a1 a2 h8 g8 c3 d5 e2 f7", "", "a1-a2", id="from one cell to the next"),
    ],
)
def test_what_only_touches(xs: str, lines: str, line: str) -> None:
    match = played(xs, lines)
    assert line in (match.legal() or ())
    assert match.play(match.to_move[0], line).log[-1].text == line


FIVE = "a1 c1 e1 c4 e5"


@refusals_of(lambda row: played(row["xs"], row["lines"], size=5))
@pytest.mark.parametrize(
    ("xs", "lines", "move", "rule", "marks", "says"),
    [
        ("a1 b2", "", "f1", "off the board", (), "f1 is off the board, which goes from a1 to e5"),
        ("a1 b2", "", "a6", "off the board", (), "from a1 to e5"),
        ("a1 b2", "", "b2", "taken", ("b2",), "b2 already holds an x"),
        ("a1 b2", "", "a1-a2-b2", "phase", (), "3 of the x's are still to be placed"),
        (FIVE, "", "b2", "phase", (), "now draw a line from x to x, like `e5-c5-c4`"),
        (FIVE, "", "a1-a9", "off the board", (), "a9 is off the board"),
        (FIVE, "", "a1-z1-c1", "off the board", (), "z1 is off the board"),
        (FIVE, "", "a1-b3", "no x", ("b3",), "no x on b3"),
        (FIVE, "", "b3-a1", "no x", ("b3",), "no x on b3"),
        (FIVE, "", "a1-e1", "passes over", ("c1",), "a1-e1 would pass over the x on c1"),
        (FIVE, "", "a1-c1-c4", "passes over", ("c1",), "pass over the x on c1"),
        (FIVE, "", "a1-e1-e5", "passes over", ("c1", "e1"), "pass over the x on c1 and e1"),
        (FIVE, "", "a1-b2-c1", "shape", (), "with one right-angle turn at most"),
        (FIVE, "", "a1-a5-a3", "shape", (), "a1-a5-a3 is no line"),
        (FIVE, "", "a1-a1", "shape", (), "a1-a1 is no line"),
        (FIVE, "", "a1-a1-c1", "shape", (), "a1-a1-c1 is no line"),
        (FIVE, "a1-c1", "e1-e5", "start", ("c1",), "Your line starts at c1"),
        (FIVE, "a1-c1", "c1-a1", "used", ("a1",), "The x on a1 has a line already"),
        (FIVE, "a1-c1", "a1", "used", ("a1",), "The x on a1 has a line already"),
        (FIVE, "a1-c1", "c1", "shape", (), "c1-c1 is no line"),
        (FIVE, "a1-c1", "d3", "no x", ("d3",), "no x on d3"),
        (FIVE, "a1-c1", "e5", "passes over", ("c4",), "c1-c5-e5 would pass over the x on c4"),
        (FIVE, "c4-a4-a1", "a1-e1", "passes over", ("c1",), "pass over the x on c1"),
        (FIVE, "c1-c4 c4-e4-e1", "e1-a1", "passes over", ("c1",), "pass over the x on c1"),
        ("a3 e3 c5 c1 a5", "a3-e3 e3-e5-c5", "c1", "crosses", ("c3",), "c5-c1 would cross a3-e3 in c3"),
    ],
)
def test_each_refusal_names_its_rule(
    xs: str, lines: str, move: str, rule: str, marks: tuple[str, ...], says: str
) -> None:
    match = played(xs, lines, size=5)
    check_refusal(match, match.to_move[0], move, rule, marks, says)


def test_seat_0_draws_the_first_line_even_after_placing_the_last_x() -> None:
    match = played("a1 a2", size=3)
    assert (match.to_move, match.observe(None).phase) == ((0,), "place")
    match = match.play(0, "a3")
    assert (match.to_move, match.observe(None).phase) == ((0,), "draw")
    assert match.legal() == ("a3-a2", "a2-a3", "a2-a1", "a1-a2")


@pytest.mark.parametrize(("lines", "winner"), [("a1-a2 a2-a3", 0), ("a2-a1", 1)])
def test_who_draws_the_last_line_loses(lines: str, winner: int) -> None:
    match = played("a1 a2 a3", lines)
    assert (match.to_move, match.legal()) == ((), ())
    assert (match.winners, match.scores) == ((winner,), None)


def test_an_x_in_the_one_way_leaves_the_other() -> None:
    match = played("a1 b1 c3", "b1-a1")
    assert match.legal() == ("a1-a3-c3",)
    assert played("a1 b3 c3", "b3-a3-a1").legal() == ("a1-c1-c3",)
    free = played("a1 c3 b3", "b3-c3")
    assert free.legal() == ("c3-c1-a1",)
    assert played("a1 c3 a2 d1", "a2-a1").legal() == ("a1-c1-c3", "a1-d1")


@pytest.mark.parametrize(
    ("lines", "text", "readings"),
    [
        ("", "b2-d4", ("b2-b4-d4", "b2-d2-d4")),
        ("", "d4 b2", ("d4-b4-b2", "d4-d2-b2")),
        ("e1-e2-b2", "d4", ("b2-b4-d4", "b2-d2-d4")),
        ("e1-e2-b2", "b2-d4", ("b2-b4-d4", "b2-d2-d4")),
    ],
)
def test_where_both_corners_are_open_the_text_is_ambiguous(
    lines: str, text: str, readings: tuple[str, ...]
) -> None:
    match = played("b2 d4 a5 e1 a1", lines)
    with pytest.raises(Ambiguous) as refused:
        match.play(match.to_move[0], text)
    assert refused.value.readings == readings
    assert set(readings) <= set(match.legal() or ())


@pytest.mark.parametrize(
    ("lines", "text", "meant"),
    [
        ("", "A1 -> C1", "a1-c1"),
        ("", "a1c1", "a1-c1"),
        ("", "a1 to c1", "a1-c1"),
        ("", "`a1–c1`", "a1-c1"),
        ("", "1a 1c", "a1-c1"),
        ("", "a01, c01", "a1-c1"),
        ("", "a1-b1-c1", "a1-c1"),
        ("", "a1 a4 c4", "a1-a4-c4"),
        ("", "a1-c4", "a1-a4-c4"),
        ("a1-c1", "e1", "c1-e1"),
        ("a1-c1", "d1-e1", "c1-e1"),
        ("a1-c1", "c1-c2-c4", "c1-c4"),
        ("c1-c4 c4-e4-e1", "e5", "e1-e5"),
        ("c1-c4", "a4-a1", "c4-a4-a1"),
        ("c1-c4", "a1", "c4-a4-a1"),
    ],
)
def test_a_line_is_read_generously(lines: str, text: str, meant: str) -> None:
    match = played(FIVE, lines)
    assert match.play(match.to_move[0], text).log[-1].text == meant


@pytest.mark.parametrize(
    "text", ["a1-", "-a1", "a1-c", "a1-c0", "a1-b1-c1-d1", "a1-a4-c4-c5", "a1 x c1", "13-17"]
)
def test_what_is_no_line_is_not_guessed_at(text: str) -> None:
    match = played(FIVE)
    with pytest.raises(Unreadable):
        match.play(0, text)


def test_what_everyone_sees() -> None:
    view = board(played(FIVE, "c4-a4-a1"))
    assert [str(cell) for cell in view.xs] == FIVE.split()
    assert [str(line) for line in view.lines] == ["c4-a4-a1"]
    assert str(view.pen) == "a1"
    assert [str(cell) for cell in view.used] == ["c4", "a1"]
    assert [str(line) for line in view.open] == ["a1-a5-e5", "a1-c1"]
    assert [str(cell) for cell in view.choices] == ["e5", "c1"]
    assert board(played("a1 b2", size=5)).open == ()
    assert (board(played(FIVE)).pen, board(played(FIVE)).used) == (None, ())


def test_one_is_asked_for_a_cell_and_then_for_a_line() -> None:
    placing = played("a1", size=5).observe(1).prompt
    assert isinstance(placing, CellPrompt)
    assert len(placing.choices) == 24
    first = played(FIVE).observe(0).prompt
    assert isinstance(first, SegmentPrompt)
    assert first.ask == "Draw the first line, from any x to any other. Whoever draws the last line loses."
    later = played(FIVE, "a1-c1").observe(1).prompt
    assert isinstance(later, SegmentPrompt)
    assert later.ask == "Draw a line from c1 to an x without a line. Whoever draws the last line loses."
    assert later.choices == ("c1-c4", "c1-e1")
