"""Searches for moves and moments in processes of their own.

A search may take seconds of processor time, so the processes have a low priority: members are answered meanwhile.
They start when they are first needed and serve one search after the other."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

import structlog

from bot.app.searches import Found, NoChoice, Purpose, Unsearched
from bot.search.bestmove import (
    choice_in,
    moments_in,
    moments_question,
    move_question,
    worths_in,
    worths_question,
)
from bot.search.process import ProcessDied, SearchProcess
from rules.core.game import Seat
from rules.core.match import Match
from rules.players.choose import levels_of
from rules.players.explore import Worth
from rules.players.levels import Budget
from rules.players.player import Choice


class PriorityLimit:
    """A limit of `most` turns at the same time, given by urgency."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @property
    def waiting(self) -> int:
        return sum(not called.done() for _, _, called in self._waiting)

    @asynccontextmanager
    async def turn(self, urgency: int) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the context. Turns of equal urgency are given in order of arrival."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(urgency)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, urgency: int) -> None:
        called = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (-urgency, next(self._numbers), called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave()  # The turn came just when the wait was cancelled.
            raise

    def _leave(self) -> None:
        """Call the next, or leave the turn free."""
        while self._waiting:
            _, _, called = heappop(self._waiting)
            if not called.done():
                called.set_result(None)
                return
        self._free += 1


log = structlog.get_logger()

EVERY_MOVE = 2.5
"""Seconds of CPU time in which all moves of a position are judged."""
DEATHS = 3
"""The number of times that a search is repeated as it is because its process died."""


class SearchWorkers:
    """A pool of at most `workers` processes. A search that takes `limit` seconds is repeated with a smaller budget.

    A process that is killed costs a repeated search and nothing else. Moments are searched for only while no move is:
    as soon as one is asked for, their process is ended, and the search begins again afterwards.
    """

    def __init__(self, workers: int, limit: float) -> None:
        self._limit = limit
        self._free = PriorityLimit(workers)
        self._idle: list[SearchProcess] = []
        self._closed = False
        self._moves = 0
        """Moves that are being searched for, or wait."""
        self._no_moves = asyncio.Event()
        self._no_moves.set()
        self._interruptible: set[SearchProcess] = set()
        self.running = self.killed = 0
        """Searches that run, and processes that were ended during a search or while they were idle, since the start."""

    @property
    def waiting(self) -> int:
        """The number of searches that wait for a process."""
        return self._free.waiting

    @property
    def processes(self) -> int:
        return len(self._idle) + self.running

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        """Return a move for `seat`; see bot.app.searches.Thinker. Raises NoChoice."""
        questions = [
            (move_question(match, seat, effort, seed), _about(match, effort))
            for effort in efforts(budget, levels_of(match.game)[-1])
        ]
        return choice_in(await self._answer(questions, purpose))

    async def worths(self, match: Match) -> tuple[Worth, ...]:
        """Return the worth of each legal move; see bot.app.searches.MoveJudge. Raises NoChoice."""
        budgets = [Budget(seconds=seconds) for seconds in (EVERY_MOVE, EVERY_MOVE / 10)]
        questions = [(worths_question(match, it.seconds or 0.0), _about(match, it)) for it in budgets]
        return worths_in(await self._answer(questions, Purpose.HINT))

    async def _answer(
        self, questions: Sequence[tuple[bytes, dict[str, object]]], purpose: Purpose
    ) -> dict[str, object]:
        """Return the answer to the first of these questions that is answered in time. Raises NoChoice.

        Each question comes with what may be logged of it.
        """
        with self._first():
            for question, about in questions:
                for _ in range(DEATHS):
                    try:
                        return await self._ask(question, purpose)
                    except _TooLong:
                        log.warning("search.timed_out", **about)
                        break
                    except ProcessDied:
                        log.warning("search_process.died", **about)
        raise NoChoice(f"No move was found in a match of {questions[0][1]['game']}.")

    async def moments(self, match: Match) -> Found:
        """Return the moments of a finished match; see bot.app.searches.MomentFinder. Raises Unsearched."""
        question = moments_question(match)
        deaths = 0
        while deaths < DEATHS:
            await self._no_moves.wait()
            try:
                async with self._free.turn(0), self._worker() as worker:
                    if self._moves:
                        continue
                    self._interruptible.add(worker)
                    try:
                        async with asyncio.timeout(self._limit):
                            return moments_in(match, await worker.ask(question))
                    finally:
                        self._interruptible.discard(worker)
            except TimeoutError:
                break
            except ProcessDied:
                deaths += not self._moves
        log.warning("moments.search_failed", game=match.setup.game, plies=len(match.log), deaths=deaths)
        raise Unsearched(f"A match of {match.setup.game} cannot be searched for moments.")

    @contextmanager
    def _first(self) -> Iterator[None]:
        """Search only for moves while the context lasts."""
        self._moves += 1
        self._no_moves.clear()
        for worker in self._interruptible:
            worker.kill()
        try:
            yield
        finally:
            self._moves -= 1
            if not self._moves:
                self._no_moves.set()

    async def close(self) -> None:
        """End all processes. Searches that are asked for afterwards have no answer."""
        self._closed = True
        idle, self._idle = self._idle, []
        await asyncio.gather(*(worker.end() for worker in idle))

    async def _ask(self, question: bytes, purpose: Purpose) -> dict[str, object]:
        """Ask a process. Raises _TooLong, ProcessDied and NoChoice."""
        async with self._free.turn(purpose), self._worker() as worker:
            try:
                async with asyncio.timeout(self._limit):
                    return await worker.ask(question)
            except TimeoutError:
                raise _TooLong from None

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[SearchProcess]:
        """Yield a process. It is killed unless its answer was read."""
        if self._closed:
            raise NoChoice("The searches have ended.")
        # Only a process that can be written to is lent: one that was killed while it was idle costs nothing.
        while (worker := self._idle.pop() if self._idle else None) is not None and not worker.alive:
            self.killed += 1
            await worker.end()
        worker = worker or await SearchProcess.start()
        self.running += 1
        try:
            yield worker
        except BaseException:
            self.killed += 1
            await worker.end()
            raise
        finally:
            self.running -= 1
        if self._closed:
            await worker.end()
        else:
            self._idle.append(worker)


class _TooLong(Exception):
    """A search did not end within the limit."""


def efforts(budget: Budget, last: int) -> tuple[Budget, ...]:
    """Return the budgets that are tried in turn: as asked, then one that is smaller, and at last the lowest level.

    `last` is the strongest level of the game.
    Nodes and seconds give every choice a value, so the lowest level must give one in their place.
    """
    lowest = Budget(level=1, with_value=budget.with_value or budget.level is None)
    if budget.level is not None:
        below = replace(budget, level=max(1, min(budget.level, last) - 1))
    elif budget.nodes is not None:
        below = replace(budget, nodes=max(1, budget.nodes // 10))
    else:
        assert budget.seconds is not None
        below = replace(budget, seconds=budget.seconds / 10)
    return tuple(dict.fromkeys((budget, below, lowest)))


def _about(match: Match, budget: Budget) -> dict[str, object]:
    """Return what may be logged of a search: never its moves."""
    return {
        "game": match.setup.game,
        "plies": len(match.log),
        "level": budget.level,
        "nodes": budget.nodes,
    }
