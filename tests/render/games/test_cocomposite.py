"""Co-Compositeness: picture and texts hold every number, factor and choice, what scores, what is shut."""

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import THEMES, alt, caption, text_board
from render.board.game_board import whole_board
from render.board.page import sheet
from render.board.seats import SEAT_MARKS
from render.board.squares import PART, SIDES, Squares
from render.board.text import ALT_LIMIT, TEXT_LIMIT
from render.engine.scene import Disc, Group, Mix, Role, Scene, Stroke, Text
from render.engine.theme import SEATS
from render.picture import leaves_out, scene
from rules.core.match import DRAW, LEAVING, Match, Observation
from rules.core.notation import Cell, letter
from rules.games import find
from rules.games.cocomposite import CocompositeView, primes
from tests.render.board.test_every_picture import IN_FRAME, SMALL, ending, texts_can_be_read
from tests.render.positions import matches, observed, pixels, signs_of
from tests.rules.walks import played, trials

COCOMPOSITE = find("cocomposite")

any_match = matches(COCOMPOSITE)


@st.composite
def long_matches(draw: st.DrawFn) -> Match:
    """Matches that keep out of dead ends and like to score, so that boards fill up."""
    size = draw(st.sampled_from((5, 8, 11, 16, 19, 20)))
    match = Match.start(COCOMPOSITE, {"size": size}, draw(st.integers(2, 6)))
    return wander(match, random.Random(draw(st.integers(0, 9999))), draw(st.integers(0, 250)))


def wander(match: Match, chance: random.Random, plies: int) -> Match:
    while not match.over and len(match.log) < plies:
        seat, legal = match.to_move[0], match.legal() or ()
        if match.log:
            onward = [match.play(seat, text) for text in legal]
            match = max(
                onward, key=lambda after: (not after.over, 2 * sum(after.scores or ()) + chance.random())
            )
        else:
            match = match.play(seat, chance.choice(legal))
    return match


def group(drawn: Scene, name: str) -> Group:
    (found,) = [shape for shape, _, _ in drawn.placed() if isinstance(shape, Group) and shape.name == name]
    return found


def cell_of(name: str) -> Cell:
    return Cell(ord(name[0]) - ord("a"), int(name[1:]) - 1)


def part_of(match: Match) -> Squares:
    """Return the part of the board that is drawn."""
    _, view = observed(match, CocompositeView)
    if not view.path:
        return Squares.of(view.size, view.size, 130)
    if match.over:
        return Squares.around(view.path, view.size, view.size, 130)
    return Squares.near(view.path, view.size, 130)


def shown(match: Match, cell: Cell) -> bool:
    return part_of(match).holds(cell)


def across(match: Match) -> int:
    """Return the number of squares across the picture, or down if those are more."""
    part = part_of(match)
    return max(part.width, part.height)


def labels_of(match: Match) -> tuple[str, list[int]]:
    """Return the letters and numbers along the edges of the picture of a game in which nobody has scored."""
    texts = [text for text in scene(match.observe(None)).texts() if not text.words.isspace()]
    letters = "".join(text.words for text in texts if len(text.words) == 1 and text.words.isalpha())
    left = min(text.at[0] for text in texts if text.words.isdigit())
    return letters, [int(text.words) for text in texts if text.at[0] == left and text.words.isdigit()]


def words_of(drawn: Scene, name: str) -> list[str]:
    return [shape.words for shape in group(drawn, name).shapes if isinstance(shape, Text)]


@trials(60)
@given(match=any_match | long_matches())
def test_any_position_is_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, CocompositeView)
    the_scene_holds_what_the_rules_know(match, seen, view)
    squares_show_their_numbers_and_choices_their_names(match, seen, view)
    texts_of_full_boards_can_be_read(seen)
    marks_tell_who_wrote(match, seen, view)
    a_poster_shows_the_part_that_was_walked_over(match, seen, view)
    a_running_picture_shows_what_is_near(view)
    each_step_has_the_colour_of_who_made_it(match, seen, view)
    the_text_board_says_everything(match, seen, view)
    the_alt_text_says_what_matters(match, seen, view)


