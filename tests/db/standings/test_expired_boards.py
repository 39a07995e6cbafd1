"""Leaderboards of past weeks and months are deleted in batches, and nothing brings them back."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import RatingRow, TallyRow
from db.rating_math import expired, periods_of
from db.store import Store
from db.values.standings import ALWAYS, EVERYWHERE, ExpiredLeaderboards
from tests.db.given import GUILD
from tests.db.ladder import MONDAY, USERS, Played, assert_counted, everything

MATCHES = 8
STEP = timedelta(days=12, hours=11)
LAST = MONDAY + STEP * (MATCHES - 1)
NOW = LAST + timedelta(days=6, hours=11)


@pytest.mark.parametrize(
    ("at", "kept", "gone"),
    [
        (datetime(2026, 11, 20, tzinfo=UTC), ["2026-10", "2026-W46"], ["2026-09", "2026-W45", "2025-W50"]),
        (datetime(2027, 1, 3, 23, tzinfo=UTC), ["2026-12", "2026-W52", "2026-W53"], ["2026-11", "2026-W51"]),
        (datetime(2027, 1, 4, tzinfo=UTC), ["2026-12", "2026-W53", "2027-W01"], ["2026-11", "2026-W52"]),
        (datetime(2027, 3, 31, tzinfo=UTC), ["2027-02", "2027-W12"], ["2027-01", "2026-12", "2027-W11"]),
    ],
)
def test_this_month_and_week_are_kept_and_the_last_ones(
    at: datetime, kept: list[str], gone: list[str]
) -> None:
    assert not any(expired(it, at) for it in (*periods_of(at), *kept))
    assert all(expired(it, at) for it in gone)


async def play(store: Store, seed: int) -> tuple[Played, list[int]]:
    """Play some matches over almost three months, in several servers."""
    played, chance = Played(), random.Random(seed)
    return played, [await played.play(store, chance, MONDAY + STEP * number) for number in range(MATCHES)]


async def delete_all_expired(store: Store, limit: int = 3) -> int:
    """Delete all expired leaderboards and return the number of rows."""
    rows = 0
    for boards in await store.leaderboards.expired(NOW):
        while gone := await store.leaderboards.delete_expired(boards, limit):
            assert gone <= 2 * limit
            rows += gone
    assert not await store.leaderboards.expired(NOW)
    return rows


async def periods(engine: AsyncEngine) -> set[str]:
    """Return the periods of all stored rows."""
    async with engine.connect() as connection:
        both = [await connection.scalars(select(table.period)) for table in (RatingRow, TallyRow)]
        return {period for found in both for period in found}


async def test_expired_leaderboards_are_found_and_all_others_stay(store: Store, engine: AsyncEngine) -> None:
    await play(store, seed=2)
    found = await store.leaderboards.expired(NOW)
    assert {it.period for it in found} == {it for it in await periods(engine) if expired(it, NOW)}
    assert {it.guild for it in found} == {EVERYWHERE, GUILD, GUILD + 1}
    assert ExpiredLeaderboards(EVERYWHERE, "2026-11") in found
    assert len(set(found)) == len(found)
    assert not await store.leaderboards.expired(MONDAY)

    before, seats = await everything(engine)
    periods_at = RatingRow.__table__.columns.keys().index("period")
    assert await delete_all_expired(store) > 25
    assert await everything(engine) == ([it for it in before if not expired(str(it[periods_at]), NOW)], seats)
    assert {it for it in await periods(engine) if expired(it, NOW)} == set()
    assert set(periods_of(LAST)) | {ALWAYS} <= await periods(engine)
    await assert_counted(engine)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [3, 4])
async def test_nothing_brings_expired_leaderboards_back(store: Store, engine: AsyncEngine, seed: int) -> None:
    """Old results are taken back and all ratings rebuilt: the rest is as if nothing had been deleted."""
    played, ids = await play(store, seed)
    await delete_all_expired(store)
    for match in (ids[1], ids[4], ids[-2]):
        await store.matches.void(match, NOW, "two accounts")
        await assert_counted(engine)
    before = await everything(engine)
    assert await store.ratings.rebuild(played.judge, NOW) == MATCHES - 3
    assert await everything(engine) == before
    assert not await store.leaderboards.expired(NOW)
    await assert_counted(engine)


@pytest.mark.soak
async def test_changes_between_two_batches_do_not_keep_rows(store: Store, engine: AsyncEngine) -> None:
    played, ids = await play(store, seed=5)
    for boards in await store.leaderboards.expired(NOW):
        await store.leaderboards.delete_expired(boards, 1)
    await store.matches.void(ids[0], NOW, "two accounts")
    await store.members.change(USERS[1], listed=False)
    await store.privacy.erase(USERS[2])
    while await store.ratings.recompute(NOW):
        pass
    await delete_all_expired(store)
    assert {it for it in await periods(engine) if expired(it, NOW)} == set()
    await assert_counted(engine)
    before = await everything(engine)
    assert await store.ratings.rebuild(played.judge, NOW) == MATCHES - 1
    assert await everything(engine) == before
