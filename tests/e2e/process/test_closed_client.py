"""A client whose shard moves to another process while something is still under way: nothing of it is an error."""

import asyncio
from pathlib import Path
from typing import Any

import discord
from discord import InteractionType

from bot.client import ShardClient
from bot.sandbox import Sandbox
from bot.ui.kit.answers.suggestions import suggest
from db.api.shards import DIRECT
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here


async def test_what_is_under_way_ends_without_an_error(tmp_path: Path) -> None:
    async with (
        Sandbox() as local,
        players(local.url, local.world) as (ada, *_),
        bot_here(local.url, tmp_path) as bot,
    ):
        client = bot.clients.of(DIRECT)
        assert isinstance(client, ShardClient)
        asked: asyncio.Future[discord.Interaction[Any]] = asyncio.get_running_loop().create_future()

        async def typed(interaction: discord.Interaction[Any]) -> None:
            if interaction.type is InteractionType.autocomplete and not asked.done():
                asked.set_result(interaction)

        client.add_listener(typed, "on_interaction")
        await ada.autocomplete("move", "move", move="")
        interaction = await asked
        interaction.response._response_type = None
        # As after a login, when discord.py waits two seconds for the servers.
        state = client._connection
        state._ready_state = asyncio.Queue()
        state._ready_task = ready = asyncio.create_task(state._delay_ready())
        await asyncio.sleep(0)
        await client.close()
        await asyncio.wait([ready])
        assert ready.exception() is None
        await suggest(interaction)