def the_scene_holds_what_the_rules_know(match: Match, seen: Observation, view: CocompositeView) -> None:
    names = scene(seen).named()
    written = {cell: numbers for cell, numbers in view.squares if shown(match, cell)}
    shared = {str(cell) for cell, numbers in written.items() if len(numbers) == 2}
    assert ending(names, "square") == set(map(str, written))
    assert ending(names, "shared") == shared
    assert ending(names, "owned") == set(map(str, written)) - shared
    assert ending(names, "choice") == set(match.legal() or ())
    assert ending(names, "scoring") == (set() if match.over else set(map(str, view.scoring)))
    assert ending(names, "next") == (set() if match.over else {str(view.number)})
    assert ("trail" in names) == (len(view.path) > 1)
    assert ("last" in names) == bool(view.path)
    if view.path:
        assert names["last"] == names[f"square {view.path[-1]}"]
        column, row = view.path[-1]
        beside = {
            cell
            for cell, numbers in view.squares
            if len(numbers) == 1 and max(abs(cell.column - column), abs(cell.row - row)) == 1
        }
        blocked = set() if match.over else set(map(str, beside - set(view.choices)))
        assert ending(names, "blocked") == blocked


def squares_show_their_numbers_and_choices_their_names(
    match: Match, seen: Observation, view: CocompositeView
) -> None:
    drawn, whole = scene(seen), set()
    for cell, numbers in view.squares:
        if not shown(match, cell):
            continue
        words = words_of(drawn, f"square {cell}")
        if len(numbers) == 2:
            assert words in ([str(number) for number in numbers], [str(gcd(*numbers))])
            whole.add(len(words) == 2)
        elif max(numbers) < 1000:
            shown_last = cell == view.path[-1] and max(numbers) < (1000 if across(match) <= 11 else 100)
            dotted = match.over and across(match) > 10 and not shown_last
            assert words == ([] if dotted else [str(numbers[0])])
        # Three digits leave room for the factor in large squares only.
        if len(numbers) == 2 and across(match) <= (10 if max(numbers) < 100 else 8):
            assert words_of(drawn, f"factor {cell}") == [str(gcd(*numbers))]
    # Either all shared squares show their numbers, or all show their factors.
    assert len(whole) <= 1
    assert across(match) > 12 or False not in whole
    if view.path:
        for name in match.legal() or ():
            assert words_of(drawn, f"choice {name}") == [name]


def texts_of_full_boards_can_be_read(seen: Observation) -> None:
    texts_can_be_read(scene(seen))


def test_long_numbers_fit_the_smallest_squares() -> None:
    path = [(column, row) for row in range(20) for column in (range(20) if row % 2 else range(19, -1, -1))]
    for size in (20, 16):
        texts_can_be_read(played_along(path, size))


