"""The processes of a database: who has which shard, and what they are told of each other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from db.engine import open_store
from db.processes import server
from db.processes.link import Link, LinkLost
from db.processes.notifications import Notification, Subject
from db.processes.open import process_link
from db.store import Store
from db.values.administration import AdminAction, Announcement, Ban
from db.values.matches import Ending, NewEntry
from db.values.places import Ownership, Place, Shards
from tests.db.given import ANNA, FIRST, NOW, SECOND, started
from tests.waiting import wait_until

PATIENCE = 30.0
"""Seconds after which the test fails if a lost connection was not noticed."""
LINKS = (
    "FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' AND objsubid = 1"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
HERE = Place(6 << 22, 5)
"""A place in a server of shard 0 of 2."""


@pytest.fixture
def database() -> str:
    """SQLite has one process, with no others to share with or to be told of."""
    return "postgresql"


@pytest.fixture
async def links(migrated_url: str, tmp_path: Path) -> AsyncIterator[list[Link]]:
    """The links of three processes that have joined."""
    async with AsyncExitStack() as stack:
        made = [await stack.enter_async_context(process_link(migrated_url, tmp_path)) for _ in range(3)]
        for link in made:
            assert await link.join()
        yield made


async def test_a_shard_has_one_process(links: list[Link]) -> None:
    one, two, _ = links
    assert await one.take(0)
    assert await one.take(0)
    assert not await two.take(0)
    assert await two.take(1)
    await one.give(0)
    assert await two.take(0)


async def test_processes_see_each_other(links: list[Link]) -> None:
    one, two, three = links
    assert (await one.look()).alone
    await two.share()
    await two.take(3)
    await three.take(1)
    look = await one.look()
    assert look.taken == {1, 3}
    assert list(look.others.values()) == [{3}]
    assert not look.alone
    await two.end_sharing()
    assert not (await one.look()).others


async def test_all_agree_on_the_number_of_the_first_until_all_have_ended(links: list[Link]) -> None:
    one, two, three = links
    assert [await link.agree(count) for link, count in ((one, 4), (two, 2), (one, 8))] == [4, 4, 4]
    await one.leave()
    assert await three.agree(3) == 4
    await two.leave()
    await three.leave()
    assert await one.join()
    assert await one.agree(2) == 2


async def test_turns_to_log_in_are_taken_one_after_the_other(links: list[Link]) -> None:
    one, two, three = links
    assert await one.take_turn(0)
    assert not await two.take_turn(0)
    assert await two.take_turn(1)
    await one.end_turn(0)
    assert await three.take_turn(0)


async def test_a_shard_that_is_given_up_is_told(links: list[Link]) -> None:
    one, two, _ = links
    received: asyncio.Queue[Notification] = asyncio.Queue()
    two.on_notification = received.put_nowait
    await one.take(7)
    await one.give(7)
    async with asyncio.timeout(PATIENCE):
        assert await received.get() == Notification(Subject.FREE, 7)


async def test_with_its_connection_a_process_loses_its_shards_at_once(
    links: list[Link], engine: AsyncEngine
) -> None:
    lost = [asyncio.Event() for _ in links]
    for link, event in zip(links, lost, strict=True):
        link.lost = event.set
    one, two, _ = links
    await one.take(0)
    async with engine.begin() as connection:
        await connection.execute(text(f"SELECT pg_terminate_backend(pid, 10000) {LINKS}"))
    async with asyncio.timeout(PATIENCE):
        for event in lost:
            await event.wait()
    assert not one.joined
    for asked in (one.look(), one.take(1), one.give(0), one.agree(1)):
        with pytest.raises(LinkLost):
            await asked
    assert await two.join()
    assert await two.take(0)
    assert await one.join()
    assert not await one.take(0)


async def test_connections_that_are_cut_at_any_moment_are_made_again(
    links: list[Link], engine: AsyncEngine
) -> None:
    over = asyncio.Event()

    async def work(link: Link) -> None:
        while not over.is_set():
            with suppress(LinkLost):
                if await link.join() and await link.agree(4) and await link.take(0):
                    await link.give(0)

    async def log_in(link: Link) -> None:
        while not over.is_set():
            if await link.take_turn(0):
                await link.end_turn(0)
            await asyncio.sleep(0)

    working = [asyncio.create_task(does(link)) for link in links for does in (work, log_in)]
    for moment in range(30):
        await asyncio.sleep(moment / 1000)
        async with engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_terminate_backend(pid) {LINKS}"))
    assert not [task for task in working if task.done()]
    over.set()
    await asyncio.gather(*working)
    for link in links:
        await link.leave()
    assert await links[0].join()
    assert await links[0].take(0)


async def test_a_connection_that_gets_no_answer_is_lost_and_its_locks_are_free_for_the_next(
    links: list[Link], monkeypatch: pytest.MonkeyPatch, migrated_url: str
) -> None:
    """The first hangs in a lock that another session has, as on a server that does not answer."""
    monkeypatch.setattr(server, "ANSWER_S", 0.5)
    one = links[0]
    await one.leave()
    assert await one.join()
    await one.take(0)
    blocking = await asyncpg.connect(migrated_url)
    try:
        await blocking.execute("SELECT pg_advisory_lock($1, 0)", server.GATE)
        with pytest.raises(LinkLost):
            await one.agree(2)
    finally:
        await blocking.close()
    assert not one.joined
    assert await one.join()
    assert await one.take(0)
    assert await one.agree(2) == 2


async def test_a_server_that_does_not_answer_is_no_reason_to_end_what_it_holds(tmp_path: Path) -> None:
    async with process_link("postgresql://nobody:none@127.0.0.1:1/none", tmp_path) as link:
        assert not await link.join()
        assert not link.unreachable  # it answers that nothing runs there


@pytest.fixture
async def stores(migrated_url: str, tmp_path: Path) -> AsyncIterator[tuple[Store, Store]]:
    """The stores of two processes: the first owns the server of the matches, the second the other shard."""
    async with (
        open_store(migrated_url, tmp_path, Ownership(Shards.some(2, {0}))) as owner,
        open_store(migrated_url, tmp_path, Ownership(Shards.some(2, {1}))) as other,
    ):
        yield owner, other


async def test_the_owner_hears_what_another_process_has_stored(
    links: list[Link], stores: tuple[Store, Store]
) -> None:
    owner, other = stores
    received: asyncio.Queue[Notification] = asyncio.Queue()
    links[0].on_notification = received.put_nowait
    match = (await started(owner, place=HERE)).id
    before = await owner.matches.load(match)
    await owner.matches.append(match, 0, NewEntry(FIRST, NOW))
    assert owner.matches.cached(match) is not before
    assert other.matches.cached(match) is None
    await other.matches.append(match, 1, NewEntry(SECOND, NOW))
    assert other.matches.cached(match) is None
    async with asyncio.timeout(PATIENCE):
        assert await received.get() == Notification(Subject.MATCH, match, 0)
    known = owner.matches.cached(match)
    assert known is not None
    assert len(known.log) == 1
    owner.matches.forget(lambda it: it.id == match)
    assert owner.matches.cached(match) is None
    assert received.empty()


async def test_all_processes_hear_of_bans_and_announcements(
    links: list[Link], stores: tuple[Store, Store]
) -> None:
    received: asyncio.Queue[Notification] = asyncio.Queue()
    links[0].on_notification = received.put_nowait
    action = AdminAction(NOW, ANNA, "something")
    owner, _ = stores
    await owner.administration.ban(Ban("digest", ANNA, None, "spam", None, NOW), action)
    (ban,) = await owner.administration.bans(NOW, 0, 10)
    await owner.administration.unban(ban.id, action)
    await owner.administration.announce(Announcement("Maintenance", NOW), action)
    assert not await owner.administration.unban(ban.id, action)
    await owner.administration.announce(None, action)
    async with asyncio.timeout(PATIENCE):
        assert [await received.get() for _ in range(4)] == [Notification(Subject.ADMINISTRATION, 0)] * 4
    await owner.administration.ban(Ban("another", ANNA, None, "spam", None, NOW), action)
    async with asyncio.timeout(PATIENCE):
        await received.get()
    assert received.empty()


async def test_what_is_not_stored_is_not_told(links: list[Link], stores: tuple[Store, Store]) -> None:
    owner, other = stores
    received: list[Notification] = []
    links[0].on_notification = received.append
    match = (await started(owner, place=HERE)).id
    with pytest.raises(ValueError, match="outcomes"):
        await other.matches.append(match, 0, NewEntry(FIRST, NOW), Ending(()))
    await other.members.change(ANNA, theme="paper")
    await other.members.tell_touched(ANNA, match)
    await wait_until(lambda: len(received) == 2)
    assert received == [Notification(Subject.MEMBER, ANNA), Notification(Subject.TOUCHED, ANNA, about=match)]
    assert (await owner.members.get(ANNA)).theme == "paper"


def test_news_are_read_as_they_are_written() -> None:
    for notification in (
        Notification(Subject.MATCH, 17, 3),
        Notification(Subject.MEMBER, -5),
        Notification(Subject.FREE, 0),
        Notification(Subject.TOUCHED, 5, about=17),
    ):
        assert Notification.read(str(notification)) == notification
    for text_of_others in ("", "match", "match x 0", "gossip 1 0", "match 1 0 0"):
        assert Notification.read(text_of_others) is None
