"""Whatever members do, in whatever order: every match stays one consistent record, and nobody loses a result."""

from pathlib import Path

from tests.bot.evening.evening import evenings


def test_whatever_members_do(tmp_path: Path) -> None:
    evenings(tmp_path, examples=10, steps=25)
