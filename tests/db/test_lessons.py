"""The progress of members in lessons, in the store."""

from dataclasses import replace

import pytest

from db.api.lessons import Progress
from db.store import SqlStore
from tests.db.given import ANNA, BERT


async def test_a_lesson_that_was_not_begun_is_at_its_beginning(store: SqlStore) -> None:
    assert await store.progress(ANNA, "skull") == Progress(ANNA, "skull")
    assert await store.all_progress(ANNA) == []


@pytest.mark.both_databases
async def test_a_lesson_goes_on_where_it_was_left_and_stays_done(store: SqlStore) -> None:
    left = Progress(ANNA, "skull", 5, ("1: d1", "0: e2"))
    await store.keep_progress(left)
    await store.keep_progress(Progress(BERT, "skull", 1))
    assert await store.progress(ANNA, "skull") == left
    await store.keep_progress(replace(left, step=6, moves=(), done=True))
    await store.keep_progress(Progress(ANNA, "skull", 0))
    await store.keep_progress(Progress(ANNA, "alaric", 2))
    again = Progress(ANNA, "skull", 0, (), done=True)
    assert await store.all_progress(ANNA) == [Progress(ANNA, "alaric", 2), again]
