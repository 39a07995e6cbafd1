"""Positions of matches, remembered for a while, so that one press replays a match at most once.

A position depends on nothing but the setup and the log, so a remembered one is never out of date: another log is
another key.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from rules.core.match import Match, Ply, Setup
from rules.games import find

REMEMBERED = 2048
"""Positions of all matches together, the least recently used are forgotten first; a few kilobytes each."""

_remembered: OrderedDict[tuple[Setup, tuple[Ply, ...]], Match] = OrderedDict()
_lock = Lock()
"""Positions are also asked for in threads."""


def position(setup: Setup, log: Sequence[Ply]) -> Match:
    """The match that a log leads to; equal to `Match.replay`. Raises whatever `Match.replay` raises.

    Only what follows the longest remembered beginning of the log is played.
    """
    plies = tuple(log)
    length = len(plies)
    while (match := _recall(setup, plies[:length])) is None and length:
        length -= 1
    if match is None:
        match = Match.replay(find(setup.game), setup, ())
        _remember(setup, (), match)
    for number, ply in enumerate(plies[length:], length + 1):
        match = match.play(*ply)
        _remember(setup, plies[:number], match)
    return match


def _recall(setup: Setup, log: tuple[Ply, ...]) -> Match | None:
    with _lock:
        match = _remembered.get((setup, log))
        if match is not None:
            _remembered.move_to_end((setup, log))
        return match


def _remember(setup: Setup, log: tuple[Ply, ...], match: Match) -> None:
    with _lock:
        _remembered[setup, log] = match
        if len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)


def forget_positions() -> None:
    """Start again with nothing remembered; for tests that count replays."""
    with _lock:
        _remembered.clear()
