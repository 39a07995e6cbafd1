"""Maze: picture and texts hold every wall, point, section and choice, the string and the last move."""

import math
import random
import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, box

from render import THEMES, alt, caption, text_board
from render.board.game_board import draw_board
from render.board.seats import SEAT_MARKS
from render.engine import fonts
from render.engine.scene import Disc, Group, Mix, Point, Role, Scene, Stroke
from render.engine.theme import SEATS
from render.games.maze.drawing import FEW, Grid, drawable
from render.picture import scene
from rules.core.match import Match, Observation
from rules.core.notation import Cell
from rules.core.plane import crosses, orientation
from rules.core.sections import plan
from rules.core.walls import walls
from rules.games import find
from rules.games.maze.state import MazeView
from tests.render.board.test_every_picture import ending
from tests.render.positions import matches, observed, pixels
from tests.rules.walks import finish, played, trials

MAZE = find("maze")

any_match = matches(MAZE)

DRAWN = ("d5-d2", "a5-c3", "d1-c4", "d1-b3", "d1-b2")
"""Moves after which the maze of size 4 is drawn."""


def filling(size: int, players: int, fills: int, seed: int) -> Match:
    """Return a match with this number of sections filled."""
    chance = random.Random(seed)
    match = Match.start(MAZE, {"size": size}, players)
    while not observed(match, MazeView)[1].sections:
        match = finish(match, chance, len(match.log) + 1)
    return finish(match, chance, len(match.log) + fills)


sizes = st.sampled_from((2, 3, 3, 4, 4, 4, 5, 5, 8))
fillings = st.builds(filling, sizes, st.integers(2, 6), st.integers(0, 60), st.integers(0, 999))


@trials(60)
@given(match=any_match | fillings)
def test_any_position_is_drawn(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, MazeView)
    the_scene_holds_what_the_rules_know(match, seen, view)
    numbers_beside_sections_cover_no_dot(scene(seen))


def numbers_beside_sections_cover_no_dot(drawn: Scene) -> None:
    """Sections too small for their numbers have a dot each, and their numbers stand nearby."""
    at = drawn.named()
    dots = [at[name] for name in at if name.startswith(("choice ", "section ")) and _has_dot(drawn, name)]
    for text in drawn.texts():
        left, top, right, bottom = fonts.box(text)
        assert not any(left < x < right and top < y < bottom for x, y in dots), text.words


def _has_dot(drawn: Scene, name: str) -> bool:
    groups = [it for it, _, _ in drawn.placed() if isinstance(it, Group) and it.name == name]
    return any(isinstance(shape, Disc) and shape.at == (0, 0) for shape in groups[0].shapes)


def the_scene_holds_what_the_rules_know(match: Match, seen: Observation, view: MazeView) -> None:
    names = scene(seen).named()
    legal = match.legal() or ()
    assert ending(names, "wall") == set(map(str, view.walls))
    if view.sections:
        owners = [section.owner for section in view.sections]
        assert ending(names, "choice") == set(legal)
        assert numbers(ending(names, "filled")) == {
            number for number, owner in enumerate(owners, 1) if owner is not None
        }
        assert numbers(ending(names, "section")) == {
            number for number, owner in enumerate(owners, 1) if owner is None and str(number) not in legal
        }
        assert len(ending(names, "string")) == len(view.strings)
        for number, string in enumerate(view.strings, 1):
            assert names[f"string {number}"] == names[f"filled {string[0]}"]
        over = [string[-1] for string in (view.strings if view.ended else view.strings[:-1])]
        assert numbers(ending(names, "point")) == set(over)
        assert len(over) == sum(match.scores or ())
    else:
        table = walls(view.size)
        assert ending(names, "choice") == (set(legal) if len(legal) <= 20 else set())
        assert ending(names, "start") == {move.partition("-")[0] for move in legal}
        assert ending(names, "untouched") == set(map(str, view.untouched))
        assert ending(names, "touched") == set(map(str, table.vertices)) - set(map(str, view.untouched))
    if view.string:
        assert names["last"] == names[f"filled {view.string[-1]}"]
    elif view.walls:
        assert names["last"] == names[f"wall {view.walls[-1]}"]
    else:
        assert "last" not in names


@trials(60)
@given(match=any_match)
def test_any_drawing_is_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, MazeView)
    the_segments_that_can_be_drawn_are_the_referees(match, seen, view)
    the_text_board_of_a_drawing_says_everything(match, seen, view)
    the_alt_text_of_a_drawing_says_everything(match, seen, view)


