"""Whatever is done, in whatever order, the store says what a few dictionaries say."""

import asyncio
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.engine import make_engine, open_store
from db.models import Base
from db.store import SqlStore
from tests.db.machine import StoreMachine
from tests.db.machine.base import Run
from tests.rules.walks import SHARE


@pytest.fixture
def run() -> Iterator[Run]:
    """Waits for something, outside of any event loop, as Hypothesis calls its rules."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:

        async def wait(it: Awaitable[Any]) -> Any:
            return await it

        yield lambda it: runner.run(wait(it))


async def emptied(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            await connection.execute(table.delete())


def test_the_store_does_what_its_model_does(store_url: str, tmp_path: Path, run: Run) -> None:
    opening = open_store(store_url, tmp_path)
    store: SqlStore = run(opening.__aenter__())
    engine = make_engine(address(store_url, tmp_path))

    def machine() -> StoreMachine:
        run(emptied(engine))
        return StoreMachine(store, run)

    try:
        run_state_machine_as_test(
            machine,  # type: ignore[arg-type]  # documented to take a factory, annotated to take a class
            settings=settings(
                max_examples=round(50 * SHARE),
                stateful_step_count=25,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        run(engine.dispose())
        run(opening.__aexit__(None, None, None))
