"""Serving HTTP on a port of its own, beside Discord."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from bot.startup.config import ConfigError


@asynccontextmanager
async def http_server(
    app: web.Application, host: str, port: int, what: str, setting: str
) -> AsyncIterator[int]:
    """Serve an application as long as the context is open, and return its port. Port 0 takes any free port.

    `what` is served, by its sentence, and `setting` is how the names of the settings begin. Raises ConfigError.
    """
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise ConfigError(
                f"{what} cannot be served on port {port} of {host} ({error.strerror or error}): "
                f"set {setting}_PORT and {setting}_HOST to others, or the port to 0 for any free one."
            ) from None
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
