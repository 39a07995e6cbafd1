"""The last activity of members and servers, by which old data is found and deleted."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import select, union
from sqlalchemy.ext.asyncio import AsyncEngine

from db.api.computers import computer_player, is_computer
from db.api.lessons import Progress
from db.api.places import Place
from db.api.puzzles import Attempt
from db.api.shards import Shards
from db.models import AdminActionRow, BanRow, BlockRow, MemberRow
from db.store import SqlStore
from db.stores.members.privacy import TRACES
from db.stores.servers import KNOWN
from tests.db.given import ANNA, BERT, CHANNEL, CLEO, GUILD, IN, NOW, new_challenge, new_lobby, standing
from tests.db.life import holding, lived
from tests.db.test_servers_left import HERE, OTHER, THERE, lively

DAY = timedelta(days=1)
FIRST_DAY = date(2026, 3, 1)
LATER = FIRST_DAY + 90 * DAY
BY_OTHERS = (BlockRow.blocked_id, BanRow.user_id, AdminActionRow.user_id)
"""Columns whose rows belong to somebody else: to the member who blocks, and to the owner of the bot."""


async def noted(store: SqlStore, users: tuple[int, ...], guilds: tuple[int, ...], day: date) -> None:
    await store.note_activity(users, guilds, day, day + 30 * DAY)


@pytest.mark.both_databases
async def test_everybody_of_whom_anything_is_stored_is_found(store: SqlStore, engine: AsyncEngine) -> None:
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
    async with engine.connect() as connection:
        known = {int(user) for user in await connection.scalars(users) if user is not None}
    assert {ANNA, BERT, CLEO} <= known
    await noted(store, (), (), FIRST_DAY)
    assert {*await store.inactive_members(LATER, 100)} == {it for it in known if not is_computer(it)}
    assert {*await store.inactive_servers(LATER)} == {*await store.servers()} == {GUILD, OTHER}
    assert len(KNOWN) > 4


async def test_each_first_piece_of_data_adds_its_member(store: SqlStore) -> None:
    tried = Attempt(2, "skull-3fa9c1d0", NOW)
    await store.keep_progress(Progress(1, "skull", 5, ()))
    await store.keep_attempt(tried, replace(tried, moves=("d4",)), None)
    await store.block(3, 4, NOW)
    await store.add_challenge(new_challenge(5, 6, place=Place(7, CHANNEL)))
    lobby = await store.add_challenge(replace(new_lobby(challenger=8), place=Place(None, CHANNEL)))
    await store.change(lobby, standing(lobby, (8, IN), (9, IN), (computer_player(1), IN)), NOW)
    await noted(store, (), (), FIRST_DAY)
    assert {*await store.inactive_members(LATER, 100)} == {1, 2, 3, 5, 6, 8, 9}
    assert await store.inactive_servers(LATER) == [7]


async def test_activity_postpones_deletion(store: SqlStore) -> None:
    for user in (ANNA, BERT, CLEO):
        await store.change_member(user, forced=True)
    for guild in (GUILD, OTHER):
        await store.change_server(guild, threads=True)
    assert await store.inactive_members(LATER, 100) == [], "they have no date yet"
    await noted(store, (), (), FIRST_DAY)
    await noted(store, (BERT, 1234), (OTHER, 5678), FIRST_DAY + DAY)
    await noted(store, (BERT,), (OTHER,), FIRST_DAY)
    assert await store.inactive_members(FIRST_DAY, 100) == []
    assert {*await store.inactive_members(FIRST_DAY + DAY, 100)} == {ANNA, CLEO}
    assert [*await store.inactive_members(FIRST_DAY + 2 * DAY, 100)][2:] == [BERT]
    assert len(await store.inactive_members(FIRST_DAY + 2 * DAY, 2)) == 2
    assert await store.inactive_servers(FIRST_DAY + DAY) == [GUILD]
    assert await store.inactive_servers(FIRST_DAY + 2 * DAY) == [GUILD, OTHER]
    assert await store.inactive_servers(FIRST_DAY + 2 * DAY, limit=1) == [GUILD]
    assert await store.inactive_servers(LATER, Shards.some(2, ())) == []
    assert (await store.member(1234), (await store.server_settings(5678)).threads) == (
        type(await store.member(1234))(1234),
        False,
    )


async def test_accounts_are_looked_up_a_month_after_the_last_activity(store: SqlStore) -> None:
    for user in (ANNA, BERT):
        await store.change_member(user, forced=True)
    await noted(store, (), (), FIRST_DAY)
    await noted(store, (BERT,), (), FIRST_DAY + DAY)
    assert await store.accounts_to_look_up(FIRST_DAY + 29 * DAY, 5) == []
    assert await store.accounts_to_look_up(FIRST_DAY + 30 * DAY, 5) == [ANNA]
    assert await store.accounts_to_look_up(FIRST_DAY + 31 * DAY, 5) == [ANNA, BERT]
    assert await store.accounts_to_look_up(FIRST_DAY + 31 * DAY, 1) == [ANNA]
    await store.look_up_again(ANNA, FIRST_DAY + 60 * DAY)
    assert await store.accounts_to_look_up(FIRST_DAY + 31 * DAY, 5) == [BERT]


async def test_activity_is_part_of_the_export(store: SqlStore) -> None:
    await store.change_member(ANNA, forced=True)
    await noted(store, (), (), FIRST_DAY)
    (row,) = (await store.export_member(ANNA))["members"]
    assert (row["active_on"], row["look_up_on"]) == ("2026-03-01", "2026-03-31")


async def test_computer_players_have_no_activity(store: SqlStore, engine: AsyncEngine) -> None:
    await store.change_member(computer_player(1), computer=True)
    await store.change_member(CLEO, computer=True)
    await noted(store, (CLEO,), (), FIRST_DAY)
    assert await store.inactive_members(LATER, 100) == []
    async with engine.connect() as connection:
        assert {*await connection.scalars(select(MemberRow.active_on))} == {None}


async def test_inactive_server_loses_its_data_and_may_go_on(store: SqlStore, engine: AsyncEngine) -> None:
    await lively(store, HERE)
    assert not await store.forget_inactive_server(GUILD, LATER), "it has no date yet"
    await noted(store, (), (), FIRST_DAY)
    assert not await store.forget_inactive_server(GUILD, FIRST_DAY)
    assert GUILD in await store.servers()
    assert await store.forget_inactive_server(GUILD, FIRST_DAY + DAY)
    assert await holding(engine, GUILD) == set()
    assert not await store.forget_inactive_server(GUILD, LATER)
    await store.add_challenge(new_challenge(place=HERE))
    await noted(store, (), (), LATER)
    assert await store.inactive_servers(LATER + DAY) == [GUILD]
