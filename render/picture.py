"""The picture of an observation."""

from collections.abc import Sequence

from render.board.annotations.advice import Advice, advised
from render.board.annotations.candidates import Candidates, Outline, candidates_scene, outlined
from render.board.annotations.correction import RejectedMove, RejectedMoves, marked
from render.board.annotations.verdicts import judged
from render.board.game_board import draw_board, whole_board
from render.board.page import page, scale, sheet
from render.board.players import Player
from render.engine.raster import png
from render.engine.scene import Scene
from rules.core.match import Observation
from rules.players.explore import Worth

POSTER_WIDTH = 1200
"""Pixels of the picture of a game that is over: larger, as something to keep."""


def scene(
    observation: Observation,
    rejected: RejectedMove | RejectedMoves | None = None,
    players: Sequence[Player] = (),
    advice: Advice | None = None,
    parts: Sequence[Outline] = (),
    worths: Sequence[Worth] = (),
) -> Scene:
    """Return the scene that the picture of this observation shows."""
    shown = draw_board(observation.board, observation)
    if parts:
        shown = outlined(shown, parts, scale(shown))
    if rejected is not None:
        shown = marked(shown, rejected, scale(shown))
    if advice is not None:
        shown = advised(shown, advice, scale(shown))
    if worths:
        shown = judged(shown, worths, scale(shown))
    return page(observation, shown, players)


def draw(
    observation: Observation,
    theme: str = "paper",
    rejected: RejectedMove | RejectedMoves | None = None,
    players: Sequence[Player] = (),
    advice: Advice | None = None,
    parts: Sequence[Outline] = (),
    worths: Sequence[Worth] = (),
) -> bytes:
    """Return the picture as a PNG, with rejected moves, players, an advice and the worth of moves marked on it.

    `parts` of the board, of which a player chooses one, are outlined faintly. `worths` are sorted, the best move first.
    It is 900 pixels wide, and 1200 if the game is over. The same arguments give the same bytes.

    Raises KeyError if `theme` is none of THEMES.
    """
    shown = scene(observation, rejected, players, advice, parts, worths)
    width = shown.width if observation.winners is None else POSTER_WIDTH
    return png(shown, theme, width)


def leaves_out(observation: Observation) -> bool:
    """Return True if the picture of this observation leaves out something that `draw_whole` shows."""
    return whole_board(observation.board, observation) is not None


def draw_whole(observation: Observation, theme: str = "paper") -> bytes:
    """Return the whole board with everything on it as a PNG, which may be wider than 900 pixels.

    Raises KeyError if `theme` is none of THEMES.
    """
    drawing = whole_board(observation.board, observation)
    board = draw_board(observation.board, observation) if drawing is None else drawing()
    return png(sheet(board), theme)


def draw_candidates(observation: Observation, candidates: Candidates, theme: str = "paper") -> bytes:
    """Return the board, or an enlarged part of it, with the candidates for a move.

    The result is a PNG at most 900 pixels wide. Raises KeyError if `theme` is none of THEMES.
    """
    board = draw_board(observation.board, observation)
    return png(candidates_scene(board, candidates), theme)
