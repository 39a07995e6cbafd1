"""Announcements: stored with the result, deleted once posted."""

from datetime import timedelta

from db.api.places import Place
from db.store import SqlStore
from rules.core.match import VOID, Ply
from tests.db.given import ANNA, BERT, CHANNEL, FIRST, LATER, LOST, NOW, WON, finished, started


async def test_the_end_of_a_match_is_announced_once(store: SqlStore) -> None:
    match = (await started(store)).id
    assert await store.unannounced() == []
    await store.append(match, 0, FIRST, LATER, (WON, LOST))
    broken = (await started(store)).id
    await store.break_off(broken, 0, Ply(None, VOID), NOW, "spam")
    assert await store.unannounced() == [broken, match]
    assert await store.unannounced_since(match) == LATER
    await store.announced(match, LATER)
    assert await store.unannounced() == [broken]
    assert await store.unannounced_since(match) is None


async def test_a_later_result_waits_for_its_own_announcement(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.void(match, LATER, "two accounts")
    await store.announced(match, NOW)
    assert await store.unannounced_since(match) == LATER
    await store.announced(match, LATER)
    assert await store.unannounced() == []


async def test_taking_back_an_announced_result_is_announced(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.announced(match, NOW)
    await store.void(match, LATER + timedelta(days=9), "two accounts")
    assert await store.unannounced() == [match]


async def test_nothing_is_announced_in_direct_messages(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, CHANNEL))
    await store.void(match, LATER, "two accounts")
    assert await store.unannounced() == []
    assert await store.unannounced_since(match) is None
