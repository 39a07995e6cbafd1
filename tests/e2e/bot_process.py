"""The bot as its users run it: `python -m bot` in a process of its own, which can be killed at any moment."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import aiohttp

from db.address import FILE_NAME
from tests.db.migrated import lay
from tests.e2e.forked_process import EMPTIED, Forked
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]


class BotProcess:
    """One running bot. Its log is kept in a file, behind those of earlier bots, to be shown when something fails."""

    def __init__(self, process: asyncio.subprocess.Process | Forked, log: Path, before: int) -> None:
        """`before` is the size of the log, in bytes, before the process was started."""
        self._process = process
        self._log = log
        self._forgotten = before
        self._fork: Callable[[], Forked] | None = None

    @classmethod
    async def start(cls, data_dir: Path, *, module: str = "bot", **settings: str) -> "BotProcess":
        """Start a bot whose settings are these and no others."""
        log = _log(data_dir)
        before = log.stat().st_size
        with log.open("ab") as stream:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                *module.split(),
                cwd=ROOT,
                env=_environment(data_dir, settings),
                stdout=stream,
                stderr=stream,
            )
        return cls(process, log, before)

    @classmethod
    def fork(cls, data_dir: Path, *, module: str = "bot", **settings: str) -> "BotProcess":
        """Start a bot that has imported everything already. What it prints is in its log.

        A new SQLite file has all tables already, because migrating costs more than the rest of a start.
        """
        log = _log(data_dir)
        if not settings.get("DATABASE_URL") and not (data_dir / FILE_NAME).exists():
            lay(data_dir)
        fork = partial(Forked, module, _environment(data_dir, settings), log)
        before = log.stat().st_size
        bot = cls(fork(), log, before)
        bot._fork = fork
        return bot

    @property
    def log(self) -> str:
        """The text that it has written since its log was last forgotten."""
        return self._log.read_bytes()[self._forgotten :].decode(errors="replace")

    def forget_log(self) -> None:
        """Leave out of `log` what is in it now."""
        self._forgotten = self._log.stat().st_size

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    async def says(self, *words: str) -> None:
        """Wait until its log holds one of these."""
        await wait_until(lambda: any(some in self.log for some in words))

    async def ended(self) -> int:
        """Wait until it ends by itself, and answer its exit status."""
        return await asyncio.wait_for(self._process.wait(), PATIENCE)

    async def kill(self) -> None:
        """End it as a power switch would."""
        if self.running:
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> int:
        """Ask it to stop, and answer its exit status."""
        if self.running:
            self._process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def start_again(self, url: str, member: str) -> None:
        """Start a forked bot that was killed again, with the same data, and wait until a member sees it online."""
        assert self._fork is not None
        assert not self.running
        self._process = self._fork()
        await self.online(url, member)

    def pause(self) -> None:
        """Stop it from running until `resume`: a bot that nobody uses takes 3 % of a processor."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    async def begin_again(self) -> None:
        """Let a forked bot finish what it is doing, empty its database, and forget its log."""
        self.forget_log()
        self._process.send_signal(signal.SIGUSR1)
        await self.says(EMPTIED)
        self.forget_log()

    async def online(self, url: str, member: str | None = None) -> None:
        """Wait until it has logged in to the local Discord at `url` and its commands are there.

        `member` is the id of the member who looks; None for the first one.
        """
        seen_by = {"as": member} if member else {}
        async with asyncio.timeout(PATIENCE), aiohttp.ClientSession(url) as session:
            while True:
                assert self.running, f"the bot ended:\n{self.log}"
                async with session.get("/local/state", params=seen_by) as response:
                    state = await response.json()
                if state["application"] is not None and state["application"]["online"]:
                    query = {"as": state["members"][0]["id"]}
                    async with session.get("/local/commands", params=query) as response:
                        if await response.json():
                            return
                await asyncio.sleep(0.05)


async def run_command(data_dir: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run `python -m bot` with these arguments to its end; return its exit status and what it printed."""
    output = data_dir / f"{arguments[0]}.out"
    output.write_bytes(b"")
    process = Forked(" ".join(("bot", *arguments)), _environment(data_dir, settings), output)
    return await process.wait(), output.read_text()


@asynccontextmanager
async def playing(data_dir: Path) -> AsyncIterator[str]:
    """The bot as `make play` runs it, with the local Discord in it; its address, without a slash at the end.

    When the block ends the bot is asked to stop, and has to do so without having had anything to complain of.
    """
    bot = BotProcess.fork(data_dir, PENCILBOX_PORT="0")
    try:
        await bot.says("in a browser")
        address = re.search(r"http://[^ ]+(?=/ in a browser)", bot.log)
        assert address is not None
        await bot.online(address[0])
        yield address[0]
        assert await bot.stop() == 0
        assert "Traceback" not in bot.log, bot.log
    finally:
        await bot.kill()


@asynccontextmanager
async def bot_at(
    url: str, data_dir: Path, *, module: str = "bot", **settings: str
) -> AsyncIterator[BotProcess]:
    """A bot that is logged in to the local Discord at `url`; ended, one way or the other, when the block ends."""
    bot = BotProcess.fork(data_dir, module=module, PENCILBOX_LOCAL_URL=url, **settings)
    try:
        await bot.online(url)
        yield bot
    finally:
        await bot.kill()


def _log(data_dir: Path) -> Path:
    data_dir.mkdir(parents=True, exist_ok=True)
    log = data_dir / "bot.log"
    log.touch()
    return log


def _environment(data_dir: Path, settings: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return {**kept, "PENCILBOX_DATA_DIR": str(data_dir), **settings}
