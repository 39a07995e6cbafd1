"""Faults on purpose, as discord.py meets them."""

import aiohttp
import discord
import pytest

from bot.sandbox import Fault, Sandbox
from tests.sandbox.conftest import Client
from tests.sandbox.raw_bot import RawBot

SEND = ("POST", "/channels/{channel_id}/messages")


def general(client: Client) -> discord.TextChannel:
    return client.bot.guilds[0].text_channels[0]


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED, Fault.BAD_GATEWAY])
async def test_discord_py_tries_again(client: Client, local: Sandbox, fault: Fault) -> None:
    local.faults.plan(*SEND, fault)
    sent = await general(client).send("through")
    assert sent.content == "through"
    assert len(local.world.messages[str(sent.channel.id)]) == 1


async def test_discord_py_gives_up_when_discord_is_away(client: Client, local: Sandbox) -> None:
    local.faults.plan(*SEND, Fault.UNAVAILABLE)
    with pytest.raises(discord.DiscordServerError):
        await general(client).send("lost")


async def test_a_reset_reaches_the_caller_and_nothing_was_done(local: Sandbox, rest: RawBot) -> None:
    local.faults.plan(*SEND, Fault.RESET)
    with pytest.raises(aiohttp.ClientError):
        await rest.post({"content": "x"})
    assert local.world.messages[rest.general] == {}
    await rest.post({"content": "x"})


async def test_a_lost_answer_was_done_all_the_same(local: Sandbox, rest: RawBot) -> None:
    local.faults.plan(*SEND, Fault.LOST)
    with pytest.raises(aiohttp.ClientError):
        await rest.post({"content": "x"})
    assert len(local.world.messages[rest.general]) == 1


async def test_only_the_planned_calls_of_the_route_fail(local: Sandbox, rest: RawBot) -> None:
    local.faults.plan(*SEND, Fault.RATE_LIMITED, times=2, seconds=0.25)
    address = f"/channels/{rest.general}/messages"
    statuses = [(await rest.call("POST", address, {"content": "x"}))[0] for _ in range(3)]
    assert statuses == [429, 429, 200]
    assert (await rest.call("GET", address))[0] == 200
