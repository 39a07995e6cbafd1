"""Clocks over the wire: on the board, reminded of, decided, and given back.

The bot's clock is the machine's, so its store is aged instead: what is a deadline for it was one a while ago.
"""

import re
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from yarl import URL

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    choose,
    found_in,
    message_with,
    only_written,
    open_preferences,
    text_of,
    written,
)
from tests.e2e.panels import Panel, boards_in, newer_panel, outcome, panel_at
from tests.e2e.play import accept, by_command, offered
from tests.e2e.stored_times import age_clock, was_alive

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
ENDS = re.compile(r"time ends <t:(?P<at>[0-9]+):R>")


async def timed(challenger: Player, opponent: Player, clock: str, game: str = "skull") -> Panel:
    """The first board of a match with a clock, which the challenge has said."""
    made = await offered(
        challenger, challenger.command("challenge", member=opponent.id, game=game, clock=clock)
    )
    return await accept(opponent, made["id"])


def end_on(panel: Panel) -> datetime:
    """Return the time at which the clock ends, as the board says."""
    found = ENDS.search(panel.text)
    assert found is not None, panel.text
    return datetime.fromtimestamp(int(found["at"]), UTC)


async def reminders(player: Player) -> list[dict[str, Any]]:
    return [it for it in await player.messages() if "Your time in [" in text_of(it)]


async def put_off(player: Player, panel: Panel, end: datetime) -> None:
    """Wait until the same board, its controls included, counts down to about this end."""

    def find(seen: list[Json]) -> Panel | None:
        newest = boards_in(seen)[-1]
        return newest if abs(end_on(newest) - end) <= timedelta(minutes=5) else None

    shown = await found_in(player, find)
    assert (shown.message["id"], shown.turn) == (panel.message["id"], panel.turn)
    assert shown.buttons == panel.buttons


async def test_the_clock_is_agreed_on_and_stands_on_the_board(club: Club) -> None:
    made = await offered(
        club.ada, club.ada.command("challenge", member=club.grace.id, game="skull", clock="24h")
    )
    assert "1 day for each move" in text_of(made)
    panel = await accept(club.grace, made["id"])
    assert abs(end_on(panel) - datetime.now(UTC) - DAY) < timedelta(minutes=5)
    mover = club.ada if panel.turn == club.ada.id else club.grace
    await by_command(mover, panel, "c3")
    after = await panel_at(mover, panel.match, 1)
    assert end_on(after) >= end_on(panel)

    live = await timed(club.ada, club.grace, "10m+5s", "alaric")
    assert "10 min each + 5 s a move" in live.text
    assert "10:00 left" in live.text
    assert abs(end_on(live) - datetime.now(UTC) - timedelta(minutes=10)) < timedelta(minutes=5)

    await club.ada.command("challenge", member=club.grace.id, game="skull", clock="soon")
    refused = await message_with(club.ada, "Write a clock like")
    assert refused["ephemeral_for"] == club.ada.id
    choices = (await club.ada.autocomplete("challenge", "clock", clock="2h"))["choices"]
    assert choices == [{"name": "2 h for each move", "value": "2h"}]


async def test_a_member_who_is_out_of_time_loses(club: Club) -> None:
    panel = await timed(club.ada, club.grace, "24h")
    await age_clock(club.folder, deadline=datetime.now(UTC), remind_at=None)
    last = await panel_at(club.emmy, panel.match, 1)
    winner = club.grace if panel.turn == club.ada.id else club.ada
    assert last.turn is None
    assert f"<@{panel.turn}>" in last.text.splitlines()[2]
    assert "ran out of time" in last.text
    assert " on time." in outcome(last)
    assert f"<@{winner.id}>" in outcome(last)
    assert ENDS.search(last.text) is None
    assert [user["id"] for user in last.message["mentions"]] == [winner.id]


async def test_a_reminder_calls_once_and_not_again_after_a_restart(club: Club) -> None:
    panel = await timed(club.ada, club.grace, "24h")
    await was_alive(club.folder)
    await age_clock(club.folder, remind_at=datetime.now(UTC))
    message = await message_with(club.emmy, "Your time in [Amazon Skull #")
    assert [user["id"] for user in message["mentions"]] == [panel.turn]
    assert re.search(r"ends <t:[0-9]+:R>", text_of(message))
    assert panel.message["id"] in text_of(message)
    await club.restart()
    mover, waiter = (club.ada, club.grace) if panel.turn == club.ada.id else (club.grace, club.ada)
    await choose(waiter, await open_preferences(waiter), "prefer:notice", "direct")
    # By the time that a later board is posted the clocks have been looked at.
    await mover.command("board")
    panel = await newer_panel(club.emmy, panel)
    assert len(await reminders(club.emmy)) == 1
    await by_command(mover, panel, "c3")
    await panel_at(club.emmy, panel.match, 1)
    await written(waiter, 1)
    await age_clock(club.folder, remind_at=datetime.now(UTC))
    letter = (await written(waiter, 2))[-1]
    assert "Your time in [Amazon Skull #" in text_of(letter)
    # Both that called the waiter are gone with the move.
    await by_command(waiter, panel, "c4")
    await only_written(waiter, 0)


async def test_a_deadline_that_passed_while_the_bot_was_down_is_put_off(club: Club) -> None:
    """It had an hour left, and went down for two."""
    panel = await timed(club.ada, club.grace, "24h")
    await was_alive(club.folder)
    await club.bot.kill()
    now = datetime.now(UTC)
    await age_clock(club.folder, deadline=now - HOUR, remind_at=None, away_since=now - 2 * HOUR)
    await club.start_again()
    await club.bot.says("clock.time_given_back")
    await put_off(club.ada, panel, now + HOUR)
    mover = club.ada if panel.turn == club.ada.id else club.grace
    await by_command(mover, panel, "c3")
    assert (await panel_at(mover, panel.match, 1)).turn is not None


@pytest.mark.soak
async def test_a_deadline_that_passed_before_the_bot_went_down_decides(club: Club) -> None:
    """It was there when time ended, and was killed before it could say so."""
    panel = await timed(club.ada, club.grace, "24h")
    await was_alive(club.folder)
    await club.bot.kill()
    now = datetime.now(UTC)
    await age_clock(club.folder, deadline=now - 2 * HOUR, away_since=now - HOUR)
    await club.start_again()
    last = await panel_at(club.ada, panel.match, 1)
    assert " on time." in last.text


@pytest.mark.soak
async def test_while_discord_cannot_be_reached_no_clock_decides(contract: Contract, tmp_path: Path) -> None:
    """The bot runs on, but nobody could have moved."""
    world = tmp_path / "world.json"
    async with AsyncExitStack() as stack:
        async with (
            Sandbox(observe=contract, path=world) as local,
            players(local.url, local.world) as (ada, grace, _),
        ):
            bot = await stack.enter_async_context(bot_at(local.url, tmp_path))
            panel = await timed(ada, grace, "24h")
            await was_alive(tmp_path)
            port = URL(local.url).port
            assert port is not None
        await bot.says("clocks.paused")
        now = datetime.now(UTC)
        await age_clock(tmp_path, deadline=now - HOUR, remind_at=None, away_since=now - 2 * HOUR)
        async with (
            Sandbox(observe=contract, path=world, port=port) as local,
            players(local.url, local.world) as (ada, grace, _),
        ):
            await bot.says("clock.time_given_back")
            await put_off(ada, panel, now + HOUR)
            mover = ada if panel.turn == ada.id else grace
            await bot.online(local.url)
            await by_command(mover, panel, "c3")
            assert (await panel_at(mover, panel.match, 1)).turn is not None
