"""A bot that is asked to stop finishes what it is answering, and ends at any moment; then its forms are unknown."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.db.migrated import lay
from tests.e2e.bot_process import BotProcess
from tests.e2e.club import Club
from tests.e2e.messages import message_with
from tests.waiting import PATIENCE


async def test_an_answer_under_way_is_finished(club: Club) -> None:
    answer = await club.ada.command("help")
    assert answer["message"]["state"] == "thinking"
    assert await club.bot.stop() == 0
    shown = await message_with(club.ada, "Start a game")
    assert (shown["id"], shown["state"]) == (answer["message"]["id"], "sent")


@pytest.mark.parametrize(
    "milliseconds", [0, *(pytest.param(it, marks=pytest.mark.soak) for it in (1, 2, 5, 10, 20))]
)
async def test_a_bot_that_has_just_logged_in_ends(tmp_path: Path, milliseconds: int) -> None:
    """Its background tasks are in the middle of their first look at the database then."""
    lay(tmp_path)
    async with Sandbox() as local:
        bot = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
        try:
            async with asyncio.timeout(PATIENCE):
                while not local.services.gateway.online:
                    await asyncio.sleep(0)
            await asyncio.sleep(milliseconds / 1000)
            assert await bot.stop() == 0, bot.log
        finally:
            await bot.kill()


async def test_a_form_from_before_a_restart_is_refused(club: Club) -> None:
    opened = await club.ada.menu("Challenge to a game", club.grace.id, 2)
    await club.restart()
    await club.ada.submit(opened, game=["alaric"], size="quick", clock="", games="one")
    shown = await message_with(club.ada, "This form was opened too long ago; open it again.")
    assert shown["ephemeral_for"] == club.ada.id
