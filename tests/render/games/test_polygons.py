"""Polygons & Dots: picture and texts hold every dot, segment, choice and region, and the last move."""

import random
import re
from itertools import combinations, pairwise
from math import dist

import pytest
from hypothesis import given
from shapely import LineString, Polygon, maximum_inscribed_circle, polygonize, unary_union
from shapely import Point as Spot

from render import THEMES, alt, caption, text_board
from render.board.text import reason
from render.engine import fonts
from render.engine.scene import Area, Group, Mix, Scene, Shape, Text
from render.engine.theme import SEATS
from render.picture import scene
from rules.core.match import Match, Observation
from rules.core.notation import Cell, letter
from rules.core.plane import orientation
from rules.games import find
from rules.games.polygons import PolygonsView
from tests.render.board.test_every_picture import ending, texts_can_be_read
from tests.render.positions import matches, observed, pixels, signs_of
from tests.rules.walks import finish, played, trials

POLYGONS = find("polygons")

any_match = matches(POLYGONS)

LOOP = ("c4", "g6", "a6", "d2", "g4", "h8")
"""In this order they enclose a region of 8 sides, three of them those of a loop inside it, and one of 3."""


def loop(joined: int) -> Match:
    """Return a match with the dots of LOOP, this number of them joined."""
    segments = [f"{start}-{end}" for start, end in pairwise(LOOP)]
    return played(POLYGONS, *LOOP, *segments[: max(joined - 1, 0)], dots=3, size=10)


@trials(60)
@given(match=any_match)
def test_any_position_is_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, PolygonsView)
    the_scene_holds_what_the_rules_know(match, seen, view)
    points_in_line_with_two_dots_are_crossed_out(seen, view)
    the_number_of_sides_stands_in_its_region(seen, view)
    the_text_board_says_everything(match, seen, view)
    the_legend_explains_just_the_signs_in_use(seen, view)
    the_alt_text_says_everything(match, seen, view)
    captions_count_the_segments_that_are_crossed(match, seen, view)
    regions_closed_so_far_are_shaded_and_counted(seen, view)


def the_scene_holds_what_the_rules_know(match: Match, seen: Observation, view: PolygonsView) -> None:
    names = scene(seen).named()
    assert ending(names, "dot") == set(map(str, view.dots))
    path = (*view.path, view.path[0]) if view.regions else view.path
    assert ending(names, "segment") == {f"{start}-{end}" for start, end in pairwise(path)}
    assert ending(names, "region") == {str(number) for number in range(1, len(view.regions) + 1)}
    assert ("last" in names) == bool(view.dots and not view.regions)
    if "last" in names:
        assert names["last"] == names[f"dot {(view.path or view.dots)[-1]}"]
    # Of the first segment any two dots are the ends: no line of two is offered, but all dots are marked.
    first = seen.phase == "join" and not view.path
    assert ending(names, "choice") == (set() if first else set(match.legal() or ()))


def points_in_line_with_two_dots_are_crossed_out(seen: Observation, view: PolygonsView) -> None:
    crossed = ending(scene(seen).named(), "barred")
    points = [Cell(column, row) for column in range(view.size) for row in range(view.size)]
    barred = {
        str(point)
        for point in points
        if point not in view.dots
        and any(orientation(one, other, point) == 0 for one, other in combinations(view.dots, 2))
    }
    assert crossed == (barred if seen.phase == "place" else set())


def the_number_of_sides_stands_in_its_region(seen: Observation, view: PolygonsView) -> None:
    drawn = scene(seen)
    at = drawn.named()
    dots = [(at[f"dot {dot}"], dot) for dot in view.path[:3]] if view.regions else []
    for number, region in enumerate(view.regions, 1):
        corners = [(float(x), float(y)) for x, y in region.walk]
        shape = Polygon([placed(corner, dots) for corner in corners]).buffer(0)
        assert shape.distance(Spot(at[f"region {number}"])) < 0.5
        said = [text.words for text in texts_of(drawn, f"region {number}")]
        assert said in ([], [str(region.sides)])
        # The most room that there is, as a circle, and the room that was found.
        most = maximum_inscribed_circle(shape, 1).length
        assert shape.boundary.distance(Spot(at[f"region {number}"])) > most - 2
        assert bool(said) or most < 27


def placed(point: tuple[float, float], known: list[tuple[tuple[float, float], Cell]]) -> tuple[float, float]:
    """Return the point of the page for a point of the lattice, from two dots whose points are known."""
    (ax, ay), a = known[0]
    (bx, _), b = next(pair for pair in known[1:] if pair[1].column != a.column)
    step = (bx - ax) / (b.column - a.column)
    return ax + step * (point[0] - a.column), ay - step * (point[1] - a.row)


