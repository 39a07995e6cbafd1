"""Last season's podium: of the month that has ended, with everybody who shares a rank."""

from datetime import UTC, datetime, timedelta

import pytest
from discord import ui

from bot.app.standings import PAUSE_S, LeaderboardQuery, Leaderboards
from bot.ui.standings.leaderboard import (
    RECOMPUTING,
    leaderboard_chart,
    leaderboard_message,
    podium_message,
    public_leaderboard,
)
from bot.ui.standings.profile import profile_lines
from db.values.places import Place
from db.values.standings import HeldSkill, Leaderboard, Rating, Skill, Standings
from render.charts.leaderboard import leaderboard_alt
from tests.app.conftest import Host
from tests.db.given import LATER
from tests.db.ladder import begin_job, keep
from tests.ui.words import texts, words


async def stand(host: Host, period: str, *scores: int) -> None:
    """Members, from number 11 on, who hold these scores on the boards of a server and of everywhere."""
    ratings = [
        Rating(user, Leaderboard(period, "", guild), HeldSkill(Skill(score / 40, 25 / 3)), 1, 0, 0)
        for guild in (0, 1)
        for user, score in enumerate(scores, 11)
    ]
    await keep(host.store, ratings)


def podium(query: LeaderboardQuery, standings: Standings) -> ui.LayoutView:
    return podium_message(query, standings, leaderboard_chart(query, standings, 0, {}))


@pytest.mark.parametrize("month", [datetime(2026, 3, 1, tzinfo=UTC), datetime(2027, 1, 31, 23, tzinfo=UTC)])
async def test_a_podium_is_of_the_month_that_has_ended(host: Host, month: datetime) -> None:
    last = (month.replace(day=1) - timedelta(days=2)).strftime("%Y-%m")
    await stand(host, last, 1100, 1090, 1090, 1090, 1050)
    await stand(host, month.strftime("%Y-%m"), 1200)
    host.clock.time = month
    boards = Leaderboards(host.store, host.clock)
    standings = await boards.podium(LeaderboardQuery(None, 1))
    assert standings.leaderboard.period == last
    assert [(row.rank, row.rating.user) for row in standings.rows] == [(1, 11), (2, 14), (2, 13), (2, 12)]
    said = texts(podium(LeaderboardQuery(None, 1), standings))
    assert said[1].splitlines()[:2] == [
        "-# rating (?: few games so far) · won–drawn–lost",
        "🥇 <@11> · **1100**? · 1–0–0",
    ]
    assert said[1].count("🥈") == 3
    assert "`/leaderboard`" in said[2]
    nobody = podium(LeaderboardQuery(None, 2), await boards.podium(LeaderboardQuery(None, 2)))
    assert "Nobody finished a rated game" in words(nobody)


async def test_a_podium_is_for_people(host: Host) -> None:
    """Computer players hold the first twelve places of the season, which is more than a page, and one further down."""
    host.clock.time = datetime(2026, 11, 18, tzinfo=UTC)
    await stand(host, "2026-10", *range(1200, 1188, -1), 1100, 1090, 1080, 1080, 1070)
    for program in (*range(11, 23), 25):
        await host.store.members.change(program, computer=True)
    boards = Leaderboards(host.store, host.clock)
    found = await boards.podium(LeaderboardQuery(None, 1))
    assert [(row.rank, row.rating.user) for row in found.rows] == [(1, 23), (2, 24), (3, 26)]
    for program in range(23, 28):
        await host.store.members.change(program, computer=True)
    assert (await boards.podium(LeaderboardQuery())).rows == ()


async def test_a_computer_player_is_marked_as_one(host: Host) -> None:
    await stand(host, "", 1100, 1050, 1000)
    await host.store.members.change(12, computer=True)
    standings = await Leaderboards(host.store, host.clock).page(LeaderboardQuery(None, 1), 11)
    query = LeaderboardQuery(None, 1)
    chart = leaderboard_chart(query, standings, 11, {12: ("Crayon",)})
    said = words(leaderboard_message(query, standings, chart, 11, in_server=True))
    assert "1\\. <@11> · **1100**? · 1–0–0 · you\n2\\. <@12> (computer) · **1050**?" in said
    assert "2: Crayon, 1050, uncertain, 1 game, computer player." in leaderboard_alt(chart)
    public = leaderboard_chart(query, standings, 11, {}, private=False)
    assert ("you" in leaderboard_alt(chart), "you" in leaderboard_alt(public)) == (True, False)
    assert leaderboard_alt(public).count("marked") == 1


async def test_standings_say_that_ratings_are_recomputed(host: Host) -> None:
    """And no podium is announced until they are."""
    host.clock.time = LATER
    await stand(host, "2026-02", 1100, 1090)
    await host.store.servers.change(1, podium=True)
    await begin_job(host.store, (31, 32), Place(1, 5))
    boards, query = Leaderboards(host.store, host.clock), LeaderboardQuery(None, 1)

    async def told() -> list[bool]:
        standings, last = await boards.page(query, 31), await boards.podium(query)
        chart = leaderboard_chart(query, standings, 31, {})
        messages = (
            leaderboard_message(query, standings, chart, 31, in_server=True),
            public_leaderboard(query, standings, chart),
            podium(query, last),
        )
        said = [words(each) for each in messages]
        said.append(profile_lines(await host.services.profiles.profile(31, None, 1)))
        return [RECOMPUTING in it for it in said]

    assert await told() == [True] * 4
    assert await boards.add_due_podiums() == 0
    while await host.services.ratings.recompute() == PAUSE_S:
        pass
    assert await told() == [False] * 4
    assert await boards.add_due_podiums() == 1
