"""A game record as JSON: `{"game", "options", "players", "moves": [[seat, text], ...]}` and nothing hidden."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from rules.core.errors import BadSetup, shown
from rules.core.game import Game, Seat
from rules.core.match import Match, Ply

RECORD = ("game", "options", "players", "moves")
RESULT = ("trace", "scores", "winners")
"""Further fields of a finished record; a line that asks for something ignores them."""


def has_field(line: str, key: str) -> bool:
    """Return True if a line is a JSON object with this field."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and key in fields


def read_line(line: str, known: Collection[str], example: str) -> dict[str, object]:
    """Return the JSON object of a line that names a game and has no fields but the known ones. Raises BadSetup."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise BadSetup("This line is not JSON.") from None
    if not isinstance(fields, dict) or not isinstance(fields.get("game"), str):
        raise BadSetup(f"A line must be an object with a game, like {example}.")
    if unknown := sorted(set(fields).difference(known, RESULT)):
        raise BadSetup(f"A line has no field {shown(unknown[0])}; it has {', '.join(known)}.")
    return fields


def read_whole(fields: Mapping[str, object], key: str) -> int | None:
    """Return a whole number of a JSON object, None if it is left out. Raises BadSetup."""
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadSetup(f"{key} must be a whole number.")
    return value


def read_options(game: Game[Any, Any], fields: Mapping[str, object]) -> tuple[dict[str, int], int]:
    """Options and number of players of a record's JSON object, checked for form only.

    Left out, they are the defaults and the fewest players the game takes. Raises BadSetup.
    """
    options = fields.get("options", {})
    if not isinstance(options, dict) or not all(_whole(value) for value in options.values()):
        raise BadSetup('options must be an object of whole numbers, like {"size": 7}.')
    players = fields.get("players", game.seats[0])
    if not _whole(players):
        raise BadSetup("players must be a whole number.")
    assert isinstance(players, int)
    return options, players


def read_moves(fields: Mapping[str, object]) -> tuple[Ply, ...]:
    """Return the moves of a record's JSON object, checked for form only. Raises BadSetup."""
    moves = fields.get("moves", [])
    if not isinstance(moves, list):
        raise BadSetup('moves must be a list of [seat, text], like [[0, "c4"]].')
    return tuple(_ply(number, entry) for number, entry in enumerate(moves))


def read_match(game: Game[Any, Any], fields: Mapping[str, object], plies: int | None = None) -> Match:
    """Return the match of a record's JSON object after so many moves (None: all of them). Raises RuleError."""
    match = Match.start(game, *read_options(game, fields))
    for seat, text in read_moves(fields)[:plies]:
        match = match.play(seat, text)
    return match


def write(match: Match) -> dict[str, object]:
    """Return the record of a match, fit for `json.dumps`."""
    return {
        "game": match.setup.game,
        "options": dict(match.setup.options),
        "players": match.setup.players,
        "moves": [[seat, text] for seat, text in match.log],
    }


def _ply(number: int, entry: object) -> Ply:
    match entry:
        case [seat, str(text)] if seat is None or _whole(seat):
            return Ply(_seat(seat), text)
    raise BadSetup(f'Move {number} is not of the form [seat, text], like [0, "c4"].')


def _seat(value: object) -> Seat | None:
    assert value is None or isinstance(value, int)
    return value


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
