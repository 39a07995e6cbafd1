"""The bot is killed between a move and its conditional answer, which is played once after the restart."""

import asyncio
import os
import signal
import sqlite3
import time
from contextlib import suppress
from random import Random

import pytest

from db.address import FILE_NAME
from db.engine import open_store
from tests.db.given import match_of
from tests.e2e.club import Club
from tests.e2e.panels import boards_in, panel_at
from tests.e2e.play import by_command, challenge
from tests.waiting import PATIENCE

KILLS = 20
LATEST_S = 0.01
"""The longest time between the move and the kill."""
MOVE, ANSWER = "3", "5"

pytestmark = [
    pytest.mark.soak,
    pytest.mark.takes_long(reason="the bot is killed and started again 20 times"),
]


def kill_after_move(club: Club, match: int, delay: float) -> int:
    """Kill the bot so many seconds after the first move of a match is stored. Return how many entries are stored."""
    end, query = time.monotonic() + PATIENCE, f"SELECT count(*) FROM plies WHERE match_id = {match}"
    with sqlite3.connect(club.folder / FILE_NAME) as database:
        while database.execute(query).fetchone() == (0,):
            assert time.monotonic() < end, "the move was not stored"
            time.sleep(0.0005)
        time.sleep(delay)
        os.kill(club.bot.pid, signal.SIGKILL)
        (plies,) = database.execute(query).fetchone()
        return int(plies)


async def test_kills_between_a_move_and_its_answer_leave_one_answer(club: Club) -> None:
    random, between = Random(28), 0
    for _ in range(KILLS):
        panel = await challenge(club.ada, club.grace, "alaric", "quick")
        mover, waiter = club.by_turn(panel)
        await club.bot.kill()
        async with open_store(None, club.folder) as store:
            await store.variations.change(panel.match, int(waiter.id), 0, [], [], [(MOVE, ANSWER)])
        await club.start_again()
        moving = asyncio.create_task(by_command(mover, panel, MOVE))
        plies = await asyncio.to_thread(kill_after_move, club, panel.match, random.random() * LATEST_S)
        between += plies == 1
        await club.bot.kill()
        with suppress(AssertionError, TimeoutError):
            await moving
        await club.start_again()
        board = await panel_at(club.emmy, panel.match, 2)
        assert board.turn == mover.id
        assert "answered with a conditional move" in board.text
        async with open_store(None, club.folder) as store:
            stored = await match_of(store, panel.match)
            assert [entry.text for entry in stored.log] == [MOVE, ANSWER]
            assert stored.conditional == {1}
            assert await store.variations.of_match(panel.match) == []
        shown = [it for it in boards_in(await club.emmy.messages()) if it.match == panel.match]
        assert len(shown) == 1
    print(f"{between} of {KILLS} kills came between the move and its answer")
    assert between >= KILLS // 2
