"""A game gives a puzzle to its server, which is solved there and posted as the best of the week."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.sandbox import ManualClock, Sandbox
from db.engine import open_store
from db.values.posts import PostKind
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.messages import Json, answered, message_with, text_of, told, until, usable_buttons
from tests.e2e.panels import panel_at
from tests.e2e.play import by_command, challenge
from tests.e2e.puzzles.test_daily import MONDAY, Week
from tests.e2e.stored_times import published

MOVES = ("c2", "c1", "c3", "d3", "d1", "e3", "e2")
"""A game of Skull on 5 by 4 cells: a win is missed by the fourth move, and found by the fifth."""
LINE = ("c4", "d4")
"""The only moves that the fourth should have been."""
POST = "The week · 7 January to 13 January"


@pytest.mark.soak
async def test_a_game_gives_a_puzzle_and_the_best_of_the_week_is_posted_once(
    contract: Contract, tmp_path: Path
) -> None:
    clock = ManualClock(MONDAY.timestamp())
    async with (
        Sandbox(channels=("general", "lounge"), observe=contract, clock=clock) as local,
        players(local.url, local.world) as (ada, grace, _),
    ):
        week = Week(local, clock, tmp_path, ada, grace)
        lounge = str(local.channel("lounge")["id"])
        await week.at(0, 10)
        async with week.bot() as bot:
            match = await _play(week)
            await week.choose("puzzles", lounge)
            await week.choose("weekly-moment", "on")
            await week.at(0, 12)
            await bot.says("moments.searched")
            await _solve(week, match)
        await week.at(7, 11)
        async with week.bot():
            post = await _posted(week, lounge)
            await _noted(week)
            assert f"Amazon Skull #{match}, at move 4, and did not find the right move." in text_of(post)
            assert post["mentions"] == []
            assert usable_buttons(post) == {"Solve it": f"puzzle:match-{match}-3:open"}
            assert "c4" not in text_of(post)


async def _play(week: Week) -> int:
    """Ada and Grace play the game; its number."""
    panel = await challenge(week.ada, week.grace, "skull", "quick")
    for move in MOVES:
        mover = week.ada if panel.turn == week.ada.id else week.grace
        await by_command(mover, panel, move)
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    assert panel.turn is None
    return panel.match


async def _solve(week: Week, match: int) -> None:
    """Ada finds the puzzle below that of today, and solves it."""
    today = await answered(week.ada, "puzzle")
    await week.ada.press(today, usable_buttons(today)["From this server's games"])
    listed = await told(week.ada, f"#{match}: ")
    assert "move 4: one move wins, 2 times in a row" in text_of(listed)
    await week.ada.choose(listed, "puzzles:server:choose", f"match-{match}-3")
    puzzle = await told(week.ada, f"Amazon Skull #{match}, move 4")
    for number, move in enumerate(LINE, 1):
        custom_id = next(it for it in usable_buttons(puzzle).values() if it.endswith(f":{move}"))
        await week.ada.press(puzzle, custom_id)
        puzzle = await until(week.ada, puzzle, "**Solved.**" if number == len(LINE) else "Found so far")
    assert "played `d3`." in text_of(puzzle)


async def _posted(week: Week, channel: str) -> Json:
    """The only post of the second Monday, once it is there."""
    post = await message_with(week.grace, POST, channel)
    assert [it["id"] for it in await week.grace.messages(channel) if POST in text_of(it)] == [post["id"]]
    return post


async def _noted(week: Week) -> None:
    """Wait until the bot knows of the post."""
    monday = (MONDAY + timedelta(days=7)).date()
    async with open_store(None, week.folder) as store:
        post = await published(store, PostKind.MOMENT, week.guild, str(monday))
    assert post.message is not None
