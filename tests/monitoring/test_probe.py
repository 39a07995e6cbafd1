"""A database that hangs is named, and asked one question at most."""

from pathlib import Path

import asyncpg
import pytest

from bot.monitoring import subject
from bot.monitoring.subject import DatabaseProbe
from db.engine import open_store

LOCKED = (
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


async def test_a_database_that_hangs_is_asked_once(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "FRESH", 0)
    monkeypatch.setattr(subject, "PATIENCE", 60)
    looking = DatabaseProbe()
    await looking.look()
    assert looking.trouble == "The database is not open yet."
    async with open_store(postgres_url, tmp_path) as store:
        looking.store = store.administration
        await looking.look()
        assert looking.trouble is None
        other = await asyncpg.connect(postgres_url)
        async with other.transaction():
            await other.execute("LOCK TABLE matches")
            monkeypatch.setattr(subject, "PATIENCE", 0.5)
            for _ in range(3):
                await looking.look()
                assert looking.trouble == "The database does not answer."
            assert await other.fetchval(LOCKED) == 1
        monkeypatch.setattr(subject, "PATIENCE", 60)
        await looking.look()
        assert looking.trouble is None
        await other.close()
        await looking.close()
