"""Roles for titles over the wire: a manager chooses them, holders get them once, and deleted data takes them away."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.world import objects
from bot.ui.events.titles import RoleTask
from db.values.events import TitleKind
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import answered, open_data, open_settings, press, text_of, told, until


@asynccontextmanager
async def with_roles(local: Sandbox) -> AsyncIterator[tuple[str, str]]:
    """Add a role below that of the bot and one above it, before the bot logs in."""
    guild = local.world.guild
    below, above = (str(int(guild["id"]) + number) for number in (900, 901))
    guild["roles"] += [objects.role(below, "Finisher", 0, 0), objects.role(above, "Boss", 0, 9)]
    yield below, above


async def test_a_role_follows_a_title(contract: Contract, tmp_path: Path) -> None:
    async with (
        Sandbox(members=("Ada", "Grace"), observe=contract) as local,
        with_roles(local) as (below, above),
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace),
    ):
        guild = local.world.guild

        def held() -> list[str]:
            return list(local.world.member(guild["id"], grace.id)["roles"])

        settings = await open_settings(ada, "Events")
        await ada.choose(settings, "title-role:finisher", above)
        await told(ada, "is above my own role, so I cannot give it; move my role above it.")
        await ada.choose(settings, "title-role:finisher", below)
        user, store, task = int(grace.id), bot.services.store, RoleTask(bot.services, bot.clients)
        await store.titles.add(
            int(guild["id"]), TitleKind.FINISHER, "2026-10", [user], bot.services.clock.now()
        )
        await task.round()
        await task.round()
        assert held().count(below) == 1
        assert "🥇 most reliable finisher of October 2026" in text_of(await answered(grace, "profile"))

        await press(grace, await open_data(grace), "Delete my data…")
        asked = await told(grace, "cannot be undone")
        await press(grace, asked, "Yes, delete it all")
        await until(grace, asked, "kept about you is deleted")
        await task.round()
        assert below not in held()
        assert await store.titles.due(bot.services.clock.now(), 9) == []
