"""Deadlines of interactions: three seconds for the first response, fifteen minutes for followups."""

import pytest

from bot.sandbox import ManualClock, Sandbox
from bot.sandbox.interactions import interactions
from tests.contract.player import Player, players
from tests.sandbox.raw_bot import RawBot, answered, asked, raw_bot


async def test_interaction_fails_after_three_seconds(raw: RawBot, ada: Player, clock: ManualClock) -> None:
    told, waiting = await asked(raw, ada.command("ask"))
    await clock.advance(2.9)
    assert (await raw.answer(told, 4, {"content": "in time"}))[0] == 200
    assert (await waiting)["message"]["content"] == "in time"
    told, waiting = await asked(raw, ada.command("ask"))
    await clock.advance(3)
    got = await waiting
    assert (got["outcome"], got["reason"]) == ("failed", "timeout")
    status, refusal = await raw.answer(told, 4, {"content": "too late"})
    assert (status, refusal["code"]) == (404, 10062)
    assert (await raw.hook("POST", told, "", {"content": "x"}))[1]["code"] == 10015


async def test_deadline_by_the_system_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline also works with the system's clock."""
    monkeypatch.setattr(interactions, "ANSWER_WITHIN", 0.05)
    async with Sandbox() as local, players(local.url) as (ada, *_), raw_bot(local) as bot:
        await bot.register({"name": "ask", "description": "Ask"})
        await bot.open()
        await bot.identify()
        assert (await ada.command("ask"))["reason"] == "timeout"


async def test_token_is_valid_for_fifteen_minutes(raw: RawBot, ada: Player, clock: ManualClock) -> None:
    told, *_ = await answered(raw, ada.command("ask"), 5)
    await clock.advance(15 * 60 - 1)
    assert (await raw.hook("PATCH", told, "/messages/@original", {"content": "just so"}))[0] == 200
    await clock.advance(1)
    for method, path, body in (
        ("POST", "", {"content": "x"}),
        ("PATCH", "/messages/@original", {"content": "x"}),
        ("GET", "/messages/@original", None),
        ("DELETE", "/messages/@original", None),
    ):
        status, refusal = await raw.hook(method, told, path, body)
        assert (status, refusal["code"]) == (401, 50027)


async def test_missing_deferred_answer_counts_as_failed(raw: RawBot, ada: Player, clock: ManualClock) -> None:
    *_, got = await answered(raw, ada.command("ask"), 5)
    await clock.advance(15 * 60)
    assert (await ada.get(f"messages/{got['message']['id']}"))["state"] == "failed"
