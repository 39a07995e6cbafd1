"""The health check passes for a minute after the last beat of the bot."""

from pathlib import Path

from bot.health import FRESH, NAME, alive, beat


def test_a_bot_that_never_connected_is_not_alive(tmp_path: Path) -> None:
    assert not alive(tmp_path, now=0)


def test_a_beat_counts_for_a_minute(tmp_path: Path) -> None:
    beat(tmp_path)
    last = (tmp_path / NAME).stat().st_mtime
    assert alive(tmp_path, now=last + FRESH - 1)
    assert not alive(tmp_path, now=last + FRESH)
