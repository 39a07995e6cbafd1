"""Polygons & Dots: positions, refusals, regions whose sides are known, and counts found by two routes."""

from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest

from rules.core.errors import Ambiguous, Illegal, Unreadable
from rules.core.match import Match
from rules.core.notation import Cell, read_cells
from rules.core.plane import arrange
from rules.games.polygons import Join, Polygons, PolygonsState, PolygonsView, regions
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import view_of

SIX = "c4 g6 a6 d2 g4 h8"
"""The rulebook's example of a region with a loop inside, in the order joined."""

SATURATED = "i6 h5 a4 i5 h4 a1 d7 g7 g6 b1 b10"
"""Eleven dots that bar every point of a 10 by 10 lattice."""

TEN = "e4 e5 f6 g6 d5 f7 h4 c7 c8 h3"
"""Ten dots that do."""


def dots(names: str) -> tuple[Cell, ...]:
    return read_cells(names, "a1") if names else ()


def placed(names: str, each: int = 3, size: int = 10) -> Match:
    """Return a match with these dots on the lattice, placed in turn."""
    match = Match.start(Polygons(), {"dots": each, "size": size}, 2)
    for dot in dots(names):
        match = match.play(match.to_move[0], str(dot))
    return match


def drawn(names: str, joins: str) -> Match:
    """Return a match in which these dots were placed, and then joined by these moves."""
    match = placed(names)
    for text in joins.split():
        match = match.play(match.to_move[0], text)
    return match


def joined(names: str, each: int = 3, size: int = 10) -> Match:
    """Return a match in which these dots were placed, and then joined in the same order."""
    match = placed(names, each, size)
    for start, end in pairwise(dots(names)):
        match = match.play(match.to_move[0], f"{start}-{end}")
    return match


board = partial(view_of, PolygonsView)


def sides(path: tuple[Cell, ...]) -> list[int]:
    return sorted(region.sides for region in regions(path))


def test_the_pentagram_has_five_triangles_and_a_pentagon() -> None:
    star = dots("d10 g1 a7 h7 b1")
    assert sides(star) == [3, 3, 3, 3, 3, 5]
    state = PolygonsState(3, 10, dots=star, path=star, barred=(1 << 100) - 1)
    assert Polygons().scores(state) == (6, 0)
    assert Polygons().winners(state) == (0,)


def test_the_loop_inside_counts_for_the_region_around_it() -> None:
    match = joined(SIX)
    assert match.scores == (1, 1)
    assert match.winners == (0, 1)
    assert sorted((region.sides, region.owner) for region in board(match).regions) == [(3, 0), (8, 1)]


def test_three_segments_through_one_point_leave_no_sliver() -> None:
    match = joined("f4 b4 c2 e6 c6 e2")
    assert match.scores == (3, 0)
    assert match.winners == (0,)
    corners = {corner for region in board(match).regions for corner in region.walk}
    assert corners == {*dots("f4 b4 c2 e6 c6 e2"), (3, 3)}


@pytest.mark.parametrize(
    ("names", "meeting", "scores"),
    [
        ("d9 j1 c5 f1 b7 c2 d7", "33/13 48/13", (3, 1)),
        ("f4 a9 a6 h7 d5 d4 f8 j9", "11/3 13/3", (4, 1)),
        ("j8 g4 f10 g2 h1 e9 i5 a7", "27/5 33/5", (8, 4)),
        ("f8 j9 b3 c3 b6 f4 c2", "17/5 19/5", (4, 0)),
        ("i5 f9 b10 c3 f5 a6 i2 d4", "26/7 22/7", (4, 2)),
        ("a7 g5 i1 a10 b3 h4 j3 b6", "85/13 38/13", (7, 1)),
        ("d2 j1 b10 b6 i4 f10 g3", "271/47 171/47", (2, 1)),
    ],
)
def test_three_segments_through_a_point_that_no_float_holds(
    names: str, meeting: str, scores: tuple[int, int]
) -> None:
    path = dots(names)
    x, y = map(Fraction, meeting.split())
    graph = arrange(pairwise((*path, path[0])))
    assert len(graph.around[graph.corners.index((x, y))]) == 6
    assert Polygons().scores(PolygonsState(6, 10, path, path, (1 << 100) - 1)) == scores


def test_a_simple_path_has_one_region() -> None:
    match = joined("a1 c2 h1 g5 d9 b6")
    assert [region.sides for region in board(match).regions] == [6]
    assert match.scores == (0, 1)
    assert match.winners == (1,)


