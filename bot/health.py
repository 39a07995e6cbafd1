"""`python -m bot.health` tells by its exit status if the bot is well.

Where the bot serves metrics, it is asked if it is ready. Otherwise it touches a file while it is connected, which must
not be too old.
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
"""Seconds after which a bot that has not touched its file counts as hanging."""
PATIENCE = 4.0
"""Seconds that the bot has to say if it is ready; Docker waits for five."""


def beat(data_dir: Path) -> None:
    """Record that the bot is connected. On a full disk nothing is recorded, and the bot goes on."""
    with suppress(OSError):
        (data_dir / NAME).touch()


def alive(data_dir: Path, now: float) -> bool:
    """True if the last beat was less than a minute away from `now` (seconds since the epoch).

    A beat in the future is from before the machine's clock was set back.
    """
    try:
        return abs(now - (data_dir / NAME).stat().st_mtime) < FRESH
    except FileNotFoundError:
        return False


def ask(host: str, port: int) -> str | None:
    """Ask the bot that serves metrics at this address if it is ready. Return why it is not; None if it is."""
    # An address at which all interfaces are served is none to connect to.
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - it is compared, not served
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
    trouble = ask(config.metrics_host, config.metrics_port)
    if trouble is not None:
        complain(trouble)
    return 0 if trouble is None else 1


def main() -> int:
    return run(Arguments("health"), _health)


if __name__ == "__main__":
    sys.exit(main())
