"""When Discord fails in the middle: what counted stands, nobody moves twice, and the board comes, if later."""

import re
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.sandbox import Fault, Sandbox
from db.address import address
from db.engine import make_engine
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.messages import message_with, text_of
from tests.e2e.panels import lines_of, newer_panel, panel_at, panels, shrunk
from tests.e2e.play import by_command, challenge

CALLBACK = ("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
BOARD = ("POST", "/channels/{channel_id}/messages")
OLD_BOARD = ("PATCH", "/channels/{channel_id}/messages/{message_id}")


@pytest.mark.parametrize(
    ("call", "faults"),
    [
        (CALLBACK, (Fault.RATE_LIMITED, Fault.BAD_GATEWAY, Fault.RESET, Fault.LOST)),
        (BOARD, (Fault.RATE_LIMITED, Fault.BAD_GATEWAY, Fault.UNAVAILABLE, Fault.RESET, Fault.LOST)),
        (OLD_BOARD, (Fault.UNAVAILABLE, Fault.RESET)),
    ],
    ids=("callback", "board", "old-board"),
)
async def test_a_press_counts_once_and_is_shown(
    club: Club, call: tuple[str, str], faults: tuple[Fault, ...]
) -> None:
    for fault in faults:
        await _press_under(club, call, fault)


async def _press_under(club: Club, call: tuple[str, str], fault: Fault) -> None:
    """A game in whose first move one call meets a fault. Only after a command it is a call that shrinks the old board:
    a press is answered by that."""
    first = await challenge(club.ada, club.grace, "alaric", "3")
    mover, waiter = (club.ada, club.grace) if first.turn == club.ada.id else (club.grace, club.ada)
    club.local.faults.plan(*call, fault)
    # Where the acknowledgement itself is cut off, Discord tells the member that it failed; the move counts anyway.
    if call == OLD_BOARD:
        await by_command(mover, first, "2")
    else:
        await mover.press(first.message, first.moves["2"])
    second = await panel_at(waiter, first.match, 1)
    assert second.turn == waiter.id
    await waiter.press(second.message, second.moves["1"])
    third = await panel_at(mover, first.match, 2)
    await mover.command("board", game=first.match, as_text=True)
    assert "the score is 1 to 1" in text_of(await message_with(mover, f"#{first.match}**\n"))
    # Whatever was lost on the way, one board is left, and each move has its line once.
    for number, board in enumerate((first, second), 1):
        assert (await shrunk(mover, board)).startswith(f"-# {number}. ")
    assert len(await lines_of(mover, first.match)) == 2
    assert [board.plies for board in await panels(mover) if board.match == first.match] == [third.plies]


async def online(club: Club) -> bool | None:
    """True once the page shows the bot as online."""
    return (await club.ada.get("state"))["application"]["online"] or None


async def test_a_lost_connection_is_taken_up_again(club: Club) -> None:
    """The gateway drops; what was pressed meanwhile fails or counts, and afterwards play goes on."""
    first = await challenge(club.ada, club.grace, "alaric")
    mover = club.ada if first.turn == club.ada.id else club.grace
    club.local.services.gateway.drop()
    await club.ada.until(partial(online, club))
    await by_command(mover, first, "5")
    assert (await newer_panel(mover, first)).plies == 1


async def test_a_database_that_fails_is_told_of_and_nothing_is_lost(
    contract: Contract, tmp_path: Path
) -> None:
    async with (
        Sandbox(observe=contract) as local,
        bot_at(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, _),
    ):
        first = await challenge(ada, grace, "alaric", "3")
        mover = ada if first.turn == ada.id else grace
        engine = make_engine(address(None, tmp_path))
        async with engine.begin() as connection:
            await connection.execute(text("ALTER TABLE plies RENAME TO away"))
        await mover.press(first.message, first.moves["2"])
        told = await message_with(mover, "Something went wrong on my side.")
        assert told["ephemeral_for"] == mover.id
        # The word by which the operator finds it stands in the log beside the error.
        request = re.search(r"tell the operator: ([0-9a-f]{6})\.", text_of(told))
        assert request is not None
        assert re.search(rf"interaction failed .*request={request[1]}", bot.log)
        async with engine.begin() as connection:
            await connection.execute(text("ALTER TABLE away RENAME TO plies"))
        await engine.dispose()
        await mover.press(first.message, first.moves["2"])
        assert (await panel_at(mover, first.match, 1)).turn != mover.id
