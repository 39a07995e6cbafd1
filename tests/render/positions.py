"""Matches for tests: any game with any options, at any stage, ended in every way."""

import random
from typing import Any

from hypothesis import strategies as st

from rules.core.game import Game
from rules.core.match import DRAW, LEAVING, Match
from tests.rules.walks import finish, starts

LONGEST = 120
"""Plies; long enough for most games to end."""


@st.composite
def matches(draw: st.DrawFn, game: Game[Any, Any]) -> Match:
    """Generate a match that is running, played to its end, agreed a draw, or left by a player."""
    match = draw(starts(game))
    match = finish(match, random.Random(draw(st.integers(0, 9999))), draw(st.integers(0, LONGEST)))
    if match.over:
        return match
    ending = draw(st.sampled_from(("", "", "", DRAW, *LEAVING)))
    if ending == DRAW:
        return match.play(None, DRAW)
    return match.play(draw(st.sampled_from(match.playing)), ending) if ending else match


def played(game: Game[Any, Any], *moves: str, **options: int) -> Match:
    """Return a match of two players after these moves, made in turn."""
    match = Match.start(game, options, 2)
    for move in moves:
        match = match.play(match.to_move[0], move)
    return match
