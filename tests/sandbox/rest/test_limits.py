"""The limits that Discord applies without being asked: edits of old messages, and new direct messages."""

import discord
import pytest

from bot.sandbox import Fault, ManualClock, Sandbox
from tests.sandbox.conftest import Client
from tests.sandbox.raw_bot import RawBot


async def test_old_messages_take_three_edits_in_six_seconds(
    local: Sandbox, rest: RawBot, clock: ManualClock
) -> None:
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


async def test_many_new_direct_messages_are_refused(local: Sandbox, rest: RawBot, clock: ManualClock) -> None:
    local.services.new_direct_messages.most = 1
    ada, grace = [member["id"] for member in local.world.members]

    async def open_with(user: str) -> tuple[int, int]:
        status, body = await rest.call("POST", "/users/@me/channels", {"recipient_id": user})
        return status, body.get("code", 0)

    assert [await open_with(user) for user in (ada, ada, grace)] == [(200, 0), (200, 0), (403, 40003)]
    await clock.advance(60)
    assert await open_with(grace) == (200, 0)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault.CLOSED, 50007),
        (Fault.NO_SHARED_SERVER, 50278),
        (Fault.OPENING_TOO_FAST, 40003),
        (Fault.QUARANTINED, 20026),
        (Fault.MODERATED, 200000),
    ],
)
async def test_planned_refusals_have_their_codes(
    local: Sandbox, client: Client, fault: Fault, code: int
) -> None:
    local.faults.plan("POST", "/users/@me/channels", fault)
    with pytest.raises(discord.HTTPException) as refusal:
        await client.bot.create_dm(discord.Object(int(local.world.members[0]["id"])))
    assert refusal.value.code == code


async def test_discord_py_needs_the_time_of_a_limit(local: Sandbox, client: Client) -> None:
    """A 429 with Via and without `retry_after` is a KeyError."""
    local.faults.plan("POST", "/users/@me/channels", Fault.RATE_LIMITED_UNTIMED)
    with pytest.raises(KeyError, match="retry_after"):
        await client.bot.create_dm(discord.Object(int(local.world.members[0]["id"])))
