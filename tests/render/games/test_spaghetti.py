"""Spaghetti: picture and texts hold every meatball, line, crossing, vertex and choice, and the last move."""

import re
from itertools import combinations
from math import dist

import pytest
from hypothesis import given

from render import THEMES, alt, caption, text_board
from render.engine.scene import Dots, Group, Role
from render.engine.theme import SEATS
from render.picture import scene
from rules.core.match import Match, Observation
from rules.core.notation import Cell, letter
from rules.core.prompt import SegmentPrompt
from rules.games import find
from rules.games.spaghetti import SpaghettiView, cheapest
from tests.render.board.test_every_picture import ending
from tests.render.positions import matches, observed, pixels
from tests.rules.walks import played, trials

SPAGHETTI = find("spaghetti")

any_match = matches(SPAGHETTI)

SQUARES = ("a1", "b1", "c1", "d1")
CROSSED = played(SPAGHETTI, *SQUARES, "2-15", "3-14", "1-8", size=4)
"""The third line crosses the two before it."""


def able(match: Match) -> set[int]:
    """Return the vertices where some line may end now."""
    if match.over or match.observe(None).phase == "fill":
        return set()
    return {int(end) for line in match.legal() or () for end in line.split("-")}


@trials(60)
@given(match=any_match)
def test_any_position_is_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, SpaghettiView)
    the_scene_holds_what_the_rules_know(match, seen, view)
    the_rim_is_numbered_and_shows_where_lines_may_end(match, seen, view)
    things_lie_where_they_belong(match, seen, view)
    marks_on_crossings_lie_apart(seen)
    the_text_board_of_squares_says_everything(match, seen, view)
    the_text_board_of_lines_says_everything(match, seen, view)
    the_alt_text_says_everything(match, seen, view)


def the_scene_holds_what_the_rules_know(match: Match, seen: Observation, view: SpaghettiView) -> None:
    names = scene(seen).named()
    assert ending(names, "meatball") == set(map(str, view.filled))
    assert ending(names, "line") == set(map(str, view.lines))
    assert ending(names, "end") == {str(end) for line in view.lines for end in line}
    crossed = {
        f"{line} x {other}"
        for number, line in enumerate(view.lines)
        for other in view.lines[:number]
        if line.crosses(other)
    }
    assert ending(names, "crossing") == crossed
    assert len(crossed) == sum(view.points)
    assert ("last" in names) == bool(view.filled and not match.over)
    legal = match.legal() or ()
    if match.over or seen.phase == "fill":
        assert ending(names, "choice") == set(legal)
    else:
        prompt = match.observe(match.to_move[0]).prompt
        assert isinstance(prompt, SegmentPrompt)
        assert ending(names, "choice") == set(prompt.cheapest)


def the_rim_is_numbered_and_shows_where_lines_may_end(
    match: Match, seen: Observation, view: SpaghettiView
) -> None:
    drawn = scene(seen)
    names = drawn.named()
    numbers = {text.words: text.at for text in drawn.texts() if text.words.isdigit()}
    kinds = {kind: ending(names, kind) for kind in ("used", "open", "closed", "vertex")}
    if match.over:
        assert not any(kinds.values())
        return
    used = {str(end) for line in view.lines for end in line}
    free = set(map(str, able(match)))
    everywhere = {str(vertex) for vertex in range(1, 4 * view.size + 1)}
    assert kinds["used"] == used
    assert kinds["open"] == free
    drawing = seen.phase == "draw"
    assert kinds["closed"] == (everywhere - used - free if drawing else set())
    assert kinds["vertex"] == (set() if drawing else everywhere)
    x, y = names["board"]
    for vertex in everywhere:
        at = next(names[f"{kind} {vertex}"] for kind in kinds if vertex in kinds[kind])
        spot = view.spots[int(vertex) - 1]
        step = (800 - 2 * 68) / view.size
        assert at == pytest.approx((x + 68 + step * spot.column, y + 800 - 68 - step * spot.row))
        # The rings around ends that can be chosen do not reach the numbers.
        assert 40 < dist(numbers[vertex], at) < 46
        assert dist(numbers[vertex], (x + 400, y + 400)) > dist(at, (x + 400, y + 400))