def the_segments_that_can_be_drawn_are_the_referees(match: Match, seen: Observation, view: MazeView) -> None:
    if not match.over:
        legal = match.legal() or ()
        assert list(map(str, drawable(view))) == (list(legal) if seen.phase == "draw" else [])


@trials(40)
@given(match=fillings)
def test_sections_are_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, MazeView)
    numbers_and_pieces_lie_in_their_sections(seen, view)
    every_number_of_a_usual_board_can_be_read(match, seen, view)
    the_string_runs_through_the_openings(seen, view)
    the_text_board_of_sections_says_everything(match, seen, view)
    the_alt_text_says_everything(match, seen, view)


def numbers_and_pieces_lie_in_their_sections(seen: Observation, view: MazeView) -> None:
    drawn = scene(seen)
    names = drawn.named()
    for name, at in names.items():
        kind, _, number = name.partition(" ")
        if kind in ("choice", "section", "filled"):
            corners = view.sections[int(number) - 1].corners
            here = on_grid(at, names["board"], view)
            assert all(
                orientation(one, other, here) >= 0 for one, other in pairwise((*corners, corners[0]))
            ), name


def every_number_of_a_usual_board_can_be_read(match: Match, seen: Observation, view: MazeView) -> None:
    shown = numbers(text.words for text in scene(seen).texts() if text.words.isdigit())
    offered = numbers(match.legal() or ())
    if view.size <= 5:
        assert offered <= shown


def the_string_runs_through_the_openings(seen: Observation, view: MazeView) -> None:
    drawn = scene(seen)
    origin = drawn.named()["board"]
    groups = [group for group, _, _ in drawn.placed() if isinstance(group, Group)]
    strings = [group for group in groups if group.name.startswith("string ")]
    for group, string in zip(strings, view.strings, strict=True):
        lines = [shape for shape in group.shapes if isinstance(shape, Stroke)]
        assert len(lines) == (len(string) > 1)
        at = group.at[0] + origin[0], group.at[1] + origin[1]
        points = [point for line in lines for point in line.points]
        steps = [on_grid((x + at[0], y + at[1]), origin, view) for x, y in points]
        assert not any(crosses(step, wall) for step in pairwise(steps) for wall in view.walls)


@pytest.mark.parametrize("theme", THEMES)
def test_filled_sections_are_painted_in_the_colour_of_their_seat(theme: str) -> None:
    at = pixels(played(MAZE, *DRAWN, "1", "3").observe(None), theme)
    for number, seat in ((1, 1), (3, 0)):
        assert at(f"filled {number}", 0, 14) == THEMES[theme].rgb(SEATS[seat])
        tint = THEMES[theme].rgb(Mix(SEATS[seat], 0.25))
        assert tint in {at(f"filled {number}", across, 36) for across in range(-8, 9)}


