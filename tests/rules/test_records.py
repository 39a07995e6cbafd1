"""Finished games from elsewhere: the referee must see each of them, ply by ply, as their records say."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from rules.games import GAMES
from tests.rules.pipe import ROOT, ask, referee
from tests.rules.walks import AnyGame, key

RECORDS = Path(os.environ.get("PENCILBOX_RECORDS", ROOT.parent / "shared" / "records"))


def lines_of(game: AnyGame) -> list[bytes]:
    """The records of one game; a checkout without them skips, a continuous integration run must have them."""
    try:
        return (RECORDS / f"{game.key}.jsonl").read_bytes().splitlines()
    except FileNotFoundError:
        missing = (
            f"There are no records of {game.key} here; PENCILBOX_RECORDS names the folder that holds them."
        )
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)


def told(answer: dict[str, Any]) -> list[object]:
    """An answer of the referee in the form of a record's trace: seats, number of legal moves, their fingerprint."""
    legal = answer["legal"]
    return [answer["to_move"], len(legal), hashlib.sha256(" ".join(sorted(legal)).encode()).hexdigest()[:16]]


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_every_record_is_reproduced_ply_by_ply(game: AnyGame) -> None:
    records = [json.loads(line) for line in lines_of(game)]
    assert records
    traced = ask(record | {"trace": True} for record in records)
    for number, (record, answer) in enumerate(zip(records, traced, strict=True), start=1):
        assert "error" not in answer, f"line {number}: {answer}"
        plies = answer["trace"]
        assert len(plies) == len(record["moves"]) + 1
        if record["trace"] is not None:
            assert [told(ply) for ply in plies] == record["trace"], f"line {number}"
        end = plies[-1]
        assert (end["scores"], end["winners"]) == (record["scores"], record["winners"]), f"line {number}"
        assert (end["to_move"], end["legal"]) == ([], []), f"line {number}"


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_a_spoilt_record_gets_an_error_and_the_next_is_served(game: AnyGame) -> None:
    records = lines_of(game)
    spoilt = json.loads(records[0])
    spoilt["moves"].insert(1, [0, "no move at all"])
    answers = referee(b"\n".join([records[0], json.dumps(spoilt).encode(), records[0][:-9], records[1]]))
    good, bad, cut, next_one = (json.loads(line) for line in answers)
    assert (good["scores"], good["winners"]) == (spoilt["scores"], spoilt["winners"])
    assert bad.keys() == {"error", "ply"}
    assert bad["ply"] == 1
    assert cut.keys() == {"error"}
    assert next_one["winners"] == json.loads(records[1])["winners"]
