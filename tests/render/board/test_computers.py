"""Computer players in pictures: their seats, their avatars and their names."""

from collections.abc import Iterator

import pytest

from render import ComputerSeat
from render.board.computers import avatar, computer_lines
from render.board.seats import line_width
from render.engine.scene import SMALLEST_TEXT, Group, Shape, Text
from render.picture import scene
from rules.core.match import Match
from rules.games import find

CROWD = [ComputerSeat(seat, 5, "Crayon III") for seat in range(5)]


def texts(shapes: tuple[Shape, ...]) -> Iterator[Text]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from texts(shape.shapes)
        elif isinstance(shape, Text):
            yield shape


@pytest.mark.parametrize("moves", [(), ((0, "1"), (0, "resign"))], ids=["running", "over"])
def test_a_picture_names_its_computer_players(moves: tuple[tuple[int, str], ...]) -> None:
    match = Match.start(find("alaric"), {}, 2)
    for seat, text in moves:
        match = match.play(seat, text)
    without = scene(match.observe(None))
    marked = scene(match.observe(None), None, [ComputerSeat(1, 2, "Brush")])
    assert {text.words for text in texts(marked.shapes)} - {text.words for text in texts(without.shapes)} == {
        "Brush, computer"
    }
    assert marked.height > without.height
    assert scene(match.observe(None), None, []) == without


def test_lines_are_not_too_wide_and_hold_everybody() -> None:
    lines = computer_lines(CROWD)
    assert all(line_width(line) <= 800 for line in lines)
    words = [text for line in lines for item in line for text in texts(item.shapes)]
    assert [text.words for text in words] == ["Crayon III, computer"] * 5
    assert all(text.size >= SMALLEST_TEXT for text in words)


def test_every_level_has_an_avatar_of_its_own() -> None:
    assert len({avatar(level, (0, 0), 1).shapes for level in range(1, 6)}) == 5
