"""The puzzle of the day in servers: when a post is due, and what it says later."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.app.puzzles.daily import DayBoard
from db.values.posts import Post, PostKind
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

pytestmark = pytest.mark.slow

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
CHANNEL = 11
HOURS = {1: 0, 2: 9, 3: 9, 4: 23}
"""By server: the hour that it chose."""


async def tried(host: Host, user: int, solved: bool, guild: int | None = HERE.guild) -> None:
    """A member has done the puzzle of today."""
    daily = host.services.daily_puzzles
    now = host.clock.now()
    begun = Attempt(user, (await daily.shown(daily.today)).name, now, guild=guild)
    await host.store.puzzles.keep_attempt(
        begun, replace(begun, moves=("1",), solved=solved, ended=now), NEWCOMER
    )


async def due(host: Host) -> list[Post]:
    """The posts that are to be shown now."""
    await host.services.daily_puzzles.add_due()
    return list(await host.store.posts.pending(host.clock.now(), 100))


async def test_each_server_has_one_post_a_day_at_its_hour(host: Host) -> None:
    for guild, hour in HOURS.items():
        await host.services.store.servers.change(guild, puzzle_channel=CHANNEL, puzzle_hour=hour)
    begun = host.clock.now()
    posts: list[tuple[int, datetime]] = []
    for _ in range(2 * 24):
        for post in await due(host):
            if post.message is None:
                posts.append((post.subject, host.clock.now()))
            await host.posted(post.kind, post.subject, 100 + len(posts), post.key)
        host.clock.push(HOUR)
    expected = [(guild, begun + day * DAY + hour * HOUR) for day in range(2) for guild, hour in HOURS.items()]
    assert sorted(posts) == sorted(expected)


async def test_a_missed_post_is_due_for_the_rest_of_its_day_only(host: Host) -> None:
    await host.services.store.servers.change(1, puzzle_channel=CHANNEL, puzzle_hour=9)
    host.clock.push(26 * HOUR)
    assert await due(host) == []
    host.clock.push(8 * HOUR)
    (post,) = await due(host)
    assert (post.kind, post.subject, post.key) == (PostKind.PUZZLE, 1, str(host.clock.now().date()))


async def test_another_hour_or_channel_makes_no_second_post(host: Host) -> None:
    daily = host.services.daily_puzzles
    await host.services.store.servers.change(1, puzzle_channel=CHANNEL, puzzle_hour=9)
    host.clock.push(9 * HOUR)
    assert len(await due(host)) == 1
    await host.posted(PostKind.PUZZLE, 1, 5, str(daily.today))
    await host.services.store.servers.change(1, puzzle_channel=CHANNEL + 1, puzzle_hour=12)
    host.clock.push(4 * HOUR)
    assert await due(host) == []


async def test_a_post_is_updated_until_its_day_is_over(host: Host) -> None:
    """Results are collected for a minute, so that a post is not edited for each of them."""
    daily = host.services.daily_puzzles
    await host.services.store.servers.change(1, puzzle_channel=CHANNEL, puzzle_hour=0)
    day = daily.today
    assert len(await due(host)) == 1
    await host.posted(PostKind.PUZZLE, 1, 5, str(day))
    await tried(host, ADA, solved=True)
    host.clock.push(timedelta(seconds=40))
    await tried(host, GRACE, solved=False)
    assert await due(host) == []
    host.clock.push(timedelta(seconds=20))
    assert [post.key for post in await due(host)] == [str(day)]
    assert await daily.board(1, day) == DayBoard(2, 1, (ADA,))
    await host.posted(PostKind.PUZZLE, 1, 5, str(day))
    await host.services.store.servers.change(1, puzzle_channel=None)
    host.clock.push(DAY)
    assert [post.key for post in await due(host)] == [str(day)]
    (post,) = await due(host)
    await host.store.posts.keep(replace(post, shown=post.version, progress=1))
    host.clock.push(DAY)
    assert await due(host) == []


async def test_the_board_counts_who_did_the_puzzle_in_the_server_on_its_day(host: Host) -> None:
    daily = host.services.daily_puzzles
    day = daily.today
    await host.services.preferences.choose(GRACE, listed=False)
    await tried(host, EMMY, solved=True)
    await tried(host, ADA, solved=True)
    await tried(host, GRACE, solved=True)
    await tried(host, 104, solved=True, guild=2)
    await tried(host, 105, solved=True, guild=None)
    host.clock.time = datetime.combine(day + DAY, datetime.min.time(), UTC)
    late = replace(Attempt(106, (await daily.shown(day)).name, host.clock.now()), guild=HERE.guild)
    await host.store.puzzles.keep_attempt(
        late, replace(late, moves=("1",), solved=True, ended=host.clock.now()), NEWCOMER
    )
    board = await daily.board(1, day)
    assert (board.tried, board.solved) == (3, 3)
    assert set(board.solvers) == {ADA, EMMY}, "Grace is not listed"
    assert await daily.board(2, day) == DayBoard(1, 1, (104,))


async def test_posts_are_forgotten_after_a_week(host: Host) -> None:
    daily = host.services.daily_puzzles
    day = daily.today
    await host.services.store.servers.change(1, puzzle_channel=CHANNEL, puzzle_hour=0)
    await due(host)
    host.clock.push(7 * DAY)
    await due(host)
    assert await daily.post(1, day) is not None
    host.clock.push(DAY)
    await due(host)
    assert await daily.post(1, day) is None
