"""Alaric: picture and texts hold every stone, forbidden cell and choice, and the last move."""

import math
import re

import pytest
from hypothesis import given

from render import THEMES, alt, caption, text_board
from render.engine.scene import Group
from render.engine.theme import SEATS
from render.picture import scene
from rules.core.match import Match, Observation
from rules.games import find
from rules.games.alaric import AlaricView
from tests.render.board.test_every_picture import ending
from tests.render.positions import matches, observed, pixels
from tests.rules.walks import played, trials

ALARIC = find("alaric")

any_match = matches(ALARIC)


def stones(view: AlaricView, seat: int | None) -> set[int]:
    return {cell for cell, owner in enumerate(view.stones, 1) if owner == seat}


@trials(150)
@given(match=any_match)
def test_any_position_is_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, AlaricView)
    the_scene_holds_what_the_rules_know(match, seen, view)
    every_cell_has_its_number_beside_it(seen, view)
    the_text_board_says_everything(match, seen, view)
    the_alt_text_says_everything(seen, view)


def the_scene_holds_what_the_rules_know(match: Match, seen: Observation, view: AlaricView) -> None:
    names = scene(seen).named()
    assert numbers(names, "stone") == stones(view, 0) | stones(view, 1)
    assert numbers(names, "forbidden") == set(view.forbidden)
    words = {text.words for text in scene(seen).texts()}
    meaning = "just captured" if match.over else "not this turn"
    assert (meaning in words) == bool(view.forbidden)
    assert ("the one before" in words) == ("last move" in words) == ("before" in names)
    assert numbers(names, "taken") == set(view.taken)
    captor = "by it" if "before" in names else "before"
    assert {word for word in words if re.fullmatch("captured .*", word)} == (
        {f"captured {captor}"} if numbers(names, "lost") else set()
    )
    assert ending(names, "choice") == set(match.legal() or ())
    assert ("last" in names) == (view.last is not None)
    if view.last is not None:
        assert names["last"] == names[f"stone {view.last}"]


def every_cell_has_its_number_beside_it(seen: Observation, view: AlaricView) -> None:
    size = len(view.stones)
    drawn = scene(seen)
    labels = {text.words: text.at for text in drawn.texts() if text.words.isdigit()}
    assert set(labels) == {str(cell) for cell in range(1, size + 1)}
    x, y = drawn.named()["board"]
    unit = next(
        shape.scale for shape, _, _ in drawn.placed() if isinstance(shape, Group) and shape.name == "board"
    )
    middle = 400 * unit
    for cell in range(1, size + 1):
        across, down = labels[str(cell)][0] - x - middle, labels[str(cell)][1] - y - middle
        assert math.atan2(across, -down) % (2 * math.pi) == pytest.approx(2 * math.pi * (cell - 1) / size)


@pytest.mark.parametrize("theme", THEMES)
def test_stones_are_painted_in_the_colour_of_their_seat(theme: str) -> None:
    at = pixels(played(ALARIC, "1", "5", "9", "12").observe(None), theme)
    for cell, seat in ((1, 0), (5, 1), (9, 0), (12, 1)):
        assert at(f"stone {cell}", 0, 36) == THEMES[theme].rgb(SEATS[seat])


def the_text_board_says_everything(match: Match, seen: Observation, view: AlaricView) -> None:
    found = re.findall(r"([ \[])([ \d]\d)([O=x+.])", text_board(seen).partition("\n\n")[2])
    signs = {int(number): sign for _, number, sign in found}
    assert sorted(signs) == list(range(1, len(view.stones) + 1))
    assert len(found) == len(signs)
    assert {cell for cell in signs if signs[cell] == "O"} == stones(view, 0)
    assert {cell for cell in signs if signs[cell] == "="} == stones(view, 1)
    assert {cell for cell in signs if signs[cell] == "x"} == set(view.forbidden)
    assert {str(cell) for cell in signs if signs[cell] == "+"} == set(match.legal() or ())
    assert [int(number) for bracket, number, _ in found if bracket == "["] == (
        [view.last] if view.last else []
    )


