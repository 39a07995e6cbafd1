from db.store import SqlStore
from db.values import Place, Standing
from rules.core.match import VOID, Ply, Setup
from tests.db.given import ANNA, BERT, CLEO, DRAWN, FIRST, GUILD, LOST, NOW, WON, finished, started

DORA = 104
ALARIC = Setup("alaric", (("n", 7),), 2)


async def test_nobody_stands_where_nothing_ended(store: SqlStore) -> None:
    match = await started(store)
    await store.append(match.id, 0, FIRST, NOW, None)
    assert await store.standings(GUILD, None, 10) == []


async def test_wins_come_first_then_draws_then_fewer_losses_then_the_older_id(store: SqlStore) -> None:
    await finished(store, (ANNA, BERT), (WON, LOST))
    await finished(store, (BERT, CLEO), (WON, LOST))
    await finished(store, (BERT, ANNA), (DRAWN, DRAWN))
    assert await store.standings(GUILD, None, 10) == [
        Standing(ANNA, 1, 1, 0),
        Standing(BERT, 1, 1, 1),
        Standing(CLEO, 0, 0, 1),
    ]
    await finished(store, (CLEO, DORA), (DRAWN, DRAWN))
    await finished(store, (DORA, ANNA), (LOST, WON))
    assert await store.standings(GUILD, None, 10) == [
        Standing(ANNA, 2, 1, 0),
        Standing(BERT, 1, 1, 1),
        Standing(CLEO, 0, 1, 1),  # as good as Dora, and here for longer
        Standing(DORA, 0, 1, 1),
    ]


async def test_one_game_or_all(store: SqlStore) -> None:
    await finished(store, (ANNA, BERT), (WON, LOST))
    await finished(store, (ANNA, BERT), (LOST, WON), setup=ALARIC)
    await finished(store, (ANNA, BERT), (LOST, WON), setup=ALARIC)
    assert await store.standings(GUILD, "skull", 10) == [Standing(ANNA, 1, 0, 0), Standing(BERT, 0, 0, 1)]
    assert await store.standings(GUILD, "alaric", 10) == [Standing(BERT, 2, 0, 0), Standing(ANNA, 0, 0, 2)]
    assert await store.standings(GUILD, None, 10) == [Standing(BERT, 2, 0, 1), Standing(ANNA, 1, 0, 2)]
    assert await store.standings(GUILD, "go", 10) == []


async def test_only_this_server_counts(store: SqlStore) -> None:
    await finished(store, (ANNA, BERT), (WON, LOST))
    await finished(store, (BERT, ANNA), (WON, LOST), place=Place(GUILD + 1, 1))
    await finished(store, (BERT, ANNA), (WON, LOST), place=Place(None, 1))
    assert await store.standings(GUILD, None, 10) == [Standing(ANNA, 1, 0, 0), Standing(BERT, 0, 0, 1)]


async def test_no_more_than_asked_for(store: SqlStore) -> None:
    await finished(store, (ANNA, BERT), (WON, LOST))
    await finished(store, (ANNA, CLEO), (WON, LOST))
    assert await store.standings(GUILD, None, 2) == [Standing(ANNA, 2, 0, 0), Standing(BERT, 0, 0, 1)]


async def test_what_was_broken_off_is_nobodys_result(store: SqlStore) -> None:
    match = await started(store)
    await store.break_off(match.id, 0, Ply(None, VOID), NOW, "spam")
    found = await store.load(match.id)
    assert found is not None
    assert (found.finished_at, found.outcomes, found.void) == (NOW, None, "spam")
    assert await store.standings(GUILD, None, 10) == []
    assert await store.running(user=ANNA) == []
