"""From an observation to a picture."""

from render.board.correction import marked
from render.board.game_board import draw_board
from render.board.page import page, scale
from render.board.rejected_move import RejectedMove
from render.engine.raster import png
from render.engine.scene import Scene
from render.engine.theme import THEMES
from rules.core.match import Observation


def scene(observation: Observation, refused: RejectedMove | None = None) -> Scene:
    """What the picture of this observation shows."""
    shown = draw_board(observation.board, observation)
    if refused is not None:
        shown = marked(shown, refused, scale(shown))
    return page(observation, shown)


def draw(observation: Observation, theme: str = "paper", refused: RejectedMove | None = None) -> bytes:
    """The picture as a PNG, 900 pixels wide, with a move on it that was `refused`. The same gives the same bytes.

    Raises KeyError when `theme` is none of THEMES.
    """
    return png(scene(observation, refused), THEMES[theme])