def played_along(path: list[tuple[int, int]], size: int) -> Scene:
    """Return a board filled with numbers up to four digits, square after square."""
    cells = [Cell(column, row) for column, row in path if max(column, row) < size]
    first = 1001 - 2 * (len(cells) // 2) | 1
    squares = tuple((cell, (first + 2 * place,)) for place, cell in enumerate(cells))
    writers = tuple(place % 2 for place in range(len(cells)))
    view = CocompositeView(size, squares, tuple(cells), writers, first + 2 * len(cells), (), ())
    seen = Match.start(COCOMPOSITE, {"size": size}, 2).observe(None)
    return scene(replace(seen, board=view, winners=(0,)))


@pytest.mark.parametrize("column", [9, 10])
def test_a_long_factor_passes_the_long_numbers_beside_it(column: int) -> None:
    """On the largest board a square with two numbers shows their factor, here one of three digits."""
    squares = tuple(
        (Cell(at, 10), (137, 411) if at == column else (401 + 2 * at,))
        for at in range(column - 1, column + 2)
    )
    path = tuple(cell for cell, _ in squares)
    path = (Cell(0, 0), Cell(19, 19), *path)
    view = CocompositeView(20, squares, path, (0, 1, 0, 1, 0), 413, (), ())
    seen = Match.start(COCOMPOSITE, {"size": 20}, 2).observe(None)
    drawn = scene(replace(seen, board=view, winners=(0,)))
    assert "137" in [text.words for text in drawn.texts()]
    texts_can_be_read(drawn)


def test_shared_numbers_of_a_long_game_can_be_read_in_a_message() -> None:
    """A poster that shows twelve columns has numbers of two digits in shared squares, and no trail above them."""
    cells = [
        Cell(column, row) for row in range(6) for column in (range(12) if row % 2 else range(11, -1, -1))
    ]
    squares = tuple(
        (cell, (2 * place + 1, 3 * (2 * place + 1)) if place % 5 == 1 else (2 * place + 1,))
        for place, cell in enumerate(cells[:16])
    )
    path = (*(cell for cell, _ in squares), cells[-1])
    view = CocompositeView(16, (*squares, (path[-1], (99,))), path, (0,) * 17, 101, (), ())
    drawn = scene(replace(Match.start(COCOMPOSITE, {"size": 16}, 2).observe(None), board=view, winners=(0,)))
    least = min(text.size for text in drawn.texts() if text.words.isdigit())
    assert least * IN_FRAME / drawn.width >= SMALL
    names = [*drawn.named()]
    for cell, numbers in squares:
        if len(numbers) == 2:
            assert names.index("trail") < names.index(f"shared {cell}") < names.index(f"square {cell}")


def test_the_size_of_a_board_is_told_where_a_part_is_drawn() -> None:
    def words(size: int) -> list[str]:
        drawn = scene(played(COCOMPOSITE, "h8", "g7", size=size).observe(None))
        return [text.words for text in drawn.texts()]

    assert "part of 16 × 16" in words(16)
    assert not any(text.startswith("part of") for text in words(8))


@pytest.mark.parametrize(("first", "reached"), [("a1", 2), ("e5", 0), ("i1", 2), ("a4", 1)])
def test_edges_of_the_board_are_firm_and_grid_lines_run_on(first: str, reached: int) -> None:
    """Eight cells of sixteen have nine grid lines, which reach beyond each edge at which the board continues."""
    edges = [*replace(Squares.of(8, 8, 130), first=cell_of(first)).edges(16)]
    assert sum(edge.ink is Role.MUTED for edge in edges) == reached
    assert sum(edge.ink is Role.GRID for edge in edges) == 9 * (4 - reached)


def marks_tell_who_wrote(match: Match, seen: Observation, view: CocompositeView) -> None:
    drawn = scene(seen)
    # A square keeps the mark of the seat that wrote in it last.
    last = {ply.text: ply.seat for ply in match.log if ply.text not in (DRAW, *LEAVING)}
    pieces = [
        group
        for group, _, _ in drawn.placed()
        if isinstance(group, Group) and group.name.startswith("writer ")
    ]
    marked = {group.name.removeprefix("writer "): group for group in pieces}
    if view.path:
        scored = {str(cell) for cell, numbers in view.squares if len(numbers) == 2 and shown(match, cell)}
        assert set(marked) == scored | {str(view.path[-1])}
    for cell, group in marked.items():
        seat = last[cell]
        assert seat is not None
        assert isinstance(group.shapes[0], Disc)
        assert group.shapes[0].ink is SEATS[seat]


def a_poster_shows_the_part_that_was_walked_over(
    match: Match, seen: Observation, view: CocompositeView
) -> None:
    drawn = scene(seen)
    path = view.path
    if path and match.over:
        letters = {text.words for text in drawn.texts() if len(text.words) == 1 and text.words.isalpha()}
        columns, rows = ([cell[axis] for cell in path] for axis in (0, 1))
        low, high = min(columns), max(columns)
        if max(high - low, max(rows) - min(rows)) + 3 <= PART:
            low, high = max(low - 1, 0), min(high + 1, match.state.size - 1)
        assert letters == {letter(column) for column in range(low, high + 1)}


def a_running_picture_shows_what_is_near(view: CocompositeView) -> None:
    if not view.path:
        return
    size, part = view.size, Squares.near(view.path, view.size, 130)
    assert part.width == part.height <= max(SIDES)
    for axis, low in enumerate(part.first):
        high, last = low + part.width - 1, view.path[-1][axis]
        assert low == 0 or low <= last - 2
        assert high == size - 1 or high >= last + 2
        assert high < size
    if size <= max(SIDES):
        assert all(map(part.holds, view.path))


@pytest.mark.parametrize(
    ("moves", "columns", "rows"),
    [
        ("", "abcdefghijklmnop", (1, 16)),
        ("h8", "efghijkl", (5, 12)),
        ("b2 c3", "abcdefgh", (1, 8)),
        ("f6 f7 f8 f9 f10", "cdefghij", (5, 12)),
        ("f6 f7 f8 f9 f10 f11 f12 f13", "abcdefghijkl", (5, 16)),
        ("b2 c3 d4 e5 f6 g7 h8 i9 j10 k11", "efghijklmnop", (5, 16)),
        ("p16", "ijklmnop", (9, 16)),
    ],
)
def test_the_part_that_is_shown_moves_in_steps(moves: str, columns: str, rows: tuple[int, int]) -> None:
    letters, numbers = labels_of(played(COCOMPOSITE, *moves.split(), size=16))
    assert letters == columns
    assert sorted(numbers) == list(range(rows[0], rows[1] + 1))


def each_step_has_the_colour_of_who_made_it(match: Match, seen: Observation, view: CocompositeView) -> None:
    written = [ply.seat for ply in match.log if ply.text not in (DRAW, *LEAVING)]
    drawn = scene(seen)
    if len(written) > 1:
        steps = [shape for shape, _, _ in Scene(0, 0, (group(drawn, "trail"),)).placed()]
        inks = [shape.ink for shape in steps if isinstance(shape, Stroke)]
        path = view.path
        seats = [
            seat
            for seat, ends in zip(written[1:], pairwise(path), strict=True)
            if any(shown(match, cell) for cell in ends)
        ]
        assert [*inks[:-2], inks[-1]] == [SEATS[seat] for seat in seats if seat is not None]


@pytest.mark.parametrize("theme", THEMES)
def test_where_two_numbers_met_is_shaded_for_who_scored(theme: str) -> None:
    at = pixels(played(COCOMPOSITE, "c3", "d3", "d4", "c4", "d3", "e2", size=8).observe(None), theme)

    def colours(cell: str) -> Counter[object]:
        return Counter(at(f"square {cell}", dx, dy) for dx in range(-40, 40) for dy in range(-40, 40))

    tint = THEMES[theme].rgb(Mix(SEATS[0], 0.375))
    assert colours("d3")[tint] > 500
    assert colours("c4")[tint] < 100


@given(number=st.integers(1, 2000))
def test_primes_multiply_to_the_number(number: int) -> None:
    found = primes(number)
    assert prod(found) == number
    assert list(found) == sorted(found)
    assert all(factor % other for factor in found for other in range(2, factor))


@pytest.mark.parametrize(
    ("plies", "words"),
    [(0, "next 1"), (1, "next 3, a prime"), (4, "next 9 = 3 · 3")],
)
def test_the_next_number_is_announced(plies: int, words: str) -> None:
    moves = ("c3", "d3", "d4", "c4")[:plies]
    drawn = scene(played(COCOMPOSITE, *moves, size=8).observe(None))
    assert words in [text.words for text in drawn.texts()]


def the_text_board_says_everything(match: Match, seen: Observation, view: CocompositeView) -> None:
    text = text_board(seen)
    assert len(text) <= TEXT_LIMIT
    signs = signs_of(text, view.size, view.size)
    held = dict(view.squares)
    last = view.path[-1] if view.path else None
    scoring = set() if match.over else set(map(str, view.scoring))
    assert (f"\nNext: {view.number}" in text) != match.over
    assert {str(cell) for cell in signs if signs[cell] in "+*"} == set(match.legal() or ())
    assert {str(cell) for cell in signs if signs[cell] == "*"} == scoring
    assert [cell for cell in signs if signs[cell] == "@"] == ([last] if last else [])
    assert {cell for cell in signs if signs[cell] == "#"} == {
        cell for cell in held if len(held[cell]) == 2 and cell != last
    }
    assert {cell for cell in signs if signs[cell] in "-*@#"} == set(held)
    told = re.findall(r"^Points of (\w+):((?:\s+[a-t]\d+)+)$", text, re.MULTILINE)
    scored = {mark: cells.split() for mark, cells in told}
    for seat, points in enumerate(match.scores or ()):
        mine = scored.get(SEAT_MARKS[seat].mark, [])
        assert len(mine) == points or (len(mine) < points and len(mine) >= 8)
        assert all(view.writers[::-1][view.path[::-1].index(cell_of(cell))] == seat for cell in mine)
    alone = {str(cell): str(numbers[0]) for cell, numbers in held.items() if len(numbers) == 1}
    listed = dict(re.findall(r"\b([a-t]\d+) (\d+)\b", text.partition("ingle numbers")[2]))
    assert listed.items() <= alone.items()
    if "the nearest first" in text:
        assert listed == alone
    else:
        assert not alone or len(listed) > 40


def the_alt_text_says_what_matters(match: Match, seen: Observation, view: CocompositeView) -> None:
    text = alt(seen)
    assert len(text) <= ALT_LIMIT
    assert text == alt(seen, 1_000_000)
    assert f"A board of {view.size} columns and {view.size} rows." in text
    if not view.path:
        return
    held = dict(view.squares)
    writer = SEAT_MARKS[view.writers[-1]].mark
    assert f"The last number, {view.number - 2}, stands on {view.path[-1]} ({writer})." in text
    playable = re.search(r"Playable: ([^.]*)\.", text)
    assert (playable is None) == match.over
    if playable is not None:
        assert set(re.findall(r"\b[a-t]\d+", playable[1])) == set(match.legal() or ())
        told = re.findall(r"([a-t]\d+) \(scores with (\d+), factor (\d+)\)", playable[1])
        assert {(cell, int(met)) for cell, met, _ in told} == {
            (str(cell), held[cell][0]) for cell in view.scoring
        }
        assert all(gcd(int(met), view.number) == int(factor) for _, met, factor in told)
    near = re.search(r"Single numbers within two squares: ([^.]*)\.", text)
    found = dict(entry.split(" on ")[::-1] for entry in near[1].split(", ")) if near else {}
    column, row = view.path[-1]
    assert found == {
        str(cell): str(numbers[0])
        for cell, numbers in view.squares
        if len(numbers) == 1 and 0 < max(abs(cell.column - column), abs(cell.row - row)) <= 2
    }


def test_captions() -> None:
    moves = ("c3", "d3", "d4", "c4", "d3")
    assert caption(played(COCOMPOSITE, *moves[:1]).observe(None)) == "1 on c3"
    assert caption(played(COCOMPOSITE, *moves).observe(None)) == "9 on d3, joining 3 by the factor 3: 1 point"


def test_the_reason_of_the_end_is_told() -> None:
    seen = played(COCOMPOSITE, "b1", "c2", "b2", "a2", "a1", size=4).observe(None)
    reason = "the squares next to a1 are full or share no factor with 11"
    assert f"A draw: {reason}; the score is 0 to 0." in alt(seen)
    assert "11 fits into no square next to a1" in [text.words for text in scene(seen).texts()]


@pytest.mark.parametrize(("size", "plies", "seed"), [(16, 12, 1), (16, 200, 3), (20, 250, 5)])
def test_the_whole_board_has_every_number(size: int, plies: int, seed: int) -> None:
    """It is offered exactly if the usual picture has not all of them."""
    match = wander(Match.start(COCOMPOSITE, {"size": size}, 2), random.Random(seed), plies)
    seen, view = observed(match, CocompositeView)
    every = [str(number) for _, numbers in view.squares for number in numbers]
    usual = Counter(text.words for text in scene(seen).texts())
    whole = whole_board(view, seen)
    assert (whole is not None) == bool(Counter(every) - usual)
    assert (whole is not None) == leaves_out(seen)
    if whole is not None:
        drawn = sheet(whole())
        texts_can_be_read(drawn)
        assert not Counter(every) - Counter(text.words for text in drawn.texts())
