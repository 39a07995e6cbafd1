"""Expired leaderboards are deleted a few rows at a time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from bot.app import standings
from bot.app.standings import EVERY, LeaderboardCleanup
from db.values.standings import ExpiredLeaderboards, HeldSkill, Leaderboard, Rating
from tests.app.conftest import Host
from tests.db.ladder import keep

NOW = datetime(2026, 11, 20, tzinfo=UTC)


async def stand(host: Host, boards: Sequence[Leaderboard], members: int) -> None:
    """Let so many stand on each of these boards."""
    ratings = [
        Rating(user, board, HeldSkill(), 1, 0, 0) for board in boards for user in range(1, members + 1)
    ]
    await keep(host.store, ratings)


async def test_what_is_over_goes_little_by_little(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "BATCH", 4)
    monkeypatch.setattr(standings, "SWEPT", 6)
    host.clock.time = NOW
    kept = [Leaderboard(period, guild=guild) for period in ("", "2026-10", "2026-W46") for guild in (0, 1)]
    await stand(host, [Leaderboard("2026-09"), *kept, Leaderboard("2026-W45", "maze", 1)], 10)
    attic = LeaderboardCleanup(host.store.leaderboards, host.clock, host.services.rounds)
    gone = []
    while rows := await attic.sweep():
        gone.append(rows)
    assert sum(gone) == 22, "ten members on each of two boards, and on each one score that they all hold"
    assert max(gone) < 6 + 2 * 4
    assert {it.leaderboard for it in await host.store.ratings.of_member(1)} == {*kept}


async def test_it_is_looked_now_and_then(host: Host) -> None:
    host.clock.time = NOW
    attic = LeaderboardCleanup(host.store.leaderboards, host.clock, host.services.rounds)
    assert await attic.sweep() == 0
    await stand(host, [Leaderboard("2026-09")], 1)
    host.clock.push(EVERY - timedelta(seconds=1))
    assert await attic.sweep() == 0
    assert await host.store.leaderboards.expired(NOW) == [ExpiredLeaderboards(0, "2026-09")]
    host.clock.push(timedelta(seconds=1))
    assert await attic.sweep() == 2
