"""Moves of computer players follow the moves of members, and boards are displayed again where these came later."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.app.automatic import AutomaticMoves
from bot.app.matches.loaded import LoadedMatch
from db.values.challenges import Order
from tests.app.conftest import ADA, HERE, Host
from tests.waiting import PATIENCE


class Displayed:
    """The automatic moves of a host, and the matches that were displayed after moves of computer players."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.matches: asyncio.Queue[int] = asyncio.Queue()
        self.automatic = AutomaticMoves(host.services, self.matches.put)

    async def begin(self) -> LoadedMatch:
        """Begin a game of two in which ADA moves first."""
        return await self.host.services.computer_games.play(HERE, ADA, "skull", 1, "quick", Order.FIRST)

    async def play(self, loaded: LoadedMatch) -> None:
        """Play any move of ADA."""
        await self.host.services.matches.play(loaded.id, ADA, (loaded.match.legal() or ())[0])

    async def answered(self, loaded: LoadedMatch) -> bool:
        """Return True if the computer player has made the second move, once it no longer thinks."""
        async with asyncio.timeout(PATIENCE):
            while self.automatic.thinks(loaded.id):
                await self.automatic.wait(loaded.id, PATIENCE)
        after = await self.host.services.matches.load(loaded.id)
        return after.plies == 2 and after.computer_on_turn is None


@pytest.fixture
async def displayed(host: Host) -> AsyncIterator[Displayed]:
    found = Displayed(host)
    yield found
    await found.automatic.stop()


async def test_computer_player_answers_a_move(displayed: Displayed) -> None:
    loaded = await displayed.begin()
    await displayed.play(loaded)
    assert await displayed.answered(loaded)
    assert displayed.matches.empty(), "whoever waited displays the match"


async def test_late_answer_is_displayed(displayed: Displayed) -> None:
    loaded = await displayed.begin()
    await displayed.play(loaded)
    await displayed.automatic.wait(loaded.id, 0)
    async with asyncio.timeout(PATIENCE):
        assert await displayed.matches.get() == loaded.id
    assert await displayed.answered(loaded)


async def test_move_during_an_idle_task_is_answered(
    displayed: Displayed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member moves when the task has found that no computer player is on turn, but has not ended yet."""
    turns, idle, go_on = displayed.host.services.computer_turns, asyncio.Event(), asyncio.Event()
    play = turns.play

    async def linger(match: int) -> bool:
        made = await play(match)
        idle.set()
        await go_on.wait()
        return made

    monkeypatch.setattr(turns, "play", linger)
    loaded = await displayed.begin()
    displayed.automatic._take_turn(loaded.id)
    await idle.wait()
    await displayed.play(loaded)
    go_on.set()
    assert await displayed.answered(loaded)
