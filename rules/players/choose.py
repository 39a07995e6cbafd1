"""The computer player of each game, and the function by which all other code asks for a move."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rules.core.errors import BadSetup
from rules.core.game import Game, Seat
from rules.core.match import Match
from rules.players.levels import Budget
from rules.players.player import Choice, Player, SearchPlayer
from rules.players.position import RulesPosition

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


def levels_of(game: Game[Any, Any]) -> range:
    """Return the levels of a game's computer player, from 1. Raises BadSetup like `find_player`."""
    return range(1, len(find_player(game).levels) + 1)


def check_level(game: Game[Any, Any], level: int) -> None:
    """Raise BadSetup unless a game has a computer player of this level."""
    levels = levels_of(game)
    if level not in levels:
        raise BadSetup(f"{game.sheet.title} has levels {levels[0]} to {levels[-1]}: choose one of them.")


def choose(match: Match, seat: Seat | None, budget: Budget, seed: int) -> Choice:
    """Decide a move for `seat`, or for the only seat on turn if that is None.

    The same match, seat, seed and budget of a level or nodes give the same choice. Raises BadSetup.
    """
    turn = match.to_move
    if not turn:
        raise BadSetup("This game is over.")
    if None in turn:
        raise BadSetup("Chance is to move: add its move to the record.")
    if seat is None:
        if len(turn) > 1:
            raise BadSetup('More than one seat is to move: name one, as in "seat": 0.')
        seat = turn[0]
    if seat is None or seat not in turn:
        due = " or ".join(str(other) for other in turn)
        raise BadSetup(f"Seat {seat} is not to move, but {due}.")
    return find_player(match.game).choose(match, seat, budget, seed)
