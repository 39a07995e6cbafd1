"""`python -m bot stats` counts what members have played, and names nobody."""

from datetime import timedelta
from pathlib import Path

from bot.operators.stats import lines
from db.engine import open_to_read
from db.inspection import Games, count
from db.migrate import newest
from tests.app.conftest import DrivenClock


async def test_what_members_have_played_is_counted(played_url: str, tmp_path: Path) -> None:
    now = DrivenClock().now() + timedelta(seconds=90)
    async with open_to_read(played_url, tmp_path) as sessions, sessions.read() as session:
        figures = await count(session, now)
    assert (figures.revision, figures.servers, figures.members) == (newest(), 1, 3)
    assert figures.weeks[:2] == ("2026-W01", "2025-W52")
    assert figures.games["alaric"] == Games(0, 3, (3, 0, 0, 0, 0, 0, 0, 0))
    assert figures.games["palindromes"] == Games(1, 0, (0,) * 8)
    # Nothing has shown their boards.
    assert (figures.waiting_boards, figures.oldest_waiting_board) == (9, DrivenClock().now())
    assert figures.bytes > 100_000
    said = list(lines(figures, now))
    assert "boards waiting  9, the oldest for 90 s" in said
    assert said[-1].split()[:4] == ["together", "2", "7", "7"]
