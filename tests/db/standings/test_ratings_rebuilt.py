"""Rebuilt ratings are equal to the stored ones, and the tallies always equal a count."""

from itertools import count, pairwise

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import RatedSeatRow
from db.store import Store
from db.stores.standings import recompute
from db.values.matches import Award, MovedOn, NewEntry
from rules.core.match import Ply
from tests.db.given import ANNA, BERT, LOST, WON, finished, match_of, started
from tests.db.ladder import MONDAY, USERS, Played, assert_counted, everything, job, recomputed


async def test_what_does_not_count_any_more_is_left_out(store: Store, engine: AsyncEngine) -> None:
    played, fewer = Played(), Played()
    ids = await played.evening(store, seed=3, matches=4)
    fewer.ranks = {match: played.ranks[match] for match in ids[:3]}
    assert await store.ratings.rebuild(fewer.judge, MONDAY) == 3
    assert await store.ratings.changes(ids[3]) is None
    await assert_counted(engine)


async def test_what_is_taken_back_has_no_result(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    await store.achievements.award_again(match, [Award(0, "done")])
    await store.matches.void(match, MONDAY, "two accounts")
    found = await match_of(store, match)
    assert (found.outcomes, found.void, len(found.log)) == (None, "two accounts", 1)
    assert await store.achievements.new_awards(match) == []
    with pytest.raises(MovedOn):
        await store.matches.void((await started(store)).id, MONDAY, "still running")
    with pytest.raises(LookupError):
        await store.matches.void(match + 5, MONDAY, "no such match")


async def test_ratings_of_earlier_rules_are_computed_again(store: Store, engine: AsyncEngine) -> None:
    """By the ranks that are stored, and once."""
    played = Played()
    await played.evening(store, seed=9, matches=4)
    before = await everything(engine)
    assert await store.ratings.renew(MONDAY) is None
    async with engine.begin() as connection:
        for change in (
            "INSERT INTO outdated_ratings (id) VALUES (1)",
            "UPDATE rated SET weight = 0.125",
            "UPDATE ratings SET mu = mu + 1, score = score + 40",
            "UPDATE tallies SET score = score + 40",
        ):
            await connection.exec_driver_sql(change)
    assert await everything(engine) != before
    assert await store.ratings.renew(MONDAY) == 4
    assert await everything(engine) == before
    await assert_counted(engine)
    assert await store.ratings.renew(MONDAY) is None


@pytest.mark.soak
async def test_reverted_result_is_recomputed_in_chunks(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each chunk rates at most so many matches again. Between two chunks, moves are stored and matches end."""
    monkeypatch.setattr(recompute, "AT_ONCE", 0)
    played = Played()
    ids = await played.evening(store, seed=10, matches=10)
    running = await started(store)
    await store.matches.void(ids[0], MONDAY, "two accounts")
    seen = [await skills_before(engine)]
    for ply in range(100):
        more = await store.ratings.recompute(MONDAY, 3)
        seen.append(await skills_before(engine))
        if not more:
            break
        await store.matches.append(running.id, ply, NewEntry(Ply(ply % 2, "a1"), MONDAY))
        if ply == 2:
            await played.evening(store, seed=11, matches=1)
            await store.matches.void(ids[8], MONDAY, "two accounts")  # after the cursor
            await store.matches.void(ids[1], MONDAY, "two accounts")  # before it
    changed = [
        sum(now[match] != skills for match, skills in was.items() if match in now)
        for was, now in pairwise(seen)
    ]
    assert max(changed) <= 3
    assert sum(changed) >= 5
    assert not await store.ratings.recomputing()
    await assert_counted(engine)
    after = await everything(engine)
    assert await store.ratings.rebuild(played.judge, MONDAY) == 8
    assert await everything(engine) == after


async def test_chunk_ends_when_its_time_is_over(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock, which is late at every look, lets each chunk rate one match again."""
    monkeypatch.setattr(recompute, "AT_ONCE", 0)
    ids = await Played().evening(store, seed=12, matches=5)
    await store.matches.void(ids[0], MONDAY, "two accounts")
    seconds = count()
    before = await skills_before(engine)
    while await store.ratings.recompute(MONDAY, now=lambda: float(next(seconds))):
        now = await skills_before(engine)
        assert sum(now[match] != before[match] for match in now) <= 1
        before = now


async def test_rebuilt_ratings_end_a_job(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recompute, "AT_ONCE", 0)
    played = Played()
    ids = await played.evening(store, seed=13, matches=5)
    await store.matches.void(ids[0], MONDAY, "two accounts")
    assert await store.ratings.recompute(MONDAY, 2)
    assert await store.ratings.rebuild(played.judge, MONDAY) == 4
    assert await job(engine) == []
    after = await everything(engine)
    assert not await store.ratings.recompute(MONDAY)
    assert await everything(engine) == after


@pytest.mark.soak
async def test_member_deleted_during_a_job_leaves_ratings_correct(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The skills of a former member count as they are stored then, as they do when all ratings are rebuilt."""
    monkeypatch.setattr(recompute, "AT_ONCE", 0)
    played = Played()
    ids = await played.evening(store, seed=14, matches=8)
    await store.matches.void(ids[0], MONDAY, "two accounts")
    await store.matches.void(ids[5], MONDAY, "two accounts")
    await store.ratings.recompute(MONDAY, 3)
    await store.privacy.erase(USERS[1])
    await recomputed(store, MONDAY, 3)
    await assert_counted(engine)
    after = await everything(engine)
    assert await store.ratings.rebuild(played.judge, MONDAY) == 6
    assert await everything(engine) == after


async def skills_before(engine: AsyncEngine) -> dict[int, list[object]]:
    """Return the skills before each rated match, by match and seat."""
    seats = RatedSeatRow.__table__
    found: dict[int, list[object]] = {}
    async with engine.connect() as connection:
        for row in await connection.execute(select(seats).order_by(*seats.primary_key)):
            found.setdefault(row.match_id, []).append(row.before)
    return found
