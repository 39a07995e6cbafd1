"""The catalogue of games. A new game is a module here and a line in GAMES."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rules.core.errors import BadSetup, shown
from rules.core.game import Game
from rules.games.alaric import Alaric
from rules.games.cocomposite import Cocomposite
from rules.games.maze import Maze
from rules.games.palindromes import Palindromes
from rules.games.polygons import Polygons
from rules.games.skull import Skull
from rules.games.spaghetti import Spaghetti
from rules.games.xlines import XLines

GAMES: tuple[Game[Any, Any], ...] = (
    Skull(),
    Alaric(),
    XLines(),
    Polygons(),
    Spaghetti(),
    Palindromes(),
    Maze(),
    Cocomposite(),
)

BY_KEY: Mapping[str, Game[Any, Any]] = MappingProxyType({game.key: game for game in GAMES})


def find(key: str) -> Game[Any, Any]:
    """The game with this key. Raises BadSetup, naming the games there are."""
    try:
        return BY_KEY[key]
    except KeyError:
        raise BadSetup(f"{shown(key)} is no game here; choose from {', '.join(BY_KEY)}.") from None
