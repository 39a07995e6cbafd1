"""The health check passes for a minute after the bot touched its file.

tests/e2e/process/test_monitoring.py tests the check of a bot that serves metrics.
"""

import socket
from pathlib import Path

from bot.health import FRESH, NAME, alive, ask, touch_alive_file


def test_a_bot_that_never_connected_is_not_alive(tmp_path: Path) -> None:
    assert not alive(tmp_path, now=0)


def test_a_beat_counts_for_a_minute(tmp_path: Path) -> None:
    touch_alive_file(tmp_path)
    last = (tmp_path / NAME).stat().st_mtime
    assert alive(tmp_path, now=last + FRESH - 1)
    assert not alive(tmp_path, now=last + FRESH)
    assert not alive(tmp_path, now=last - FRESH), "the file is from before the clock was set back"


def test_a_bot_that_does_not_answer_is_not_well() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        assert ask("0.0.0.0", port) == f"The bot does not answer at port {port}."
