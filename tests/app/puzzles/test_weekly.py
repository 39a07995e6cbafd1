"""The best moment of a week: when its post is due, and which moment it is."""

from datetime import UTC, date, datetime, timedelta

from db.values.posts import PostKind
from tests.app.conftest import ADA, GRACE, Host
from tests.app.moments.test_moments import MISSED_AND_FOUND, played, searched_games

HOUR = timedelta(hours=1)
SERVER, CHANNEL = 1, 11
MONDAY = date(2026, 1, 12)
"""The second Monday after the clock of these tests begins."""


async def at(host: Host, day: date, hours: float) -> None:
    time = datetime(day.year, day.month, day.day, tzinfo=UTC) + hours * HOUR
    await host.pass_time(time - host.clock.now())


async def test_each_server_has_one_post_a_week_at_its_own_hour(host: Host) -> None:
    weekly, hours = host.services.weekly_moments, {1: 0, 2: 9, 4: 23}
    for guild, hour in hours.items():
        await host.services.preferences.change(
            guild, puzzle_channel=CHANNEL, puzzle_hour=hour, weekly_moment=True
        )
    await host.services.preferences.change(5, puzzle_channel=CHANNEL)
    await host.services.preferences.change(6, weekly_moment=True)
    posts: list[tuple[int, int]] = []
    # Hours of both Mondays, and noon on a day between.
    hours_of_day = (0, 1, 2, 8, 9, 10, 22, 23)
    for hour in (*hours_of_day, 36, *(7 * 24 + it for it in hours_of_day)):
        await at(host, MONDAY, hour)
        await weekly.add_due()
        for post in await host.store.posts.pending(host.clock.now(), 10):
            assert (post.kind, post.channel, post.key) == (PostKind.MOMENT, CHANNEL, str(weekly.monday))
            await host.posted(post.kind, post.subject, 100 + len(posts), post.key)
            posts.append((post.subject, hour))
    # A week that is over at midnight is searched by 02:00.
    assert sorted(posts) == [
        (guild, week + max(2, hour)) for guild, hour in hours.items() for week in (0, 7 * 24)
    ]


async def test_the_best_moment_is_one_of_the_games_that_ended_in_the_week_before(host: Host) -> None:
    weekly = host.services.weekly_moments
    await at(host, MONDAY, -7 * 24 - 1)
    too_early = await played(host)
    await at(host, MONDAY, -1)
    in_time = await played(host)
    await at(host, MONDAY, 0)
    await played(host)
    assert await searched_games(host) == 3
    assert await weekly.any(SERVER, MONDAY)
    best = await weekly.best(SERVER, MONDAY)
    assert best is not None
    moment, puzzle = best
    assert (moment.match, moment.ply, moment.user, moment.found) == (in_time.id, 3, GRACE, False)
    assert puzzle.match.log == in_time.match.log[:3]
    earlier = await weekly.best(SERVER, MONDAY - timedelta(days=7))
    assert earlier is not None
    assert earlier[0].match == too_early.id
    assert await weekly.best(SERVER + 1, MONDAY) is None
    assert not await weekly.any(SERVER + 1, MONDAY)


async def test_a_member_who_is_not_listed_is_not_named(host: Host) -> None:
    await at(host, MONDAY, -5)
    await played(host)
    await searched_games(host)
    await host.services.preferences.choose(GRACE, listed=False)
    best = await host.services.weekly_moments.best(SERVER, MONDAY)
    assert best is not None
    assert best[0].user == 0


async def test_a_moment_at_which_a_running_game_stands_waits(host: Host) -> None:
    await at(host, MONDAY, -5)
    await played(host)
    await searched_games(host)
    running = await host.begin("skull", "quick", rated=False)
    for ply, move in enumerate(MISSED_AND_FOUND[:3]):
        await host.services.matches.play(running.id, (ADA, GRACE)[ply % 2], move)
    assert await host.services.weekly_moments.best(SERVER, MONDAY) is None
    assert await host.services.weekly_moments.any(SERVER, MONDAY)
