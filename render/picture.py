"""The picture of an observation."""

from collections.abc import Sequence

from render.board.computers import ComputerSeat
from render.board.correction import marked
from render.board.game_board import draw_board
from render.board.page import page, scale
from render.board.rejected_move import RejectedMove
from render.engine.raster import png
from render.engine.scene import Scene
from render.engine.theme import THEMES
from rules.core.match import Observation


def scene(
    observation: Observation, rejected: RejectedMove | None = None, computers: Sequence[ComputerSeat] = ()
) -> Scene:
    """Return the scene that the picture of this observation shows."""
    shown = draw_board(observation.board, observation)
    if rejected is not None:
        shown = marked(shown, rejected, scale(shown))
    return page(observation, shown, computers)


def draw(
    observation: Observation,
    theme: str = "paper",
    rejected: RejectedMove | None = None,
    computers: Sequence[ComputerSeat] = (),
) -> bytes:
    """Return the picture as a PNG, 900 pixels wide, with a rejected move and the computer players marked on it.

    The same arguments give the same bytes. Raises KeyError if `theme` is none of THEMES.
    """
    return png(scene(observation, rejected, computers), THEMES[theme])
