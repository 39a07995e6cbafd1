"""The measured strength of the levels, from `calibration.json`.

`python -m tests.bench.players.calibrate` plays the levels against each other and writes that file. The scores are on
the scale on which members are rated, where level 1 has 1000, what a newcomer is shown.
"""

import json
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("calibration.json")


@cache
def _known() -> dict[str, dict[str, list[int]]]:
    return json.loads(_FILE.read_text(encoding="utf-8")) if _FILE.exists() else {}


def score(game: str, level: int) -> int | None:
    """Return the score of a level, counted from 1, or None if the game was not calibrated."""
    known = _known().get(game)
    return None if known is None else known["scores"][level - 1]
