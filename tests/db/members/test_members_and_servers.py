"""Preferences of members and settings of servers: defaults at first, changed field by field."""

import asyncio
from datetime import timedelta
from typing import cast

import pytest

from db.store import Store
from db.values.clocks import TimeControl
from db.values.members import FOREVER, Member, MemberChange, Notice
from db.values.posts import PostKind
from db.values.servers import ResultPicture, ServerChange, ServerSettings
from tests.db.given import ANNA, BERT, CHANNEL, CLEO, GUILD, LATER, NOW, publish


async def test_members_who_chose_nothing_have_the_defaults(store: Store) -> None:
    assert await store.members.get(ANNA) == Member(ANNA, None, Notice.PING, None, False)
    assert await store.servers.settings(GUILD) == ServerSettings(GUILD, None, (), (), None, False)
    assert await store.members.get_all([ANNA, BERT]) == []


async def test_one_choice_leaves_the_others(store: Store) -> None:
    for member, change in enumerate(
        (
            MemberChange(theme="slate"),
            MemberChange(notice=Notice.DIRECT),
            MemberChange(away_until=LATER),
            MemberChange(away_until=FOREVER),
            MemberChange(forced=True),
            MemberChange(listed=False),
            MemberChange(computer=True),
        ),
        ANNA,
    ):
        await store.members.change(member, **change)
        assert await store.members.get(member) == Member(member, **change)
        await store.members.change(member, theme="paper", notice=Notice.NONE)
        expected = Member(member, **(change | MemberChange(theme="paper", notice=Notice.NONE)))
        assert await store.members.get(member) == expected
        assert await store.members.get_all([member, 1]) == [expected]
        assert await store.members.get(member + 1) == Member(member + 1)


async def test_one_setting_leaves_the_others(store: Store) -> None:
    for guild, change in enumerate(
        (
            ServerChange(theme="slate"),
            ServerChange(channels=(CHANNEL, 2**62)),
            ServerChange(withheld=("skull", "maze")),
            ServerChange(results=CHANNEL),
            ServerChange(threads=True),
            ServerChange(everywhere=False),
            ServerChange(showing=False),
            ServerChange(result_picture=ResultPicture.FILM),
            ServerChange(puzzle_channel=77),
            ServerChange(puzzle_hour=23),
            ServerChange(weekly_moment=True),
            ServerChange(league_channel=CHANNEL, leagues=("skull", "maze")),
            ServerChange(league_clock="2d", league_size="long"),
            ServerChange(time_control=TimeControl(timedelta(days=1))),
            ServerChange(time_control=TimeControl(timedelta(minutes=10), timedelta(seconds=5))),
        ),
        GUILD,
    ):
        await store.servers.change(guild, **change)
        assert await store.servers.settings(guild) == ServerSettings(guild, **change)
        assert await store.servers.settings(guild + 1) == ServerSettings(guild + 1)
        usual = {name: getattr(ServerSettings(guild), name) for name in change}
        await store.servers.change(guild, **cast(ServerChange, usual))
        assert await store.servers.settings(guild) == ServerSettings(guild)


@pytest.mark.on_postgresql
async def test_choices_made_at_once_are_all_kept(store: Store) -> None:
    """As from two windows or processes: each writes its own field, and the row need not exist."""
    changes = (
        MemberChange(theme="slate"),
        MemberChange(notice=Notice.DIRECT),
        MemberChange(away_until=LATER),
        MemberChange(forced=True),
    )
    await asyncio.gather(*(store.members.change(ANNA, **change) for change in changes))
    assert await store.members.get(ANNA) == Member(ANNA, "slate", Notice.DIRECT, LATER, True)


async def test_blocks(store: Store) -> None:
    await store.members.block(ANNA, CLEO, NOW)
    await store.members.block(ANNA, BERT, NOW + timedelta(seconds=1))
    await store.members.block(BERT, CLEO, NOW)
    assert await store.members.blocked(ANNA) == [CLEO, BERT]
    assert await store.members.blockers(CLEO, [ANNA, BERT]) == [BERT, ANNA]
    assert await store.members.blockers(CLEO, [ANNA]) == [ANNA]
    assert await store.members.blockers(ANNA, [BERT, CLEO]) == []
    assert await store.members.unblock(ANNA, CLEO)
    assert not await store.members.unblock(ANNA, CLEO)
    assert await store.members.blocked(ANNA) == [BERT]


@pytest.mark.on_postgresql
async def test_blocking_twice_is_one_block(store: Store) -> None:
    await asyncio.gather(*(store.members.block(ANNA, BERT, NOW) for _ in range(3)))
    assert await store.members.blocked(ANNA) == [BERT]


KEYS = {PostKind.PODIUM: "2026-10", PostKind.PUZZLE: "2026-11-02", PostKind.MOMENT: "2026-11-02"}


@pytest.mark.parametrize("kind", KEYS)
async def test_servers_are_due_until_a_post_is_added(store: Store, kind: PostKind) -> None:
    wanted = ServerChange(podium=True, puzzle_channel=CHANNEL, puzzle_hour=9, weekly_moment=True)
    for guild in (GUILD, GUILD + 1, GUILD + 2):
        await store.servers.change(guild, **wanted)
    await store.servers.change(GUILD + 1, results=CHANNEL + 1)
    channels = (None, CHANNEL + 1, None) if kind is PostKind.PODIUM else (CHANNEL,) * 3
    due = [(GUILD + number, channel) for number, channel in enumerate(channels)]
    assert await store.servers.due(kind, KEYS[kind], 9, 100) == due
    assert await store.servers.due(kind, KEYS[kind], 9, 2) == due[:2]

    await store.posts.add(kind, KEYS[kind], [(GUILD, CHANNEL)], NOW)
    assert await store.servers.due(kind, KEYS[kind], 9, 100) == due[1:]
    # It stays so after the post is published, and other days are due by themselves.
    await publish(store, kind, GUILD, key=KEYS[kind])
    assert await store.servers.due(kind, KEYS[kind], 9, 100) == due[1:]
    assert await store.servers.due(kind, "2026-12-01", 9, 100) == due


async def test_servers_are_due_only_where_posts_are_wanted(store: Store) -> None:
    wanted = ServerChange(podium=True, puzzle_channel=CHANNEL, puzzle_hour=9, weekly_moment=True)
    await store.servers.change(GUILD + 1, threads=True)
    for kind, unwanted in (
        (PostKind.PODIUM, ServerChange(podium=False)),
        (PostKind.PUZZLE, ServerChange(puzzle_channel=None)),
        (PostKind.PUZZLE, ServerChange(puzzle_hour=10)),
        (PostKind.MOMENT, ServerChange(puzzle_channel=None)),
        (PostKind.MOMENT, ServerChange(puzzle_hour=10)),
        (PostKind.MOMENT, ServerChange(weekly_moment=False)),
    ):
        await store.servers.change(GUILD, **wanted)
        assert [guild for guild, _ in await store.servers.due(kind, "2026-10", 9, 100)] == [GUILD]
        await store.servers.change(GUILD, **unwanted)
        assert await store.servers.due(kind, "2026-10", 9, 100) == []
