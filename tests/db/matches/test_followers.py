"""Members who follow matches: they are told by queued direct messages, and no longer once a match is over."""

from datetime import timedelta

from db.store import Store
from db.values.matches import Ending, NewEntry
from db.values.posts import FOLLOWED_END, FOLLOWED_MOVES, News, Occasion
from tests.db.given import ANNA, CLEO, FIRST, GUILD, LATER, LOST, NOW, WON, match_of, started

DAVE = 104


async def queued(store: Store) -> list[tuple[int, News]]:
    found = await store.direct_messages.due(LATER + timedelta(days=1), 10)
    return [(it.user, it.news) for it in found]


async def test_followers_are_counted_and_told_once(store: Store) -> None:
    match = (await started(store)).id
    assert await store.followers.follow(match, CLEO, moves=True)
    assert await store.followers.follow(match, DAVE, moves=True)
    assert await store.followers.follow(match, DAVE, moves=False)
    read = await match_of(store, match)
    assert read.context.followers == 2
    wanted = [await store.followers.wants_moves(match, user) for user in (ANNA, CLEO, DAVE)]
    assert wanted == [None, True, False]
    assert [it.id for it in await store.followers.matches(CLEO)] == [match]
    assert (await store.followers.count(CLEO), await store.followers.count(ANNA)) == (1, 0)
    await store.followers.tell_moves(match, GUILD, LATER)
    await store.followers.tell_moves(match, GUILD, LATER)
    moved = (CLEO, News(Occasion.FOLLOWED, match, FOLLOWED_MOVES))
    assert await queued(store) == [moved]
    await store.followers.tell_end(match, GUILD, LATER)
    await store.followers.tell_end(match, GUILD, LATER)
    ended = News(Occasion.FOLLOWED, match, FOLLOWED_END)
    assert await queued(store) == [moved, (CLEO, ended), (DAVE, ended)]
    assert await store.followers.matches(CLEO) == []


async def test_match_that_is_over_is_not_followed(store: Store) -> None:
    match = (await started(store)).id
    assert await store.followers.follow(match, CLEO, moves=True)
    assert await store.followers.stop(match, CLEO)
    assert not await store.followers.stop(match, CLEO)
    await store.matches.append(match, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))
    assert not await store.followers.follow(match, CLEO, moves=True)
    assert not await store.followers.follow(99, CLEO, moves=True)
    other = (await started(store)).id
    assert await store.followers.follow(other, CLEO, moves=True)
    await store.followers.forget(other)
    assert await store.followers.matches(CLEO) == []
