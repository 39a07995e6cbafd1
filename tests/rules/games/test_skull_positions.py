"""Skull, position by position: the one in the post, and one for every reason to refuse a skull."""

from functools import partial

import pytest

from rules.core.errors import Illegal, Unreadable
from rules.games.skull import Skull, SkullView
from tests.rules.refusals import check_refusal, refusals_of
from tests.rules.walks import played as after
from tests.rules.walks import view_of

POSTED = """
    O . O O O .
    O . . . O .
    O O O . O O
    . . O . . O
    . . O O O O
"""
LEGAL_ORDER = "a5 a4 a3 b3 c3 c2 c1 d1 e1 f1 f2 f3 e3 e4 e5 d5 c5"


played = partial(after, Skull(), width=6, height=5)


def diagram(view: SkullView) -> list[list[str]]:
    rows = [["."] * view.width for _ in range(view.height)]
    for column, row in view.path:
        rows[view.height - 1 - row][column] = "O"
    return rows


board = partial(view_of, SkullView)


def test_the_posted_position_is_lost() -> None:
    match = played(*LEGAL_ORDER.split())
    assert diagram(board(match)) == [line.split() for line in POSTED.split("\n")[1:-1]]
    assert match.legal() == ()
    assert match.to_move == ()
    assert len(match.log) == 17
    assert match.winners == (0,)
    assert match.scores is None


def test_the_posted_position_would_not_be_lost_if_branches_were_allowed() -> None:
    skulls = set(LEGAL_ORDER.split())
    beside_one = [
        f"{column}{row}"
        for column in "abcdef"
        for row in range(1, 6)
        if f"{column}{row}" not in skulls and len(skulls & beside(column, row)) == 1
    ]
    assert beside_one == ["a2", "b1", "f5"]
    for cell in beside_one:
        state = played(*LEGAL_ORDER.split()).state
        with pytest.raises(Illegal) as refused:
            Skull().apply(state, 1, Skull().parse(state, 1, cell))
        assert refused.value.rule == "branch"


def beside(column: str, row: int) -> set[str]:
    left, right = chr(ord(column) - 1), chr(ord(column) + 1)
    return {f"{left}{row}", f"{right}{row}", f"{column}{row - 1}", f"{column}{row + 1}"}


@refusals_of(lambda row: played(*row["cells"].split()))
@pytest.mark.parametrize(
    ("cells", "move", "rule", "marks", "says"),
    [
        ("", "g1", "off the board", (), "a1 to f5"),
        ("", "a6", "off the board", (), "a1 to f5"),
        ("c3", "z99", "off the board", (), "a1 to f5"),
        ("c3", "c3", "taken", ("c3",), "already holds a skull"),
        ("c3 c4", "c3", "taken", ("c3",), "already holds a skull"),
        ("c3", "a1", "apart", (), "beside no skull"),
        ("c3", "d4", "apart", (), "lengthen the path at c3"),
        ("c3 c4", "d5", "apart", (), "lengthen the path at c3 or c4"),
        ("c3 c4 d4", "d3", "touches itself", ("d4", "c3"), "touches 2 skulls (d4, c3)"),
        ("a1 a2 b2 c2", "b1", "touches itself", ("b2", "a1"), "may touch only one"),
        ("c3 c4 c5", "d4", "branch", ("c4",), "make the path branch at c4"),
        ("c3 c4 c5 c2", "b3", "branch", ("c3",), "lengthen the path at c2 or c5"),
    ],
)
def test_each_refusal_names_its_rule(
    cells: str, move: str, rule: str, marks: tuple[str, ...], says: str
) -> None:
    match = played(*cells.split())
    check_refusal(match, match.to_move[0], move, rule, marks, says)


@pytest.mark.parametrize(
    ("cells", "legal"),
    [
        ("c3", "c4 b3 d3 c2"),
        ("c3 c4", "c5 b4 d4 b3 d3 c2"),
        ("c3 c4 d4", "d5 e4 b3 c2"),
        ("a1", "a2 b1"),
        ("a1 b1", "a2 b2 c1"),
        ("c3 c4 d4 e4 e3", "b3 f3 c2 e2"),
    ],
)
def test_legal_cells_run_from_the_top_row_down(cells: str, legal: str) -> None:
    assert played(*cells.split()).legal() == tuple(legal.split())


def test_forbidden_neighbours_come_with_their_reasons() -> None:
    match = played("c3", "c4", "d4", "e4", "e3")
    assert {move: (refusal.rule, refusal.marks) for move, refusal in match.refusals()} == {
        "c5": ("branch", ("c4",)),
        "d5": ("branch", ("d4",)),
        "e5": ("branch", ("e4",)),
        "b4": ("branch", ("c4",)),
        "f4": ("branch", ("e4",)),
        "d3": ("touches itself", ("d4", "e3", "c3")),
    }
    assert played("c3").refusals() == ()
    assert match.play(0, "resign").refusals() == ()


def test_the_path_grows_at_the_end_that_was_chosen() -> None:
    view = board(played("c3", "c4", "c2", "d4"))
    assert [str(cell) for cell in view.path] == ["c2", "c3", "c4", "d4"]
    assert {str(cell) for cell in view.ends} == {"c2", "d4"}
    assert str(view.last) == "d4"


def test_the_smallest_board_is_won_with_the_first_skull() -> None:
    match = played("a1", width=1, height=1)
    assert match.winners == (0,)


@pytest.mark.parametrize(
    "text", ["c4", "C4", " c 4 ", "4c", "c-4", "c,4", "`c4`", '"c4"', "Ｃ４", "c04", "C.4"]
)
def test_a_cell_is_read_generously(text: str) -> None:
    assert played("c3").play(1, text).log[-1] == (1, "c4")


@pytest.mark.parametrize(
    "text", ["", "   ", "c", "4", "cc4", "c4 d4", "c0", "c-", "c4-c5", "c1000", "ç4", "c٤"]
)
def test_what_is_no_cell_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        played("c3").play(1, text)
