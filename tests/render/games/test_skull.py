"""Skull: picture and texts hold every skull, both ends, every choice and the last move."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given

from render import THEMES, Player, alt, caption, text_board
from render.engine.scene import Role
from render.picture import scene
from rules.core.lattice import cells
from rules.core.match import LEAVING, Match, Observation
from rules.core.notation import Cell
from rules.games import find
from rules.games.skull import SkullView
from tests.render.board.test_every_picture import ending
from tests.render.positions import matches, observed, pixels, signs_of
from tests.rules.walks import played, step, trials

SKULL = find("skull")

any_match = matches(SKULL)

UP, RIGHT, DOWN, LEFT = (0, 1), (1, 0), (0, -1), (-1, 0)
BENDS = {
    "─": {LEFT, RIGHT},
    "│": {UP, DOWN},
    "┌": {DOWN, RIGHT},
    "┐": {DOWN, LEFT},
    "└": {UP, RIGHT},
    "┘": {UP, LEFT},
}


@trials(150)
@given(match=any_match)
def test_any_position_is_drawn_and_told(match: Match) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    seen, view = observed(match, SkullView)
    the_scene_holds_what_the_rules_know(match, seen, view)
    the_poster_shows_the_head_of_whoever_lost(match, seen)
    the_text_board_says_everything(match, seen, view)
    the_alt_text_says_everything(match, seen, view)


def the_scene_holds_what_the_rules_know(match: Match, seen: Observation, view: SkullView) -> None:
    names = scene(seen).named()
    assert ending(names, "skull") == set(map(str, view.path))
    assert ending(names, "end") == set(map(str, view.ends))
    assert ending(names, "choice") == set(match.legal() or ())
    empty = {cell for cell in cells(view.width, view.height) if cell not in view.path}
    beside = {str(cell) for cell in empty if any(end in cell.beside() for end in view.ends)}
    assert ending(names, "barred") == beside - set(map(str, view.choices))
    said = {text.words for text in scene(seen).texts()}
    assert ("touches the path twice" in said) == bool(ending(names, "barred"))
    assert ("last move" in said) == ("before it" in said) == ("previous" in names)
    assert ("trail" in names) == (len(view.path) > 1)
    assert ("last" in names) == (view.last is not None)
    if view.last is not None:
        assert names["last"] == names[f"skull {view.last}"]
    laid = [ply.text for ply in match.log if ply.seat is not None and ply.text not in LEAVING]
    assert ("previous" in names) == (not match.over and len(laid) > 1 and laid[-1] == match.log[-1].text)
    if "previous" in names:
        assert names["previous"] == names[f"skull {laid[-2]}"]


def the_poster_shows_the_head_of_whoever_lost(match: Match, seen: Observation) -> None:
    heads = ending(scene(seen).named(), "head")
    if match.winners is None or len(match.winners) > 1:
        assert heads == set()
    else:
        assert heads == {str(1 - match.winners[0])}


@pytest.mark.parametrize("theme", THEMES)
def test_skulls_are_painted_on_sand_with_their_ends_aglow(theme: str) -> None:
    at = pixels(played(SKULL, "c3", "c4", "d4").observe(None), theme)
    colours = THEMES[theme].colours
    for cell in ("c3", "c4", "d4"):
        assert at(f"skull {cell}", 0, -20) == colours[Role.PALE]
    assert at("skull c3", 37, 0) != at("skull c4", 37, 0)
    assert at("skull c4", -37, 0) in (colours[Role.PATCH], colours[Role.RIDGE])


def the_text_board_says_everything(match: Match, seen: Observation, view: SkullView) -> None:
    signs = signs_of(text_board(seen), view.width, view.height)
    assert {str(cell) for cell, sign in signs.items() if sign == "+"} == set(match.legal() or ())
    assert [cell for cell, sign in signs.items() if sign == "@"] == ([view.last] if view.last else [])
    skulls = {cell for cell, sign in signs.items() if sign not in "+."}
    assert skulls == set(view.path)
    assert {cell for cell, sign in signs.items() if sign in "@O"} == set(view.ends)
    if view.last is not None:
        walked = walk(signs, view.last)
        assert walked in (view.path, view.path[::-1])


def the_alt_text_says_everything(match: Match, seen: Observation, view: SkullView) -> None:
    text = alt(seen)
    assert f"A board of {view.width} column" in text
    assert f"and {view.height} row" in text
    assert path_in(text) == view.path
    playable = re.search(r"Playable: ([^.]*)\.", text)
    if playable is not None:
        assert set(playable[1].split(", ")) == set(match.legal() or ())
    elif "any cell may be played" in text:
        assert len(match.legal() or ()) == view.width * view.height
    else:
        assert match.over


def test_captions() -> None:
    assert caption(played(SKULL, "c4").observe(None)) == "c4, the first skull"
    assert caption(played(SKULL, "c4", "d4").observe(None)) == "d4, lengthening the path at c4"
    assert caption(played(SKULL, "c4", "d4", "b4").observe(None)) == "b4, lengthening the path at c4"


def test_the_reason_of_the_end_is_told() -> None:
    seen = played(SKULL, "a1", width=1, height=1).observe(None)
    reason = "the second player (bars) cannot lengthen the path"
    assert f"The first player (ring) has won: {reason}." in alt(seen)
    assert reason in [text.words for text in scene(seen).texts()]
    players = [Player(0, "Ada"), Player(1, "Grace")]
    assert "Grace cannot lengthen the path" in [text.words for text in scene(seen, players=players).texts()]


def test_the_reason_of_the_end_explains_crossed_cells() -> None:
    """The picture crosses them out and says the same in fewer words."""
    match, chance = Match.start(SKULL, {"width": 4, "height": 4}, 2), random.Random(1)
    while not match.over:
        match = step(match, chance)
    seen = match.observe(None)
    crossed = sorted(ending(scene(seen).named(), "barred"))
    found = re.search("cannot move: a skull on ([^:;]+) would touch the path twice", alt(seen))
    assert found is not None
    assert crossed
    assert sorted(found[1].replace(" or ", ", ").split(", ")) == crossed
    said = [text.words for text in scene(seen).texts()]
    assert any(words.endswith(" cannot move without touching the path twice") for words in said)


def walk(signs: dict[Cell, str], start: Cell) -> tuple[Cell, ...]:
    """Return the path as its signs lead from one end to the other."""
    path = [start]
    while True:
        here = path[-1]
        onward = [
            cell
            for cell in here.beside()
            if cell not in path and signs.get(cell, ".") not in "+." and leads(signs, cell, here)
        ]
        if not onward:
            return tuple(path)
        assert len(onward) == 1
        path += onward


def leads(signs: dict[Cell, str], cell: Cell, back: Cell) -> bool:
    side = back.column - cell.column, back.row - cell.row
    return signs[cell] in "@O" or side in BENDS[signs[cell]]


def path_in(text: str) -> tuple[Cell, ...]:
    """Return the path that an alt text describes by its ends and corners."""
    if found := re.search(r"One skull lies on ([a-z])(\d+)\.", text):
        return (Cell(ord(found[1]) - ord("a"), int(found[2]) - 1),)
    if (found := re.search(r"runs ([a-z0-9 ]*)\.", text)) is None:
        return ()
    corners = [Cell(ord(name[0]) - ord("a"), int(name[1:]) - 1) for name in found[1].split(" to ")]
    path = corners[:1]
    for start, end in pairwise(corners):
        steps = abs(end.column - start.column) + abs(end.row - start.row)
        across, down = (end.column - start.column) // steps, (end.row - start.row) // steps
        path += [Cell(start.column + across * step, start.row + down * step) for step in range(1, steps + 1)]
    return tuple(path)
