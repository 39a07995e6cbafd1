"""Records are exported and read again; anything else is refused with one sentence, and delays nobody."""

import asyncio
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app import replay
from bot.app.errors import Refused
from bot.app.replay import LARGEST, MOST_PLIES, Records, about, exported, packed
from rules.__main__ import answer
from rules.core.errors import RuleError
from rules.core.match import Match
from rules.core.record import write
from rules.games import GAMES
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.rules.walks import AnyGame, finish, key, matches, trials
from tests.seeds import CHARACTERS

GOOD: dict[str, Any] = {
    "game": "alaric",
    "options": {"size": 7},
    "players": 2,
    "moves": [[0, "1"], [1, "3"]],
}


async def read(data: bytes) -> Match:
    return await Records().read(data)


def saying(data: bytes) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises((Refused, RuleError)) as met:
        asyncio.run(read(data))
    return str(met.value)


def without(**changes: Any) -> bytes:
    return json.dumps(GOOD | changes).encode()


WRONG: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "The file is not JSON; a record is a JSON file, as **Save as a file** writes it."),
    "a picture": (b"\x89PNG\r\n\x1a\n", "The file is not text in UTF-8"),
    "half": (packed(GOOD)[:-9], "The file is not JSON"),
    "two": (packed(GOOD) * 2, "The file holds more than one record; send one JSON object."),
    "too large": (b" " * (LARGEST + 1), "The file has 257 KiB; a record may have at most 256 KiB."),
    "too deep": (b"[" * (LARGEST - 1), "The file is nested too deep for a record."),
    "a list": (b"[]", "The file holds no record"),
    "no game": (without(game=7), "The file holds no record"),
    "another game": (without(game="chess"), "`chess` is no game here; choose from skull, alaric"),
    "an option": (without(options={"size": 700}), "size must be from 1 to 40"),
    "a huge number": (without().replace(b"7", b"7" * 5000), "The file is not JSON"),
    "players": (without(players=3), "is for 2 players, not 3"),
    "moves": (without(moves="a1"), "moves must be a list"),
    "a move": (without(moves=[[0]]), "Move 0 is not of the form [seat, text]"),
    "an illegal move": (
        without(moves=[[0, "1"], [1, "1"]]),
        "Move 2 of the record, `1`, cannot be played: ",
    ),
    "out of turn": (
        without(moves=[[1, "1"]]),
        "Move 1 of the record, `1`, cannot be played: It is not seat 1's",
    ),
    "a long move": (without(moves=[[0, "1" * 201]]), "Move 1 is longer than 200 characters"),
    "many moves": (without(moves=[[0, "1"]] * (MOST_PLIES + 1)), f"The record has {MOST_PLIES + 1} moves"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_record_is_refused_with_one_sentence(name: str) -> None:
    data, sentence = WRONG[name]
    said = saying(data)
    assert said.startswith(sentence) or sentence in said
    assert len(said) < 300
    assert "\n" not in said


def test_a_mark_of_the_byte_order_does_no_harm() -> None:
    assert len(asyncio.run(read(b"\xef\xbb\xbf" + packed(GOOD))).log) == 2


def test_a_record_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "PATIENCE", 0)
    assert saying(packed(GOOD)) == "This record takes too long to replay; nothing is shown."


@pytest.mark.parametrize("game", GAMES, ids=key)
@trials(8)
@given(data=st.data())
def test_what_is_written_is_read_again(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, longest=12))
    assert asyncio.run(read(packed(write(match)))) == match


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(CHARACTERS, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(CHARACTERS, max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(["game", "options", "players", "moves"])
GAMES_OR_NOT = st.sampled_from([game.key for game in GAMES]) | JSON
MOVES = st.lists(
    st.tuples(st.none() | st.integers(-1, 6), st.text(CHARACTERS, max_size=9)).map(list) | JSON, max_size=5
)


@trials(120)
@given(
    data=st.binary(max_size=60)
    | JSON.map(lambda it: json.dumps(it).encode())
    | st.fixed_dictionaries(
        {}, optional={"game": GAMES_OR_NOT, "options": JSON, "players": JSON, "moves": MOVES | JSON}
    ).map(lambda it: json.dumps(it).encode())
    | st.builds(lambda name, it: json.dumps(GOOD | {name: it}).encode(), FIELDS, JSON)
)
def test_any_file_is_a_match_or_refused(data: bytes) -> None:
    try:
        match = asyncio.run(read(data))
    except (Refused, RuleError) as refusal:
        said = str(refusal)
        assert said.endswith((".", "}.", ")"))
        assert "\n" not in said
        assert len(said) < 600
    else:
        assert match == Match.replay(match.game, match.setup, match.log)


async def test_an_export_names_nobody_and_is_read_by_the_referee(host: Host) -> None:
    loaded = await host.begin("alaric", "7")
    await host.services.matches.play(loaded.id, ADA, "1")
    running = await host.services.matches.load(loaded.id)
    assert exported(running)["moves"] == [[0, "1"]]
    over = await host.services.matches.resign(loaded.id, GRACE)
    record = exported(over)
    assert json.loads(json.dumps(answer(json.dumps(record)))) == {
        "to_move": [], "phase": "play", "legal": [], "scores": [1, 0], "winners": [0],
    }  # fmt: skip
    beside = about(over, GRACE)
    assert (beside["number"], beside["your_seat"], beside["outcomes"]) == (loaded.id, 1, ["won", "lost"])
    assert about(over, EMMY)["your_seat"] is None
    text = json.dumps([record, beside])
    assert not any(str(user) in text for user in (ADA, GRACE, EMMY))


async def test_hidden_moves_are_exported_when_they_are_open(host: Host) -> None:
    loaded = await host.begin("palindromes", "8")
    played = await host.services.matches.load(loaded.id)
    chance = random.Random(3)
    while not played.match.over:
        with pytest.raises(Refused, match="it can be saved as a file when it is over"):
            exported(played)
        after = finish(played.match, chance, len(played.match.log) + 1)
        seat, text = after.log[-1]
        assert seat is not None
        played = await host.services.matches.play(loaded.id, played.stored.users[seat], text)
        played = await host.services.matches.load(loaded.id)
    moves = exported(played)["moves"]
    assert isinstance(moves, list)
    assert len(moves) == len(played.match.log)


async def test_what_was_hidden_in_a_game_that_was_broken_off_stays_so(host: Host) -> None:
    loaded = await host.services.matches.load((await host.begin("palindromes", "8")).id)
    row = finish(loaded.match, random.Random(1), len(loaded.match.log) + 1).log[-1]
    assert row.seat is not None
    await host.services.matches.play(loaded.id, loaded.stored.users[row.seat], row.text)
    with pytest.raises(Refused, match="Its hidden moves stay hidden"):
        exported(await host.services.matches.break_off(loaded.id, HERE, "a quarrel"))
    seen = await host.begin("alaric", "7")
    await host.services.matches.play(seen.id, ADA, "1")
    ended = await host.services.matches.break_off(seen.id, HERE, "a quarrel")
    assert exported(ended)["moves"] == [[0, "1"], [None, "void"]]
    beside = about(ended, ADA)
    assert (beside["broken_off"], beside["outcomes"]) == (True, None)
    assert await read(packed(exported(ended))) == ended.match
