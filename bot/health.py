"""The health of the bot. It touches a file while it is connected; `python -m bot.health` fails if that is too old."""

import sys
import time
from pathlib import Path

from bot.config import ConfigError, read_arguments, read_config

NAME = "alive"
FRESH = 60.0
"""Seconds after which a bot that has not touched its file counts as hanging."""


def beat(data_dir: Path) -> None:
    """Record that the bot is connected."""
    (data_dir / NAME).touch()


def alive(data_dir: Path, now: float) -> bool:
    """True if the last beat was less than a minute before `now` (seconds since the epoch)."""
    try:
        return now - (data_dir / NAME).stat().st_mtime < FRESH
    except FileNotFoundError:
        return False


def main() -> int:
    try:
        read_arguments("python -m bot.health", "Tell by the exit status whether the bot is connected.")
        return 0 if alive(read_config().data_dir, time.time()) else 1
    except ConfigError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command line answers
        return 2


if __name__ == "__main__":
    sys.exit(main())
