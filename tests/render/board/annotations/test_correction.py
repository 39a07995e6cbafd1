"""A rejected move is crossed out, the reasons are ringed, and everything else stays."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from render import THEMES, RejectedMove, RejectedMoves, alt, draw, visible_part
from render.board.annotations.correction import rejection_text
from render.board.game_board import draw_board
from render.engine.scene import Area, Disc, Group, Mix, Point, Ring, Role, Scene, Stroke
from render.games.maze.drawing import Grid
from render.games.maze.labels import Room, disc
from render.picture import scene
from rules.core.errors import Illegal
from rules.core.game import Game, Seat
from rules.core.match import Match, Observation
from rules.games import GAMES, find
from rules.games.maze.state import MazeView
from rules.games.palindromes import PalindromesView
from rules.games.spaghetti import SpaghettiView
from tests.render.board.test_every_picture import ending, texts_can_be_read
from tests.rules.games import test_palindromes_positions as palindromes
from tests.rules.refusals import tables
from tests.rules.walks import played

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Case:
    """A move of `seat` that the rules reject."""

    match: Match
    seat: Seat
    move: str
    rule: str
    marks: tuple[str, ...]

    @property
    def seen(self) -> Observation:
        return self.match.observe(self.seat)

    @property
    def refused(self) -> RejectedMove:
        return RejectedMove(self.move, self.marks)


@cache
def cases() -> tuple[Case, ...]:
    """Return all moves in the games' tables of positions that a seat on turn is refused."""
    return tuple(_rejected_moves())


def _rejected_moves() -> Iterator[Case]:
    for table in tables():
        for row in table.rows:
            match = table.position(row)
            seat = row.get("seat", match.to_move[0] if match.to_move else None)
            if seat is None or seat not in match.to_move:
                continue
            text = row[table.move]
            try:
                match.play(seat, text)
            except Illegal as refusal:
                yield Case(match, seat, match.reading(seat, text), refusal.rule, refusal.marks)


def case_of(rule: str = "", move: str = "") -> Case:
    """The first case of a rule or with a move."""
    return next(case for case in cases() if rule in ("", case.rule) and move in ("", case.move))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_corrections_of_a_game(game: Game[Any, Any]) -> None:
    found = [case for case in cases() if case.match.setup.game == game.key]
    assert any(case.marks for case in found)
    for case in found:
        try:
            check(case)
        except AssertionError as error:
            error.add_note(f"{case.rule}: {case.move}")
            raise


def check(case: Case) -> None:
    """One picture is tried with all properties, because most of the time goes into drawing it."""
    plain, marked = scene(case.seen), scene(case.seen, case.refused)
    marks_lie_where_the_board_has_what_they_name(case, plain, marked)
    all_that_is_to_blame_can_be_shown(case)
    no_other_mark_has_the_colour_of_the_pencil(plain)
    if case.marks:
        texts_can_be_read(marked)
        the_legend_explains_the_marks(marked)
        the_pencil_lies_on_an_edge_of_the_page_and_on_the_page(case, marked)


def marks_lie_where_the_board_has_what_they_name(case: Case, plain: Scene, marked: Scene) -> None:
    names = marked.named()
    assert set(plain.named()) <= set(names)
    shown = visible_part(case.seen, case.refused)
    assert ending(names, "blame") == set(shown.marks if shown else ())
    assert ending(names, "refused") == {shown.move} & {case.move} if shown else True
    for kind in ("refused", "blame"):
        for name in ending(names, kind):
            where = spot(case, plain, name)
            assert names[f"{kind} {name}"] == pytest.approx(where, abs=1)


def all_that_is_to_blame_can_be_shown(case: Case) -> None:
    """Exceptions are palindromes that are in no row, and moves of no place that blame nothing, as off the board."""
    shown = visible_part(case.seen, case.refused)
    due = on_board(case)
    assert (shown.marks if shown else ()) == due, (
        f"The refusal {case.rule!r} of {case.move} names {due}, but `Board.spot` of the picture does not find them all."
    )
    off = not case.marks and draw_board(case.seen.board, case.seen).spot(case.move) is None
    unmarked = off or case.rule in ("cards", "colours", "phase") or case.match.setup.game == "palindromes"
    assert unmarked or (shown is not None and shown.move == case.move), (
        f"The refused move {case.move} cannot be crossed out: `Board.spot` of the picture does not find it."
    )


