"""Work in the background is listed by shard: each process is given that of its servers, and all together everything."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from db.engine import open_store
from db.store import Store
from db.values.clocks import Clocks, Reminder, SeatClock, TimeControl
from db.values.events import RoleChange, TitleKind
from db.values.matches import Ending, NewEntry
from db.values.places import DiscordId, Ownership, Place, Shards, shard_of
from db.values.posts import Post, PostKind
from db.values.proposals import Matter, NewProposal
from db.values.servers import ServerSettings
from tests.db.given import ANNA, BERT, DEADLINE, FIRST, LATER, LOST, NOW, WON, accepted, expire, new_challenge

pytestmark = pytest.mark.on_postgresql

COUNT = 3
GUILDS = (None, *(((COUNT * 2**38 + shard) << 22) + 77 for shard in range(COUNT)))
"""Direct messages, and a server of each shard."""
HOUR = timedelta(hours=1)
TICKING: Clocks = (SeatClock(HOUR, NOW + HOUR, NOW + HOUR / 2), SeatClock(HOUR))


async def begun(store: Store, place: Place) -> int:
    """Start a match in which a clock runs, and return its id."""
    new = new_challenge(place=place)
    timed = replace(new, terms=replace(new.terms, time_control=TimeControl(HOUR)))
    offer = await store.challenges.add(timed)
    return (await store.challenges.accept(offer, accepted(offer), (ANNA, BERT), 1, NOW, TICKING)).id


@pytest.fixture
async def guilds(store: Store) -> dict[int, DiscordId | None]:
    """The server of each challenge, match and proposal, after work of every kind is left in every place."""
    found: dict[int, DiscordId | None] = {}
    for number, guild in enumerate(GUILDS, 1):
        place = Place(guild, 500 + number)
        match = await begun(store, place)
        found[match] = guild
        await store.proposals.add(NewProposal(match, Matter.DRAW, 0, 0, NOW), 0)
        over = await begun(store, place)
        found[over] = guild
        await store.matches.append(over, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))
        await store.challenges.add(new_challenge(place=place))
        if guild is not None:
            await store.titles.add(guild, TitleKind.FINISHER, "2026-02", [5], NOW)
            await store.titles.choose(guild, TitleKind.FINISHER, 5)
            await store.servers.change(
                guild, podium=True, puzzle_channel=5, puzzle_hour=0, weekly_moment=True, league_channel=5
            )
    return found


Read = Callable[[Store], Awaitable[Any]]

BY_MATCH: dict[str, Read] = {
    "posts": lambda store: store.posts.pending(LATER, 1000),
    "proposals": lambda store: store.proposals.open(),
    "out of time": lambda store: store.clocks.out_of_time(NOW + HOUR),
    "reminders": lambda store: store.clocks.due_reminders(NOW + HOUR / 2),
    "challenges": lambda store: store.challenges.open(),
    "expired": lambda store: expire(store, DEADLINE),
}
BY_SERVER: dict[str, Read] = {
    "podiums": lambda store: store.servers.due(PostKind.PODIUM, "2026-10", 0, 100),
    "puzzles": lambda store: store.servers.due(PostKind.PUZZLE, "2026-03-01", 23, 100),
    "roles": lambda store: store.titles.due(LATER, 100),
    "leagues": lambda store: store.servers.with_leagues("2026-03", 100),
    "moments": lambda store: store.servers.due(PostKind.MOMENT, "2026-02-23", 23, 100),
}


def server_of(found: Any, guilds: dict[int, DiscordId | None]) -> DiscordId | None:
    """Return the server of something that is left to do."""
    match found:
        case Post() | ServerSettings() | RoleChange():
            return found.guild
        case (guild, _):
            return int(guild)
        case Reminder():
            return guilds[found.match]
        case int():
            return guilds.get(found, found)
    if hasattr(found, "place"):
        place: Place = found.place
        return place.guild
    return guilds[found.match]


@pytest.fixture
async def stores(threads: None, store_url: str, tmp_path: Path) -> AsyncIterator[list[Store]]:
    """The stores of processes that serve a shard each."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                open_store(store_url, tmp_path, Ownership(Shards.some(COUNT, {number})), prepared=True)
            )
            for number in range(COUNT)
        ]


async def test_each_process_is_given_what_belongs_to_its_shards(
    stores: list[Store], store: Store, guilds: dict[int, DiscordId | None]
) -> None:
    """A store without shards is given everything."""
    for read in BY_MATCH.values():
        if read is not BY_MATCH["expired"]:  # this changes what it returns
            assert {server_of(it, guilds) for it in await read(store)} >= set(GUILDS[1:])
    for name, read in (BY_MATCH | BY_SERVER).items():
        found = [{server_of(it, guilds) for it in await read(store)} for store in stores]
        for shard, theirs in enumerate(found):
            assert {shard_of(guild, COUNT) for guild in theirs} == {shard}, name
        direct = {guild for theirs in found for guild in theirs} - set(GUILDS[1:])
        assert direct <= {None}, name
        assert set.union(*found) >= set(GUILDS[1:]), name


async def test_the_next_deadline_is_that_of_a_process(store: Store, stores: list[Store]) -> None:
    await begun(store, Place(GUILDS[2], 5))
    due = [await it.clocks.next_due() for it in stores]
    assert due == [None, NOW + HOUR / 2, None]


async def test_time_is_given_back_where_a_shard_was_away(store: Store, stores: list[Store]) -> None:
    matches = [await begun(store, Place(guild, 5)) for guild in GUILDS]
    shards = [shard_of(guild, COUNT) for guild in GUILDS]
    for shard, it in enumerate(stores):
        await it.clocks.alive(NOW, HOUR, shard)
    await stores[0].clocks.alive(NOW + HOUR / 4, HOUR, 0)
    put_off = await stores[1].clocks.alive(NOW + HOUR / 4, timedelta(0), 1)
    assert put_off == [match for match, shard in zip(matches, shards, strict=True) if shard == 1]


async def test_time_of_a_change_of_the_number_of_shards_is_given_back(
    store: Store, stores: list[Store]
) -> None:
    match = await begun(store, Place(GUILDS[2], 5))
    await store.clocks.alive(NOW, HOUR)
    assert await stores[1].clocks.alive(NOW + HOUR / 4, timedelta(0), 1) == [match]
    await stores[1].clocks.alive(NOW + HOUR / 2, HOUR, 1)
    assert await store.clocks.alive(NOW + HOUR / 2 + HOUR / 4, timedelta(0)) == [match]