def test_nothing_is_scored_before_the_end() -> None:
    match = placed(SIX)
    for start, end in pairwise(dots(SIX)):
        assert match.scores is None
        assert match.winners is None
        assert board(match).regions == ()
        match = match.play(match.to_move[0], f"{start}-{end}")
    assert match.scores is not None


def test_seats_take_turns_and_seat_0_draws_first() -> None:
    match = placed(SIX)
    assert [seat for seat, _ in match.log] == [0, 1, 0, 1, 0, 1]
    assert [seat for seat, _ in joined(SIX).log[6:]] == [0, 1, 0, 1, 0]


@pytest.mark.parametrize(("names", "placers"), [(SATURATED, 11), (TEN, 10)])
def test_placing_ends_when_no_point_is_left(names: str, placers: int) -> None:
    match = placed(names, each=6)
    assert len(match.log) == placers
    assert match.game.phase(match.state) == "join"
    assert match.to_move == (0,)
    legal = match.legal() or ()
    assert len(legal) == placers * (placers - 1)
    end = joined(names, each=6)
    assert end.winners is not None


@refusals_of(lambda row: drawn(row["names"], row["joins"]))
@pytest.mark.parametrize(
    ("names", "joins", "move", "rule", "marks"),
    [
        ("", "", "k1", "off the board", ()),
        ("a1", "", "a11", "off the board", ()),
        ("a1", "", "z99", "off the board", ()),
        ("a1 b3", "", "b3", "taken", ("b3",)),
        ("a1 b2", "", "c3", "three in line", ("a1", "b2")),
        ("a1 c3", "", "b2", "three in line", ("a1", "c3")),
        ("a1 d2 e9", "", "g3", "three in line", ("a1", "d2")),
        ("a1 b3", "", "a1-b3", "phase", ()),
        (SIX, "", "c4-b1", "no dot", ("b1",)),
        (SIX, "", "b1-c4", "no dot", ("b1",)),
        (SIX, "", "c4-c4", "same dot", ("c4",)),
        (SIX, "c4-g6", "c4-a6", "start", ("g6",)),
        (SIX, "c4-g6", "a6-g6", "start", ("g6",)),
        (SIX, "c4-g6", "c4", "joined", ("c4",)),
        (SIX, "c4-g6 g6-a6", "a6-g6", "joined", ("g6",)),
        (SIX, "c4-g6", "b1", "no dot", ("b1",)),
        (SIX, "c4-g6", "g6", "same dot", ("g6",)),
    ],
)
def test_each_refusal_names_its_rule(
    names: str, joins: str, move: str, rule: str, marks: tuple[str, ...]
) -> None:
    match = drawn(names, joins)
    check_refusal(match, match.to_move[0], move, rule, marks, "")


def test_a_dot_that_comes_too_late_is_refused_to_every_seat() -> None:
    with pytest.raises(Illegal) as refused:
        Polygons().apply(placed(SIX).state, 0, Cell(9, 9))
    assert refused.value.rule == "phase"


@pytest.mark.parametrize("text", ["d2", "D 2", "2d", "d-2", "d:2", "`d2`", "Ｄ２"])
def test_a_dot_is_read_generously(text: str) -> None:
    assert placed("c4").play(1, text).log[-1] == (1, "d2")


@pytest.mark.parametrize(
    "text", ["g6-d2", "G6 -> D2", "g6d2", "6g 2d", "g6 to d2", "d2", "2D", "G6, d2", "g6→d2"]
)
def test_a_segment_is_read_generously(text: str) -> None:
    assert placed(SIX).play(0, "c4-g6").play(1, text).log[-1] == (1, "g6-d2")


def test_one_end_of_the_first_segment_is_not_guessed_at() -> None:
    with pytest.raises(Ambiguous) as refused:
        placed(SIX).play(0, "C4")
    assert refused.value.readings == ("h8-c4", "a6-c4", "g6-c4", "g4-c4", "d2-c4")
    assert set(refused.value.readings) <= set(placed(SIX).legal() or ())


@pytest.mark.parametrize("text", ["", "c", "c4-", "c4-g6-a6", "b1", "3-4", "c0-g6", "join c4 g6"])
def test_what_is_no_segment_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        placed(SIX).play(0, text)


@pytest.mark.parametrize("text", ["", "c4-g6-a6", "4", "c0", "dot c4"])
def test_what_is_no_dot_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        placed("a1").play(1, text)


def test_a_join_reads_as_its_record_says() -> None:
    game = Polygons()
    assert game.format(Join(Cell(10, 16), Cell(2, 3))) == "k17-c4"
    assert game.format(Cell(10, 16)) == "k17"