def texts_of(drawn: Scene, name: str) -> list[Text]:
    groups = [shape for shape, _, _ in drawn.placed() if isinstance(shape, Group) and shape.name == name]
    return [shape for shape in inside(groups) if isinstance(shape, Text)]


def inside(shapes: list[Group]) -> list[Shape]:
    return [shape for shape, _, _ in Scene(0, 0, tuple(shapes)).placed()]


def test_odd_regions_are_painted_and_even_ones_hatched() -> None:
    seen, view = observed(loop(6), PolygonsView)
    drawn = scene(seen)
    for number, region in enumerate(view.regions, 1):
        found = next(s for s, _, _ in drawn.placed() if isinstance(s, Group) and s.name == f"region {number}")
        kinds = [type(shape).__name__ for shape in inside([found])]
        assert (kinds.count("Stroke") > 5) == (region.owner == 1)
        assert any(isinstance(shape, Area) for shape in inside([found]))


@pytest.mark.parametrize("theme", THEMES)
def test_an_odd_region_has_the_colour_of_the_first_seat(theme: str) -> None:
    seen, view = observed(loop(6), PolygonsView)
    odd = next(number for number, region in enumerate(view.regions, 1) if region.owner == 0)
    pixel = pixels(seen, theme)(f"region {odd}", 0, 24)
    assert isinstance(pixel, tuple)
    assert dist(pixel, THEMES[theme].rgb(Mix(SEATS[0], 0.5))) < 8


def the_text_board_says_everything(match: Match, seen: Observation, view: PolygonsView) -> None:
    text = text_board(seen)
    signs = signs_of(text, view.size, view.size)
    dots = {point for point, sign in signs.items() if sign not in "·×"}
    assert dots == set(view.dots)
    if seen.phase == "place":
        assert {point for point, sign in signs.items() if sign == "·"} == set(view.choices)
        assert [point for point, sign in signs.items() if sign == "@"] == list(view.dots[-1:])
        for sign, seat in (("O", 0), ("=", 1)):
            assert {point for point, found in signs.items() if found == sign} == set(view.dots[seat:-1:2])
    elif view.path:
        last = {point for point, sign in signs.items() if sign == "@"}
        assert last == (set() if view.regions else {view.path[-1]})
        flat = " ".join(text.split())
        assert f"Path: {' '.join(map(str, view.path))}" in flat
        joinable = {str(point) for point, sign in signs.items() if sign == "+"}
        assert {f"{view.path[-1]}-{dot}" for dot in joinable} == set(match.legal() or ())
        if joinable:
            listed = re.search(rf"Join {view.path[-1]} to: ((?:[a-z]\d+ ?)*)", flat)
            assert listed is not None
            assert set(listed[1].split()) == joinable


def the_legend_explains_just_the_signs_in_use(seen: Observation, view: PolygonsView) -> None:
    size = view.size
    used = set(signs_of(text_board(seen), size, size).values())
    legend = text_board(seen).rpartition("\n\n")[2]
    explained = {
        sign
        for sign, meaning in (
            ("O", "first player"),
            ("=", "second player"),
            ("@", "last dot"),
            ("+", "joinable"),
            ("*", "joined"),
            ("·", "free"),
            ("×", "in line with two dots"),
        )
        if f"{sign} {meaning}" in legend
    }
    assert explained == used


def the_alt_text_says_everything(match: Match, seen: Observation, view: PolygonsView) -> None:
    text = alt(seen)
    for seat, parity in enumerate(("odd", "even")):
        dots = ", ".join(map(str, view.dots[seat::2])) or "none"
        assert f"collects {parity} polygons; dots: {dots}." in text
    if view.path:
        assert f"The path runs {' to '.join(map(str, view.path))}" in text
    assert f"a1 to {letter(view.size - 1)}{view.size}" in text
    if view.path and match.legal():
        found = re.search(r"It can go on to ([^.]*)\.", text)
        assert found is not None
        ends = re.split(", | and ", found[1])
        assert {f"{view.path[-1]}-{end}" for end in ends} == set(match.legal() or ())
    if seen.phase == "place" and not match.over:
        assert f"{len(match.legal() or ())} of the points" in text


def test_captions() -> None:
    assert caption(played(POLYGONS, "k17").observe(None)) == "dot 1 of 8 on k17"
    assert caption(loop(2).observe(None)) == "c4-g6"
    assert caption(loop(5).observe(None)) == "d2-g4"
    assert caption(loop(6).observe(None)) == "g4-h8; then h8-c4 closed the path automatically"


def test_the_end_says_who_gets_which_region() -> None:
    path = "d2", "a3", "i2", "f3", "c7", "h6"
    segments = [f"{start}-{end}" for start, end in pairwise(path)]
    match = played(POLYGONS, "f3", "h6", "d2", "i2", "a3", "c7", *segments, dots=3, size=10)
    assert reason(match.observe(None)) == (
        "the first player (ring) gets 2 triangles; the second player (bars) gets a quadrilateral"
    )


