"""One module or package per game, which registers its picture and its text. A new one is found by itself.

It may also have a `MARK` and the `ICONS` of its achievements (`render/marks.py`).
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any

from render.board.game_board import draw_board
from rules.core.game import Game
from rules.core.match import Match
from rules.games import GAMES

MODULES: Mapping[str, ModuleType] = MappingProxyType(
    {module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)}
)
"""By the key of the game."""


def _has_picture(game: Game[Any, Any]) -> bool:
    view = Match.start(game, {}, game.seats[0]).observe(None).board
    return draw_board.dispatch(type(view)) is not draw_board.dispatch(object)


HOSTED_GAMES: tuple[Game[Any, Any], ...] = tuple(game for game in GAMES if _has_picture(game))
"""The games that have a picture: those that the bot can host."""
