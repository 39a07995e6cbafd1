"""Bots forked from a process that has imported all of the bot: they come up in a fraction of the time.

Importing and what every bot needs at its start take as long as some tests, so all workers of pytest-xdist use the fork
server that pytest's main process starts.
"""

import asyncio
import os
import runpy
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from multiprocessing import forkserver, get_context
from pathlib import Path
from typing import Any

EMPTIED = "the database is empty"
"""The log line of a bot that has emptied its database after SIGUSR1; see `tests.e2e.bot_imports`."""

KEPT = "discord.py keeps a message"
"""The log line of a bot whose memory grows with the messages that it posts."""

START_PAUSE = 0.5
"""Seconds between two sessions of the gateway for which forked bots wait, instead of Discord's five."""

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.e2e.bot_imports"])


class _Shared(forkserver.ForkServer):
    """The fork server of another process, which this process uses."""

    def __init__(self, address: str) -> None:
        super().__init__()
        server: Any = self
        server._forkserver_address = address
        server._forkserver_alive_fd = os.pipe()[0]  # With it a forked process could start others; none does.

    def ensure_running(self) -> None:
        """Do nothing, because the server runs as long as the process that has started it."""


def start_fork_server(address: Path) -> None:
    """Start the fork server of this process, and write its address to a file."""
    forkserver.ensure_running()
    module: Any = forkserver
    address.write_text(module._forkserver._forkserver_address)


def use_fork_server(address: Path) -> None:
    """Let this process fork bots from the server whose address is in a file by the time of the first bot.

    Without the file it starts its own server.
    """
    own = forkserver.connect_to_new_process

    @cache
    def connect() -> Callable[[Sequence[int]], tuple[int, int]]:
        return _Shared(address.read_text()).connect_to_new_process if address.exists() else own

    forkserver.connect_to_new_process = lambda fds: connect()(fds)


class Forked:
    """A process that runs a module as `python -m` does, with this environment and no other.

    The arguments follow the name of the module, after spaces.
    """

    def __init__(self, module: str, environment: Mapping[str, str], log: Path | str) -> None:
        self._process = _CONTEXT.Process(target=_run, args=(module, dict(environment), str(log)))
        self._process.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """As of asyncio's processes: minus the signal that ended it, if one did."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    async def wait(self) -> int:
        """Wait until it has ended; its exit status."""
        if self._process.exitcode is None:
            ended = asyncio.Event()
            loop, sentinel = asyncio.get_running_loop(), self._process.sentinel
            loop.add_reader(sentinel, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(sentinel)
            self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def _run(module: str, environment: dict[str, str], log: str) -> None:
    stream = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(stream, sys.stdout.fileno())
    os.dup2(stream, sys.stderr.fileno())
    os.environ.clear()
    os.environ.update(environment)
    module, *_ = sys.argv = module.split()
    # It runs as __main__, not as what was imported.
    sys.modules.pop(module if "." in module else f"{module}.__main__", None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)
