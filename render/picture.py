"""From an observation to a picture."""

from render.board import board
from render.frame import page
from render.raster import png
from render.scene import Scene
from render.theme import THEMES
from rules.core.match import Observation


def scene(observation: Observation) -> Scene:
    """What the picture of this observation shows."""
    return page(observation, board(observation.board, observation))


def draw(observation: Observation, theme: str = "paper") -> bytes:
    """The picture as a PNG, 900 pixels wide. The same observation gives the same bytes.

    Raises KeyError when `theme` is none of THEMES.
    """
    return png(scene(observation), THEMES[theme])
