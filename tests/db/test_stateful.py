"""A stateful test: all standings follow from the rated games, whatever happens to them and in which order."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.engine import make_engine, open_store
from db.models import Base
from db.store import Store
from db.stores.standings import recompute
from tests.db.standings.machine import StandingMachine
from tests.seeds import SHARE
from tests.state_machines import Run, outside_a_loop, run_examples


@pytest.fixture
def run() -> Iterator[Run]:
    with outside_a_loop() as run:
        yield run


async def emptied(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            await connection.execute(table.delete())


@pytest.fixture
def store(store_url: str, tmp_path: Path, run: Run) -> Iterator[Store]:
    opening = open_store(store_url, tmp_path, prepared=True)
    yield run(opening.__aenter__())
    run(opening.__aexit__(None, None, None))


@pytest.fixture
def engine(store_url: str, tmp_path: Path, run: Run) -> Iterator[AsyncEngine]:
    made = make_engine(address(store_url, tmp_path))
    yield made
    run(made.dispose())


def test_standings_follow_from_the_games(
    store: Store, engine: AsyncEngine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recompute, "AT_ONCE", 1)
    monkeypatch.setattr(recompute, "COPIED", 40)

    def machine() -> StandingMachine:
        run(emptied(engine))
        return StandingMachine(store, engine, run)

    run_examples(machine, round(30 * SHARE), steps=10)
