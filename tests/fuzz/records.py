"""The import of records as a target: files for `/replay`, and lines for the referee on its pipe."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.app.errors import Refused
from bot.app.replay import LARGEST, Records, packed
from rules.__main__ import answer
from rules.core.errors import RuleError
from rules.core.match import Match
from rules.core.record import write
from rules.games import GAMES
from tests.fuzz.campaign import Verdict
from tests.fuzz.texts import huge_number, text
from tests.rules.hostile import check_sentence
from tests.rules.walks import finish

Json = Any
FIELDS = ("game", "options", "players", "moves", "trace", "scores", "winners")


@dataclass(frozen=True)
class File:
    """A file that a member attached, or a line that a program wrote to the referee."""

    data: bytes
    piped: bool


class Imports:
    """Records: whole, with parts changed, broken, deep, huge, or nothing of the kind."""

    name = "records"
    repeatable = True

    def __init__(self, seed: object) -> None:
        chance = Random(f"{seed} records")
        matches = [
            finish(Match.start(game, options, players), chance, plies)
            for game in GAMES
            for options in game.sizes.values()
            for players in sorted(set(game.seats))
            for plies in (0, 2, 9, 25, 1000)
        ]
        self._records = [write(match) for match in matches]
        self._short = [record for record in self._records if len(record["moves"]) < 12]  # type: ignore[arg-type]  # a list
        self._texts = [move for match in matches for _, move in match.log[:3]] or ["1"]

    def make(self, chance: Random) -> File:
        records = self._records if chance.random() < 0.1 else self._short
        record: Json = json.loads(json.dumps(chance.choice(records)))
        for _ in range(chance.choice([0, 1, 1, 1, 2, 4])):
            record = self._changed(record, chance)
        data = json.dumps(record, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
        spoil = chance.random()
        if spoil < 0.3:
            data = _spoilt(data, chance)
        elif spoil < 0.305:
            data = _huge(data, chance)
        return File(data, chance.random() < 0.3)

    async def judge(self, given: File) -> Verdict:
        if given.piped:
            return _piped(given.data)
        try:
            match = await Records().read(given.data)
        except (Refused, RuleError) as refusal:
            # The name of the button is bold on purpose.
            check_sentence(str(refusal).replace("**Save as a file**", "Save as a file"))
            return Verdict(False, type(refusal).__name__, str(refusal))
        assert len(given.data) <= LARGEST
        assert Match.replay(match.game, match.setup, match.log) == match
        assert await Records().read(packed(write(match))) == match
        return Verdict(True)

    def _changed(self, node: Json, chance: Random) -> Json:
        """The record with something in it changed, at any depth."""
        if isinstance(node, dict) and node and chance.random() < 0.85:
            key = chance.choice([*node, *node, text(FIELDS, chance), chance.choice(FIELDS)])
            node[key] = self._changed(node.get(key), chance)
            if chance.random() < 0.05:
                node.pop(key)
            return node
        if isinstance(node, list) and node and chance.random() < 0.9:
            at = chance.randrange(len(node))
            match chance.randrange(8):
                case 0:
                    del node[at]
                case 1:
                    node.insert(at, self._value(chance, 3))
                case 2:
                    node.insert(at, node[at])
                case _:
                    node[at] = self._changed(node[at], chance)
            return node
        if isinstance(node, str) and chance.random() < 0.9:
            return text([node, *chance.choices(self._texts, k=3)], chance)
        return self._value(chance, 4)

    def _value(self, chance: Random, depth: int) -> Json:
        """Any value of JSON, and some that only Python writes."""
        plain: list[Json] = [
            *(None, True, False, 0, 1, 2, -1, 0.5, 1e308, float("nan"), float("inf"), "", [], {}),
            int(huge_number(chance).lstrip("#")),
            text(self._texts, chance),
            [0, text(self._texts, chance)],
        ]
        if not depth or chance.random() < 0.7:
            return chance.choice(plain)
        inner = [self._value(chance, depth - 1) for _ in range(chance.randint(0, 4))]
        return inner if chance.random() < 0.6 else {text(FIELDS, chance): value for value in inner}


def _piped(data: bytes) -> Verdict:
    reply = json.loads(json.dumps(answer(data.decode(errors="replace"))))
    if "error" not in reply:
        for status in reply.get("trace", [reply]):
            assert status.keys() == {"to_move", "phase", "legal", "scores", "winners"}
        return Verdict(True)
    assert reply.keys() <= {"error", "ply"}
    check_sentence(reply["error"])
    return Verdict(False, "pipe", reply["error"])


def _spoilt(data: bytes, chance: Random) -> bytes:
    """The file with some bytes changed, lost, doubled, or in another encoding."""
    match chance.randrange(8):
        case 0:
            return data[: chance.randrange(len(data) + 1)]
        case 1:
            return data + data
        case 2:
            return chance.randbytes(chance.choice([1, 20, 1000]))
        case 3:
            return data.decode(errors="replace").encode(
                chance.choice(["utf-16", "utf-32", "utf-7", "utf-8-sig"])
            )
        case 4:
            return b"PK\x03\x04" + data
    changed = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _huge(data: bytes, chance: Random) -> bytes:
    """A file that is deep, or as large as one may be, or larger."""
    depth = chance.choice([90, 900, 9_000, 90_000])
    nested = chance.choice(
        [b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth, b"[" * depth]
    )
    repeated = (
        b'{"game": "alaric", "moves": ['
        + b", ".join([b'[0, "1"]'] * chance.choice([999, 1001, 25_000]))
        + b"]}"
    )
    digits = b'{"game": "alaric", "players": ' + b"9" * chance.choice([18, 4_299, 4_301, 200_000]) + b"}"
    return chance.choice(
        [
            nested,
            b'{"game": "alaric", "moves": ' + nested + b"}",
            b'{"game": ' + nested + b"}",
            repeated,
            digits,
            data + b" " * (LARGEST + chance.randint(-2, 2) - len(data)),
            b" " * (10 * LARGEST),
        ]
    )