def captions_count_the_segments_that_are_crossed(match: Match, seen: Observation, view: PolygonsView) -> None:
    path = view.path
    if len(path) < 3 or seen.left or seen.agreed or view.regions:
        return
    drawn = [LineString(ends) for ends in pairwise(path)]
    count = sum(drawn[-1].crosses(earlier) for earlier in drawn[:-1])
    told = re.match(r"[a-z0-9]+-[a-z0-9]+(?: \(crossing (\d+) segments?\))?", caption(seen))
    assert told is not None
    assert int(told[1] or 0) == count


@pytest.mark.parametrize(("joined", "said"), [(0, False), (3, False), (4, True), (5, True), (6, False)])
def test_the_picture_says_when_no_choice_follows(joined: int, *, said: bool) -> None:
    texts = {text.words for text in scene(loop(joined).observe(None)).texts()}
    assert ("the last choice" in texts) == said


@pytest.mark.parametrize(("dots", "said"), [(0, "6 dots"), (4, "2 dots"), (5, "1 dot")])
def test_the_picture_counts_the_dots_left_to_place(dots: int, said: str) -> None:
    match = played(POLYGONS, *LOOP[:dots], dots=3, size=10)
    assert f"{said} to place" in {text.words for text in scene(match.observe(None)).texts()}


def test_the_sides_of_all_regions_are_counted() -> None:
    seen = loop(6).observe(None)
    assert "Odd polygons: 1 (3 sides: 1). Even polygons: 1 (8 sides: 1)." in alt(seen)
    words = {text.words for text in scene(seen).texts()}
    assert {"1 odd", "1 even", "3", "8"} <= words


def regions_closed_so_far_are_shaded_and_counted(seen: Observation, view: PolygonsView) -> None:
    if view.regions:
        return
    drawn = scene(seen)
    areas = polygonize([unary_union([LineString(ends) for ends in pairwise(view.path)])])
    closed = [area for area in areas.geoms if area.area > 1e-9]
    assert ending(drawn.named(), "closed") == {str(number) for number in range(1, len(closed) + 1)}
    counts = [re.fullmatch(r"(?:odd|even) polygons: (\d+)", text.words) for text in drawn.texts()]
    assert sum(int(count[1]) for count in counts if count) == len(closed)
    assert sum(map(bool, counts)) == (2 if seen.phase == "join" else 0)
    for text in (alt(seen), text_board(seen)):
        told = re.findall(r"(?:odd|even) polygons so far: (\d+)", text, re.IGNORECASE)
        assert list(map(int, told)) == [int(count[1]) for count in counts if count and view.path]


def test_a_segment_that_ends_in_a_region_counts_on_either_side() -> None:
    path = "d11", "j6", "b3", "c10", "h12", "j5", "a5", "f7"
    segments = [f"{start}-{end}" for start, end in pairwise(path)]
    before, after = (
        played(POLYGONS, *path, "e2", "g10", *drawn, dots=5, size=12).observe(None)
        for drawn in (segments[:-1], segments)
    )
    assert "Odd polygons so far: 4 (3 sides: 4). Even polygons so far: 1 (6 sides: 1)." in alt(before)
    # It cuts one side in two, and a triangle off.
    assert "Odd polygons so far: 6 (3 sides: 5, 9 sides: 1). Even polygons so far: 0." in alt(after)


@pytest.mark.parametrize("seed", [7, 10])
def test_names_numbers_and_dots_keep_apart_while_joining(seed: int) -> None:
    """Positions in which a dot of the open path lies inside a region, or a name has room on its number."""
    match = finish(Match.start(POLYGONS, POLYGONS.sizes["standard"], 2), random.Random(seed), 18)
    seen, view = observed(match, PolygonsView)
    drawn = scene(seen)
    texts_can_be_read(drawn)
    at = drawn.named()
    numbers = [name for name in at if name.startswith("closed ") and texts_of(drawn, name)]
    assert all(dist(at[name], at[f"dot {dot}"]) > 14 for name in numbers for dot in view.dots)


@pytest.mark.parametrize("dot", ["c5", "k12", "a1", "l12", "l1", "f6"])
def test_the_name_of_a_dot_keeps_off_the_points_around_it(dot: str) -> None:
    drawn = scene(played(POLYGONS, dot, dots=5, size=12).observe(None))
    names = drawn.named()
    (name,) = [text for text in drawn.texts() if text.words == dot]
    left, top, right, bottom = fonts.box(name)
    points = [at for group, at in names.items() if group.startswith("choice ")]
    assert len(points) == 12 * 12 - 1
    assert all(dist((x, y), (min(max(x, left), right), min(max(y, top), bottom))) > 6.5 for x, y in points)