def the_text_board_of_a_drawing_says_everything(match: Match, seen: Observation, view: MazeView) -> None:
    if view.sections:
        return
    text = text_board(seen)
    rows = re.findall(r"^ ?(\d+) ([*o ]+)$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(view.size + 1, 0, -1))
    untouched = {
        Cell(column, int(number) - 1)
        for number, row in rows
        for column, sign in enumerate(row.split())
        if sign == "o"
    }
    assert untouched == set(view.untouched)
    drawn = section_of(text, "Drawn:")
    assert re.findall(r"[a-i]\d-[a-i]\d", drawn) == list(map(str, view.walls))
    assert re.findall(r"\[(.*?)\]", drawn) == list(map(str, view.walls[-1:]))
    legal = match.legal() or ()
    if 0 < len(legal) <= FEW:
        assert re.findall(r"[a-i]\d-[a-i]\d", section_of(text, "Can be drawn:")) == list(legal)
    elif legal and "Can be drawn:" in text:
        assert by_start(section_of(text, "Can be drawn:")) == sorted(legal)
    elif legal:
        counted = re.search(r"(\d+) walls can be drawn.*?(?:; none from ([^.]*))?\.", text.replace("\n", " "))
        assert counted is not None
        assert int(counted[1]) == len(legal)
        dull = set(re.findall(r"[a-i]\d", counted[2] or ""))
        starts = {move.partition("-")[0] for move in legal}
        assert dull == set(map(str, walls(view.size).vertices)) - starts - set(map(str, view.untouched))


def by_start(listed: str) -> list[str]:
    """Return the segments of a list like `a1 to b2 and c3; a2 to b3`, sorted."""
    groups = (group.partition(" to ") for group in listed.replace("\n", " ").split(";"))
    return sorted(
        f"{start.strip()[-2:]}-{end}" for start, _, ends in groups for end in re.findall(r"[a-i]\d", ends)
    )


def the_text_board_of_sections_says_everything(match: Match, seen: Observation, view: MazeView) -> None:
    text = text_board(seen)
    assert cells(section_of(text, "Can be filled:")) == numbers(match.legal() or ())
    string = section_of(text, "Last string:")
    assert tuple(map(int, re.findall(r"\d+", string))) == view.string
    assert re.findall(r"\[(\d+)\]", string) == list(map(str, view.string[-1:]))
    assert ("ended" in string) == view.ended
    if view.size <= 5:
        earlier = re.findall(r"[\d-]*\d", re.sub(r"-\n", "-", section_of(text, "Earlier strings:")))
        assert [tuple(map(int, walk.split("-"))) for walk in earlier] == list(view.strings[:-1])
    corridors = section_of(text, "Empty corridors:")
    assert joins(corridors) <= openings(view)
    assert view.size == 8 or joins(corridors) == openings(view)
    if view.size <= 5:
        for seat in range(match.setup.players):
            assert cells(section_of(text, SEAT_MARKS[seat].letter, r"\d")) == owned(view, seat)
        squares = re.findall(r"^(?: *\d+)+$", text.partition("of their sections:")[2], re.MULTILINE)
        firsts = [int(number) for row in squares[: view.size] for number in row.split()]
        assert firsts == first_sections(view)


def the_alt_text_says_everything(match: Match, seen: Observation, view: MazeView) -> None:
    text = alt(seen)
    if not match.over:
        assert cells(told(text, "Can be filled")) == numbers(match.legal() or ())
    state = "which has ended" if view.ended else "which goes on"
    assert tuple(map(int, re.findall(r"\d+", told(text, f"The last string, {state}")))) == view.string
    if match.over and view.size <= 4 and len(view.strings) > 1:
        walks = told(text, "Strings before it").split(", ")
        assert [tuple(map(int, walk.split("-"))) for walk in walks] == list(view.strings[:-1])
    if view.size <= 4:
        assert joins(told(text, "Empty corridors")) == openings(view)
        for seat in range(match.setup.players):
            look = SEAT_MARKS[seat]
            assert cells(told(text, rf"Filled by the {look.word} \({look.mark}\)")) == owned(view, seat)
        assert told(text, "Walls") == ", ".join(map(str, view.walls))


def the_alt_text_of_a_drawing_says_everything(match: Match, seen: Observation, view: MazeView) -> None:
    if not view.sections:
        text = alt(seen)
        if found := re.search(r"Can be drawn: ([^.]* to [^.]*)\.", text):
            assert by_start(found[1]) == sorted(match.legal() or ())
        assert told(text, "Free points") == ", ".join(map(str, view.untouched))
        assert told(text, "Drawn") == ", ".join(map(str, view.walls))
        assert f"A grid of {view.size} by {view.size} squares" in text


def test_sections_that_can_be_filled_have_a_golden_edge() -> None:
    for seed in range(5):
        seen, view = observed(filling(3, 2, 1, seed), MazeView)
        edges = [
            shape
            for shape, _, _ in scene(seen).placed()
            if isinstance(shape, Stroke) and shape.ink is Role.ACCENT
        ]
        assert len(view.choices) > 0
        assert len(edges) == (len(view.choices) if view.string and not view.ended else 0)
        sections = [
            Polygon([Grid.of(view).at(float(x), float(y)) for x, y in section.corners])
            for section in view.sections
        ]
        for edge in edges:
            assert any(section.contains(Polygon(edge.points)) for section in sections)


def test_names_of_grid_lines_are_clear_of_the_dots() -> None:
    for size in (2, 3, 4, 8):
        seen, view = observed(Match.start(MAZE, {"size": size}, 2), MazeView)
        board = draw_board(view, seen)
        rim = Polygon(Grid(size).rim)
        labels = [text for text in Scene(0, 0, board.shapes).texts() if len(text.words) == 1]
        assert len(labels) == 2 * (size + 1)
        dots = [
            shape.radius
            for group, _, _ in Scene(0, 0, board.shapes).placed()
            if isinstance(group, Group) and group.name.startswith("start ")
            for shape in group.shapes
            if isinstance(shape, Disc)
        ]
        for label in labels:
            left, top, right, bottom = fonts.box(label)
            assert rim.distance(box(left, top, right, bottom)) > max(dots)
            assert min(left, top) >= 0
            assert max(right, bottom) <= board.width


def test_board_is_low_while_walls_are_drawn() -> None:
    for moves, size, low in (((), 4, True), (DRAWN[:3], 4, True), (DRAWN, 4, False), ((), 8, False)):
        seen, view = observed(played(MAZE, *moves, size=size), MazeView)
        assert (draw_board(view, seen).unit < 1) == low


def test_ring_of_a_candidate_lies_around_its_number() -> None:
    seen, view = observed(filling(4, 2, 3, 1), MazeView)
    board = draw_board(view, seen)
    inside = 0
    for text in Scene(0, 0, board.shapes).texts():
        spot = board.spot(text.words)
        assert spot is not None
        if view.sections[int(text.words) - 1].owner is None and spot.reach > 14:
            inside += 1
            assert math.dist(spot.middle, text.at) < 0.01
    assert inside > 5


def test_captions() -> None:
    assert (
        caption(played(MAZE, "a1-d4").observe(None)) == "a wall from a1 to d4, touching b2 and c3 on its way"
    )
    assert caption(played(MAZE, "a1-b2").observe(None)) == "a wall from a1 to b2"
    assert caption(played(MAZE, *DRAWN, "1").observe(None)) == "1 (first in a new string)"
    assert caption(played(MAZE, *DRAWN, "1", "3").observe(None)) == "3 (second in the string)"
    small = played(MAZE, "a1-b2", "1", "2", size=2)
    assert caption(small.observe(None)) == "2 (second in the string)"
    ended = small.play(small.to_move[0], (small.legal() or ())[0])
    while not observed(ended, MazeView)[1].ended:
        ended = ended.play(ended.to_move[0], (ended.legal() or ())[0])
    assert caption(ended.observe(None)).endswith(", a dead end: 1 point")


def on_grid(at: Point, origin: Point, view: MazeView) -> tuple[Fraction, Fraction]:
    """Return a point of the page in board coordinates, to a thousandth."""
    grid = Grid.of(view)
    (left, bottom), (right, _) = grid.at(0, 0), grid.at(1, 0)
    side = right - left
    x, y = (at[0] - origin[0] - left) / side, (bottom - (at[1] - origin[1])) / side
    return Fraction(round(1000 * x), 1000), Fraction(round(1000 * y), 1000)


def openings(view: MazeView) -> set[frozenset[int]]:
    """Return the pairs of empty neighbours."""
    beside = plan(view.size, view.walls).beside
    count = len(view.sections)
    return {
        frozenset((one + 1, other + 1))
        for one in range(count)
        for other in range(count)
        if beside[one] >> (count - 1 - other) & 1
        and view.sections[one].owner is None
        and view.sections[other].owner is None
    }


def first_sections(view: MazeView) -> list[int]:
    firsts: dict[tuple[int, int], int] = {}
    for number, section in enumerate(view.sections, 1):
        x, y = section.centre
        firsts.setdefault((int(y), int(x)), number)
    return [firsts[row, column] for row in range(view.size - 1, -1, -1) for column in range(view.size)]


def owned(view: MazeView, seat: int) -> set[int]:
    return {number for number, section in enumerate(view.sections, 1) if section.owner == seat}


def joins(walks: str) -> set[frozenset[int]]:
    """Return the pairs of numbers with a hyphen between them."""
    chains = [re.findall(r"\d+", walk) for walk in re.findall(r"\d+(?:-\d+)*", walks)]
    return {frozenset((int(one), int(other))) for chain in chains for one, other in pairwise(chain)}


def section_of(text: str, label: str, further: str = ".") -> str:
    """Return the text after a label of the board, on its line and on those after it that begin with `further`."""
    board = text.partition("\n\n")[2]
    found = re.search(rf"^{re.escape(label)} (.*(?:\n{further}.*)*)", board, re.MULTILINE)
    return re.sub(r"(?<=-)\n", "", found[1]).replace("\n", " ") if found else ""


def told(text: str, label: str) -> str:
    """Return the text of a sentence after its label."""
    found = re.search(rf"{label}: ([^.]*)\.", text)
    return found[1] if found else ""


def cells(listed: str) -> set[int]:
    """Numbers like `1, 4 to 7`."""
    found = re.findall(r"(\d+)(?: to (\d+))?", listed)
    return {number for low, high in found for number in range(int(low), int(high or low) + 1)}


def numbers(names: Iterable[str]) -> set[int]:
    return {int(name) for name in names}
