"""What every process of the bot does at its start: it listens for the request to stop, and makes its data folder."""

import asyncio
import signal
from pathlib import Path

from bot.startup.config import ConfigError


def stop_requested() -> asyncio.Event:
    """Return an event that is set when this process is asked to stop."""
    requested = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, requested.set)
    return requested


def make_folder(path: Path) -> None:
    """Make the data folder if it is not there. Raises ConfigError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The data folder {path} cannot be made ({error.strerror}): set PENCILBOX_DATA_DIR to another."
        ) from None
