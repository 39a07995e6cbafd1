"""The health check believes what the bot last said of itself, for a minute."""

from pathlib import Path

from bot.health import FRESH, NAME, alive, beat


def test_a_bot_that_never_connected_is_not_alive(tmp_path: Path) -> None:
    assert not alive(tmp_path, now=0)


def test_a_beat_counts_for_a_while(tmp_path: Path) -> None:
    beat(tmp_path)
    said = (tmp_path / NAME).stat().st_mtime
    assert alive(tmp_path, now=said + FRESH - 1)
    assert not alive(tmp_path, now=said + FRESH)