def on_board(case: Case) -> tuple[str, ...]:
    """Return the marks, without those that name a card row in which they do not stand, and colours that are not
    held."""
    if case.match.setup.game != "palindromes":
        return case.marks
    view = case.seen.board
    assert isinstance(view, PalindromesView)
    rows, hand = view.rows, view.hand
    if hand is not None:
        return tuple(mark for mark in case.marks if hand["RB".index(mark)])
    return tuple(mark for mark in case.marks if mark in (rows[1 - case.seat] or ""))


def the_legend_explains_the_marks(drawn: Scene) -> None:
    said = [text.words for text in drawn.texts()]
    names = drawn.named()
    assert ("your move, refused" in said) == bool(ending(names, "refused"))
    assert ("the reason" in said) == bool(ending(names, "blame"))


def the_pencil_lies_on_an_edge_of_the_page_and_on_the_page(case: Case, drawn: Scene) -> None:
    """Its contrast is then that with the page, whatever is drawn below."""
    edges: dict[object, float] = {}
    found = 0
    for shape, (x, y), scale in drawn.placed():
        if not isinstance(shape, (Stroke, Ring)) or shape.ink not in (Role.PAGE, Role.CORRECTION):
            continue
        outline = shape.points if isinstance(shape, Stroke) else (shape.at, shape.radius)
        if shape.ink is Role.PAGE:
            edges[outline, x, y] = shape.width
            continue
        found += 1
        assert edges[outline, x, y] * scale >= shape.width * scale + 7.99
        for point in shape.points if isinstance(shape, Stroke) else (shape.at,):
            assert 0 < x + point[0] * scale < drawn.width
            assert 0 < y + point[1] * scale < drawn.height
    assert found >= 1 or not visible_part(case.seen, case.refused)


def no_other_mark_has_the_colour_of_the_pencil(plain: Scene) -> None:
    inks = [shape.ink for shape, _, _ in plain.placed() if isinstance(shape, (Stroke, Ring, Disc, Area))]
    assert all(
        Role.CORRECTION not in ((ink.role, ink.over) if isinstance(ink, Mix) else (ink,)) for ink in inks
    )


def test_crossed_out_and_ringed_differ_in_shape() -> None:
    """A dashed ring with a cross, and an unbroken loop. The cross leaves free what stands on the same spot."""
    match = played(find("skull"), "c3", "c4")
    groups = {
        shape.name: list(strokes(shape))
        for shape, _, _ in scene(match.observe(0), RejectedMove("c3", ("c3",))).placed()
        if isinstance(shape, Group) and shape.name in ("refused c3", "blame c3")
    }
    crossed = [shape for shape in groups["refused c3"] if shape.ink is Role.CORRECTION]
    ringed = [shape for shape in groups["blame c3"] if shape.ink is Role.CORRECTION]
    assert [type(shape) for shape in crossed] == [Ring, Stroke, Stroke]
    assert isinstance(crossed[0], Ring)
    assert crossed[0].dashes >= 7
    assert [type(shape) for shape in ringed] == [Stroke]
    assert isinstance(ringed[0], Stroke)
    middle = [sum(axis) / len(ringed[0].points) for axis in zip(*ringed[0].points, strict=True)]
    assert math.dist(crossed[0].at, middle) > crossed[0].radius * 1.5


def strokes(group: Group) -> list[Stroke | Ring]:
    found: list[Stroke | Ring] = []
    for shape in group.shapes:
        if isinstance(shape, Group):
            found += strokes(shape)
        elif isinstance(shape, (Stroke, Ring)):
            found.append(shape)
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_the_marks_are_painted(theme: str) -> None:
    case = case_of("touches itself")
    assert draw(case.seen, theme, case.refused) != draw(case.seen, theme)
    assert draw(case.seen, theme, RejectedMove(None)) == draw(case.seen, theme)


def test_what_is_on_no_board_is_nothing_to_show() -> None:
    for game in GAMES:
        seen = Match.start(game, {}, game.seats[0]).observe(0)
        for name in ("", "z99", "0", "999", "a1-z99", "resign", "find RBR", "RBR", "½", "a1" * 200):
            assert visible_part(seen, RejectedMove(name, (name,))) is None, (game.key, name)


