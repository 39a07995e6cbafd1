"""Games that were found by search, each with the achievement that it is about, what each seat has earned by it, and
why."""

import json
from pathlib import Path
from typing import Any

from rules.core.match import Match
from rules.core.record import read_match
from rules.games import find

Record = dict[str, Any]

RECORDS: tuple[Record, ...] = tuple(
    json.loads(line)
    for path in sorted(Path(__file__).with_name("games").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
)
"""A file for each game, named by its key."""


def proof(key: str) -> Record:
    """A game that earns an achievement."""
    return next(
        it for it in RECORDS if it["about"] == key and any(key in due for due in it["earned"].values())
    )


def replayed(record: Record) -> Match:
    """The match of a record."""
    return read_match(find(record["game"]), record)
