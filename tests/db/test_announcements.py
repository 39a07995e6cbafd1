"""What a server has still to be told of its matches: noted with what happened, struck out when it is told."""

from datetime import timedelta

from db.api.places import Place
from db.store import SqlStore
from rules.core.match import VOID, Ply
from tests.db.given import ANNA, BERT, CHANNEL, FIRST, LATER, LOST, NOW, WON, finished, started


async def test_the_end_of_a_match_has_to_be_told_once(store: SqlStore) -> None:
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


async def test_what_happens_while_something_is_told_waits(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.void(match, LATER, "two accounts")
    await store.announced(match, NOW)
    assert await store.unannounced_since(match) == LATER
    await store.announced(match, LATER)
    assert await store.unannounced() == []


async def test_a_result_that_was_told_is_told_to_be_taken_back(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.announced(match, NOW)
    await store.void(match, LATER + timedelta(days=9), "two accounts")
    assert await store.unannounced() == [match]


async def test_where_there_is_no_server_nobody_is_told(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, CHANNEL))
    await store.void(match, LATER, "two accounts")
    assert await store.unannounced() == []
    assert await store.unannounced_since(match) is None
