"""The picture of an observation."""

from collections.abc import Sequence

from render.board.annotations.advice import Advice, advised
from render.board.annotations.candidates import Candidates, Outline, candidates_scene, outlined
from render.board.annotations.correction import RejectedMove, RejectedMoves, marked
from render.board.game_board import draw_board
from render.board.page import page, scale
from render.board.players import Player
from render.engine.brush import FINE
from render.engine.scene import Group, Scene
from render.engine.theme import THEMES
from render.engine.tiles import tiled_png
from rules.core.match import Observation

POSTER_SCALE = 4 / 3
"""Pixels of a page unit in the picture of a game that is over."""


def scene(
    observation: Observation,
    rejected: RejectedMove | RejectedMoves | None = None,
    players: Sequence[Player] = (),
    advice: Advice | None = None,
    parts: Sequence[Outline] = (),
) -> Scene:
    """Return the scene that the picture of this observation shows."""
    shown = draw_board(observation.board, observation)
    if parts:
        shown = outlined(shown, parts, scale(shown))
    if rejected is not None:
        shown = marked(shown, rejected, scale(shown))
    if advice is not None:
        shown = advised(shown, advice, scale(shown))
    return page(observation, shown, players)


def draw(
    observation: Observation,
    theme: str = "paper",
    rejected: RejectedMove | RejectedMoves | None = None,
    players: Sequence[Player] = (),
    advice: Advice | None = None,
    parts: Sequence[Outline] = (),
) -> bytes:
    """Return the picture as a PNG, with rejected moves, players and an advice marked on it.

    `parts` of the board, of which a player chooses one, are outlined faintly.
    It is 900 pixels wide, and 1200 if the game is over. The same arguments give the same bytes.

    Raises KeyError if `theme` is none of THEMES.
    """
    shown = scene(observation, rejected, players, advice, parts)
    if observation.winners is None:
        return tiled_png(shown, THEMES[theme])
    return tiled_png(_enlarged(shown), THEMES[theme], FINE)


def _enlarged(page: Scene) -> Scene:
    """Return the page of a game that is over larger, as something to keep."""
    whole = Group("", page.shapes, scale=POSTER_SCALE)
    return Scene(round(page.width * POSTER_SCALE), round(page.height * POSTER_SCALE), (whole,))


def draw_candidates(observation: Observation, candidates: Candidates, theme: str = "paper") -> bytes:
    """Return the board, or an enlarged part of it, with the candidates for a move.

    The result is a PNG at most 900 pixels wide. Raises KeyError if `theme` is none of THEMES.
    """
    board = draw_board(observation.board, observation)
    return tiled_png(candidates_scene(board, candidates), THEMES[theme])
