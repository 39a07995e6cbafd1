"""Matches from records, as `/export` writes them."""

from collections.abc import Mapping
from typing import Any

from rules.core.match import Match, setup_of
from rules.core.record import read_moves, read_options
from rules.games import find


def match_of(fields: Mapping[str, Any], plies: int | None = None) -> Match:
    """Return the match of a record after so many moves (None: all of them).

    `fields` holds `game`, `options`, `players` and `moves`. Raises RuleError with one sentence.
    """
    game = find(fields["game"])
    return Match.replay(game, setup_of(game, *read_options(game, fields)), read_moves(fields)[:plies])
