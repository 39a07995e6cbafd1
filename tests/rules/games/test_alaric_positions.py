"""Alaric, position by position: every way to capture, what is forbidden for how long, and how it ends."""

from dataclasses import replace
from functools import partial

import pytest

from rules.core.errors import Illegal, Unreadable
from rules.core.match import Match
from rules.games.alaric import Alaric, AlaricState, AlaricView, Position
from tests.rules.refusals import refusals_of
from tests.rules.walks import view_of

SIGNS = {".": None, "X": 0, "O": 1}


def position(cells: str, mover: int, forbidden: tuple[int, ...] = ()) -> AlaricState:
    """Return a state from a picture of the ring, cell 1 first; `forbidden` counts from 1."""
    return AlaricState.of(
        Position(tuple(SIGNS[sign] for sign in cells), frozenset(cell - 1 for cell in forbidden), mover)
    )


def picture(state: AlaricState) -> str:
    return "".join(".XO"[0 if owner is None else owner + 1] for owner in state.now.stones)


def played(size: int, *cells: int) -> Match:
    match = Match.start(Alaric(), {"size": size}, 2)
    for ply, cell in enumerate(cells):
        match = match.play(ply % 2, str(cell))
    return match


def standing(state: AlaricState) -> Match:
    """Return a match that stands in this state, however it came there."""
    return replace(Match.start(Alaric(), {"size": len(state.now.stones)}, 2), state=state)


board = partial(view_of, AlaricView)


@pytest.mark.parametrize(
    ("before", "mover", "cell", "after", "forbidden"),
    [
        pytest.param("XOO...", 0, 4, "X..X..", (2, 3), id="one side"),
        pytest.param(".OO...", 0, 1, "XOO...", (), id="a run that is open on the far side stays"),
        pytest.param("X.OX..", 0, 2, "XX.X..", (3,), id="towards higher numbers"),
        pytest.param("XO.OX.", 0, 3, "X.X.X.", (2, 4), id="both sides at once"),
        pytest.param("XOO.O.X", 0, 4, "X..XO.X", (2, 3), id="one side bounded, the other open"),
        pytest.param("O..XO", 0, 2, ".X.X.", (1, 5), id="across the seam of the numbering"),
        pytest.param("OOO.", 0, 4, "...X", (1, 2, 3), id="the new stone at both ends, all the way round"),
        pytest.param("OO.O", 0, 3, "..X.", (1, 2, 4), id="all the way round, from the middle of the numbers"),
        pytest.param("X.", 1, 2, ".O", (1,), id="the smallest ring that captures"),
        pytest.param("O.X.", 0, 2, "OXX.", (), id="a run with a gap before the far end stays"),
        pytest.param("XO..", 0, 4, "XO.X", (), id="a gap beside the new stone"),
        pytest.param("X.X..", 1, 2, "XOX..", (), id="no suicide"),
        pytest.param("X.X", 1, 2, ".O.", (1, 3), id="on the last cell the ring itself is the trap"),
        pytest.param("XOX..", 0, 4, "XOXX.", (), id="a surrounded stone that is left alone stays"),
        pytest.param("XOX.OX.", 0, 4, "XOXX.X.", (5,), id="it stays while another run is taken"),
        pytest.param("XO.OX", 0, 3, "X.X.X", (2, 4), id="it falls when a new stone encloses it"),
    ],
)
def test_what_a_stone_captures(
    before: str, mover: int, cell: int, after: str, forbidden: tuple[int, ...]
) -> None:
    state = Alaric().apply(position(before, mover), mover, cell - 1)
    assert picture(state) == after
    assert state.now.mover == 1 - mover
    assert {cell + 1 for cell in state.now.forbidden} == set(forbidden)


def test_a_stone_left_between_two_others_falls_only_when_one_of_them_is_new() -> None:
    game = Alaric()
    state = position("X.X.....", 1)
    pictures = []
    for cell in (2, 5, 4, 8, 6, 3):
        state = game.apply(state, state.now.mover, cell - 1)
        pictures.append(picture(state))
    assert pictures == [
        "XOX.....",  # into the trap: no suicide
        "XOX.X...",
        "XO.OX...",  # one of the captors falls
        "XO.OX..X",
        "XO.O.O.X",
        "X.XO.O.X",  # it comes back, and now it captures
    ]


