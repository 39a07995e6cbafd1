"""Whatever is written into the pipe, every line that is not blank gets one line of JSON back."""

import json
import os
import select
import subprocess
import sys

import pytest

from rules.__main__ import answer
from tests.rules.hostile import check_sentence
from tests.rules.pipe import ROOT, referee

pytestmark = pytest.mark.slow

GOOD = b'{"game": "alaric", "options": {"size": 7}, "moves": [[0, "1"], [1, "3"]]}'

LINES = {
    "no JSON": b"hello",
    "half a line": GOOD[:30],
    "two values": GOOD + GOOD,
    "a list": b"[]",
    "a number": b"1",
    "not a number": b"NaN",
    "nothing": b"null",
    "an empty object": b"{}",
    "no UTF-8": b"\xff\xfe\x00",
    "no UTF-8 in a text": b'{"game": "\xff\xfe"}',
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "a null byte": GOOD.replace(b" ", b"\0"),
    "deeper than any stack": b"[" * 200_000,
    "deep and closed": b'{"game": "alaric", "moves": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "quite deep": b'{"game": "alaric", "moves": ' + b"[" * 500 + b"]" * 500 + b"}",
    "no such game": b'{"game": "chess"}',
    "a game that is no text": b'{"game": ["alaric"]}',
    "an unknown field": b'{"game": "alaric", "seed": 1}',
    "a field with a name like a ping": b'{"game": "alaric", "@everyone `": 1}',
    "options in a list": b'{"game": "alaric", "options": [7]}',
    "an unknown option": b'{"game": "alaric", "options": {"width": 7}}',
    "an option that is true": b'{"game": "alaric", "options": {"size": true}}',
    "an option that is a fraction": b'{"game": "alaric", "options": {"size": 7.0}}',
    "an option that is not a number": b'{"game": "alaric", "options": {"size": NaN}}',
    "an option without end": b'{"game": "alaric", "options": {"size": Infinity}}',
    "an option out of range": b'{"game": "alaric", "options": {"size": 41}}',
    "a huge option": b'{"game": "alaric", "options": {"size": 1' + b"0" * 4000 + b"}}",
    "more digits than Python reads": b'{"game": "alaric", "options": {"size": 1' + b"0" * 5000 + b"}}",
    "too many players": b'{"game": "alaric", "players": 3}',
    "huge players": b'{"game": "alaric", "players": -1' + b"0" * 4000 + b"}",
    "players that are true": b'{"game": "alaric", "players": true}',
    "players that are null": b'{"game": "alaric", "players": null}',
    "moves that are a text": b'{"game": "alaric", "moves": "1"}',
    "moves that are an object": b'{"game": "alaric", "moves": {"0": "1"}}',
    "a move that is a text": b'{"game": "alaric", "moves": ["01"]}',
    "a move with a third part": b'{"game": "alaric", "moves": [[0, "1", 2]]}',
    "a move without a text": b'{"game": "alaric", "moves": [[0]]}',
    "a move that is a number": b'{"game": "alaric", "moves": [[0, 1]]}',
    "a seat that is true": b'{"game": "alaric", "moves": [[true, "1"]]}',
    "a seat that is a fraction": b'{"game": "alaric", "moves": [[0.0, "1"]]}',
    "a seat that is a text": b'{"game": "alaric", "moves": [["0", "1"]]}',
    "the wrong seat": b'{"game": "alaric", "moves": [[1, "1"]]}',
    "chance where there is none": b'{"game": "alaric", "moves": [[null, "1"]]}',
    "a seat that does not exist": b'{"game": "alaric", "moves": [[7, "resign"]]}',
    "a huge seat": b'{"game": "alaric", "moves": [[1' + b"0" * 4000 + b', "1"]]}',
    "half a surrogate pair": rb'{"game": "alaric", "moves": [[0, "\ud800"]]}',
    "a move after the end": b'{"game": "alaric", "moves": [[0, "resign"], [1, "1"]]}',
}
"""Each is wrong in the way that its name says."""


def check_reply(reply: object) -> None:
    """Check the form of an answer of the referee."""
    assert isinstance(reply, dict)
    if "error" in reply:
        assert reply.keys() <= {"error", "ply"}
        check_sentence(reply["error"])
    else:
        for status in reply.get("trace", [reply]):
            assert status.keys() == {"to_move", "phase", "legal", "scores", "winners"}


def test_every_wrong_line_gets_one_sentence_and_the_next_is_served() -> None:
    sent = b"\n".join(line for wrong in LINES.values() for line in (wrong, GOOD))
    replies = [json.loads(line) for line in referee(sent)]
    assert len(replies) == 2 * len(LINES)
    good = json.loads(json.dumps(answer(GOOD.decode())))
    assert good["to_move"] == [0]
    assert replies[1::2] == [good] * len(LINES)
    for name, reply in zip(LINES, replies[::2], strict=True):
        check_reply(reply)
        assert "error" in reply, name
    named = {name for name, reply in zip(LINES, replies[::2], strict=True) if "ply" in reply}
    assert named == {
        "the wrong seat",
        "chance where there is none",
        "a seat that does not exist",
        "a huge seat",
        "half a surrogate pair",
        "a move after the end",
    }


def test_blank_lines_are_passed_over_and_any_line_ending_will_do() -> None:
    endings = [b"\n", b"\r\n", b"\n\n", b"\n \t \n"]
    assert len(referee(b"".join(ending + ending.join([GOOD] * 3) + ending for ending in endings))) == 12
    assert referee(b"".join(endings)) == []


def test_of_a_key_that_comes_twice_the_last_counts() -> None:
    assert answer(GOOD.decode()) == answer('{"game": "skull", ' + GOOD.decode()[1:])


def test_each_answer_comes_before_the_next_question() -> None:
    # Nobody may be helped by a setting that makes every Python program write at once.
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-m", "rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=plain
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line in (GOOD, b"nonsense", GOOD):
            program.stdin.write(line + b"\n")
            program.stdin.flush()
            if not select.select([program.stdout], [], [], 60)[0]:
                program.kill()
                pytest.fail("The referee keeps its answer to itself until it is told more.")
            check_reply(json.loads(program.stdout.readline()))
        program.stdin.close()
        assert program.wait(timeout=60) == 0