def things_lie_where_they_belong(match: Match, seen: Observation, view: SpaghettiView) -> None:
    names = scene(seen).named()
    edge = 26 if match.over else 68
    step = (800 - 2 * edge) / view.size
    left, top = names["board"]

    def at(column: float, row: float) -> tuple[float, float]:
        return left + edge + step * column, top + 800 - edge - step * row

    squares = view.filled if match.over else (*view.filled, *view.squares)
    for square in squares:
        name = f"meatball {square}" if square in view.filled else f"choice {square}"
        assert names[name] == pytest.approx(at(square.column + 0.5, square.row + 0.5))
    for line in view.lines:
        for end in line:
            assert names[f"end {end}"] == pytest.approx(at(*view.spots[end - 1]))
    for number, line in enumerate(view.lines):
        points = iter(view.crossings[number])
        for other in view.lines[:number]:
            if line.crosses(other):
                x, y = next(points)
                found = names[f"crossing {line} x {other}"]
                # Where marks would lie on one another they have been moved apart.
                assert dist(found, at(float(x), float(y))) < 60


def marks_on_crossings_lie_apart(seen: Observation) -> None:
    names = scene(seen).named()
    marks = [names[f"crossing {crossing}"] for crossing in ending(names, "crossing")]
    if len(marks) < 30:
        assert all(dist(one, other) > 12 for one, other in combinations(marks, 2))
    assert all(dist(one, other) > 4 for one, other in combinations(marks, 2))


def test_later_strands_lie_on_earlier_ones() -> None:
    order = [
        shape.name
        for shape, _, _ in scene(CROSSED.observe(None)).placed()
        if isinstance(shape, Group) and shape.name.startswith("line ")
    ]
    assert order == ["line 2-15", "line 3-14", "line 1-8"]


@pytest.mark.parametrize("theme", THEMES)
def test_marks_are_painted_in_the_colour_of_their_seat(theme: str) -> None:
    at, colours = pixels(CROSSED.observe(None), theme), THEMES[theme]
    for end, seat in ((2, 1), (15, 1), (3, 0), (14, 0), (1, 1), (8, 1)):
        assert at(f"end {end}", 0, 11) == colours.rgb(SEATS[seat])
    # The second player drew the third line, so that its crossings are the first player's.
    assert at("crossing 1-8 x 3-14", 0, 9) == colours.rgb(SEATS[0])
    assert at("meatball b1", 0, 60) in (colours.rgb(Role.MEAT), colours.rgb(Role.CRUST))


def the_text_board_of_squares_says_everything(match: Match, seen: Observation, view: SpaghettiView) -> None:
    if len(view.filled) == view.size:
        return
    rows = text_board(seen).partition("\n\n")[2].splitlines()
    assert rows[view.size].split() == [letter(column) for column in range(view.size)]
    signs = {}
    for row in rows[: view.size]:
        number, *found = row.split()
        for column, sign in enumerate(found):
            signs[Cell(column, int(number) - 1)] = sign
    assert {square for square, sign in signs.items() if sign == "#"} == set(view.filled)
    assert {str(square) for square, sign in signs.items() if sign == "+"} == set(match.legal() or ())
    assert len(signs) == view.size**2


