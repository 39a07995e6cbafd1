"""X's and Lines: picture and texts hold every x and line, the pen, every line that may be drawn and the last move."""

import re
from itertools import pairwise

import pytest
from hypothesis import given

from render import THEMES, alt, caption, text_board
from render.engine.scene import Group
from render.engine.theme import SEATS
from render.picture import scene
from rules.core.lattice import between
from rules.core.match import Match, Observation
from rules.core.notation import Cell, letters_of
from rules.games import find
from rules.games.xlines import XLinesView
from tests.render.board.test_every_picture import ending
from tests.render.positions import matches, observed, pixels, signs_of
from tests.rules.walks import played, trials

XLINES = find("xlines")

any_match = matches(XLINES)


def texts(cells: object) -> set[str]:
    assert isinstance(cells, tuple)
    return set(map(str, cells))


@trials(100)
@given(match=any_match)
def test_any_position_is_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, XLinesView)
    the_scene_holds_what_the_rules_know(seen, view)
    what_can_be_played_is_offered(match, seen, view)
    it_is_told_how_many_are_done(match, seen, view)
    every_line_bears_the_mark_of_its_seat(seen, view)
    the_poster_shows_the_pencil_of_whoever_lost(match, seen)
    the_line_that_lost_the_game_is_named(match, seen)
    the_text_board_says_everything(match, seen, view)
    the_alt_text_says_everything(match, seen, view)


def the_scene_holds_what_the_rules_know(seen: Observation, view: XLinesView) -> None:
    names = scene(seen).named()
    assert ending(names, "used") == texts(view.used)
    assert ending(names, "x") == texts(view.xs) - texts(view.used)
    numbers = {str(number + 1) for number in range(len(view.lines))}
    assert ending(names, "line") == ending(names, "owner") == numbers
    assert ending(names, "pen") == ({str(view.pen)} if view.pen else set())
    assert ("last" in names) == bool(view.xs)
    if view.xs:
        assert names["last"] == names[f"used {view.pen}" if view.pen else f"x {view.xs[-1]}"]


def what_can_be_played_is_offered(match: Match, seen: Observation, view: XLinesView) -> None:
    drawn = scene(seen)
    names = drawn.named()
    legal = set(match.legal() or ())
    first_line = len(view.xs) == view.size and not view.lines
    assert ending(names, "choice") == (set() if first_line else legal)
    ends = {line.rpartition("-")[2] for line in legal if "-" in line}
    assert ending(names, "target") == ends
    labels = [text.words for text in drawn.texts()]
    assert {word for word in labels if re.fullmatch(r"[a-l]\d+", word)} == ends
    letters = letters_of([str(line) for line in view.open]) if view.pen and legal else {}
    assert sorted(word for word in labels if re.fullmatch("[A-Z]", word)) == sorted(letters.values())


def it_is_told_how_many_are_done(match: Match, seen: Observation, view: XLinesView) -> None:
    done = f"{len(view.used or view.xs)} of {view.size} x's {'on the trail' if view.used else 'placed'}"
    words = [text.words for text in scene(seen).texts()]
    for told in (done, "the last line loses"):
        assert (told in words) == (told in text_board(seen)) == (not match.over)
    assert ("the last line loses" in alt(seen)) == (not match.over)


def every_line_bears_the_mark_of_its_seat(seen: Observation, view: XLinesView) -> None:
    drawn = scene(seen)
    groups = {shape.name: shape for shape, _, _ in drawn.placed() if isinstance(shape, Group)}
    for number in range(len(view.lines)):
        inks = {getattr(shape, "ink", None) for shape in groups[f"line {number + 1}"].shapes}
        assert SEATS[number % 2] in inks
        assert SEATS[1 - number % 2] not in inks


def the_poster_shows_the_pencil_of_whoever_lost(match: Match, seen: Observation) -> None:
    pencils = ending(scene(seen).named(), "pencil")
    if match.winners is None or len(match.winners) > 1:
        assert pencils == set()
    else:
        assert pencils == {str(1 - match.winners[0])}


def the_line_that_lost_the_game_is_named(match: Match, seen: Observation) -> None:
    words = {text.words for text in scene(seen).texts()}
    lost = match.log[-1].text if match.over and match.log and "-" in match.log[-1].text else None
    assert {word for word in words if re.fullmatch(r"[a-z0-9-]+ loses", word)} == (
        set() if lost is None else {f"{lost} loses"}
    )


@pytest.mark.parametrize("theme", THEMES)
def test_lines_are_painted_in_the_colour_of_their_seat(theme: str) -> None:
    seen = played(XLINES, "a1", "c1", "c4", "d4", "a1-c1", "c1-c4", size=4).observe(None)
    names, at = scene(seen).named(), pixels(seen, theme)
    for start, end, seat in (("a1", "c1", 0), ("c1", "c4", 1)):
        (x1, y1), (x2, y2) = names[f"used {start}"], names[f"used {end}"]
        across, down = round((x2 - x1) * 0.3), round((y2 - y1) * 0.3)
        near = {at(f"used {start}", across + dx, down + dy) for dx in range(-4, 5) for dy in range(-4, 5)}
        assert THEMES[theme].rgb(SEATS[seat]) in near


