"""The post of a week: when it is due, and what it tells."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.app.puzzles.daily import Rivalry, Week
from db.values.members import computer_player
from db.values.places import DiscordId, Place
from db.values.posts import PostKind
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from tests.app.conftest import ADA, EMMY, GRACE, Host
from tests.app.moments.test_moments import MISSED_AND_FOUND, played, searched_games
from tests.app.standings.test_profiles import play
from tests.db.given import GUILD, NOW

pytestmark = pytest.mark.slow

HOUR = timedelta(hours=1)
SERVER, CHANNEL = 1, 11
MONDAY = date(2026, 1, 12)
"""The second Monday after the clock of these tests begins."""


async def everywhere(place: Place) -> bool:
    """Let every game be shown."""
    return True


async def at(host: Host, day: date, hours: float) -> None:
    time = datetime(day.year, day.month, day.day, tzinfo=UTC) + hours * HOUR
    await host.pass_time(time - host.clock.now())


async def test_each_server_has_one_post_a_week_at_its_own_hour(host: Host) -> None:
    weekly, hours = host.services.weekly_posts, {1: 0, 2: 9, 4: 23}
    for guild, hour in hours.items():
        await host.services.store.servers.change(
            guild, puzzle_channel=CHANNEL, puzzle_hour=hour, weekly_moment=True
        )
    await host.services.store.servers.change(5, puzzle_channel=CHANNEL)
    await host.services.store.servers.change(6, weekly_moment=True)
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
    weekly = host.services.weekly_posts
    await at(host, MONDAY, -7 * 24 - 1)
    too_early = await played(host)
    await at(host, MONDAY, -1)
    in_time = await played(host)
    await at(host, MONDAY, 0)
    await played(host)
    assert await searched_games(host) == 3
    assert await weekly.has_moments(SERVER, MONDAY, everywhere)
    best = await weekly.moment(SERVER, MONDAY, everywhere)
    assert best is not None
    moment, puzzle = best
    assert (moment.match, moment.ply, moment.user, moment.found) == (in_time.id, 3, GRACE, False)
    assert puzzle.match.log == in_time.match.log[:3]
    earlier = await weekly.moment(SERVER, MONDAY - timedelta(days=7), everywhere)
    assert earlier is not None
    assert earlier[0].match == too_early.id
    assert await weekly.moment(SERVER + 1, MONDAY, everywhere) is None
    assert not await weekly.has_moments(SERVER + 1, MONDAY, everywhere)


async def test_a_member_who_is_not_listed_is_not_named(host: Host) -> None:
    await at(host, MONDAY, -5)
    await played(host)
    await searched_games(host)
    await host.services.preferences.choose(GRACE, listed=False)
    best = await host.services.weekly_posts.moment(SERVER, MONDAY, everywhere)
    assert best is not None
    assert best[0].user == 0


async def test_a_moment_at_which_a_running_game_stands_waits(host: Host) -> None:
    await at(host, MONDAY, -5)
    await played(host)
    await searched_games(host)
    running = await host.begin("skull", "quick", rated=False)
    for ply, move in enumerate(MISSED_AND_FOUND[:3]):
        await host.services.matches.play(running.id, (ADA, GRACE)[ply % 2], move)
    assert await host.services.weekly_posts.moment(SERVER, MONDAY, everywhere) is None
    assert await host.services.weekly_posts.has_moments(SERVER, MONDAY, everywhere)


async def test_the_board_is_the_longest_for_its_kind(host: Host) -> None:
    weekly = host.services.weekly_posts
    await at(host, MONDAY, -8 * 24)
    earlier = await played(host)
    await at(host, MONDAY, -5)
    assert await weekly.board(SERVER, MONDAY, everywhere) is None
    usual = await played(host)
    longer = await played_on(host)
    await at(host, MONDAY, 0)
    await played(host)
    found = await weekly.board(SERVER, MONDAY, everywhere)
    assert found is not None
    assert found.plies > usual.plies
    assert found.id == longer
    assert await weekly.board(SERVER + 1, MONDAY, everywhere) is None
    before = await weekly.board(SERVER, MONDAY - timedelta(days=7), everywhere)
    assert before is not None
    assert before.id == earlier.id


async def played_on(host: Host, others: tuple[DiscordId, ...] = (GRACE,)) -> int:
    """Play a game of Skull in which the first legal move is always played; it is longer than `played`."""
    loaded = await host.begin("skull", "quick", others=others, rated=False)
    while not loaded.match.over:
        (seat, *_), legal = loaded.match.to_move, loaded.match.legal()
        assert seat is not None
        assert legal
        loaded = await host.services.matches.play(loaded.id, loaded.stored.users[seat], legal[0])
    return loaded.id


async def test_no_board_is_shown_of_a_game_given_up_or_of_unlisted_members(host: Host) -> None:
    weekly = host.services.weekly_posts
    await at(host, MONDAY, -5)
    given_up = await host.begin("skull", "quick")
    await host.services.matches.play(given_up.id, ADA, "c2")
    await host.services.matches.resign(given_up.id, GRACE)
    await played_on(host, (computer_player(1),))
    direct = await played(host, Place(None, 11))
    assert direct.match.over
    assert await weekly.board(SERVER, MONDAY, everywhere) is None
    shown = await played_on(host)
    found = await weekly.board(SERVER, MONDAY, everywhere)
    assert found is not None
    assert found.id == shown
    await host.services.preferences.choose(GRACE, listed=False)
    assert await weekly.board(SERVER, MONDAY, everywhere) is None
    assert await weekly.of(SERVER, MONDAY, everywhere) == Week()


async def test_nothing_is_shown_of_a_place_that_readers_may_not_see(host: Host) -> None:
    async def elsewhere(place: Place) -> bool:
        return place.channel != CHANNEL + 1

    weekly, hidden = host.services.weekly_posts, Place(SERVER, CHANNEL + 1)
    await at(host, MONDAY, -5)
    await played(host, hidden)
    assert await searched_games(host) == 1
    assert await weekly.of(SERVER, MONDAY, elsewhere) == Week()
    assert not await weekly.has_moments(SERVER, MONDAY, elsewhere)
    seen = await played(host)
    await searched_games(host)
    week = await weekly.of(SERVER, MONDAY, elsewhere)
    assert week.board is not None
    assert week.moment is not None
    assert week.board.id == week.moment[0].match == seen.id


async def test_rivals_are_the_closest_who_met_in_the_week(host: Host) -> None:
    await play(host, "wlwlw")
    last = (NOW + timedelta(days=8)).date()
    monday = last + timedelta(days=7 - last.weekday())
    weekly = host.services.weekly_posts
    assert await weekly.rivalry(GUILD, monday) == Rivalry(ADA, GRACE, (3, 0, 2))
    assert await weekly.rivalry(GUILD, monday + timedelta(days=7)) is None, "they did not meet in that week"
    await play(host, "lld", begin=5)
    last = (NOW + timedelta(days=14)).date()
    monday = last + timedelta(days=7 - last.weekday())
    assert await weekly.rivalry(GUILD, monday) == Rivalry(GRACE, ADA, (4, 1, 3))
    await host.services.preferences.choose(ADA, listed=False)
    assert await weekly.rivalry(GUILD, monday) is None


@pytest.mark.soak
async def test_results_that_are_not_close_are_no_rivalry(host: Host) -> None:
    await play(host, "wwww")
    last = (NOW + timedelta(days=6)).date()
    monday = last + timedelta(days=7 - last.weekday())
    weekly = host.services.weekly_posts
    assert await weekly.rivalry(GUILD, monday) is None
    await play(host, "w", begin=4)
    last = (NOW + timedelta(days=8)).date()
    monday = last + timedelta(days=7 - last.weekday())
    assert await weekly.rivalry(GUILD, monday) is None


async def test_streaks_are_of_members_who_solved_the_puzzle_of_sunday_here(host: Host) -> None:
    weekly, days = host.services.weekly_posts, {ADA: 4, GRACE: 3, EMMY: 2}
    await at(host, MONDAY, 3)
    for ago in range(1, 5):
        day = MONDAY - timedelta(days=ago)
        name = await host.store.puzzles.choose(day, f"skull-{ago}")
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        for user, length in days.items():
            if ago <= length:
                begun = Attempt(user, name, noon, guild=SERVER)
                done = replace(begun, moves=("d4",), solved=True, ended=noon + timedelta(seconds=user))
                await host.store.puzzles.keep_attempt(begun, done, NEWCOMER)
    assert await weekly.streaks(SERVER, MONDAY) == ((ADA, 4), (GRACE, 3))
    assert await weekly.streaks(SERVER + 1, MONDAY) == ()
    await host.services.preferences.choose(ADA, listed=False)
    assert await weekly.streaks(SERVER, MONDAY) == ((GRACE, 3),)
