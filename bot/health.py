"""`python -m bot.health` checks whether the bot works, and returns the result as its exit status.

A bot that serves metrics is asked whether it is ready. Any other bot touches a file while it is connected, and that
file must not be too old.
"""

import json
import sys
import time
from argparse import Namespace
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from bot.startup.output import complain

NAME = "alive"
FRESH = 60.0
"""Seconds after which a bot that has not touched its file counts as hung."""
PATIENCE = 4.0
"""Timeout in seconds of the request to the bot. Docker waits for five."""


def touch_alive_file(data_dir: Path) -> None:
    """Record that the bot is connected. On a full disk nothing is recorded, and the bot continues."""
    with suppress(OSError):
        (data_dir / NAME).touch()


def alive(data_dir: Path, now: float) -> bool:
    """Return whether the file was touched less than a minute from `now`, in seconds since the epoch.

    A time in the future is from before the machine's clock was set back.
    """
    try:
        return abs(now - (data_dir / NAME).stat().st_mtime) < FRESH
    except FileNotFoundError:
        return False


def ask(host: str, port: int) -> str | None:
    """Ask the bot that serves metrics at this address. Return the reason why it is not ready, or None if it is."""
    # A wildcard address such as 0.0.0.0 cannot be connected to; use the loopback address instead.
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not served
    connection = HTTPConnection(reachable, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/readyz")
        answer = json.loads(connection.getresponse().read())
        if answer["ready"]:
            return None
        return " ".join(answer["not_ready"].values())
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return f"The bot does not answer at port {port}."
    finally:
        connection.close()


async def _health(_: Namespace, config: Config) -> int:
    if not config.metrics_port:
        return 0 if alive(config.data_dir, time.time()) else 1
    problem = ask(config.metrics_host, config.metrics_port)
    if problem is not None:
        complain(problem)
    return 0 if problem is None else 1


def main() -> int:
    return run(Arguments("health"), _health)


if __name__ == "__main__":
    sys.exit(main())
