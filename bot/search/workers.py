"""Searches for moves in processes of their own, which run `python -m rules bestmove`.

A search may take seconds of processor time, so the processes have a low priority: members are answered meanwhile.
They start when they are first needed and serve one search after the other.
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import Context
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog

import rules
from bot.app.computers.thinker import NoChoice, Purpose
from bot.app.moments.finder import Found, Unsearched
from bot.search.priority_limit import PriorityLimit
from bot.startup.environment import bare_environment
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.record import write
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.puzzles.moments import Moment, puzzle_at

log = structlog.get_logger()

ROOT = Path(rules.__file__).parents[1]

LOW_PRIORITY = 10
"""The nice value of the processes. Others' answers come first, but beside busy programs of the machine a search still
gets about a tenth of a core; with the lowest priority, 19, it gets next to nothing and ends without a move."""
DEATHS = 3
"""The number of times that a search is repeated as it is because its process died."""


class SearchWorkers:
    """At most `workers` processes. A search that takes `limit` seconds is ended and repeated with a smaller budget.

    A process that is killed costs a repeated search and nothing else. Moments are searched for only while no move is:
    as soon as one is asked for, their process is ended, and the search begins again afterwards.
    """

    def __init__(self, workers: int, limit: float) -> None:
        self._limit = limit
        self._free = PriorityLimit(workers)
        self._idle: list[_Worker] = []
        self._closed = False
        self._moves = 0
        """Moves that are being searched for, or wait."""
        self._no_moves = asyncio.Event()
        self._no_moves.set()
        self._interruptible: set[_Worker] = set()
        self.running = self.killed = 0
        """Searches that run, and processes that were ended during a search or while they were idle, since the start."""

    @property
    def waiting(self) -> int:
        """The number of searches that wait for a process."""
        return self._free.waiting

    @property
    def processes(self) -> int:
        """The number of processes."""
        return len(self._idle) + self.running

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        """Return a move for `seat`; see bot.app.computers.thinker.Thinker. Raises NoChoice."""
        with self._first():
            for effort in efforts(budget):
                question = _question(match, seat, effort, seed)
                for _ in range(DEATHS):
                    try:
                        return await self._ask(question, purpose)
                    except _TooLong:
                        log.warning("search took too long", **_about(match, effort))
                        break
                    except _Died:
                        log.warning("search process died", **_about(match, effort))
        raise NoChoice(f"No move was found in a match of {match.setup.game}.")

    async def moments(self, match: Match) -> Found:
        """Return the moments of a finished match; see bot.app.moments.finder.MomentFinder. Raises Unsearched."""
        question = (json.dumps({**write(match), "moments": True}) + "\n").encode()
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
            except _Died:
                deaths += not self._moves
        log.warning("no moments were found", game=match.setup.game, plies=len(match.log), deaths=deaths)
        raise Unsearched(f"A match of {match.setup.game} cannot be searched for moments.")

    @contextmanager
    def _first(self) -> Iterator[None]:
        """Let nothing be searched for but moves while the context lasts."""
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

    async def _ask(self, question: bytes, purpose: Purpose) -> Choice:
        """Raises _TooLong, _Died and NoChoice."""
        async with self._free.turn(purpose), self._worker() as worker:
            try:
                async with asyncio.timeout(self._limit):
                    answer = await worker.ask(question)
            except TimeoutError:
                raise _TooLong from None
        return choice_in(answer)

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator["_Worker"]:
        """Lend a process; unless its answer was read, it is killed."""
        if self._closed:
            raise NoChoice("The searches have ended.")
        # Only a process that can be written to is lent: one that was killed while it was idle costs nothing.
        while (worker := self._idle.pop() if self._idle else None) is not None and not worker.alive:
            self.killed += 1
            await worker.end()
        worker = worker or await _Worker.start()
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


class _Died(Exception):
    """A process ended before it answered."""


class _Worker:
    """One process that searches."""

    def __init__(self, process: Process) -> None:
        self._process = process
        # The process outlives the interaction for which it was started, whose request id it must not carry on.
        self._errors = asyncio.create_task(self._read_errors(), context=Context())

    @classmethod
    async def start(cls) -> "_Worker":
        """Start a process with a low priority. It gets none of the bot's settings, which hold its token."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "rules", "bestmove"),
            cwd=ROOT,
            env={**bare_environment(), "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"},
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            # Ctrl+C is for the bot, which then ends its processes. They stay in its session, since Linux weighs
            # priorities within a session alone where it groups processes by session.
            process_group=0,
        )
        if hasattr(os, "setpriority"):
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process.pid, LOW_PRIORITY)
        return cls(process)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, question: bytes) -> dict[str, object]:
        """Return the answer to one line. Raises _Died."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(question)
            await stdin.drain()
            line = await stdout.readline()
        except (ConnectionError, ValueError):
            raise _Died from None
        try:
            answer = json.loads(line)
        except ValueError:
            raise _Died from None
        if not isinstance(answer, dict):
            raise _Died
        return answer

    def kill(self) -> None:
        """Kill the process, which holds nothing that is worth keeping."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Kill the process and wait until it has ended."""
        self.kill()
        await asyncio.shield(self._process.wait())
        await asyncio.shield(self._errors)

    async def _read_errors(self) -> None:
        """Log that the process complained. Only the kind of the error is logged: its text may quote hidden moves."""
        assert self._process.stderr is not None
        lines = (await self._process.stderr.read()).decode(errors="replace").splitlines()
        if lines:
            kind = lines[-1].partition(":")[0]
            log.warning(
                "search process complained",
                lines=len(lines),
                error=kind if kind.replace(".", "").isidentifier() else "unknown",
            )


