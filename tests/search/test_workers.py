"""Searches run in other processes: the bot survives their deaths, and none of them is left running."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.computers import played_by_computers
from bot.app.searches import NoChoice, Unsearched
from bot.search.process import LOW_PRIORITY
from bot.search.workers import SearchWorkers, efforts
from rules.core.game import Game
from rules.core.match import Match
from rules.games import GAMES, find
from rules.players.levels import Budget
from rules.puzzles.moments import moments
from tests.rules.walks import finish
from tests.seeds import chance_for
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

SAMPLE = [
    pytest.param(game, id=game.key, marks=() if game.key in ("xlines", "palindromes") else pytest.mark.soak)
    for game in GAMES
    if played_by_computers(game.key)
]
ENDLESS = Budget(nodes=10**9)
"""No search ends by itself with so many nodes, from the start of an Alaric of this size."""
BUSY = Budget(nodes=100)
"""A search long enough to be killed in the middle."""
LONG_GAME = Match.start(find("alaric"), {"size": 30}, 2)


def searching() -> list[int]:
    """Return the searching processes that this process has started."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [int(child) for child in children if b"bestmove" in Path(f"/proc/{child}/cmdline").read_bytes()]


async def one_busy() -> int:
    """The process that searches, once it has used some processor time."""

    def busy() -> bool:
        found = searching()
        if not found:
            return False
        fields = Path(f"/proc/{found[0]}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) > 20  # hundredths of a second

    await wait_until(busy)
    return searching()[0]


@pytest.fixture
async def workers() -> AsyncIterator[SearchWorkers]:
    pool = SearchWorkers(2, PATIENCE)
    yield pool
    await pool.close()
    assert searching() == []


@pytest.mark.parametrize("game", SAMPLE)
async def test_a_choice_is_a_legal_move_and_the_same_for_the_same_seed(
    workers: SearchWorkers, game: Game[Any, Any]
) -> None:
    match = Match.start(game, next(iter(game.sizes.values())), game.seats[0])
    while match.to_move == (None,):
        match = match.play(None, game.format(game.chances(match.state)[0][0]))
    seat = match.to_move[0]
    assert seat is not None
    first, again = [await workers.choose(match, seat, Budget(level=1), 7) for _ in range(2)]
    assert first == again
    # A weak level may choose a move that it has not tried, and such a move has no value.
    assert first.value is None or 0 <= first.value <= 1
    after = match.play(seat, first.move)
    assert after.log[-1].text == first.move


async def test_processes_start_when_they_are_needed_with_low_priority(workers: SearchWorkers) -> None:
    assert searching() == []
    await asyncio.gather(*(workers.choose(LONG_GAME, 0, Budget(level=1), seed) for seed in range(5)))
    assert 1 <= len(searching()) <= 2
    assert {os.getpriority(os.PRIO_PROCESS, worker) for worker in searching()} == {LOW_PRIORITY}
    # In another session the priority would count for nothing on many Linux systems, and in the same group Ctrl+C
    # would end them.
    assert {os.getsid(worker) for worker in searching()} == {os.getsid(0)}
    assert os.getpgrp() not in {os.getpgid(worker) for worker in searching()}


async def test_the_processes_hold_no_setting_of_the_bot(
    workers: SearchWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a token")
    await workers.choose(LONG_GAME, 0, Budget(level=1), 1)
    (worker,) = searching()
    names = {entry.partition(b"=")[0] for entry in Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")}
    assert b"PATH" in names
    assert b"DISCORD_TOKEN" not in names


async def test_a_killed_process_costs_a_repeated_search(workers: SearchWorkers) -> None:
    expected = await workers.choose(LONG_GAME, 0, BUSY, 3)
    running = asyncio.create_task(workers.choose(LONG_GAME, 0, BUSY, 3))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    os.kill(searching()[0], signal.SIGKILL)
    assert not running.done()
    assert await asyncio.wait_for(running, PATIENCE) == expected


@pytest.mark.soak
async def test_a_process_that_was_killed_while_idle_is_replaced(workers: SearchWorkers) -> None:
    expected = await workers.choose(LONG_GAME, 0, Budget(level=1))
    os.kill(searching()[0], signal.SIGKILL)
    assert await workers.choose(LONG_GAME, 0, Budget(level=1)) == expected


async def test_a_search_that_takes_too_long_is_repeated_with_less_effort() -> None:
    pool = SearchWorkers(1, 8.0)  # seconds: a busy machine takes some to start a process
    try:
        least = await pool.choose(LONG_GAME, 0, Budget(level=1))
        (stopped,) = searching()
        os.kill(stopped, signal.SIGSTOP)  # so that waiting uses no processor time
        assert await pool.choose(LONG_GAME, 0, Budget(level=2)) == least
        assert stopped not in searching()
        assert len(searching()) == 1
    finally:
        await pool.close()
    assert searching() == []


async def test_a_cancelled_search_ends_its_process(workers: SearchWorkers) -> None:
    running = asyncio.create_task(workers.choose(LONG_GAME, 0, ENDLESS))
    killed = await one_busy()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert killed not in searching()


async def test_a_position_that_the_rules_refuse_has_no_choice(workers: SearchWorkers) -> None:
    over = LONG_GAME.play(0, "resign")
    with pytest.raises(NoChoice, match="refused the position"):
        await workers.choose(over, 1, Budget(level=1))


async def test_no_search_starts_after_the_end() -> None:
    pool = SearchWorkers(1, PATIENCE)
    await pool.close()
    with pytest.raises(NoChoice, match="ended"):
        await pool.choose(LONG_GAME, 0, Budget(level=1))


def test_efforts_shrink_to_the_lowest_level() -> None:
    levels = [[effort.level for effort in efforts(Budget(level=level), 5)] for level in (8, 5, 2, 1)]
    assert levels == [[8, 4, 1], [5, 4, 1], [2, 1], [1]]
    valued = Budget(level=1, with_value=True)
    assert efforts(Budget(nodes=500), 5) == (Budget(nodes=500), Budget(nodes=50), valued)
    assert efforts(valued, 5) == (valued,)


def test_a_budget_is_one_thing() -> None:
    with pytest.raises(ValueError, match="a level, a number of nodes or a number of seconds"):
        Budget(level=1, nodes=5)


SKULLS = ("c2", "c1", "c3", "d3", "d1", "e3", "e2")
"""A game of Skull on 5 by 4 cells: the second player misses a win by the fourth move, the first then finds theirs."""


def finished_game() -> Match:
    match = Match.start(find("skull"), {"width": 5, "height": 4}, 2)
    for ply, move in enumerate(SKULLS):
        match = match.play(ply % 2, move)
    return match


async def test_the_moments_of_a_game_are_found_in_a_process(workers: SearchWorkers) -> None:
    match = finished_game()
    found = await workers.moments(match)
    assert found.moments == moments(match)
    assert [it.found for it in found.moments] == [False, True]


async def test_moments_wait_until_no_move_is_searched_for(workers: SearchWorkers) -> None:
    thinking = asyncio.create_task(workers.choose(LONG_GAME, 0, ENDLESS))
    await one_busy()
    searching_moments = asyncio.create_task(workers.moments(finished_game()))
    await asyncio.sleep(0.1)
    assert len(searching()) == 1
    assert not searching_moments.done()
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    assert len((await searching_moments).moments) == 2


@pytest.mark.soak
async def test_a_move_that_is_asked_for_ends_a_search_for_moments_which_begins_again() -> None:
    pool = SearchWorkers(1, PATIENCE)
    try:
        match = long_search()
        found = asyncio.create_task(pool.moments(match))
        interrupted = await one_busy()
        choice = await pool.choose(LONG_GAME, 0, Budget(nodes=5))
        assert choice.move
        assert interrupted not in searching()
        assert not found.done()
        assert await one_busy() != interrupted
        found.cancel()
        await asyncio.gather(found, return_exceptions=True)
    finally:
        await pool.close()


async def test_a_game_that_takes_too_long_to_search_is_given_up() -> None:
    pool = SearchWorkers(1, 0.05)
    with pytest.raises(Unsearched):
        await pool.moments(long_search())
    await pool.close()


def long_search() -> Match:
    """Return a game whose search for moments takes a second or so."""
    chance = chance_for("spaghetti")
    return finish(Match.start(find("spaghetti"), {"size": 8}, 2), chance, 200)
