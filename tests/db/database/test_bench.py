"""The benchmarks use the same rows and queries as the bot."""

from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import address
from db.api.standings.ratings import ALWAYS, EVERYWHERE, TOGETHER
from db.models import RatedSeatRow, RatingRow
from db.sessions import Sessions
from db.store import SqlStore
from tests.bench.ladder import load
from tests.bench.plans import plan
from tests.bench.population import NOW, Size
from tests.bench.questions import most_games, questions
from tests.bench.strength import climbs, spearman
from tests.db.ladder import assert_counted

SMALL = Size(members=12, guilds=2, matches=25)


@pytest.mark.usefixtures("own_database")
async def test_the_generated_members_look_as_if_they_had_played(
    store: SqlStore, engine: AsyncEngine, store_url: str, tmp_path: Path
) -> None:
    await load([address(store_url, tmp_path)], SMALL)
    await assert_counted(engine)
    async with engine.connect() as connection:
        ratings = (await connection.execute(select(RatingRow.__table__))).all()
        seats = (await connection.execute(select(RatedSeatRow.user_id))).scalars()
    played = Counter(seats)
    assert played.total() > SMALL.matches
    lasting = [it for it in ratings if (it.period, it.game, it.guild) == (ALWAYS, TOGETHER, EVERYWHERE)]
    counted = {it.user_id: it.won + it.drawn + it.lost for it in lasting}
    assert any(played[user] > games for user, games in counted.items()), (
        "one of the two servers keeps to itself"
    )
    assert {it.listed for it in lasting} == {True, False}
    assert not await store.expired_leaderboards(NOW)
    for user, games in counted.items():
        found = await store.profile(user, None, None, ())
        assert len(found.scores) == games
        assert found.scores[-1][1] == found.ratings[0].held.skill.score
        assert 0 <= found.runs.won <= found.runs.most_won <= found.runs.most_unbeaten <= games


@pytest.mark.usefixtures("own_database")
async def test_every_question_can_be_asked_and_is_looked_up(
    engine: AsyncEngine, store_url: str, tmp_path: Path
) -> None:
    await load([address(store_url, tmp_path)], SMALL)
    store = SqlStore(Sessions(engine))
    asked = await questions(engine, await most_games(engine))
    assert len({it.name for it in asked}) == len(asked)
    for question in asked:
        assert await plan(engine, question.ask(store)), question.name


def test_simulated_players_end_in_the_order_of_their_strength() -> None:
    found = climbs(64, 2, seed=1)
    by_games = [score for score, _ in found.values()]
    assert by_games == sorted(by_games)
    assert found[50][0] > 0.85


def test_a_rank_correlation_shares_ranks() -> None:
    assert spearman([1, 2, 3], [10, 20, 90]) == 1
    assert spearman([1, 2, 3], [9, 5, 1]) == -1
    assert round(spearman([1, 2, 3, 4], [1, 2, 2, 3]), 6) == 0.948683
