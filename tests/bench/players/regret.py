"""The share of positions in which a player keeps the value of a solved position, over `positions/*.jsonl`.

A line is a record with the exact `value` for the seat on turn and the `best` moves, those that keep it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.core.match import Match
from rules.core.record import read_match
from rules.games import find
from tests.bench.players.contests import contestant

FOLDER = Path(__file__).with_name("positions")


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """A position, its exact value for the seat on turn, and the moves that keep it."""

    match: Match
    value: float
    best: frozenset[str]


def positions(key: str) -> Iterator[SolvedPosition]:
    """Yield the solved positions of a game; none if the game has none."""
    path = FOLDER / f"{key}.jsonl"
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        match = read_match(find(fields["game"]), fields)
        yield SolvedPosition(match, fields["value"], frozenset(fields["best"]))


def kept(key: str, name: str, limit: int | None = None) -> tuple[int, int]:
    """Return in how many of how many positions a contestant keeps the value."""
    player = contestant(name)
    right = tried = 0
    for number, solved in enumerate(positions(key)):
        if limit is not None and number >= limit:
            break
        seat = next(seat for seat in solved.match.to_move if seat is not None)
        right += player(solved.match, seat, number) in solved.best
        tried += 1
    return right, tried