def test_the_text_ring_is_a_ring() -> None:
    for size in range(1, 41):
        rows = text_board(played(ALARIC, size=size).observe(None)).partition("\n\n")[2].splitlines()
        places = {
            int(found[1]): (found.start() / 6, line)
            for line, row in enumerate(rows)
            for found in re.finditer(r"(\d+)\+", row)
        }
        for cell in range(1, size + 1):
            (x, y), (next_x, next_y) = places[cell], places[cell % size + 1]
            assert max(abs(next_x - x), abs(next_y - y)) < 1.5


def the_alt_text_says_everything(seen: Observation, view: AlaricView) -> None:
    text = alt(seen)
    assert cells(text, r"The first player \(ring\)") == stones(view, 0)
    assert cells(text, r"The second player \(bars\)") == stones(view, 1)
    assert cells(text, "Playable") | cells(text, "Empty") == stones(view, None) - set(view.forbidden)
    assert cells(text, "Forbidden now") == set(view.forbidden)
    assert f"A ring of {len(view.stones)} cell" in text


def test_captions() -> None:
    assert caption(played(ALARIC, "7").observe(None)) == "7"
    capture = played(ALARIC, "5", "3", "8", "4", "2", size=9)
    assert caption(capture.observe(None)) == "2, capturing 3 and 4"


def test_cells_from_which_stones_are_captured_say_how_many() -> None:
    match = played(ALARIC, "5", "3", "8", "4", size=9)
    drawn = scene(match.observe(None))
    unit = next(
        shape.scale for shape, _, _ in drawn.placed() if isinstance(shape, Group) and shape.name == "board"
    )
    choices = {cell: drawn.named()[f"choice {cell}"] for cell in numbers(drawn.named(), "choice")}
    gains = {
        cell: text.words
        for text in drawn.texts()
        if text.words.startswith("+")
        for cell, at in choices.items()
        if math.dist(at, text.at) < 100 * unit
    }
    assert gains == {2: "+2"}
    captured = len(observed(match.play(0, "2"), AlaricView)[1].taken)
    assert captured == 2


def test_a_third_repetition_is_told() -> None:
    lead_in, circle = ["1", "2", "5", "4", "6"], ["7", "3", "8", "6", "2", "5"]
    seen = played(ALARIC, *lead_in, *circle, *circle, size=8).observe(None)
    reason = "the same position stood for the third time"
    assert f"A draw: {reason}; the score is 3 to 2." in alt(seen)
    words = [text.words for text in scene(seen).texts()]
    assert reason in words
    assert "a draw 3 : 2" in words


def cells(text: str, label: str) -> set[int]:
    """Return the numbers that follow a label, like `1, 4 to 7`."""
    found = re.search(label + r": ([^.]*)\.", text)
    if found is None or found[1] == "none":
        return set()
    spans = [[int(end) for end in span.split(" to ")] for span in found[1].split(", ")]
    return {cell for span in spans for cell in range(span[0], span[-1] + 1)}


def numbers(names: dict[str, tuple[float, float]], kind: str) -> set[int]:
    return {int(name) for name in ending(names, kind)}


def test_the_player_without_a_move_is_named() -> None:
    seen = played(ALARIC, "1", "2", "4", "3", size=4).observe(None)
    reason = "the first player (ring) cannot move: 1 and 4 were just captured"
    assert f"The second player (bars) has won: {reason}; the score is 2 to 0." in alt(seen)
    drawn = {text.words for text in scene(seen).texts()}
    assert "no cell is left: the crossed-out ones were just captured" in drawn


def test_the_player_on_turn_is_told_why_cells_are_crossed_out() -> None:
    match = played(ALARIC, "1", "2", size=4)
    (asked, then) = (it.game.prompt(it.state, it.to_move[0] or 0).ask for it in (match, match.play(0, "3")))
    assert "crossed-out" not in asked.lower()
    assert "Crossed-out cells are forbidden this turn" in then
