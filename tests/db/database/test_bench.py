"""The benchmarks use the same rows and queries as the bot."""

from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.sessions import Sessions
from db.store import Store
from tests.bench.ladder import load
from tests.bench.plans import plan
from tests.bench.population import Size
from tests.bench.questions import most_games, questions
from tests.db.ladder import assert_counted

SMALL = Size(members=12, guilds=2, matches=25)


@pytest.mark.usefixtures("own_database")
async def test_every_question_can_be_asked_and_is_looked_up(
    engine: AsyncEngine, store_url: str, tmp_path: Path
) -> None:
    await load([address(store_url, tmp_path)], SMALL)
    await assert_counted(engine)
    store = Store(Sessions(engine))
    asked = await questions(engine, await most_games(engine))
    assert len({it.name for it in asked}) == len(asked)
    for question in asked:
        assert await plan(engine, question.ask(store)), question.name
