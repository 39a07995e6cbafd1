"""Members and servers that stay off global leaderboards are not shown or counted there; nothing else changes."""

import asyncio
import random
from collections.abc import Collection
from concurrent.futures import Future

import pytest
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import await_only

from db.store import Store
from db.stores.standings.rows import not_listed
from db.values.places import Place
from db.values.standings import EVERYWHERE, PageTurn, PeriodKind, Rating
from tests.db.given import ANNA, BERT, CLEO, GUILD, LOST, NOW, WON, changes_of, finished
from tests.db.ladder import MONDAY, USERS, Played, assert_counted, keep
from tests.db.standings.test_leaderboards import crowd, page, plain


async def test_unlisted_members_see_the_top_and_the_reason(store: Store) -> None:
    ratings = crowd(7, 30)
    await keep(store, ratings)
    last = plain(ratings)[-1]
    await store.members.change(last.rating.user, listed=False)
    seen = await page(store, last.rating.user, PageTurn.MINE)
    assert (seen.rows, seen.around, seen.hidden) == ((await page(store)).rows, (), True)
    assert not (await page(store)).hidden
    end = await page(store, turn=PageTurn.FORWARD, mark=last.mark)
    assert last.rating.user not in [row.rating.user for row in end.rows]
    await store.members.change(last.rating.user, listed=True)
    back = await page(store, last.rating.user)
    assert (back.around[-1], back.hidden) == (last, False)


async def test_unlisted_members_are_rated_as_others(store: Store) -> None:
    await store.members.change(ANNA, listed=False)
    await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    await finished(store, (ANNA, CLEO), (WON, LOST), ranks=(1, 2))
    listed = {it.leaderboard: it.listed for it in await store.ratings.of_member(ANNA)}
    assert listed == {board: board.guild == GUILD for board in listed}
    here = await store.leaderboards.page(None, GUILD, PeriodKind.ALWAYS, NOW, ANNA, 10)
    everywhere = await store.leaderboards.page(None, None, PeriodKind.ALWAYS, NOW, ANNA, 10)
    assert [row.rating.user for row in here.rows] == [ANNA, CLEO, BERT]
    # Everything was played in one server, so that both boards tell of the same skills.
    assert [(row.rank, row.rating.user, row.mark) for row in everywhere.rows] == [
        (row.rank - 1, row.rating.user, row.mark) for row in here.rows[1:]
    ]
    assert (everywhere.members, everywhere.hidden, here.hidden) == (2, True, False)
    assert [(await store.profiles.get(ANNA, None, where, ())).rank for where in (None, GUILD)] == [0, 1]
    assert (await store.profiles.get(BERT, None, GUILD, ())).rank == 3
    await store.members.change(ANNA, listed=True)
    back = await store.leaderboards.page(None, None, PeriodKind.ALWAYS, NOW, ANNA, 10)
    assert [(row.rank, row.mark) for row in back.rows] == [(row.rank, row.mark) for row in here.rows]
    assert (await store.profiles.get(ANNA, None, None, ())).rank == 1


async def test_what_ends_while_a_server_keeps_it_to_itself_counts_there_alone(store: Store) -> None:
    async def held(user: int, guild: int) -> list[Rating]:
        return [it for it in await store.ratings.of_member(user) if it.leaderboard.guild == guild]

    await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    before = await held(ANNA, EVERYWHERE)
    await store.servers.change(GUILD, everywhere=False)
    match = await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    assert await held(ANNA, EVERYWHERE) == before
    assert {it.won for it in await held(ANNA, GUILD)} == {2}
    changes = await changes_of(store, match)
    assert changes[0].after in [it.held.skill for it in await held(ANNA, GUILD)]
    assert (await store.profiles.get(ANNA, None, GUILD, ())).runs.won == 2
    assert (await store.profiles.get(ANNA, None, None, ())).runs.won == 1
    # Elsewhere it counts, and here again once the server wants it.
    await finished(store, (ANNA, CLEO), (WON, LOST), ranks=(1, 2), place=Place(None, 5))
    await store.servers.change(GUILD, everywhere=True)
    await finished(store, (ANNA, CLEO), (WON, LOST), ranks=(1, 2))
    assert max(it.won for it in await held(ANNA, EVERYWHERE)) == 3


@pytest.mark.soak
@pytest.mark.on_postgresql
async def test_choosing_while_matches_end(store: Store, engine: AsyncEngine) -> None:
    """There is no deadlock, and every score is counted once."""
    chance, played = random.Random(4), Played()
    for _ in range(2):
        ending = [played.play(store, chance, MONDAY) for _ in range(3)]
        choosing = [store.members.change(user, listed=chance.random() < 0.5) for user in USERS * 2]
        async with asyncio.timeout(60):
            await asyncio.gather(*ending, *choosing)
        await assert_counted(engine)
    hidden = {user for user in USERS if not (await store.members.get(user)).listed}
    for user in USERS:
        for rating in await store.ratings.of_member(user):
            assert rating.listed == (rating.leaderboard.guild != EVERYWHERE or user not in hidden)


async def test_what_was_never_rated_counts_as_its_server_wants_it_now(store: Store) -> None:
    await finished(store, (ANNA, BERT), (WON, LOST))
    await store.servers.change(GUILD, everywhere=False)
    await store.members.change(CLEO, listed=False)
    await finished(store, (ANNA, CLEO), (WON, LOST), place=Place(None, 5))
    assert await store.ratings.rebuild(lambda _: (1, 2), MONDAY) == 2
    assert {it.leaderboard.guild for it in await store.ratings.of_member(BERT)} == {GUILD}
    assert {(it.leaderboard.guild, it.listed) for it in await store.ratings.of_member(CLEO)} == {
        (EVERYWHERE, False)
    }


async def test_local_ratings_are_deleted_with_their_server(store: Store) -> None:
    await store.servers.change(GUILD, everywhere=False)
    match = await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    await store.servers.depart(NOW, GUILD)
    assert await store.servers.forget(GUILD, NOW)
    for _ in range(2):
        assert await store.ratings.of_member(ANNA) == []
        assert await store.ratings.changes(match) is None
        await store.ratings.rebuild(lambda _: None, MONDAY)


@pytest.mark.on_postgresql
async def test_a_choice_waits_for_a_match_that_is_being_rated(
    store: Store, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice comes after the match has read the choices and before it writes."""
    choosing: list[Future[None]] = []
    loop = asyncio.get_running_loop()

    async def wait() -> None:
        while not choosing[0].done() and not await stuck(engine):
            await asyncio.sleep(0.01)

    def see(connection: Connection, users: Collection[int]) -> set[int]:
        found = not_listed(connection, users)
        change = store.members.change(ANNA, listed=False)
        choosing.append(asyncio.run_coroutine_threadsafe(change, loop))
        if engine.dialect.name == "postgresql":  # on SQLite all changes queue in Python
            await_only(wait())
        return found

    monkeypatch.setattr("db.stores.standings.rows.not_listed", see)
    async with asyncio.timeout(60):
        await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
        await asyncio.wrap_future(choosing[0])
    assert all(it.listed == (it.leaderboard.guild == GUILD) for it in await store.ratings.of_member(ANNA))
    await assert_counted(engine)


async def stuck(engine: AsyncEngine) -> bool:
    """Return True if a connection waits for a lock on PostgreSQL."""
    async with engine.connect() as connection:
        return bool((await connection.exec_driver_sql("SELECT 1 FROM pg_locks WHERE NOT granted")).all())
