"""The catalogue of games: each module or package here whose name is the key of the game that it defines."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

from rules.core.errors import BadSetup, shown
from rules.core.game import Game

_FIRST = ("skull", "alaric", "xlines", "polygons", "spaghetti", "palindromes", "maze", "cocomposite")
"""The order in which members see the games. Those that are not named here follow, by key."""


def _keys() -> list[str]:
    found = {module.name for module in iter_modules(__path__)}
    return [*_FIRST, *sorted(found.difference(_FIRST))]


def _load(key: str) -> Game[Any, Any]:
    """Return the game that the module or package of this name defines."""
    name = f"{__name__}.{key}"
    kinds = (kind for kind in vars(import_module(name)).values() if isinstance(kind, type))
    (own,) = (kind for kind in kinds if issubclass(kind, Game) and kind.__module__ == name)
    game = own()
    assert isinstance(game, Game)
    assert game.key == key, f"The key of {own.__name__} is the name of its module: {key}."
    return game


GAMES: tuple[Game[Any, Any], ...] = tuple(_load(key) for key in _keys())

BY_KEY: Mapping[str, Game[Any, Any]] = MappingProxyType({game.key: game for game in GAMES})

SIZE_NAMES: tuple[str, ...] = tuple(dict.fromkeys(name for game in GAMES for name in game.sizes))[:10]
"""The names of sizes for menus that come before the choice of a game. Discord takes ten at most."""


def find(key: str) -> Game[Any, Any]:
    """Return the game with this key. Raises BadSetup, naming the games there are."""
    try:
        return BY_KEY[key]
    except KeyError:
        raise BadSetup(f"{shown(key)} is no game here; choose from {', '.join(BY_KEY)}.") from None
