"""A database that hangs is reported, and gets one query at most."""

from pathlib import Path

import asyncpg
import pytest

from bot.monitoring import subject
from bot.monitoring.subject import DatabaseProbe
from db.engine import open_store

LOCKED = (
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


async def test_hung_database_gets_one_query(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "FRESH", 0)
    monkeypatch.setattr(subject, "PATIENCE", 60)
    probe = DatabaseProbe()
    await probe.refresh()
    assert probe.problem == "The database is not open yet."
    async with open_store(postgres_url, tmp_path) as store:
        probe.store = store.administration
        await probe.refresh()
        assert probe.problem is None
        other = await asyncpg.connect(postgres_url)
        async with other.transaction():
            await other.execute("LOCK TABLE matches")
            monkeypatch.setattr(subject, "PATIENCE", 0.5)
            for _ in range(3):
                await probe.refresh()
                assert probe.problem == "The database does not answer."
            assert await other.fetchval(LOCKED) == 1
        monkeypatch.setattr(subject, "PATIENCE", 60)
        await probe.refresh()
        assert probe.problem is None
        await other.close()
        await probe.close()