def efforts(budget: Budget) -> tuple[Budget, ...]:
    """Return the budgets that are tried in turn: as asked, then one that is smaller, and at last the lowest level."""
    lowest = Budget(level=1)
    if budget.level is not None:
        below = Budget(level=max(1, budget.level - 1))
    elif budget.nodes is not None:
        below = Budget(nodes=max(1, budget.nodes // 10))
    else:
        assert budget.seconds is not None
        below = Budget(seconds=budget.seconds / 10)
    return tuple(dict.fromkeys((budget, below, lowest)))


def _question(match: Match, seat: Seat, budget: Budget, seed: int) -> bytes:
    effort = {name: amount for name, amount in asdict(budget).items() if amount is not None}
    return (
        json.dumps({**write(match), "seat": seat, **effort, "seed": seed, "detail": True}) + "\n"
    ).encode()


def choice_in(answer: dict[str, object]) -> Choice:
    """Return the choice that an answer holds. Raises NoChoice for an error, whose text may quote hidden moves."""
    match answer:
        case {
            "move": str(move),
            "value": int() | float() as value,
            "exact": bool(exact),
            "nodes": int(nodes),
            "shares": list(shares),
            "visits": int(visits),
        }:
            return Choice(move, float(value), exact, nodes, tuple(map(float, shares)), visits)
    raise NoChoice("The search refused the position.")


def moments_in(match: Match, answer: dict[str, object]) -> Found:
    """Return the moments that an answer holds. Raises Unsearched for an error."""
    match answer:
        case {"moments": list(found), "seconds": int() | float() as seconds}:
            return Found(tuple(_moment(match, it) for it in found), float(seconds))
    raise Unsearched("The search refused the match.")


def _moment(match: Match, found: dict[str, Any]) -> Moment:
    ply, line = int(found["ply"]), tuple(found["line"])
    puzzle = puzzle_at(match, ply, line, float(found["value"]), int(found["plies"]))
    return Moment(ply, int(found["seat"]), str(found["played"]), puzzle)


def _about(match: Match, budget: Budget) -> dict[str, object]:
    """Return what may be logged of a search: never its moves."""
    return {
        "game": match.setup.game,
        "plies": len(match.log),
        "level": budget.level,
        "nodes": budget.nodes,
    }
