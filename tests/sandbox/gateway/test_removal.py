"""Removal of the bot from the server, its return, and outages."""

import asyncio

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.errors import Refused as NotAdded
from tests.contract.player import Player, Refused
from tests.sandbox.conftest import Client
from tests.sandbox.raw_bot import RawBot


async def test_removed_bot_sees_nothing_of_the_server(raw: RawBot, ada: Player) -> None:
    raw.local.remove_bot()
    assert await raw.event("GUILD_DELETE") == {"id": raw.guild}
    status, answer = await raw.call("POST", f"/channels/{raw.general}/messages", {"content": "still here"})
    assert (status, answer["code"]) == (403, 50001)
    status, answer = await raw.call("GET", f"/guilds/{raw.guild}")
    assert (status, answer["code"]) == (404, 10004)
    assert await raw.call("GET", "/users/@me/guilds") == (200, [])
    assert await ada.get("commands") == []
    with pytest.raises(Refused, match="is not there"):
        await ada.command("ask")
    await ada.say("Is it gone?")
    raw.local.add_bot()
    guild = await raw.event("GUILD_CREATE")
    assert (guild["id"], "unavailable" in guild) == (raw.guild, False)
    assert not [one for one in raw.seen if one["t"] == "MESSAGE_CREATE"]
    assert [one["name"] for one in await ada.get("commands")] == ["ask"]
    raw.local.outage()
    assert await raw.event("GUILD_DELETE") == {"id": raw.guild, "unavailable": True}
    raw.local.recover()
    assert (await raw.event("GUILD_CREATE"))["unavailable"] is False
    raw.local.remove_bot()
    await raw.close(1000)
    await raw.open()
    await raw.send(2, {"token": "any", "intents": 1, "properties": {}})
    assert (await raw.event("READY"))["guilds"] == []


async def test_discord_py_distinguishes_outage_and_removal(local: Sandbox, client: Client) -> None:
    happened: asyncio.Queue[str] = client.happened

    def hear(name: str) -> None:
        async def heard(*_: object) -> None:
            happened.put_nowait(name)

        setattr(client.bot, f"on_{name}", heard)

    for name in ("guild_remove", "guild_join", "guild_available", "guild_unavailable"):
        hear(name)
    told = []
    for provoke in (local.outage, local.recover, local.remove_bot, local.add_bot):
        provoke()
        told.append(await asyncio.wait_for(happened.get(), 20))
        assert bool(client.bot.guilds) == (told[-1] != "guild_remove")
    assert told == ["guild_unavailable", "guild_available", "guild_remove", "guild_join"]


async def test_unverified_application_joins_100_servers() -> None:
    async with Sandbox(servers=101) as local:
        local.remove_bot()
        with pytest.raises(NotAdded, match="100 servers"):
            local.add_bot()
        local.verified = True
        local.add_bot()
        assert local.world.bot_is_in(local.server()["id"])
