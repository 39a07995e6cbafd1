"""Is the bot alive? It touches a file while it is connected; `python -m bot.health` says whether that is recent."""

import sys
import time
from pathlib import Path

from bot.config import read_config

NAME = "alive"
FRESH = 60.0
"""Seconds after which a bot that has not touched its file counts as hanging."""


def beat(data_dir: Path) -> None:
    """Say that the bot is connected."""
    (data_dir / NAME).touch()


def alive(data_dir: Path, now: float) -> bool:
    """Whether the bot said so less than a minute before `now` (seconds since the epoch)."""
    try:
        return now - (data_dir / NAME).stat().st_mtime < FRESH
    except FileNotFoundError:
        return False


def main() -> int:
    return 0 if alive(read_config().data_dir, time.time()) else 1


if __name__ == "__main__":
    sys.exit(main())
