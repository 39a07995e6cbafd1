"""Moments of finished games, and which games were searched, in the store."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from db.store import Store
from db.values.places import Place
from rules.core.match import VOID, Ply, Setup
from rules.puzzles.moments import Moment
from rules.puzzles.puzzle import Puzzle
from tests.db.given import ANNA, BERT, CHANNEL, CLEO, GUILD, LATER, LOST, NOW, PLACE, WON, finished, started
from tests.db.life import MAZE

DAY = timedelta(days=1)
PUZZLE = Puzzle("skull", (5, 6), ("a1",), ("c4", "b1", "d4"), 1.0, 11)
MISSED, FOUND = Moment(3, 1, "d3", PUZZLE), Moment(8, 0, "d1", replace(PUZZLE, line=("d1",), value=0.5))


async def due(store: Store, *games: str) -> int | None:
    found = await store.moments.to_search(games or ("skull",), NOW - DAY, LATER, 2)
    assert list(found[:1]) == list(await store.moments.to_search(games or ("skull",), NOW - DAY, LATER, 1))
    return next(iter(found), None)


async def test_only_games_of_two_in_a_server_that_count_are_searched(store: Store) -> None:
    await started(store)
    await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, CHANNEL))
    await finished(store, (ANNA, BERT, CLEO), (WON, LOST, LOST), setup=MAZE)
    await finished(store, (ANNA, BERT), (WON, LOST), setup=Setup("alaric", (("size", 9),), 2))
    await finished(store, (ANNA, BERT), (WON, LOST), at=NOW - 2 * DAY)
    await finished(store, (ANNA, BERT), (WON, LOST), at=LATER + DAY)
    broken = await started(store)
    await store.matches.break_off(broken.id, 0, Ply(None, VOID), NOW, "spam")
    voided = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.matches.void(voided, NOW, "two accounts")
    await finished(store, (CLEO, BERT), (WON, LOST))
    await store.privacy.erase(CLEO)
    assert await due(store, "skull", "maze") is None
    assert await due(store, "alaric") is not None


async def test_a_server_has_its_newest_and_its_best_moments(store: Store) -> None:
    old = await finished(store, (ANNA, BERT), (WON, LOST), at=NOW - 2 * DAY)
    new = await finished(store, (ANNA, BERT), (WON, LOST), at=NOW)
    other = await finished(store, (ANNA, BERT), (WON, LOST), place=Place(GUILD + 1, CHANNEL + 1))
    await store.moments.keep(new, [FOUND, MISSED])
    for match in (old, other):
        await store.moments.keep(match, [MISSED])
    newest = await store.moments.newest(GUILD, 2)
    assert [(it.match, it.ply) for it in newest] == [(new, 8), (new, 3)]
    assert len(await store.moments.newest(GUILD, 9)) == 3
    best = await store.moments.best(GUILD, NOW - DAY, LATER, 9)
    assert [(it.match, it.ply) for it in best] == [(new, 3), (new, 8)]
    assert await store.moments.best(GUILD, NOW - DAY, NOW, 9) == []


async def test_moments_go_with_the_result_with_the_member_and_with_the_server(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.moments.keep(match, [MISSED, FOUND])
    await store.privacy.erase(BERT)
    assert [it.user for it in await store.moments.of_match(match)] == [ANNA]
    await store.matches.void(match, NOW, "two accounts")
    assert await store.moments.of_match(match) == []
    again = await finished(store, (ANNA, CLEO), (WON, LOST), place=PLACE)
    await store.moments.keep(again, [MISSED])
    await store.servers.depart(NOW, GUILD)
    assert await store.servers.forget(GUILD, NOW)
    await store.moments.keep(again, [MISSED])
    assert await store.moments.of_match(again) == []


async def test_a_search_that_ends_too_late_keeps_nothing(store: Store) -> None:
    voided = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.matches.void(voided, NOW, "two accounts")
    await store.moments.keep(voided, [MISSED])
    assert await store.moments.of_match(voided) == []
    gone = await finished(store, (ANNA, CLEO), (WON, LOST))
    await asyncio.gather(store.privacy.erase(CLEO), store.moments.keep(gone, [MISSED, FOUND]))
    assert [it.user for it in await store.moments.of_match(gone)] == [ANNA]
