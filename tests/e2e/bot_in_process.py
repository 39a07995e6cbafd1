"""The bot in the process of a test, which then can count what it does and change its parts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from discord.state import ConnectionState

from bot.app.searches import Searches
from bot.app.services import Services
from bot.app.system import Chance, Clock
from bot.pencilbox import Pencilbox
from bot.search.workers import SearchWorkers
from bot.shards.serve import ShardSettings, serve
from bot.startup.local_discord import TOKEN, point_discord_py_at
from bot.startup.system import SystemChance, SystemClock
from bot.ui.components import message_parts as emoji
from db.address import FILE_NAME
from db.engine import open_store
from db.processes.open import process_link
from db.values.places import DiscordId, Ownership
from tests.db.migrated import lay
from tests.waiting import PATIENCE, wait_until

_made = ConnectionState.__init__


def ready_soon(self: ConnectionState[Any], **options: Any) -> None:
    """Wait less for more servers after a login than discord.py's two seconds: the local Discord has sent all."""
    _made(self, **{**options, "guild_ready_timeout": 0.2})


@asynccontextmanager
async def bot_here(
    url: str,
    folder: Path,
    admin_server: DiscordId | None = None,
    database: str | None = None,
    *,
    kind: type[Pencilbox] = Pencilbox,
    clock: Clock | None = None,
    chance: Chance | None = None,
    searches: Searches | None = None,
    lifetime: timedelta = timedelta(hours=1),
) -> AsyncIterator[Pencilbox]:
    """The bot in this process, logged in to the local Discord. The owner has `/admin` in a server, if one is given.

    It leaves no emojis behind: the whole process knows them. `database` is the address of a database; without one, the
    bot keeps its data in a file in the folder. Challenges stay open for `lifetime`.
    """
    if database is None and not (folder / FILE_NAME).exists():
        lay(folder)
    point_discord_py_at(url)
    search = SearchWorkers(1, PATIENCE)
    ownership = Ownership()
    async with open_store(database, folder, ownership) as store:
        services = Services(
            store,
            clock or SystemClock(),
            chance or SystemChance(),
            searches or search,
            theme="slate",
            challenge_lifetime=lifetime,
            departure_grace=timedelta(hours=1),
            ownership=ownership,
        )
        bot = kind(services, folder, admin_server=admin_server)
        async with process_link(database, folder) as link:
            assert await link.join()
            with patch.dict(emoji._ready, clear=True), patch.object(ConnectionState, "__init__", ready_soon):
                running = asyncio.create_task(serve(bot, link, TOKEN, ShardSettings()))
                await wait_until(lambda: services.ownership.served.numbers)
                # A test that fails leaves no bot running, which would make the next test fail.
                try:
                    yield bot
                finally:
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
                    await search.close()
