"""A client whose shard moves to another process while something is still under way: nothing of it is an error."""

import asyncio
import json
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import InteractionType

from bot.client import ShardClient
from bot.sandbox import Sandbox
from bot.shards import logins, manager
from bot.shards.manager import ShardAssignment
from bot.ui.components.film_worker import FilmWorker
from bot.ui.interactions import waiting
from bot.ui.interactions.reply import suggest
from db.values.places import DIRECT
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import answered, message_with, once, text_of
from tests.waiting import wait_until

RECORD = json.dumps({"game": "alaric", "moves": [[0, "1"]]}).encode()


@pytest.mark.soak
async def test_long_answer_ends_after_its_shard_has_moved(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manager gives the shard up in the middle of an answer, and takes it again as another process would."""
    monkeypatch.setattr(manager, "LOOK_INTERVAL", 0.05)
    monkeypatch.setattr(logins, "SPAN", 0.1)
    monkeypatch.setattr(waiting, "FIRST", 0)
    film, drawing, moves = FilmWorker.film, asyncio.Event(), asyncio.Event()

    async def slow(*args: Any, **options: Any) -> bytes:
        await drawing.wait()
        return await film(*args, **options)

    def given(*_: Any) -> int | None:
        if not moves.is_set():
            return None
        moves.clear()
        return DIRECT

    monkeypatch.setattr(FilmWorker, "film", slow)
    monkeypatch.setattr(ShardAssignment, "shard_to_give", given)
    async with (
        Sandbox(observe=contract) as local,
        players(local.url, local.world) as (ada, *_),
        bot_here(local.url, tmp_path) as bot,
    ):
        old = bot.clients.of(DIRECT)
        assert old is not None
        await ada.command("replay", file=await ada.upload("record.json", RECORD))
        note = await message_with(ada, "Drawing the animation")
        moves.set()

        await wait_until(
            lambda: bot.clients.of(DIRECT) is not old and DIRECT in bot.services.ownership.served.numbers
        )
        assert local.services.gateway.connected == [DIRECT]
        assert "Start a game" in text_of(await answered(ada, "help"))
        assert not old.is_closed()

        drawing.set()
        shown = await once(ada, note, lambda now: "move by move" in text_of(now))
        assert "alaric-record.gif" in str(shown["components"])
        await wait_until(old.is_closed)


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
