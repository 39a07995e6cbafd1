"""A world in a file: no confirmed change is lost, even if the process is killed."""

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.sandbox import ManualClock, Sandbox, StoreError
from tests.contract.player import Player, players
from tests.sandbox.raw_bot import PNG, RawBot, raw_bot

pytestmark = pytest.mark.slow

BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
PANEL = {"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}
ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def opened(
    path: Path, clock: ManualClock | None = None
) -> AsyncIterator[tuple[RawBot, Player, Player]]:
    """Start a local Discord on this file, with its bot logged in."""
    async with (
        Sandbox(members=("Ada", "Grace"), path=path, clock=clock, welcome="Hello!") as local,
        players(local.url) as (ada, grace, *_),
        raw_bot(local) as bot,
    ):
        await bot.open()
        await bot.identify()
        yield bot, ada, grace
        await bot.close()


async def test_restart_keeps_everything(tmp_path: Path) -> None:
    path = tmp_path / "world.sqlite3"
    async with opened(path) as (bot, ada, grace):
        commands = await bot.register({"name": "ask", "description": "Ask"})
        await bot.post({"flags": 1 << 15, "components": [PANEL, BUTTON]}, [("b.png", PNG)])
        await grace.say("hello")
        thread = await ada.post("thread", channel=ada.channel, name="Talk")
        waiting = asyncio.ensure_future(ada.command("ask"))
        await bot.answer(await bot.asked(), 4, {"content": "secret", "flags": 64})
        await waiting
        before = await ada.messages()
        ids = (bot.application, ada.id, grace.id)
    async with opened(path) as (bot, ada, grace):
        assert (bot.application, ada.id, grace.id) == ids
        after = await ada.messages()
        assert [one["id"] for one in after] == [one["id"] for one in before]
        assert [one["content"] for one in after] == ["Hello!", "", "hello", "Talk", "secret"]
        assert len(await grace.messages()) == len(after) - 1
        assert await ada.get("commands") == commands
        assert thread["id"] in [one["id"] for one in (await ada.get("state"))["channels"]]
        # The file has the address of the new process, and the old button reaches the bot.
        picture = after[1]["components"][0]["items"][0]["media"]["url"]
        assert await ada.fetch(picture) == PNG
        pressing = asyncio.ensure_future(ada.press(after[1], "go"))
        await bot.answer(await bot.asked(), 6)
        assert (await pressing)["outcome"] == "update"


async def test_restart_keeps_open_interactions(tmp_path: Path) -> None:
    path, clock = tmp_path / "world.sqlite3", ManualClock()
    async with opened(path, clock) as (bot, ada, _):
        await bot.register({"name": "ask", "description": "Ask"})
        waiting = asyncio.ensure_future(ada.command("ask"))
        asked = await bot.asked()
        await bot.answer(asked, 5)
        deferred = (await waiting)["message"]["id"]
    async with opened(path, clock) as (bot, ada, _):
        assert (await ada.get(f"messages/{deferred}"))["state"] == "thinking"
        status, filled = await bot.hook("POST", asked, "", {"content": "here it is"})
        assert (status, filled["id"]) == (200, deferred)
        await clock.advance(15 * 60)
        assert (await bot.hook("POST", asked, "", {"content": "x"}))[1]["code"] == 50027


async def test_unusable_file_or_port_is_refused(tmp_path: Path) -> None:
    path, notes = tmp_path / "world.sqlite3", tmp_path / "notes.txt"
    async with Sandbox(path=path) as local:
        with pytest.raises(StoreError, match="another one is using it"):
            await Sandbox(path=path).start()
        with pytest.raises(OSError, match="in use"):
            await Sandbox(port=int(local.url.rpartition(":")[2])).start()
    notes.write_text("Buy milk. " * 100)
    with pytest.raises(StoreError, match="cannot hold the local Discord"):
        await Sandbox(path=notes).start()
    assert notes.read_text().startswith("Buy milk.")
    with pytest.raises(ValueError, match="from 0 to 65535"):
        await Sandbox(port=70_000).start()


@asynccontextmanager
async def process(path: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Start the local Discord as a separate process; yield it and its address."""
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.sandbox", "--port", "0", "--path", str(path),
        stdout=asyncio.subprocess.PIPE, cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert started.stdout is not None
    try:
        line = (await asyncio.wait_for(started.stdout.readline(), 20)).decode()
        yield started, line.split()[-1].rstrip("/")
    finally:
        if started.returncode is None:
            started.send_signal(signal.SIGKILL)
        await started.wait()


@pytest.mark.soak
async def test_kill_loses_no_confirmed_change(tmp_path: Path) -> None:
    path = tmp_path / "world.sqlite3"
    answered: list[str] = []
    for life in range(3):
        async with process(path) as (running, url), players(url) as (ada, *_):
            enough = asyncio.Event()
            speaking = asyncio.create_task(speak(ada, life, answered, enough))
            await asyncio.wait_for(enough.wait(), 20)
            running.send_signal(signal.SIGKILL)
            with pytest.raises((aiohttp.ClientError, ConnectionError)):
                await speaking
    async with process(path) as (_, url), players(url) as (ada, *_):
        kept = [one["content"] for one in await ada.get(f"channels/{ada.channel}/messages", limit="100")]
    assert [one for one in kept if one in answered] == answered
    # For each kill there may also be the message that was on its way.
    assert len(set(kept)) == len(kept) <= len(answered) + 3


async def speak(player: Player, life: int, answered: list[str], enough: asyncio.Event) -> None:
    """Post messages until the server is gone. `enough` is set after some of them."""
    for number in itertools.count():
        made = await player.say(f"{life}.{number}")
        answered.append(made["content"])
        if number == 10:
            enough.set()
