"""Which games have a picture: those that the bot can host."""

from typing import Any

from render.board import board
from rules.core.game import Game
from rules.core.match import Match
from rules.games import GAMES


def _has_picture(game: Game[Any, Any]) -> bool:
    view = Match.start(game, {}, game.seats[0]).observe(None).board
    return board.dispatch(type(view)) is not board.dispatch(object)


DRAWN: tuple[Game[Any, Any], ...] = tuple(game for game in GAMES if _has_picture(game))