@refusals_of(lambda row: standing(row["state"]))
@pytest.mark.parametrize(
    ("state", "move", "rule", "marks"),
    [
        (position("X.O.", 0), "9", "off the ring", ()),
        (position("X.O.", 0), "0", "off the ring", ()),
        (position("X.O.", 0), "3", "taken", ("3",)),
        (position("X.O.", 0), "1", "taken", ("1",)),
        (position("X.O.", 0, (2, 4)), "4", "forbidden", ()),
    ],
)
def test_each_refusal_names_its_rule(
    state: AlaricState, move: str, rule: str, marks: tuple[str, ...]
) -> None:
    game = Alaric()
    with pytest.raises(Illegal) as refused:
        game.apply(state, 0, game.parse(state, 0, move))
    assert refused.value.rule == rule
    assert refused.value.marks == marks
    assert move in str(refused.value)


def test_emptied_cells_are_forbidden_to_their_owner_for_one_move() -> None:
    captured = played(6, 1, 2, 3)
    assert board(captured).taken == board(captured).forbidden == (2,)
    assert captured.legal() == ("4", "5", "6")
    with pytest.raises(Illegal) as refused:
        captured.play(1, "2")
    assert (refused.value.rule, refused.value.marks) == ("forbidden", ("3",))
    assert str(refused.value).endswith("because the stone on 3 has just captured yours there.")
    later = captured.play(1, "5")
    assert later.legal() == ("2", "4", "6")
    assert later.play(0, "6").play(1, "2").log[-1] == (1, "2")


def test_the_capturer_may_play_on_the_emptied_cell_at_once() -> None:
    assert picture(played(6, 1, 2, 3, 5, 2).state) == "XXX.O."


def test_it_ends_when_only_forbidden_cells_are_left() -> None:
    match = played(2, 1, 2)
    assert picture(match.state) == ".O"
    assert match.legal() == ()
    assert (match.scores, match.winners) == ((0, 1), (1,))


def test_equal_numbers_of_stones_are_a_draw() -> None:
    match = played(6, 1, 2, 5, 4, 6, 3)
    assert match.scores is not None
    assert match.scores[0] == match.scores[1]
    assert match.winners == (0, 1)
    assert not board(match).endless


def test_the_third_time_a_position_stands_is_a_draw_whatever_the_score() -> None:
    lead_in, circle = (1, 2, 5, 4, 6), (7, 3, 8, 6, 2, 5)
    second = played(8, *lead_in, *circle)
    assert picture(second.state) == picture(played(8, *lead_in).state) == "XO.OXX.."
    assert not second.over
    almost = played(8, *lead_in, *circle, *circle[:-1])
    assert not almost.over
    third = almost.play(0, str(circle[-1]))
    assert third.over
    assert third.scores == (3, 2)
    assert third.winners == (0, 1)
    assert board(third).endless
    assert third.legal() == ()


def test_the_same_stones_with_other_forbidden_cells_are_another_position() -> None:
    once = position("XO.OXX..", 1)
    stood = (once.now, position("XO.OXX..", 1, (3,)).now, position("XO.OXX..", 0).now)
    assert not AlaricState.of(once.now, stood).endless
    assert AlaricState.of(once.now, (*stood, once.now)).endless


@pytest.mark.parametrize("text", ["7", " 7 ", "#7", "# 7", "7.", "07", "`7`", "７", "⑦"])
def test_a_cell_is_read_generously(text: str) -> None:
    assert played(13, 1).play(1, text).log[-1] == (1, "7")


@pytest.mark.parametrize(
    "text", ["", "seven", "-7", "7 8", "7-8", "a7", "1e1", "+7", "0x7", "7.0", "٧", "7777777"]
)
def test_what_is_no_number_is_not_guessed_at(text: str) -> None:
    with pytest.raises(Unreadable):
        played(13, 1).play(1, text)
