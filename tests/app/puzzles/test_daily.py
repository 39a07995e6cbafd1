"""The puzzle of the day in servers: when a post is due, and what it says later."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.app.puzzles.daily import DayBoard
from db.api.puzzles import Attempt
from db.api.standings.ratings import NEWCOMER
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

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
    await host.store.keep_attempt(begun, replace(begun, moves=("1",), solved=solved, ended=now), NEWCOMER)


async def test_in_a_week_each_server_has_one_post_a_day_at_its_own_hour(host: Host) -> None:
    daily = host.services.daily_puzzles
    for guild, hour in HOURS.items():
        await host.services.preferences.change(guild, puzzle_channel=CHANNEL, puzzle_hour=hour)
    begun = host.clock.now()
    posts: list[tuple[int, datetime]] = []
    for _ in range(7 * 24):
        day, guilds = await daily.due()
        for guild in guilds:
            post = await daily.sending(guild, day, CHANNEL)
            await daily.sent(post, len(posts))
            posts.append((guild, host.clock.now()))
        host.clock.push(HOUR)
    expected = [(guild, begun + day * DAY + hour * HOUR) for day in range(7) for guild, hour in HOURS.items()]
    assert sorted(posts) == sorted(expected)


async def test_a_post_that_was_missed_is_due_for_the_rest_of_its_day_only(host: Host) -> None:
    daily = host.services.daily_puzzles
    await host.services.preferences.change(1, puzzle_channel=CHANNEL, puzzle_hour=9)
    host.clock.push(23 * HOUR)
    first, due = await daily.due()
    assert due == [1]
    host.clock.push(2 * HOUR)
    assert (await daily.due())[1] == []
    host.clock.push(8 * HOUR)
    assert await daily.due() == (first + DAY, [1])


async def test_another_hour_or_channel_makes_no_second_post(host: Host) -> None:
    daily = host.services.daily_puzzles
    await host.services.preferences.change(1, puzzle_channel=CHANNEL, puzzle_hour=9)
    host.clock.push(9 * HOUR)
    await daily.sent(await daily.sending(1, daily.today, CHANNEL), 5)
    await host.services.preferences.change(1, puzzle_channel=CHANNEL + 1, puzzle_hour=12)
    host.clock.push(4 * HOUR)
    assert (await daily.due())[1] == []


async def test_a_post_is_doubtful_until_it_is_known_what_became_of_it(host: Host) -> None:
    daily = host.services.daily_puzzles
    await host.services.preferences.change(1, puzzle_channel=CHANNEL, puzzle_hour=0)
    post = await daily.sending(1, daily.today, CHANNEL)
    assert (await daily.due())[1] == [1]
    assert daily.fresh(post)
    host.clock.push(HOUR)
    assert not daily.fresh(post)
    await daily.not_sent(post)
    stored = await daily.post(1, daily.today)
    assert stored is not None
    assert stored.tried_at is None
    assert (await daily.due())[1] == [1]
    await daily.sent(post, None)
    assert (await daily.due())[1] == []
    assert await daily.outdated() == [], "a post that is nowhere known is never changed"


async def test_a_post_is_brought_up_to_date_until_it_shows_the_board_of_its_day(host: Host) -> None:
    daily = host.services.daily_puzzles
    post = await daily.sending(1, daily.today, CHANNEL)
    await daily.sent(post, 5)
    assert await daily.outdated() == []
    await tried(host, ADA, solved=True)
    await tried(host, GRACE, solved=False)
    ((post, board),) = await daily.outdated()
    assert board == DayBoard(2, 1, (ADA,))
    await daily.updated(post, board, closed=False)
    assert await daily.outdated() == []
    host.clock.push(DAY)
    ((post, board),) = await daily.outdated()
    await daily.updated(post, board, closed=True)
    assert await daily.outdated() == []


async def test_the_board_counts_who_did_the_puzzle_in_the_server_on_its_day(host: Host) -> None:
    daily = host.services.daily_puzzles
    day = daily.today
    await host.services.preferences.listed(GRACE, on=False)
    await tried(host, EMMY, solved=True)
    await tried(host, ADA, solved=True)
    await tried(host, GRACE, solved=True)
    await tried(host, 104, solved=True, guild=2)
    await tried(host, 105, solved=True, guild=None)
    host.clock.time = datetime.combine(day + DAY, datetime.min.time(), UTC)
    late = replace(Attempt(106, (await daily.shown(day)).name, host.clock.now()), guild=HERE.guild)
    await host.store.keep_attempt(
        late, replace(late, moves=("1",), solved=True, ended=host.clock.now()), NEWCOMER
    )
    board = await daily.board(1, day)
    assert (board.tried, board.solved) == (3, 3)
    assert set(board.solvers) == {ADA, EMMY}, "Grace is not listed"
    assert await daily.board(2, day) == DayBoard(1, 1, (104,))


async def test_posts_are_forgotten_after_a_week(host: Host) -> None:
    daily = host.services.daily_puzzles
    day = daily.today
    await daily.sent(await daily.sending(1, day, CHANNEL), 5)
    host.clock.push(7 * DAY)
    await daily.forget()
    assert await daily.post(1, day) is not None
    host.clock.push(DAY)
    await daily.forget()
    assert await daily.post(1, day) is None


async def test_doubtful_post_is_not_repeated_when_the_clock_is_set_back(host: Host) -> None:
    """Its age is unknown then, so Discord might make a second message of it."""
    daily = host.services.daily_puzzles
    post = await daily.sending(1, daily.today, CHANNEL)
    assert daily.fresh(post)
    host.clock.jump(timedelta(hours=-1))
    assert not daily.fresh(post)
