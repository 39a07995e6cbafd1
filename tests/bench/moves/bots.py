"""The two bots that are measured, each in a process of its own."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.sandbox import Sandbox
from bot.sandbox.world.records import Message
from tests.bench.moves.bare_bot import PICTURE
from tests.bench.moves.clock import resting
from tests.bench.moves.playing import Watch
from tests.contract.player import Player, players
from tests.e2e.bot_process import BotProcess

MEMBERS = ("Ada", "Grace")


class Traced:
    """The bot's process, with the file to which it tells what it has measured."""

    def __init__(self, process: BotProcess, trace: Path) -> None:
        self.pid = process.pid
        self._trace = trace
        self._lines = 0

    async def begin(self) -> None:
        await self._order(signal.SIGUSR1)

    async def end(self) -> dict[str, Any]:
        told: dict[str, Any] = await self._order(signal.SIGUSR2)
        return told

    async def _order(self, order: signal.Signals) -> dict[str, Any]:
        os.kill(self.pid, order)
        self._lines += 1
        while (
            len(lines := self._trace.read_text().splitlines(keepends=True)) < self._lines
            or lines[-1][-1] != "\n"
        ):
            await asyncio.sleep(0.002)
        told: dict[str, Any] = json.loads(lines[-1])
        return told


@asynccontextmanager
async def traced_bot(url: str, folder: Path) -> AsyncIterator[Traced]:
    trace = folder / "trace"
    trace.touch()
    process = await BotProcess.start(
        folder,
        module="tests.bench.moves.traced_bot",
        PENCILBOX_LOCAL_URL=url,
        PENCILBOX_MOMENTS_PERCENT="0",
        TRACE=str(trace),
    )
    try:
        await process.online(url)
        try:
            yield Traced(process, trace)
        except TimeoutError:
            print(process.log)
            raise
        if "Traceback" in process.log:
            print(f"The bot logged an error:\n{process.log}")
    finally:
        await process.kill()


class Bare:
    """The bare bot, and a member who presses its button."""

    def __init__(self, pid: int, folder: Path, member: Player, message: Message, watch: Watch) -> None:
        self.pid = pid
        self._folder = folder
        self._member = member
        self._message = message
        self._watch = watch

    async def show(self, picture: bytes) -> tuple[float, float]:
        """Press; return milliseconds of processor time, and until the picture is in the message."""
        if picture:
            (self._folder / PICTURE).write_bytes(picture)
        else:
            (self._folder / PICTURE).unlink(missing_ok=True)
        before, began = await resting(self.pid), time.perf_counter()
        await self._member.press({"id": self._message.id}, "bare")
        waited = 1000 * (time.perf_counter() - began)
        cpu = await resting(self.pid) - before
        assert self._watch.picture(self._message) == picture
        return cpu, waited


@asynccontextmanager
async def bare_bot(folder: Path) -> AsyncIterator[Bare]:
    folder.mkdir()
    async with Sandbox(members=MEMBERS) as local, players(local.url, local.world) as members:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.moves.bare_bot", local.url, str(folder)
        )
        try:
            while not (local.world.commands and local.services.gateway.online):
                assert process.returncode is None
                await asyncio.sleep(0.05)
            await asyncio.sleep(3)
            answer = await members[0].command("begin")
            message = local.world.find_message(answer["message"]["id"])
            assert message is not None
            bare = Bare(process.pid, folder, members[0], message, Watch(local))
            for _ in range(20):
                await bare.show(b"")
            yield bare
        finally:
            process.kill()
            await process.wait()
