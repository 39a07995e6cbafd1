"""The current bot on cups, a league, a title and a standing offer that febead55 stored (at_febead55/README.md)."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.app.events.standing import podium
from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.events.meeting import PushedClock
from tests.e2e.events.test_cup import cup_saying
from tests.e2e.messages import answered, chosen, message_with, open_settings, press, text_of, told, until
from tests.stored.version import WORLD, unpack

pytestmark = pytest.mark.slow

STORED = Path(__file__).parent / "at_febead55"
EXPECTED: Final[dict[str, Any]] = json.loads((STORED / "expected.json").read_text())


async def test_a_cup_and_a_league_are_played_on(contract: Contract, tmp_path: Path) -> None:
    """The buttons of that time work, and a league has the clock and the size that all had then."""
    unpack(tmp_path, STORED)
    async with (
        Sandbox(privileged=False, observe=contract, path=tmp_path / WORLD) as local,
        bot_here(local.url, tmp_path, clock=PushedClock.resumed(EXPECTED["at"])) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        card = await message_with(emmy, "League: Alaric")
        await press(emmy, card, "Join")
        await until(emmy, card, "**2 take part:**")
        settings = await open_settings(ada, "Events")
        assert chosen(settings, "setting:league-clock") == ["1d"]
        assert chosen(settings, "setting:league-size") == ["standard"]
        assert "winner of a cup" in text_of(await answered(ada, "profile"))

        table = await message_with(ada, "1 of 2 games are over")
        await press(ada, table, "Manage…")
        await told(ada, "Everything that you do here is announced")
        event = await bot.services.events.load(1)
        last = next(it for it in event.pairings if it.running)
        await bot.services.matches.resign(last.match, int(grace.id))
        await bot.services.events.round()
        bot.outbox.wake()
        assert f"<@{ada.id}> · 2 points" in text_of(await cup_saying(ada, "🥇"))
        assert [it.user for _, it in podium(await bot.services.events.load(1))] == [
            int(ada.id),
            int(grace.id),
        ]

        offer = await message_with(grace, "play whenever you like")
        await press(grace, offer, "Play")
        await message_with(grace, "Amazon Skull #")
