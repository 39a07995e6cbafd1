"""The computer player of each game: its own, or one that needs nothing but the rules."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rules.core.errors import BadSetup
from rules.core.game import Game
from rules.core.match import Match
from rules.players.player import Player, SearchPlayer
from rules.players.rules_position import RulesPosition

_GAMES = "rules.players.games"


class RulesPlayer(SearchPlayer[RulesPosition]):
    """A player of any game without secrets and chance that has no player of its own."""

    def position(self, match: Match) -> RulesPosition:
        return RulesPosition(match.game, match.state, match.setup.players)

    def text(self, position: RulesPosition, code: int) -> str:
        return position.game.format(position.legal()[code])


@cache
def find_player(game: Game[Any, Any]) -> Player:
    """Return the computer player of a game.

    Raises BadSetup for a game with secrets or chance that has no player of its own.
    """
    name = f"{_GAMES}.{game.key}"
    if find_spec(name) is not None:
        kinds = (kind for kind in vars(import_module(name)).values() if isinstance(kind, type))
        (own,) = (kind for kind in kinds if issubclass(kind, Player) and kind.__module__.startswith(name))
        player = own()
        assert isinstance(player, Player)
        return player
    if game.legal(game.start(game.check({}, game.seats[0]), game.seats[0])) is None:
        raise BadSetup(f"No computer plays {game.sheet.title} yet.")
    return RulesPlayer()
