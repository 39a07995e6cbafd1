"""Positions of matches, remembered for a while, so that one press replays a match at most once.

A position depends on nothing but the setup and the log, so a remembered one is never out of date: another log is
another key.
"""

from collections.abc import Sequence
from functools import lru_cache

from rules.core.match import Match, Ply, Setup
from rules.games import find

REMEMBERED = 2048
"""Positions of all matches together, the least recently used are forgotten first; a few kilobytes each."""

STRIDE = 100
"""Plies between two positions that are asked for on the way, so that the recursion below stays shallow."""


def position(setup: Setup, log: Sequence[Ply]) -> Match:
    """The match that a log leads to; equal to `Match.replay`. Raises whatever `Match.replay` raises."""
    plies = tuple(log)
    for length in range(STRIDE, len(plies), STRIDE):
        _position(setup, plies[:length])
    return _position(setup, plies)


@lru_cache(maxsize=REMEMBERED)
def _position(setup: Setup, log: tuple[Ply, ...]) -> Match:
    if not log:
        return Match.replay(find(setup.game), setup, ())
    return _position(setup, log[:-1]).play(*log[-1])


def forget_positions() -> None:
    """Start again with nothing remembered; for tests that count replays."""
    _position.cache_clear()
