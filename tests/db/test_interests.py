"""Members who want to be told of open challenges, and members whom a server has excluded."""

from dataclasses import replace
from datetime import date, timedelta

from db.store import Store
from db.values.members import Interest
from tests.db.given import ANNA, BERT, CLEO, GUILD, LATER, NOW

TODAY, TOMORROW = date(2026, 3, 1), date(2026, 3, 2)


async def test_interests_are_kept_and_counted(store: Store) -> None:
    wish = Interest(ANNA, ("skull",), 18, 24, "Europe/Berlin", 2, (GUILD, GUILD + 1))
    await store.interests.keep(wish)
    await store.interests.keep(Interest(BERT, guilds=(GUILD,)))
    await store.interests.keep(Interest(CLEO, guilds=(GUILD + 1,)))
    assert await store.interests.get(ANNA) == wish
    assert [it.user for it in await store.interests.of_server(GUILD, 9)] == [BERT, ANNA]
    assert [await store.interests.tell(ANNA, TODAY, NOW) for _ in range(3)] == [True, True, False]
    assert await store.interests.tell(ANNA, TOMORROW, LATER)
    assert not await store.interests.tell(999, TODAY, NOW)
    await store.interests.tell(BERT, TODAY, NOW - timedelta(days=1))
    await store.interests.keep(replace(wish, guilds=(GUILD,)))
    found = await store.interests.of_server(GUILD, 9)
    assert [(it.user, it.told_at, it.told_on, it.told) for it in found] == [
        (BERT, NOW - timedelta(days=1), TODAY, 1),
        (ANNA, LATER, TOMORROW, 1),
    ]
    await store.interests.forget(ANNA)
    assert await store.interests.get(ANNA) is None
    assert [it.user for it in await store.interests.of_server(GUILD, 9)] == [BERT]


async def test_excluded_members_are_replaced_as_a_whole(store: Store) -> None:
    await store.servers.exclude(GUILD, [BERT, ANNA], NOW)
    await store.servers.exclude(GUILD + 1, [CLEO], NOW)
    assert await store.servers.excluded(GUILD) == sorted((ANNA, BERT))
    await store.servers.exclude(GUILD, [BERT, CLEO], LATER)
    assert await store.servers.excluded(GUILD) == [BERT, CLEO]
    await store.servers.exclude(GUILD, [], LATER)
    assert await store.servers.excluded(GUILD) == []
    assert await store.servers.excluded(GUILD + 1) == [CLEO]
