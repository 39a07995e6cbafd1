"""Positions of matches, remembered for a while, so that one press replays a match at most once.

A position depends on nothing but the setup and the log, so a remembered one is never out of date: another log is
another key.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from db.api.matches.matches import NEAR, PositionKeys
from rules.core.match import Match, Ply, Setup
from rules.games import find
from rules.players.catalogue import find_player

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


def position_keys(match: Match, *, rated: bool) -> PositionKeys:
    """Return what is stored of the position of a match, so that others at the same position are found."""
    log, faced = match.log, tuple[str | None, ...]()
    before = [position(match.setup, log[: len(log) - back]) for back in range(1, min(NEAR, len(log)) + 1)]
    hidden = match.game.secret(match.state)
    if rated and (hidden or match.secrets):
        due = match.to_move if hidden else ()
        faced = tuple(
            find_player(match.game).faced(match, seat) if seat in due else None
            for seat in range(match.setup.players)
        )
    return PositionKeys(tuple(stage.position_key for stage in (match, *before)), faced)


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