def the_text_board_says_everything(match: Match, seen: Observation, view: XLinesView) -> None:
    text = text_board(seen)
    signs = signs_of(text, view.size, view.size)
    legal = set(match.legal() or ())
    assert {str(cell) for cell in signs if signs[cell] == "+"} == {move for move in legal if "-" not in move}
    assert {str(cell) for cell in signs if signs[cell] == "X"} == {
        line.rpartition("-")[2] for line in legal if "-" in line
    }
    assert {cell for cell in signs if signs[cell] in "xX*@"} == set(view.xs)
    assert {cell for cell in signs if signs[cell] in "*@"} == set(view.used)
    assert [cell for cell in signs if signs[cell] == "@"] == ([view.pen] if view.pen else [])
    assert re.findall(r"[O=] ([a-l]\d+(?:-[a-l]\d+){1,2})", text) == [str(line) for line in view.lines]
    assert {cell for cell in signs if signs[cell] not in "+.xX*@"} == run_over(view)
    if view.pen is not None and legal:
        listed = text.partition("To draw:\n")[2].partition("\n\n")[0].split()
        assert [it for it in listed if "-" in it] == list(map(str, view.open))
        assert [it for it in listed if "-" not in it] == [*letters_of([*map(str, view.open)]).values()]


def the_alt_text_says_everything(match: Match, seen: Observation, view: XLinesView) -> None:
    text = alt(seen)
    assert f"A board of {view.size} columns and {view.size} rows." in text
    free = re.search(r"X's (?:placed|without a line): ([^.]*)\.", text)
    assert set(free[1].split(", ") if free else ()) == texts(view.xs) - texts(view.used)
    drawn = re.findall(r"(\S+) \((ring|bars)\)[,.]", text)
    assert drawn == [(str(line), ("ring", "bars")[number % 2]) for number, line in enumerate(view.lines)]
    ways = re.search(r"Lines to draw: ([^.]*)\.", text)
    if ways is not None:
        letters = letters_of(match.legal() or ())
        assert ways[1].split(", ") == [
            f"{letters[line]} {line}" if letters else line for line in match.legal() or ()
        ]
    elif not match.over:
        missing = view.size - len(view.xs)
        told = f"{missing} of {view.size} x's" if missing else "from any x to any other"
        assert told in text


def test_captions() -> None:
    xs = ("a1", "c1", "c4", "d4")
    assert caption(played(XLINES, "c4").observe(None)) == "an x on c4"
    assert caption(played(XLINES, *xs, "a1-a4-c4", size=4).observe(None)) == "the line a1-a4-c4"


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("a2 c2 c1 a2-c2 c2-c1", "the second player (bars) drew the last line: every x is on the trail"),
        ("c2 c3 c1 c2-c1", "the first player (ring) drew the last line: from c1 no x can be reached"),
    ],
)
def test_the_reason_of_the_end_is_told(moves: str, reason: str) -> None:
    seen = played(XLINES, *moves.split(), size=3).observe(None)
    assert f"has won: {reason}." in alt(seen)
    assert reason in [text.words for text in scene(seen).texts()]


def test_the_end_shows_where_every_way_on_is_blocked() -> None:
    """From f1 the way up meets an x, and both ways to c5, like those to b6, meet the line in row 2."""
    moves = ("f1", "b6", "c5", "f2", "c3", "a6", "a6-a2-f2", "f2-f1")
    drawn = scene(played(XLINES, *moves, size=6).observe(None))
    names = drawn.named()
    (left, low), (right, _) = names["used f1"], names["used a6"]
    cell = (left - right) / 5
    found = {
        (round(6 + (names[name][0] - left) / cell, 1), round(1 + (low - names[name][1]) / cell, 1))
        for name in names
        if name.startswith("blocked ")
    }
    assert found == {(6.0, 1.6), (3.0, 2.0), (2.0, 2.0)}
    assert "no way on" in [text.words for text in drawn.texts()]
    used_up = scene(played(XLINES, "a2", "c2", "c1", "a2-c2", "c2-c1", size=3).observe(None))
    assert not any(name.startswith("blocked ") for name in used_up.named())


def test_the_owner_of_a_line_of_one_cell_stands_beside_it() -> None:
    """On the board, and clear of the line and of the x's; that of a longer line stands on the line."""
    moves = ("a3", "a4", "b4", "b1", "e5", "f6", "a3-a4", "a4-b4", "b4-b1")
    names = scene(played(XLINES, *moves, size=6).observe(None)).named()
    (left, low), (right, high) = names["used a3"], names["used b4"]
    cell = right - left
    column, row = names["owner 1"]
    assert abs(row - (low + high) / 2) < 1
    assert column - left == pytest.approx(0.42 * cell)
    column, row = names["owner 2"]
    assert abs(column - (left + right) / 2) < 1
    assert abs(row - high) == pytest.approx(0.42 * cell)
    assert names["owner 3"][0] == pytest.approx(right, abs=1)


def test_the_last_picture_has_the_proportions_of_those_before() -> None:
    before = played(XLINES, "a2", "c2", "c1", "a2-c2", size=3)
    running, last = scene(before.observe(None)), scene(before.play(1, "c2-c1").observe(None))
    assert last.height > running.height
    assert last.width / last.height == pytest.approx(running.width / running.height, rel=0.01)


def run_over(view: XLinesView) -> set[Cell]:
    """Return the cells without an x that lines lead through."""
    found: set[Cell] = set()
    for start, corner, end in view.lines:
        turn = [] if corner is None else [corner]
        stops = [start, *turn, end]
        found.update(turn)
        for here, there in pairwise(stops):
            found.update(between(here, there))
    return found