def test_a_correction_is_told_in_words() -> None:
    case = case_of("touches itself")
    text = alt(case.seen, rejected=case.refused)
    assert "The refused move, d3, is crossed out. The reason is ringed: d4 and c3." in text
    assert len(alt(case.seen, 256, case.refused)) <= 256
    assert rejection_text(RejectedMove(None, ("R",))) == "The reason is ringed: R."
    assert rejection_text(RejectedMove("f1")) == "The refused move, f1, is crossed out."


def test_a_correction_shows_nothing_that_its_player_may_not_know() -> None:
    """The same move against two different rows, hands and finds that are hidden from its player."""
    moves = [["0 arrange " + row] for row in (palindromes.ROW, "BBBBBBBRRRRR")]
    first, second = (palindromes.played("deal 5", *laid) for laid in moves)
    short = RejectedMove("arrange R", ("R", "B"))
    assert draw(first.observe(1), "paper", short) == draw(second.observe(1), "paper", short)
    assert alt(first.observe(1), rejected=short) == alt(second.observe(1), rejected=short)
    open_rows = first.play(1, f"arrange {palindromes.OTHER}")
    found, none = open_rows.play(0, "find R"), open_rows
    wrong = RejectedMove("find RBBRR", ("RBBRR",))
    assert draw(found.observe(1), "paper", wrong) == draw(none.observe(1), "paper", wrong)
    assert visible_part(first.observe(None), short) is None
    assert visible_part(open_rows.observe(None), wrong) is None


def spot(case: Case, plain: Scene, name: str) -> Point:
    """Return the spot of a name in the scene without the correction."""
    names, game = plain.named(), case.match.setup.game
    if game == "palindromes":
        return stretch(case, plain, name)
    if game == "maze" and name.isdecimal():
        return section(case, plain, int(name), names)
    return halfway([point(case, plain, part) for part in name.split("-")])


def point(case: Case, plain: Scene, name: str) -> Point:
    """Return a cell, vertex or lattice point, by the letter below and the number beside it, or by what is drawn
    there."""
    named, view = plain.named(), case.seen.board
    if name.isdecimal():
        return numbered(named, int(name)) or on_page(case, plain, name)
    column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
    if isinstance(view, SpaghettiView):
        # A square lies between two vertices of the upper rim, and between two of the right one.
        above = [numbered(named, vertex) for vertex in (column + 1, column + 2)]
        beside = [numbered(named, 2 * view.size + 1 - line) for line in (row, row + 1)]
        return sum(at[0] for at in above if at) / 2, sum(at[1] for at in beside if at) / 2
    if isinstance(view, MazeView) and view.sections:
        # The lines have no names any more.
        x, y = Grid.of(view).at(column, row)
        return named["board"][0] + x, named["board"][1] + y
    across = next(text.at[0] for text in plain.texts() if text.words == name[0])
    down = min(text.at for text in plain.texts() if text.words == name[1:])[1]
    return across, down


def numbered(named: dict[str, Point], number: int) -> Point | None:
    """Return the point of a numbered place, or None if no group is named for it."""
    kinds = ("stone", "forbidden", "choice", "used", "open", "closed", "vertex")
    return next((named[f"{kind} {number}"] for kind in kinds if f"{kind} {number}" in named), None)


def on_page(case: Case, plain: Scene, name: str) -> Point:
    """Return the point of the page where the board of the game has its spot of this name."""
    spot = draw_board(case.seen.board, case.seen).spot(name)
    assert spot is not None, f"`Board.spot` of the picture does not find {name}."
    left, top, unit = next(
        (x + shape.at[0] * scale, y + shape.at[1] * scale, shape.scale * scale)
        for shape, (x, y), scale in plain.placed()
        if isinstance(shape, Group) and shape.name == "board"
    )
    return left + spot.middle[0] * unit, top + spot.middle[1] * unit


def halfway(points: Sequence[Point]) -> Point:
    """Return the point half way along a line."""
    left = sum(math.dist(*step) for step in pairwise(points)) / 2
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.dist((ax, ay), (bx, by))
        if length >= left > 0:
            return ax + (bx - ax) * left / length, ay + (by - ay) * left / length
        left -= length
    return points[0]


