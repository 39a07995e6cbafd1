"""Whatever is done, in whatever order, the store says what a few dictionaries say."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.engine import make_engine, open_store
from db.models import Base
from db.store import SqlStore
from tests.db.machine import StoreMachine
from tests.db.machine.base import Run
from tests.db.standing.machine import StandingMachine
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


@pytest.fixture
def store(store_url: str, tmp_path: Path, run: Run) -> Iterator[SqlStore]:
    opening = open_store(store_url, tmp_path)
    yield run(opening.__aenter__())
    run(opening.__aexit__(None, None, None))


@pytest.fixture
def engine(store_url: str, tmp_path: Path, run: Run) -> Iterator[AsyncEngine]:
    made = make_engine(address(store_url, tmp_path))
    yield made
    run(made.dispose())


def drive(machine: Callable[[], RuleBasedStateMachine], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,  # type: ignore[arg-type]  # documented to take a factory, annotated to take a class
        settings=settings(
            max_examples=round(examples * SHARE),
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_store_does_what_its_model_does(store: SqlStore, engine: AsyncEngine, run: Run) -> None:
    def machine() -> StoreMachine:
        run(emptied(engine))
        return StoreMachine(store, run)

    drive(machine, examples=50, steps=25)


def test_standing_is_what_the_games_make_of_it(store: SqlStore, engine: AsyncEngine, run: Run) -> None:
    def machine() -> StandingMachine:
        run(emptied(engine))
        return StandingMachine(store, engine, run)

    drive(machine, examples=12, steps=10)
