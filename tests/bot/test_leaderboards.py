"""Last season's podium: of the month that has ended, with whoever shares a place."""

from datetime import UTC, datetime, timedelta

import pytest
from discord import ui

from bot.app.leaderboards import Leaderboards, Wanted
from bot.entry.season import podium
from db.stores.rating import write
from db.stores.tallies import Shift, keep_count
from db.values import Board, Held, Rating, Skill
from tests.bot.conftest import Host


@pytest.mark.parametrize("month", [datetime(2026, 3, 1, tzinfo=UTC), datetime(2027, 1, 31, 23, tzinfo=UTC)])
async def test_a_podium_is_of_the_month_that_has_ended(host: Host, month: datetime) -> None:
    last = (month.replace(day=1) - timedelta(days=2)).strftime("%Y-%m")
    ratings = [
        Rating(user, Board(period, "", 1), Held(Skill(score / 40, 25 / 3)), 1, 0, 0)
        for period, scores in ((last, (1100, 1090, 1090, 1090, 1050)), (month.strftime("%Y-%m"), (1200,)))
        for user, score in enumerate(scores, 11)
    ]
    async with host.store._sessions.write() as session:
        await write(session, ratings)
        await keep_count(session, [Shift(it.board, None, it.held) for it in ratings])
    host.clock.time = month
    boards = Leaderboards(host.store, host.clock)
    standings = await boards.podium(Wanted(None, 1))
    assert standings.board.period == last
    assert [(row.place, row.rating.user) for row in standings.rows] == [(1, 11), (2, 14), (2, 13), (2, 12)]
    items = list(podium(Wanted(None, 1), standings).walk_children())
    words = [item.content for item in items if isinstance(item, ui.TextDisplay)]
    assert words[1].splitlines()[0] == "🥇 <@11> · **1100** · 1–0–0"
    assert words[1].count("🥈") == 3
    nobody = podium(Wanted(None, 2), await boards.podium(Wanted(None, 2)))
    assert "Nobody finished a rated game" in str(
        [getattr(item, "content", "") for item in nobody.walk_children()]
    )