def section(case: Case, plain: Scene, number: int, names: dict[str, Point]) -> Point:
    """Return the marked point of a section, once it is known to lie inside."""
    view = case.seen.board
    assert isinstance(view, MazeView)
    marked = scene(case.seen, case.refused).named()
    at = next(marked[name] for name in (f"refused {number}", f"blame {number}") if name in marked)
    kinds = ("choice", "section", "filled")
    own = next(names[f"{kind} {number}"] for kind in kinds if f"{kind} {number}" in names)
    assert math.dist(own, at) < 60
    corners = [(float(x), float(y)) for x, y in view.sections[number - 1].corners]
    x, y = (float(axis) for axis in view.sections[number - 1].centre)
    assert Room.of(corners, (x, y)).slack((x, y), disc(0)) > 0
    return at


def card(group: str, owner: int) -> bool:
    """Return True if a group is an open card of this seat's row."""
    return group.startswith((f"red {owner} ", f"black {owner} "))


def stretch(case: Case, plain: Scene, name: str) -> Point:
    """Return the middle of the cards that a name stands for, or of those of them that are the reason.

    A palindrome itself, named as a move or a second time, is marked below its cards.
    """
    named, word = plain.named(), name.removeprefix("find ")
    view = case.seen.board
    assert isinstance(view, PalindromesView)
    rows = view.rows
    if rows[case.seat] is None:
        held = [
            at
            for group, at in named.items()
            if group.startswith(f"held {'red' if word == 'R' else 'black'} ")
        ]
        return halfway([held[0], held[-1]])
    owner = 1 - case.seat
    cards = rows[owner]
    assert cards is not None
    start = cards.index(word)
    spots = {int(group.split()[2]): at for group, at in named.items() if card(group, owner)}
    x, y = halfway([spots[start + 1], spots[start + len(word)]])
    # The two cards that are to blame lie as far from the ends as each other.
    good = word == name and case.rule in ("ends", "palindrome")
    return (x, y) if good else (x, y + BELOW_CARDS)


BELOW_CARDS = 78
"""Page units from the middle of a row of five cards, which are as high as cards can be, to the mark below it."""


def test_the_first_cards_that_differ_are_ringed() -> None:
    case = case_of(move="find RBBRR")
    loops = [
        [(x + px * scale, y + py * scale) for px, py in shape.points]
        for shape, (x, y), scale in scene(case.seen, case.refused).placed()
        if isinstance(shape, Stroke) and shape.ink is Role.CORRECTION
    ]
    named = scene(case.seen).named()
    row = sorted(at for group, at in named.items() if card(group, 1 - case.seat))
    view = case.seen.board
    assert isinstance(view, PalindromesView)
    start = (view.rows[1 - case.seat] or "").index("RBBRR")
    ringed = [
        number
        for number, card_at in enumerate(row)
        if any(all(math.dist(point, card_at) < 50 for point in loop) for loop in loops)
    ]
    assert ringed == [start + 1, start + 3]


def test_many_rejected_moves_are_tied_to_their_reasons() -> None:
    match = played(find("skull"), "c3", "c4", "d4", "e4", "e3")
    seen = match.observe(None)
    moves = RejectedMoves(tuple(RejectedMove(move, why.marks) for move, why in match.refusals()))
    marked, plain = scene(seen, moves), scene(seen)
    names = marked.named()
    assert ending(names, "refused") == {"c5", "d5", "e5", "b4", "f4", "d3"}
    assert names["refused d3"] == pytest.approx((names["skull d4"][0], names["skull e3"][1]), abs=1)
    ends = [
        (x + shape.at[0] * scale, y + shape.at[1] * scale)
        for shape, (x, y), scale in marked.placed()
        if isinstance(shape, Disc) and shape.ink is Role.CORRECTION
    ]
    tied = [(move, mark) for move, why in match.refusals() for mark in why.marks]
    assert len(ends) == len(tied) + 1, "one in the line below"
    for move, mark in tied:
        way = math.dist(names[f"refused {move}"], names[f"skull {mark}"])
        assert min(math.dist(names[f"skull {mark}"], end) for end in ends) == pytest.approx(0.3 * way, abs=2)
    assert {"not allowed", "the reasons"} <= {text.words for text in marked.texts()}
    assert set(plain.named()) <= set(names)
    assert "d3 (because of d4, e3 and c3)" in alt(seen, rejected=moves)
