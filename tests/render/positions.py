"""Matches for tests: any game with any options, at any stage, ended in every way."""

import random
from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeVar

from hypothesis import strategies as st
from PIL import Image

from render import draw as drawn
from render.picture import scene
from rules.core.game import Game, Seat
from rules.core.lattice import cells
from rules.core.match import DRAW, LEAVING, Match, Observation
from rules.core.notation import Cell, letter
from tests.rules.walks import finish, starts

View = TypeVar("View")
LONGEST = 120
"""Plies; long enough for most games to end."""


@st.composite
def matches(draw: st.DrawFn, game: Game[Any, Any]) -> Match:
    """Generate a match that is running, played to its end, agreed a draw, or left by a player."""
    match = draw(starts(game))
    match = finish(match, random.Random(draw(st.integers(0, 9999))), draw(st.integers(0, LONGEST)))
    if match.over:
        return match
    ending = draw(st.sampled_from(("", "", "", DRAW, *LEAVING)))
    if ending == DRAW:
        return match.play(None, DRAW)
    return match.play(draw(st.sampled_from(match.playing)), ending) if ending else match


def observed(match: Match, kind: type[View], seat: Seat | None = None) -> tuple[Observation, View]:
    """Return what a seat observes, by default a spectator, and its view, which must be of this kind."""
    seen = match.observe(seat)
    assert isinstance(seen.board, kind)
    return seen, seen.board


def pixels(seen: Observation, theme: str) -> Callable[..., object]:
    """Return a function that looks up the colour of a pixel by the name of a thing and its distance from there."""
    names = scene(seen).named()
    with Image.open(BytesIO(drawn(seen, theme))) as image:
        picture = image.convert("RGB")
    scale = picture.width / scene(seen).width

    def at(name: str, across: int = 0, down: int = 0) -> object:
        x, y = names[name]
        return picture.getpixel((round(x * scale) + across, round(y * scale) + down))

    return at


def signs_of(text: str, width: int, height: int) -> dict[Cell, str]:
    """Return the sign of every cell of a text board, which is read by its letters and numbers."""
    rows = text.partition("\n\n")[2].splitlines()
    letters = {sign: column for column, sign in enumerate(rows[height]) if sign != " "}
    assert list(letters) == [letter(column) for column in range(width)]
    lines = {int(row.split()[0]): row.ljust(40) for row in rows[:height]}
    assert list(lines) == list(range(height, 0, -1))
    return {cell: lines[cell.row + 1][letters[letter(cell.column)]] for cell in cells(width, height)}
