"""From an observation to a picture."""

from render.board import board
from render.correction import marked
from render.frame import page, scale
from render.raster import png
from render.refusal import Refused
from render.scene import Scene
from render.theme import THEMES
from rules.core.match import Observation


def scene(observation: Observation, refused: Refused | None = None) -> Scene:
    """What the picture of this observation shows."""
    shown = board(observation.board, observation)
    if refused is not None:
        shown = marked(shown, refused, scale(shown))
    return page(observation, shown)


def draw(observation: Observation, theme: str = "paper", refused: Refused | None = None) -> bytes:
    """The picture as a PNG, 900 pixels wide, with a move on it that was `refused`. The same gives the same bytes.

    Raises KeyError when `theme` is none of THEMES.
    """
    return png(scene(observation, refused), THEMES[theme])
