"""Moments of finished games, and which games were searched, in the store."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from db.api.places import Place
from db.store import SqlStore
from rules.core.match import VOID, Ply, Setup
from rules.puzzles.moments import Moment
from rules.puzzles.puzzle import Puzzle
from tests.db.given import ANNA, BERT, CHANNEL, CLEO, GUILD, LATER, LOST, NOW, PLACE, WON, finished, started
from tests.db.life import MAZE

DAY = timedelta(days=1)
PUZZLE = Puzzle("skull", (5, 6), ("a1",), ("c4", "b1", "d4"), 1.0, 11)
MISSED, FOUND = Moment(3, 1, "d3", PUZZLE), Moment(8, 0, "d1", replace(PUZZLE, line=("d1",), value=0.5))


async def due(store: SqlStore, *games: str) -> int | None:
    found = await store.to_search(games or ("skull",), NOW - DAY, LATER, 2)
    assert list(found[:1]) == list(await store.to_search(games or ("skull",), NOW - DAY, LATER, 1))
    return next(iter(found), None)


async def test_games_are_searched_once_the_last_one_first(store: SqlStore) -> None:
    first = await finished(store, (ANNA, BERT), (WON, LOST))
    last = await finished(store, (ANNA, BERT), (WON, LOST), at=LATER)
    assert await due(store) == last
    await store.keep_moments(last, [MISSED])
    assert await due(store) == first
    await store.keep_moments(first, [])
    assert await due(store) is None
    await store.keep_moments(first, [MISSED])
    assert await store.moments_of(first) == []


async def test_only_games_of_two_in_a_server_that_count_are_searched(store: SqlStore) -> None:
    await started(store)
    await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, CHANNEL))
    await finished(store, (ANNA, BERT, CLEO), (WON, LOST, LOST), setup=MAZE)
    await finished(store, (ANNA, BERT), (WON, LOST), setup=Setup("alaric", (("size", 9),), 2))
    await finished(store, (ANNA, BERT), (WON, LOST), at=NOW - 2 * DAY)
    await finished(store, (ANNA, BERT), (WON, LOST), at=LATER + DAY)
    broken = await started(store)
    await store.break_off(broken.id, 0, Ply(None, VOID), NOW, "spam")
    voided = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.void(voided, NOW, "two accounts")
    await finished(store, (CLEO, BERT), (WON, LOST))
    await store.erase(CLEO)
    assert await due(store, "skull", "maze") is None
    assert await due(store, "alaric") is not None


async def test_what_was_found_is_kept_in_the_order_of_the_game(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.keep_moments(match, [MISSED, FOUND])
    missed, found = await store.moments_of(match)
    assert (missed.match, missed.ply, missed.seat, missed.user, missed.game) == (match, 3, 1, BERT, "skull")
    assert (missed.played, missed.line, missed.value, missed.plies) == ("d3", ("c4", "b1", "d4"), 1.0, 11)
    assert (missed.worth, missed.found, found.found) == (MISSED.worth, False, True)
    assert await store.moment(match, 8) == found
    assert await store.moment(match, 4) is None
    assert await store.moment(2**63, 3) is None


async def test_a_server_has_its_newest_and_its_best_moments(store: SqlStore) -> None:
    old = await finished(store, (ANNA, BERT), (WON, LOST), at=NOW - 2 * DAY)
    new = await finished(store, (ANNA, BERT), (WON, LOST), at=NOW)
    other = await finished(store, (ANNA, BERT), (WON, LOST), place=Place(GUILD + 1, CHANNEL + 1))
    await store.keep_moments(new, [FOUND, MISSED])
    for match in (old, other):
        await store.keep_moments(match, [MISSED])
    newest = await store.newest_moments(GUILD, 2)
    assert [(it.match, it.ply) for it in newest] == [(new, 8), (new, 3)]
    assert len(await store.newest_moments(GUILD, 9)) == 3
    best = await store.best_moments(GUILD, NOW - DAY, LATER, 9)
    assert [(it.match, it.ply) for it in best] == [(new, 3), (new, 8)]
    assert await store.best_moments(GUILD, NOW - DAY, NOW, 9) == []


async def test_moments_go_with_the_result_with_the_member_and_with_the_server(store: SqlStore) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.keep_moments(match, [MISSED, FOUND])
    await store.erase(BERT)
    assert [it.user for it in await store.moments_of(match)] == [ANNA]
    await store.void(match, NOW, "two accounts")
    assert await store.moments_of(match) == []
    again = await finished(store, (ANNA, CLEO), (WON, LOST), place=PLACE)
    await store.keep_moments(again, [MISSED])
    await store.depart(NOW, GUILD)
    assert await store.forget_server(GUILD, NOW)
    await store.keep_moments(again, [MISSED])
    assert await store.moments_of(again) == []


@pytest.mark.both_databases
async def test_a_search_that_ends_too_late_keeps_nothing(store: SqlStore) -> None:
    voided = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.void(voided, NOW, "two accounts")
    await store.keep_moments(voided, [MISSED])
    assert await store.moments_of(voided) == []
    gone = await finished(store, (ANNA, CLEO), (WON, LOST))
    await asyncio.gather(store.erase(CLEO), store.keep_moments(gone, [MISSED, FOUND]))
    assert [it.user for it in await store.moments_of(gone)] == [ANNA]
