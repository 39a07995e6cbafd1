"""The posts of the puzzle of the day, in the store."""

from dataclasses import replace
from datetime import date, timedelta

from db.api.puzzle_posts import PuzzlePost
from db.store import SqlStore
from tests.db.given import CHANNEL, GUILD, NOW

DAY = date(2026, 11, 23)
NEXT = DAY + timedelta(days=1)
OTHER = GUILD + 1


async def test_a_post_is_due_from_its_hour_on_until_it_is_settled(store: SqlStore) -> None:
    assert await store.puzzle_posts_due(DAY, 23) == []
    await store.change_server(GUILD, puzzle_channel=CHANNEL, puzzle_hour=7)
    await store.change_server(OTHER, puzzle_channel=CHANNEL, puzzle_hour=8)
    await store.change_server(OTHER + 1, puzzle_hour=0)
    assert await store.puzzle_posts_due(DAY, 6) == []
    assert await store.puzzle_posts_due(DAY, 7) == [GUILD]
    assert await store.puzzle_posts_due(DAY, 8) == [GUILD, OTHER]
    begun = PuzzlePost(GUILD, DAY, CHANNEL, tried_at=NOW)
    await store.keep_puzzle_post(begun)
    assert await store.puzzle_posts_due(DAY, 8) == [GUILD, OTHER]
    await store.keep_puzzle_post(replace(begun, message=5, tried_at=None, settled=True))
    assert await store.puzzle_posts_due(DAY, 23) == [OTHER]
    assert await store.puzzle_posts_due(NEXT, 23) == [GUILD, OTHER]


async def test_of_two_that_settle_a_post_the_first_says_where_it_is(store: SqlStore) -> None:
    first = PuzzlePost(GUILD, DAY, CHANNEL, message=5, settled=True)
    await store.keep_puzzle_post(PuzzlePost(GUILD, DAY, CHANNEL + 1, tried_at=NOW))
    await store.keep_puzzle_post(first)
    await store.keep_puzzle_post(PuzzlePost(GUILD, DAY, CHANNEL + 1, message=6, tried=3, solved=1))
    assert await store.puzzle_post(GUILD, DAY) == replace(first, tried=3, solved=1)
    await store.keep_puzzle_post(replace(first, closed=True))
    await store.keep_puzzle_post(first)
    assert await store.puzzle_post(GUILD, DAY) == replace(first, closed=True)


async def test_posts_are_open_while_they_are_there_and_not_closed(store: SqlStore) -> None:
    later = PuzzlePost(GUILD, NEXT, CHANNEL, message=6, settled=True)
    await store.keep_puzzle_post(later)
    earlier = PuzzlePost(OTHER, DAY, CHANNEL, message=5, settled=True)
    await store.keep_puzzle_post(earlier)
    await store.keep_puzzle_post(PuzzlePost(GUILD, DAY, CHANNEL, tried_at=NOW))
    assert await store.open_puzzle_posts() == [earlier, later]
    await store.keep_puzzle_post(replace(earlier, closed=True))
    assert await store.open_puzzle_posts() == [later]


async def test_posts_of_earlier_days_are_forgotten(store: SqlStore) -> None:
    old, new = PuzzlePost(GUILD, DAY, CHANNEL), PuzzlePost(GUILD, NEXT, CHANNEL)
    await store.keep_puzzle_post(old)
    await store.keep_puzzle_post(new)
    await store.forget_puzzle_posts(NEXT)
    assert await store.puzzle_post(GUILD, DAY) is None
    assert await store.puzzle_post(GUILD, NEXT) == new
