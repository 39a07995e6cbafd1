"""The embedded local Discord, for playing without an account, and the configuration of discord.py's addresses."""

import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import discord
import yarl

from bot.startup.config import Config, ConfigError

# A bot on the real Discord does not need the local one, whose import takes a tenth of a start.
if TYPE_CHECKING:
    from bot.sandbox import Sandbox

MEMBERS = ("Ada", "Grace", "Emmy")

CHANNELS = ("general", "results")
"""The channel that opens first, and a channel for announcing results."""

NOTE = (
    "You can act as any member here: choose one in the member list, or open a second window as another member."
    " Everything is saved when you stop."
)
"""The note in the first message."""

TOKEN = "local"  # noqa: S105 - not a secret
"""The token for the local Discord, which accepts any."""


@asynccontextmanager
async def local_discord(config: Config) -> "AsyncIterator[Sandbox]":
    """Run the embedded local Discord, stored in the data folder. Raises ConfigError if it cannot start."""
    from bot.sandbox import StoreError

    path = config.data_dir / "local-discord.sqlite3"
    try:
        local = await _started(path, config.port)
    except StoreError as error:
        raise ConfigError(f"{error} Stop that one, or set PENCILBOX_DATA_DIR to another folder.") from None
    except OSError as error:
        if error.errno != errno.EADDRINUSE or "port" in config.model_fields_set:
            reason = error.strerror or str(error)
            raise ConfigError(
                f"Port {config.port} cannot be used ({reason}): set PENCILBOX_PORT to another, or 0 for any free one."
            ) from None
        # The default port is in use, and the operator did not configure it, so any free port is used.
        local = await _started(path, 0)
    try:
        yield local
    finally:
        await local.stop()


async def _started(path: Path, port: int) -> "Sandbox":
    from bot.sandbox import Sandbox

    local = Sandbox(port, members=MEMBERS, channels=CHANNELS, application="Pencilbox", path=path)
    await local.start()
    local.system_channel(CHANNELS[0])
    for member in MEMBERS:
        local.install(member)
    return local


def point_discord_py_at(url: str) -> None:
    """Make this process's discord.py use the local Discord at `url`. Call this before the client starts."""
    discord.http.Route.BASE = f"{url}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http://", "ws://", 1) + "/")
    discord.asset.Asset.BASE = url


def send_requests_through(proxy: str) -> None:
    """Send the requests of this process, but not its gateway traffic, to a proxy that applies Discord's limits."""
    discord.http.Route.BASE = f"{proxy}/api/v10"
