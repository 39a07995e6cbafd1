"""The bot in the process of a test, which then can count what it does and change its parts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from bot.app.services import build_services
from bot.client import Pencilbox
from bot.local_discord import TOKEN, point_discord_py_at
from bot.search import SearchWorkers
from bot.system import SystemChance, SystemClock
from db.engine import open_store
from tests.db.migrated import lay
from tests.e2e.bot_process import PATIENCE


@asynccontextmanager
async def bot_here(url: str, folder: Path) -> AsyncIterator[Pencilbox]:
    """The bot in this process, logged in to the local Discord."""
    lay(folder)
    point_discord_py_at(url)
    search = SearchWorkers(1, PATIENCE)
    async with open_store(None, folder) as store:
        hour = timedelta(hours=1)
        services = build_services(
            store,
            SystemClock(),
            SystemChance(),
            search,
            search,
            theme="slate",
            challenge_lifetime=hour,
            departure_grace=hour,
        )
        async with Pencilbox(services, folder) as client:
            running = asyncio.create_task(client.start(TOKEN))
            async with asyncio.timeout(PATIENCE):
                await client.wait_until_ready()
            yield client
        await running
        await search.close()
