"""The backlog: what runs, and what is not shown or announced yet."""

from datetime import timedelta

from db.store import Store
from db.values.administration import Backlog
from db.values.matches import Ending, NewEntry, Panel
from db.values.places import Place
from db.values.posts import PostKind
from rules.core.match import Setup
from tests.db.given import (
    CHANNEL,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    WON,
    new_challenge,
    post_of,
    publish,
    show,
    started,
)

EARLIER = NOW - timedelta(hours=1)
ALARIC = Setup("alaric", (("size", 7),), 2)


async def test_an_empty_store_has_none(store: Store) -> None:
    assert await store.administration.backlog(EARLIER) == Backlog({}, 0, 0, 0, 0)


async def test_boards_wait_from_a_move_until_they_are_shown(store: Store) -> None:
    match = (await started(store)).id
    assert await store.administration.backlog(EARLIER) == Backlog({"skull": 1}, 1, 0, 0, 0)
    await show(store, match, Panel(CHANNEL, 5, 0))
    assert await store.administration.backlog(EARLIER) == Backlog({"skull": 1}, 0, 0, 0, 0)
    await store.matches.append(match, 0, NewEntry(FIRST, LATER), Ending((WON, LOST)))
    assert await store.administration.backlog(NOW) == Backlog({}, 1, 0, 0, 1)
    assert await store.administration.backlog(LATER) == Backlog({}, 0, 1, 0, 0), "nothing has happened since"
    await show(store, match, Panel(CHANNEL, 6, 1))
    await store.posts.forget((await post_of(store, PostKind.RESULT, match)).id)
    assert await store.administration.backlog(EARLIER) == Backlog({}, 0, 0, 0, 0)


async def test_boards_in_direct_messages_wait_for_an_interaction(store: Store) -> None:
    await started(store, place=Place(None, CHANNEL))
    await started(store, place=Place(GUILD, CHANNEL), setup=ALARIC)
    assert await store.administration.backlog(EARLIER) == Backlog({"skull": 1, "alaric": 1}, 1, 1, 0, 0)


async def test_challenges_wait_until_a_message_shows_them(store: Store) -> None:
    challenge = await store.challenges.add(new_challenge())
    assert await store.administration.backlog(EARLIER) == Backlog({}, 0, 0, 1, 0)
    assert await store.administration.backlog(NOW) == Backlog({}, 0, 0, 0, 0), "it was not made lately"
    await publish(store, PostKind.CARD, challenge.id)
    assert await store.administration.backlog(EARLIER) == Backlog({}, 0, 0, 0, 0)
