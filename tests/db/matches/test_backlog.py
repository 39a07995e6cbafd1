"""The backlog: what runs, and what is not shown or announced yet."""

from datetime import timedelta

import pytest

from db.api.matches.backlog import Backlog
from db.api.matches.matches import Panel
from db.api.places import Place
from db.api.posts import PostKind
from db.store import SqlStore
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


async def test_an_empty_store_has_none(store: SqlStore) -> None:
    assert await store.backlog(EARLIER) == Backlog({}, 0, 0, 0, 0)


@pytest.mark.both_databases
async def test_boards_wait_from_a_move_until_they_are_shown(store: SqlStore) -> None:
    match = (await started(store)).id
    assert await store.backlog(EARLIER) == Backlog({"skull": 1}, 1, 0, 0, 0)
    await show(store, match, Panel(CHANNEL, 5, 0))
    assert await store.backlog(EARLIER) == Backlog({"skull": 1}, 0, 0, 0, 0)
    await store.append(match, 0, FIRST, LATER, (WON, LOST))
    assert await store.backlog(NOW) == Backlog({}, 1, 0, 0, 1)
    assert await store.backlog(LATER) == Backlog({}, 0, 1, 0, 0), "nothing has happened since"
    await show(store, match, Panel(CHANNEL, 6, 1))
    await store.forget_post((await post_of(store, PostKind.RESULT, match)).id)
    assert await store.backlog(EARLIER) == Backlog({}, 0, 0, 0, 0)


async def test_boards_in_direct_messages_wait_for_an_interaction(store: SqlStore) -> None:
    await started(store, place=Place(None, CHANNEL))
    await started(store, place=Place(GUILD, CHANNEL), setup=ALARIC)
    assert await store.backlog(EARLIER) == Backlog({"skull": 1, "alaric": 1}, 1, 1, 0, 0)


async def test_challenges_wait_until_a_message_shows_them(store: SqlStore) -> None:
    challenge = await store.add_challenge(new_challenge())
    assert await store.backlog(EARLIER) == Backlog({}, 0, 0, 1, 0)
    assert await store.backlog(NOW) == Backlog({}, 0, 0, 0, 0), "it was not made lately"
    await publish(store, PostKind.CARD, challenge.id)
    assert await store.backlog(EARLIER) == Backlog({}, 0, 0, 0, 0)
