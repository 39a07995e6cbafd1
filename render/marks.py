"""A small mark of each game: recognisable 20 pixels high, on light and on dark ground, without a page of its own."""

from render.engine.icons import Icon, tile
from render.engine.raster import cut_out
from render.engine.scene import Group, Mix, Role, Scene, Text
from render.engine.theme import PAPER
from render.games import MODULES
from rules.games import find

MARK_SIZE = 128
"""The width and height of the picture of a mark, in pixels."""


def mark_png(game: str) -> bytes:
    """Return the mark of a game as a PNG with a transparent ground."""
    half = MARK_SIZE / 2
    return cut_out(Scene(MARK_SIZE, MARK_SIZE, (Group(game, mark_of(game), (half, half), half),)), PAPER)


def mark_of(game: str) -> Icon:
    """Return the `MARK` of the game's module, or else a tile with the first two letters of its title."""
    initials = Text((0, -0.03), find(game).sheet.title[:2], 1.1, Role.INK)
    return getattr(MODULES[game], "MARK", (*tile(Mix(Role.SEAT_4, 0.25)), initials))
