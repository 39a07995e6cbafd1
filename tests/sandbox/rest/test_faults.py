"""Planned faults, and how discord.py handles them."""

import aiohttp
import discord
import pytest

from bot.sandbox import Fault, Sandbox
from tests.sandbox.conftest import Client
from tests.sandbox.raw_bot import RawBot

TOKEN = {"Authorization": "Bot any"}
SEND = ("POST", "/channels/{channel_id}/messages")


def general(client: Client) -> discord.TextChannel:
    return client.bot.guilds[0].text_channels[0]


async def test_discord_py_retries(client: Client, local: Sandbox) -> None:
    for number, fault in enumerate((Fault.RATE_LIMITED, Fault.BAD_GATEWAY), start=1):
        local.faults.plan(*SEND, fault)
        sent = await general(client).send("through")
        assert len(local.world.messages[str(sent.channel.id)]) == number
    local.faults.plan(*SEND, Fault.UNAVAILABLE)
    with pytest.raises(discord.DiscordServerError):
        await general(client).send("lost")


async def test_request_is_carried_out_or_not(local: Sandbox, rest: RawBot) -> None:
    stored = local.world.messages[rest.general]
    for fault, number in ((Fault.RESET, 0), (Fault.LOST, 1)):
        local.faults.plan(*SEND, fault)
        with pytest.raises(aiohttp.ClientError):
            await rest.post({"content": "x"})
        assert len(stored) == number
    local.faults.plan(*SEND, Fault.DONE_AND_BAD_GATEWAY)
    url = f"{local.url}/api/v10/channels/{rest.general}/messages"
    async with rest.session.post(url, json={"content": "x"}, headers=TOKEN) as response:
        assert response.status == 502
    assert len(stored) == 2


@pytest.mark.parametrize(
    ("fault", "status", "headers"),
    [
        (Fault.RATE_LIMITED, 429, {"Via": "1.1 local", "X-RateLimit-Scope": "user"}),
        (Fault.RATE_LIMITED_SHARED, 429, {"Via": "1.1 local", "X-RateLimit-Scope": "shared"}),
        (Fault.RATE_LIMITED_GLOBALLY, 429, {"Via": "1.1 local", "X-RateLimit-Global": "true"}),
        (Fault.BANNED, 429, {"Via": None}),
        (Fault.BANNED_BY_PAGE, 429, {"Via": None, "Content-Type": "text/html; charset=utf-8"}),
        (Fault.UNAUTHORIZED, 401, {}),
        (Fault.FORBIDDEN, 403, {}),
        (Fault.NOT_FOUND, 404, {}),
    ],
)
async def test_refusals_have_discords_form(
    local: Sandbox, rest: RawBot, fault: Fault, status: int, headers: dict[str, str | None]
) -> None:
    local.faults.plan(*SEND, fault)
    url = f"{local.url}/api/v10/channels/{rest.general}/messages"
    async with rest.session.post(url, json={"content": "x"}) as response:
        assert response.status == status
        assert {name: response.headers.get(name) for name in headers} == headers
    assert local.world.messages[rest.general] == {}
    assert len(local.faults) == 0


async def test_only_the_planned_calls_fail(local: Sandbox, rest: RawBot) -> None:
    local.faults.plan(*SEND, Fault.RATE_LIMITED, times=2, seconds=0.25)
    address = f"/channels/{rest.general}/messages"
    statuses = [(await rest.call("POST", address, {"content": "x"}))[0] for _ in range(3)]
    assert statuses == [429, 429, 200]
    assert (await rest.call("GET", address))[0] == 200
