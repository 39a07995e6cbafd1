"""Pinned messages: their announcement, their list and their limits."""

import pytest

from bot.sandbox.rest import messages
from tests.contract.player import Player
from tests.sandbox.raw_bot import RawBot


async def test_pin_is_announced_and_listed(raw: RawBot, ada: Player) -> None:
    made = await raw.post({"content": "a game"})
    all_pins = f"/channels/{raw.general}/messages/pins"
    assert await raw.call("PUT", f"{all_pins}/{made['id']}") == (204, None)
    assert (await raw.event("CHANNEL_PINS_UPDATE"))["channel_id"] == raw.general
    assert (await raw.call("PUT", f"{all_pins}/{made['id']}"))[0] == 204
    board, line = await ada.messages()
    assert (board["pinned"], line["type"], line["author"]["id"]) == (True, 6, raw.application)
    assert line["message_reference"]["message_id"] == made["id"]
    _, listed = await raw.call("GET", all_pins)
    assert [one["message"]["id"] for one in listed["items"]] == [made["id"]]
    assert listed["has_more"] is False

    for _ in range(2):
        assert (await raw.call("DELETE", f"{all_pins}/{made['id']}"))[0] == 204
    assert (await raw.call("GET", all_pins))[1]["items"] == []
    assert (await raw.call("PUT", f"{all_pins}/{raw.general}"))[1]["code"] == 10008


async def test_pins_are_limited(raw: RawBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST_PINS", 1)
    first, second = [(await raw.post({"content": "a game"}))["id"] for _ in range(2)]
    address = f"/channels/{raw.general}/messages/pins"
    assert (await raw.call("PUT", f"{address}/{first}"))[0] == 204
    status, refusal = await raw.call("PUT", f"{address}/{second}")
    assert (status, refusal["code"]) == (400, 30003)
    raw.local.deny("general", "pin_messages")
    assert (await raw.call("DELETE", f"{address}/{first}"))[1]["code"] == 50013
