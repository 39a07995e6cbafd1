"""The games that have a picture: those that the bot can host."""

from typing import Any

import render.games  # noqa: F401 - registers every game
from render.board.game_board import draw_board
from rules.core.game import Game
from rules.core.match import Match
from rules.games import GAMES


def _has_picture(game: Game[Any, Any]) -> bool:
    view = Match.start(game, {}, game.seats[0]).observe(None).board
    return draw_board.dispatch(type(view)) is not draw_board.dispatch(object)


HOSTED_GAMES: tuple[Game[Any, Any], ...] = tuple(game for game in GAMES if _has_picture(game))
