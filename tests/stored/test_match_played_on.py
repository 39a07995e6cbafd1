"""The current bot on a match between two servers that 02ca4d11 stored (at_02ca4d11/README.md)."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.contract.checker import Contract
from tests.e2e.events.meeting import PushedClock, begin, meeting
from tests.e2e.messages import message_with, press, text_of, told
from tests.e2e.panels import panel_at
from tests.stored.test_played_on import moved
from tests.stored.version import WORLD, unpack

pytestmark = pytest.mark.slow

STORED = Path(__file__).parent / "at_02ca4d11"
EXPECTED: Final[dict[str, Any]] = json.loads((STORED / "expected.json").read_text())


async def test_a_match_between_servers_is_played_on(contract: Contract, tmp_path: Path) -> None:
    """Both boards take moves in the server of the guests, and a code that was sent then is accepted."""
    unpack(tmp_path, STORED)
    clock = PushedClock.resumed(EXPECTED["at"])
    async with meeting(contract, tmp_path, clock, tmp_path / WORLD) as it:
        ada, grace, lise, emmy = it.ada, it.grace, it.lise, it.emmy
        for match, plies, guest, host in ((1, 1, lise, ada), (2, 0, emmy, grace)):
            board = await panel_at(guest, match, plies)
            assert board.turn == guest.id
            after = await moved(guest, board)
            assert after.turn is None
            assert (await panel_at(host, match, plies + 1)).turn == host.id
        await begin(lise, "Enter a code", code=EXPECTED["code"])
        await press(lise, await told(lise, "Match: Alaric"), "Accept")
        await message_with(lise, "Local server 2, 0 of 1")

        event = await it.event()
        table = await message_with(ada, "0 of 2 games are over")
        await press(ada, table, "Manage…")
        assert "You act for your server" in text_of(await told(ada, "You act for your server"))
        for match in (1, 2):
            await it.bot.services.matches.resign(match, int(lise.id if match == 1 else emmy.id))
        await it.bot.services.events.round()
        it.bot.outbox.wake()
        assert "2 : 0" in text_of(await message_with(lise, "**Local server** wins"))
        assert len(event.pairings) == 2
