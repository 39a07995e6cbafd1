"""The last activity of members and servers, by which old data is found and deleted."""

from dataclasses import replace
from datetime import date, timedelta

from sqlalchemy import select, union
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import AdminActionRow, BanRow, BlockRow, MemberRow
from db.store import Store
from db.stores.privacy import TRACES
from db.values.members import Interest, computer_player, is_person
from db.values.places import Place, Shards
from db.values.puzzles import Attempt, Progress
from tests.db.given import ANNA, BERT, CHANNEL, CLEO, GUILD, IN, NOW, new_challenge, new_lobby, standing
from tests.db.life import holding, lived
from tests.db.test_servers_left import HERE, HOST, OTHER, SERVERS, THERE, lively

DAY = timedelta(days=1)
FIRST_DAY = date(2026, 3, 1)
LATER = FIRST_DAY + 90 * DAY
BY_OTHERS = (BlockRow.blocked_id, BanRow.user_id, AdminActionRow.user_id)
"""Columns whose rows belong to somebody else: to the member who blocks, and to the owner of the bot."""


async def noted(store: Store, users: tuple[int, ...], guilds: tuple[int, ...], day: date) -> None:
    await store.retention.note_activity(users, guilds, day, day + 30 * DAY)


async def test_everybody_of_whom_anything_is_stored_is_found(store: Store, engine: AsyncEngine) -> None:
    """Whatever stores data also adds the row by which the data is found once it is old."""
    await lived(store, ANNA)
    await lively(store, HERE)
    await lively(store, THERE)
    users = union(
        *(
            select(trace.column).where(trace.column > 0)
            for trace in TRACES
            if str(trace.column) not in map(str, BY_OTHERS)
        )
    )
    guilds = union(*(select(column).where(column > 0) for column in SERVERS.values()))
    async with engine.connect() as connection:
        known = {int(user) for user in await connection.scalars(users) if user is not None}
        servers = {int(guild) for guild in await connection.scalars(guilds) if guild is not None}
    assert {ANNA, BERT, CLEO} <= known
    await noted(store, (), (), FIRST_DAY)
    assert {*await store.retention.inactive_members(LATER, 100)} == {it for it in known if is_person(it)}
    assert {*await store.retention.inactive_servers(LATER)} == {*await store.servers.known()} == servers
    assert servers == {GUILD, OTHER, HOST}


async def test_each_first_piece_of_data_adds_its_member(store: Store) -> None:
    tried = Attempt(2, "skull-3fa9c1d0", NOW)
    await store.lessons.keep(Progress(1, "skull", 5, ()))
    await store.puzzles.keep_attempt(tried, replace(tried, moves=("d4",)), None)
    await store.members.block(3, 4, NOW)
    await store.challenges.add(new_challenge(5, 6, place=Place(7, CHANNEL)))
    lobby = await store.challenges.add(replace(new_lobby(challenger=8), place=Place(None, CHANNEL)))
    await store.challenges.change(lobby, standing(lobby, (8, IN), (9, IN), (computer_player(1), IN)), NOW)
    await store.interests.keep(Interest(11, guilds=(12,)))
    await store.servers.exclude(13, [14], NOW)
    await noted(store, (), (), FIRST_DAY)
    assert {*await store.retention.inactive_members(LATER, 100)} == {1, 2, 3, 5, 6, 8, 9, 11, 14}
    assert {*await store.retention.inactive_servers(LATER)} == {7, 12, 13}


async def test_activity_postpones_deletion(store: Store) -> None:
    for user in (ANNA, BERT, CLEO):
        await store.members.change(user, forced=True)
    for guild in (GUILD, OTHER):
        await store.servers.change(guild, threads=True)
    assert await store.retention.inactive_members(LATER, 100) == [], "they have no date yet"
    await noted(store, (), (), FIRST_DAY)
    await noted(store, (BERT, 1234), (OTHER, 5678), FIRST_DAY + DAY)
    await noted(store, (BERT,), (OTHER,), FIRST_DAY)
    assert await store.retention.inactive_members(FIRST_DAY, 100) == []
    assert {*await store.retention.inactive_members(FIRST_DAY + DAY, 100)} == {ANNA, CLEO}
    assert [*await store.retention.inactive_members(FIRST_DAY + 2 * DAY, 100)][2:] == [BERT]
    assert len(await store.retention.inactive_members(FIRST_DAY + 2 * DAY, 2)) == 2
    assert await store.retention.inactive_servers(FIRST_DAY + DAY) == [GUILD]
    assert await store.retention.inactive_servers(FIRST_DAY + 2 * DAY) == [GUILD, OTHER]
    assert await store.retention.inactive_servers(FIRST_DAY + 2 * DAY, limit=1) == [GUILD]
    assert await store.retention.inactive_servers(LATER, Shards.some(2, ())) == []
    assert (await store.members.get(1234), (await store.servers.settings(5678)).threads) == (
        type(await store.members.get(1234))(1234),
        False,
    )


async def test_computer_players_have_no_activity(store: Store, engine: AsyncEngine) -> None:
    await store.members.change(computer_player(1), computer=True)
    await store.members.change(CLEO, computer=True)
    await noted(store, (CLEO,), (), FIRST_DAY)
    assert await store.retention.inactive_members(LATER, 100) == []
    async with engine.connect() as connection:
        assert {*await connection.scalars(select(MemberRow.active_on))} == {None}


async def test_inactive_server_loses_its_data_and_may_go_on(store: Store, engine: AsyncEngine) -> None:
    await lively(store, HERE)
    assert not await store.retention.forget_server(GUILD, LATER), "it has no date yet"
    await noted(store, (), (), FIRST_DAY)
    assert not await store.retention.forget_server(GUILD, FIRST_DAY)
    assert GUILD in await store.servers.known()
    assert await store.retention.forget_server(GUILD, FIRST_DAY + DAY)
    assert await holding(engine, GUILD) == set()
    assert not await store.retention.forget_server(GUILD, LATER)
    await store.challenges.add(new_challenge(place=HERE))
    await noted(store, (), (), LATER)
    assert {*await store.retention.inactive_servers(LATER + DAY)} == {GUILD, HOST}
