"""Games that were found by search: each with what it is about, what each seat has earned, and in which respect it does
so, or does not."""

import json
from pathlib import Path
from typing import Any

from rules.core.match import Match
from rules.core.record import read_moves, read_options
from rules.games import find

Record = dict[str, Any]

RECORDS: tuple[Record, ...] = tuple(
    json.loads(line)
    for line in Path(__file__).with_name("games.jsonl").read_text(encoding="utf-8").splitlines()
)


def proof(key: str) -> Record:
    """A game that earns an achievement."""
    return next(
        it for it in RECORDS if it["about"] == key and any(key in due for due in it["earned"].values())
    )


def replayed(record: Record) -> Match:
    """The match of a record."""
    game = find(record["game"])
    options, players = read_options(game, record)
    return Match.replay(game, Match.start(game, options, players).setup, read_moves(record))
