"""Finished games from elsewhere: the referee must see each of them, ply by ply, as their records say.

A file of records per game stands in `records/`; a game need not have one. Where the folder that PENCILBOX_RECORDS names
(or `../shared/records`) exists, the files there are tested too.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from rules.games import BY_KEY
from tests.rules.pipe import ROOT, ask, referee

SAMPLE = Path(__file__).with_name("records")
NAMED = os.environ.get("PENCILBOX_RECORDS")
MORE = Path(NAMED) if NAMED else ROOT.parent / "shared" / "records"

FILES = {
    **{path.stem: path for path in sorted(SAMPLE.glob("*.jsonl"))},
    **{f"{path.stem}, more": path for path in sorted(MORE.glob("*.jsonl"))},
}
every_file = pytest.mark.parametrize("path", FILES.values(), ids=FILES.keys())


def told(answer: dict[str, Any]) -> list[object]:
    """Return an answer of the referee in the form of a record's trace: seats, number of legal moves, their
    fingerprint."""
    legal = answer["legal"]
    return [answer["to_move"], len(legal), hashlib.sha256(" ".join(sorted(legal)).encode()).hexdigest()[:16]]


def test_the_records_are_those_of_games_that_there_are() -> None:
    assert {path.stem for path in SAMPLE.iterdir()} <= BY_KEY.keys()
    assert len([path for path in FILES.values() if path.parent == SAMPLE]) >= 8
    assert NAMED is None or any(path.parent == MORE for path in FILES.values()), f"No records in {NAMED}."


@every_file
def test_every_record_is_reproduced_ply_by_ply(path: Path) -> None:
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert records
    assert {record["game"] for record in records} == {path.stem}
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


def test_a_spoilt_record_gets_an_error_and_the_next_is_served() -> None:
    firsts = [path.read_bytes().splitlines()[0] for path in sorted(SAMPLE.glob("*.jsonl"))]
    sent = []
    for first in firsts:
        spoilt = json.loads(first)
        spoilt["moves"].insert(1, [0, "no move at all"])
        sent += [first, json.dumps(spoilt).encode(), first[:-9]]
    answers = [json.loads(line) for line in referee(b"\n".join(sent))]
    for first, good, bad, cut in zip(firsts, answers[::3], answers[1::3], answers[2::3], strict=True):
        record = json.loads(first)
        assert (good["scores"], good["winners"]) == (record["scores"], record["winners"])
        assert bad.keys() == {"error", "ply"}
        assert bad["ply"] == 1
        assert cut.keys() == {"error"}
