"""The limits of the REST API: all requests, edits of old messages, and new direct messages."""

import discord
import pytest

from bot.sandbox import Fault, ManualClock, Sandbox
from tests.sandbox.conftest import Client
from tests.sandbox.raw_bot import RawBot, raw_bot


async def test_edits_of_old_messages_are_limited(local: Sandbox, rest: RawBot, clock: ManualClock) -> None:
    old = (await rest.post({"content": "old"}))["id"]
    await clock.advance(3601)
    young = (await rest.post({"content": "young"}))["id"]
    address = f"/channels/{rest.general}/messages"

    async def edit(message: str) -> tuple[int, dict[str, object]]:
        return await rest.call("PATCH", f"{address}/{message}", {"content": "edited"})

    assert [(await edit(old))[0] for _ in range(3)] == [200] * 3
    status, body = await edit(old)
    assert (status, body["code"], body["retry_after"]) == (429, 30046, 6.0)
    assert (await edit(young))[0] == 200
    await clock.advance(6)
    assert (await edit(old))[0] == 200


async def test_new_direct_messages_are_limited(clock: ManualClock) -> None:
    """A bot that ignores the limit is quarantined for good: it may only write where it has written before."""
    async with Sandbox(clock=clock) as local, raw_bot(local) as rest:
        local.services.new_direct_messages.most = 1
        ada, grace, emmy = [member["id"] for member in local.world.members]

        async def open_with(user: str) -> tuple[int, int]:
            status, body = await rest.call("POST", "/users/@me/channels", {"recipient_id": user})
            return status, body.get("code", 0)

        assert [await open_with(user) for user in (ada, ada, grace)] == [(200, 0), (200, 0), (403, 40003)]
        await clock.advance(60)
        assert [await open_with(user) for user in (grace, emmy)] == [(200, 0), (403, 40003)]
        await clock.advance(60)
        assert [await open_with(user) for user in (emmy, grace)] == [(403, 20026), (200, 0)]


async def test_planned_refusals_have_their_codes(local: Sandbox, client: Client) -> None:
    other = discord.Object(int(local.world.members[0]["id"]))
    codes = {
        Fault.CLOSED: 50007,
        Fault.NO_SHARED_SERVER: 50278,
        Fault.OPENING_TOO_FAST: 40003,
        Fault.QUARANTINED: 20026,
        Fault.MODERATED: 200000,
    }
    for fault, code in codes.items():
        local.faults.plan("POST", "/users/@me/channels", fault)
        with pytest.raises(discord.HTTPException) as refusal:
            await client.bot.create_dm(other)
        assert refusal.value.code == code
    local.faults.plan("POST", "/users/@me/channels", Fault.RATE_LIMITED_UNTIMED)
    with pytest.raises(KeyError, match="retry_after"):  # a limitation of discord.py
        await client.bot.create_dm(other)


async def test_global_limit_refuses_until_the_next_second() -> None:
    clock = ManualClock()
    async with Sandbox(clock=clock, global_limit=5) as local, raw_bot(local) as bot:
        answers = [await bot.call("GET", "/users/@me") for _ in range(8)]
        assert [status for status, _ in answers] == [200] * 5 + [429] * 3
        assert answers[5][1] == {
            "message": "You are being rate limited.", "retry_after": 1, "global": True, "code": 0,
        }  # fmt: skip
        headers = {"Authorization": "Bot any"}
        async with bot.session.get(f"{local.url}/api/v10/users/@me", headers=headers) as answer:
            assert answer.headers["X-RateLimit-Global"] == "true"
            assert answer.headers["X-RateLimit-Scope"] == "global"
            assert answer.headers["Retry-After"] == "1"
        # Responses to interactions do not count.
        path = "/interactions/1/none/callback"
        assert (await bot.call("POST", path, {"type": 4}, token=""))[0] == 404
        assert local.services.limit.refused == 4
        await clock.advance(1)
        assert (await bot.call("GET", "/users/@me"))[0] == 200