def the_text_board_of_lines_says_everything(match: Match, seen: Observation, view: SpaghettiView) -> None:
    if len(view.filled) < view.size:
        return
    text = text_board(seen)
    rows = text.partition("\n\n")[2].splitlines()[: 2 * view.size + 1]
    signs = {}
    for place, row in enumerate(rows[::2]):
        padded = row.ljust(3 * view.size + 2)
        for column in range(view.size + 1):
            sign = padded[3 * column : 3 * column + 2].strip()
            if sign:
                signs[Cell(column, view.size - place)] = sign
    assert set(signs) == set(view.spots)
    free = able(match)
    for vertex, spot in enumerate(view.spots, 1):
        owner = next((number for number, line in enumerate(view.lines) if vertex in line), None)
        if owner is not None:
            assert signs[spot] == "=O"[owner % 2]
        else:
            assert signs[spot] == (str(vertex) if vertex in free or match.over else "x")
    balls = {
        Cell(found.start() // 3, view.size - 1 - place)
        for place, row in enumerate(rows[1::2])
        for found in re.finditer("##", row)
    }
    assert balls == set(view.filled)
    flat = " ".join(text.split())
    for sign, first in (("O", 1), ("=", 0)):
        assert " ".join((sign, *map(str, view.lines[first::2]))) in flat
    if 0 < len(match.legal() or ()) <= 36:
        assert f"can be drawn: {' '.join(match.legal() or ())}" in flat


def the_alt_text_says_everything(match: Match, seen: Observation, view: SpaghettiView) -> None:
    text = alt(seen)
    balls = re.search(r"Meatballs: ([^.]*)\.", text)
    assert balls is not None
    assert set(re.findall(r"[a-z]\d+", balls[1])) == set(map(str, view.filled))
    for mark, first in (("ring", 1), ("bars", 0)):
        if view.lines:
            drawn = ", ".join(map(str, view.lines[first::2])) or "none"
            assert f"({mark}): {drawn}." in text
    if seen.phase == "draw" and not match.over:
        legal = match.legal() or ()
        listed = re.search(r"Can be drawn: ([^.]*)\.", text)
        assert (set(listed[1].split(", ")) if listed else None) == (set(legal) if len(legal) <= 36 else None)
        assert listed or f"{len(legal)} strands can be drawn." in text
    assert f"points of the rim 1 to {4 * view.size} clockwise from the top left" in text


def test_captions() -> None:
    squares = played(SPAGHETTI, *SQUARES, size=4)
    assert caption(squares.observe(None)) == "a meatball on d1"
    assert caption(squares.play(1, "2-15").observe(None)) == "2-15, crossing nothing"
    second = squares.play(1, "2-15").play(0, "3-14")
    assert caption(second.observe(None)) == "3-14, crossing nothing"
    told = "1-8, crossing 2 strands: 2 points for the first player (ring)"
    assert caption(CROSSED.observe(None)) == told


def test_lines_through_one_point_have_marks_side_by_side() -> None:
    names = scene(played(SPAGHETTI, "b1", "a1", "2-6", "3-8", "1-4", size=2).observe(None)).named()
    places = [names[f"crossing {crossing}"] for crossing in ("3-8 x 2-6", "1-4 x 2-6", "1-4 x 3-8")]
    assert all(15 < dist(one, other) < 40 for one, other in combinations(places, 2))


def test_strands_that_cross_fewest_others_stand_out() -> None:
    """Of the dotted lines with buttons, some cross no strand here and others do."""
    seen, view = observed(played(SPAGHETTI, *SQUARES, "2-15", "1-7", size=4), SpaghettiView)
    drawn = scene(seen)
    strands = {str(line): line for line in cheapest(view.lines, view.choices)}
    costs = {name: sum(line.crosses(other) for other in view.lines) for name, line in strands.items()}
    inks = {
        costs[group.name.removeprefix("choice ")]: dot.ink
        for group, _, _ in drawn.placed()
        if isinstance(group, Group) and group.name.startswith("choice ")
        for dot in group.shapes[:1]
        if isinstance(dot, Dots)
    }
    assert len(inks) > 1
    assert [cost for cost, ink in inks.items() if ink is Role.INK] == [min(costs.values())]
    assert f"the cheapest 14 of {len(view.choices)} strands" in [text.words for text in drawn.texts()]
