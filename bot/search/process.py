"""One process that searches: it runs `python -m rules bestmove`, at a low priority."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from contextvars import Context
from pathlib import Path

import structlog

import rules
from bot.startup.system import bare_environment

log = structlog.get_logger()

ROOT = Path(rules.__file__).parents[1]

LOW_PRIORITY = 10
"""The nice value of the processes. Others' answers come first, but beside busy programs of the machine a search still
gets about a tenth of a core; with the lowest priority, 19, it gets next to nothing and ends without a move."""


class ProcessDied(Exception):
    """A process ended before it answered."""


class SearchProcess:
    """One process that searches."""

    def __init__(self, process: Process) -> None:
        self._process = process
        # The process outlives the interaction for which it was started, whose request id it must not carry on.
        self._errors = asyncio.create_task(self._read_errors(), context=Context())

    @classmethod
    async def start(cls) -> "SearchProcess":
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
        """Return the answer to one line. Raises ProcessDied."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(question)
            await stdin.drain()
            line = await stdout.readline()
        except (ConnectionError, ValueError):
            raise ProcessDied from None
        try:
            answer = json.loads(line)
        except ValueError:
            raise ProcessDied from None
        if not isinstance(answer, dict):
            raise ProcessDied
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
                "search_process.wrote_error",
                lines=len(lines),
                error=kind if kind.replace(".", "").isidentifier() else "unknown",
            )
