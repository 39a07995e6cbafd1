"""Finished matches are found again, the newest first, and the last page costs as much as the first."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import MatchRow, SeatRow
from db.store import Store
from db.values.matches import Ending, NewEntry, Outcome, Search
from db.values.places import Place
from rules.core.match import VOID, Ply
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    DRAWN,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    PLACE,
    SKULL,
    WON,
    finished,
    started,
)
from tests.db.statements import statements

ALARIC = replace(SKULL, game="alaric")
THREE = replace(SKULL, players=3)
ELSEWHERE = Place(5, 6)


async def test_a_history_is_narrowed_by_each_of_its_filters(store: Store) -> None:
    one = await finished(store, (ANNA, BERT), (WON, LOST))
    two = await finished(store, (BERT, ANNA), (WON, LOST), setup=ALARIC)
    three = await finished(store, (CLEO, ANNA), (DRAWN, DRAWN))
    await finished(store, (ANNA, BERT), (WON, LOST), place=ELSEWHERE)
    four = await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, 6))
    await finished(store, (ANNA, BERT), (WON, LOST), place=Place(None, 7))
    await started(store)
    for search, found in (
        (Search(None, channel=6), [four]),
        (Search(None, "skull", BERT, None, LOST, channel=6), [four]),
        (Search(None, None, CLEO, channel=6), []),
        (Search(GUILD), [three, two, one]),
        (Search(GUILD, "alaric"), [two]),
        (Search(GUILD, None, BERT), [two, one]),
        (Search(GUILD, "skull", BERT), [one]),
        (Search(GUILD, None, ANNA, CLEO), [three]),
        (Search(GUILD, None, ANNA, None, WON), [one]),
        (Search(GUILD, None, ANNA, BERT, LOST), [two]),
        (Search(GUILD, "alaric", ANNA, BERT, WON), []),
        (Search(7), []),
    ):
        page = await store.history.page(search, 5)
        assert ([it.id for it in page.matches], page.newer, page.older) == (found, False, False), search


async def test_a_game_without_a_result_is_in_the_history_of_its_players(store: Store) -> None:
    won = await finished(store, (ANNA, BERT, CLEO), (WON, LOST, LOST), setup=THREE)
    broken = (await started(store, (CLEO, ANNA, BERT), setup=THREE)).id
    await store.matches.break_off(broken, 0, Ply(None, VOID), LATER, "a quarrel")
    voided = await finished(store, (BERT, CLEO, ANNA), (WON, LOST, LOST), setup=THREE)
    await store.matches.void(voided, LATER, "a mistake")
    for search, found in (
        (Search.near(PLACE), [broken, voided, won]),
        (Search.near(PLACE, None, ANNA), [broken, voided, won]),
        (Search.near(PLACE, None, ANNA, CLEO), [broken, voided, won]),
        (Search.near(PLACE, None, ANNA, None, WON), [won]),
        (Search.near(PLACE, None, BERT, None, WON), []),
        (Search.near(PLACE, None, CLEO, ANNA, DRAWN), []),
    ):
        page = await store.history.page(search, 5)
        assert [it.id for it in page.matches] == found, search


async def test_pages_go_forth_and_back_by_when_matches_ended(store: Store) -> None:
    """Matches are ordered by their end, then by id, not by their beginning."""
    begun = [(await started(store)).id for _ in range(7)]
    ends = [3, 1, 2, 2, 2, 0, 4]
    for match, minute in zip(begun, ends, strict=True):
        await store.matches.append(
            match, 0, NewEntry(FIRST, NOW + timedelta(minutes=minute)), Ending((WON, LOST))
        )
    order = sorted(begun, key=lambda match: (ends[begun.index(match)], match), reverse=True)
    first = await store.history.page(Search(GUILD), 3)
    second = await store.history.page(Search(GUILD), 3, mark=order[2])
    third = await store.history.page(Search(GUILD, None, BERT), 3, mark=order[5])
    back = await store.history.page(Search(GUILD, None, ANNA), 3, mark=order[6], newer=True)
    top = await store.history.page(Search(GUILD), 5, mark=order[2], newer=True)
    seen = [[it.id for it in page.matches] for page in (first, second, third, back, top)]
    assert seen == [order[:3], order[3:6], order[6:], order[3:6], order[:2]]
    assert [(page.newer, page.older) for page in (first, second, third, back, top)] == [
        (False, True), (True, True), (True, False), (True, True), (False, True),
    ]  # fmt: skip


async def test_a_mark_that_is_no_finished_match_begins_at_the_newest(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    running = await started(store)
    for mark in (running.id, 10**9):
        page = await store.history.page(Search(GUILD), 5, mark=mark, newer=True)
        assert ([it.id for it in page.matches], page.newer, page.older) == ([match], False, False)


async def test_an_outcome_or_opponent_needs_a_member() -> None:
    with pytest.raises(ValueError, match="needs a member"):
        Search(GUILD, outcome=Outcome.WON)


MANY = 3000


async def fill(engine: AsyncEngine) -> None:
    """Store MANY finished matches of Anna, half of them against Bert and half won."""
    matches, seats = [], []
    for id_ in range(1, MANY + 1):
        at = NOW + timedelta(seconds=id_)
        matches.append(
            {
                "id": id_, "game": ("skull", "alaric")[id_ % 2], "options": SKULL.options, "players": 2,
                "version": 1, "guild": GUILD, "channel": PLACE.channel, "plies": 0,
                "started_at": NOW, "finished_at": at,
            }
        )  # fmt: skip
        for seat, user in enumerate((ANNA, (BERT, CLEO)[id_ // 2 % 2])):
            outcome = WON if (id_ // 4 + seat) % 2 else LOST
            seats.append(
                {"match_id": id_, "seat": seat, "user_id": user, "outcome": outcome, "finished_at": at}
            )
    async with engine.begin() as connection:
        await connection.execute(insert(MatchRow), matches)
        await connection.execute(insert(SeatRow), seats)
    async with engine.connect() as connection:
        outside = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await outside.execute(text("ANALYZE"))


@pytest.mark.usefixtures("own_database")
async def test_the_last_page_reads_as_few_rows_as_the_first(store: Store, engine: AsyncEngine) -> None:
    await fill(engine)
    with statements() as sent:
        for search in (
            Search(GUILD),
            Search(GUILD, "skull"),
            Search(GUILD, None, ANNA),
            Search(GUILD, "skull", ANNA, BERT, WON),
        ):
            for mark in (None, MANY // 2, 200):
                page = await store.history.page(search, 8, mark=mark)
                assert len(page.matches) == 8
    asked = [it for it in sent if "LIMIT" in it[0]]
    assert len(asked) == 15, "three searches also ask for the seats that a member has left"
    async with engine.connect() as connection:
        for statement, parameters in asked:
            if engine.dialect.name == "sqlite":
                rows = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps = [row.detail for row in rows]
                assert "_finished_at (" in steps[0], steps
                assert "B-TREE" not in str(steps), steps
            else:
                explained = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"
                plan = (await connection.exec_driver_sql(explained, parameters)).scalar_one()
                assert rows_read(plan if isinstance(plan, list) else json.loads(plan)) < 400, plan


def rows_read(plan: Any) -> int:
    """Return the number of rows that all steps of a PostgreSQL plan have read."""
    if isinstance(plan, list):
        return sum(map(rows_read, plan))
    if not isinstance(plan, dict):
        return 0
    loops = plan.get("Actual Loops", 1)
    own = plan.get("Actual Rows", 0) + plan.get("Rows Removed by Filter", 0)
    return int(own * loops) + sum(
        rows_read(value) for value in plan.values() if isinstance(value, dict | list)
    )


@pytest.mark.both_databases
async def test_unknown_numbers_find_nothing(store: Store) -> None:
    """Members may type any number of a game, and buttons may contain any."""
    for number in (0, 2**31 - 1, 2**31, 2**53):
        assert await store.matches.load(number) is None
        assert await store.challenges.get(number) is None
        assert await store.proposals.get(number) is None
