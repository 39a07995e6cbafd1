"""The progress of members in lessons, in the store."""

from dataclasses import replace

from db.store import Store
from db.values.puzzles import Progress
from tests.db.given import ANNA, BERT


async def test_a_lesson_goes_on_where_it_was_left_and_stays_done(store: Store) -> None:
    left = Progress(ANNA, "skull", 5, ("1: d1", "0: e2"))
    await store.lessons.keep(left)
    await store.lessons.keep(Progress(BERT, "skull", 1))
    assert await store.lessons.progress(ANNA, "skull") == left
    await store.lessons.keep(replace(left, step=6, moves=(), done=True))
    await store.lessons.keep(Progress(ANNA, "skull", 0))
    await store.lessons.keep(Progress(ANNA, "alaric", 2))
    again = Progress(ANNA, "skull", 0, (), done=True)
    assert await store.lessons.all_progress(ANNA) == [Progress(ANNA, "alaric", 2), again]
