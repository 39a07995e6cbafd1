"""The puzzle of the day in a server's channel: a week of posts, with a clock that the test owns."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox import ManualClock, Sandbox
from bot.sandbox.world.events import ChannelGone
from db.engine import open_store
from db.values.posts import PostKind
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from rules.puzzles.stock import of_day
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import (
    Json,
    choose,
    components,
    message_with,
    open_settings,
    press,
    text_of,
    until,
    usable_buttons,
    written,
)
from tests.e2e.stored_times import published

MONDAY = datetime(2030, 1, 7, tzinfo=UTC)
TEXT = 0
HEADING = "### Puzzle of the day · "


@dataclass
class Week:
    """A server in which the puzzle of the day is posted, and the clock of its bot and its Discord."""

    local: Sandbox
    clock: ManualClock
    folder: Path
    ada: Player
    grace: Player

    async def at(self, day: int, hour: int, minute: int = 0) -> None:
        """Make it this time of a day, counted from Monday."""
        now = MONDAY + timedelta(days=day, hours=hour, minutes=minute)
        file = self.folder / "clock"
        (self.folder / "clock.new").write_text(now.isoformat())
        (self.folder / "clock.new").rename(file)
        await self.clock.advance(now.timestamp() - self.clock.time())

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[BotProcess]:
        """The bot, until it is killed at the end of the block."""
        module, clock = "tests.e2e.owned_clock", str(self.folder / "clock")
        async with bot_at(self.local.url, self.folder, module=module, CLOCK=clock) as bot:
            yield bot
            assert "Traceback" not in bot.log, bot.log

    async def posts(self) -> list[Json]:
        """The posts in all channels of the server."""
        channels = [id_ for id_, it in self.local.world.channels.items() if it["type"] == TEXT]
        seen = [message for id_ in channels for message in await self.grace.messages(id_)]
        return [message for message in seen if HEADING in text_of(message)]

    async def days(self) -> list[int]:
        """The days of the posts, in order."""
        heads = [text_of(post).removeprefix("\n").splitlines()[0] for post in await self.posts()]
        return sorted(next(day for day in range(10) if f"{head}\n" == _of(day)) for head in heads)

    async def seen(self, day: int, channel: str) -> Json:
        """A post of a day, once it is in a channel."""
        return await message_with(self.grace, _of(day), channel)

    async def posted(self, day: int, channel: str) -> Json:
        """The only post of a day, once it is there and the bot knows that."""
        message = await self.seen(day, channel)
        async with open_store(None, self.folder) as store:
            post = await published(store, PostKind.PUZZLE, self.guild, str(_date(day)))
        assert post.message == int(message["id"])
        assert [it["id"] for it in await self.posts() if _of(day) in text_of(it)] == [message["id"]]
        return message

    @property
    def guild(self) -> int:
        return int(self.local.world.guild["id"])

    async def tried(self, day: int, *solved: bool) -> None:
        """Members have tried the puzzle of a day, each of them a new one."""
        async with open_store(None, self.folder) as store:
            puzzle = await store.puzzles.of_day(_date(day))
            assert puzzle is not None
            for number, good in enumerate(solved, 100 * (day + 1)):
                begun = Attempt(number, puzzle, MONDAY + timedelta(days=day), guild=self.guild)
                ended = replace(begun, moves=("1",), solved=good, ended=begun.begun)
                await store.puzzles.keep_attempt(begun, ended, NEWCOMER)

    async def choose(self, what: str, value: str) -> None:
        """Ada changes a setting of the server."""
        await choose(self.ada, await open_settings(self.ada, "Posts in channels"), f"setting:{what}", value)


def _date(day: int) -> date:
    return (MONDAY + timedelta(days=day)).date()


def _of(day: int) -> str:
    """The heading of a day's post."""
    return f"{HEADING}{_date(day).day} {_date(day):%B}\n"


@pytest.mark.soak
async def test_a_week_has_one_post_a_day(contract: Contract, tmp_path: Path) -> None:
    """In `make test`, `tests/app/puzzles/test_daily.py` has such weeks without Discord, and
    `tests/e2e/posts/test_outbox.py` posts each kind of post."""
    clock = ManualClock(MONDAY.timestamp())
    channels = ("general", "lounge", "yard")
    async with (
        Sandbox(channels=channels, observe=contract, clock=clock) as local,
        players(local.url, local.world) as (ada, grace, _),
    ):
        lounge, yard = (str(local.channel(name)["id"]) for name in ("lounge", "yard"))
        week = Week(local, clock, tmp_path, ada, grace)
        await week.at(0, 8)
        async with week.bot():
            await _a_post_comes_at_its_hour_and_counts(week, lounge)
        # The bot is down at the hour of the post.
        await week.at(1, 17)
        async with week.bot():
            await _a_post_comes_late(week, lounge)
            await _a_missing_permission_is_reported(week, lounge)
        async with week.bot() as bot:
            await _a_post_comes_after_a_missing_permission(week, lounge, yard)
            await _a_deleted_channel_is_reported_once(week, bot, lounge, yard)
            await _another_hour_makes_no_second_post(week, yard)
        # The bot is down on a day, and does not make up for it on the next one.
        await week.at(9, 12)
        async with week.bot():
            await week.posted(9, yard)
        assert await week.days() == [6, 7, 9]


async def _a_post_comes_at_its_hour_and_counts(week: Week, lounge: str) -> None:
    await week.choose("puzzles", lounge)
    await week.choose("puzzle-hour", "10")
    await week.at(0, 9, 59)
    assert await week.posts() == []
    await week.at(0, 10)
    post = await week.posted(0, lounge)
    assert "Nobody here has tried it yet." in text_of(post)
    assert usable_buttons(post) == {"Solve it": f"puzzle:{of_day(_date(0)).name}:open"}
    await press(week.grace.elsewhere(lounge), post, "Solve it")
    await week.tried(0, True, False, True)
    await week.at(0, 10, 2)
    await until(week.grace, post, "2 of 3 solved it; <@100> was the first.")


async def _a_post_comes_late(week: Week, lounge: str) -> None:
    post = await week.posted(1, lounge)
    assert "Yesterday 2 of 3 solved [the puzzle](" in text_of(post)
    assert f"Solution: ||`{of_day(_date(0)).line[0]}`" in text_of(post)
    (first,) = [it for it in await week.posts() if _of(0) in text_of(it)]
    first = await until(week.grace, first, "**Board of the day**: 2 of 3 solved it")
    assert "<@100>, <@102>" in text_of(first)
    assert first["mentions"] == []
    (gallery,) = (part for part in components(first) if part["type"] == 12)
    assert (await week.grace.fetch(gallery["items"][0]["media"]["url"])).startswith(b"\x89PNG")


async def _a_missing_permission_is_reported(week: Week, lounge: str) -> None:
    week.local.deny("lounge", "attach_files")
    await week.at(5, 10)
    (letter,) = await written(week.ada, 1)
    lacked = f"In <#{lounge}> I lack Attach Files, which I need there for the puzzle of the day."
    assert letter["content"].startswith(f"**Local server**: {lacked}")


async def _a_post_comes_after_a_missing_permission(week: Week, lounge: str, yard: str) -> None:
    week.local.allow("lounge", "attach_files")
    await week.posted(5, lounge)
    await week.choose("puzzles", yard)
    await week.choose("puzzles", lounge)
    assert await week.days() == [0, 1, 5]


async def _a_deleted_channel_is_reported_once(week: Week, bot: BotProcess, lounge: str, yard: str) -> None:
    gone = week.local.channel("lounge")
    week.local.world.remove_channel(gone)
    week.local.world.publish(ChannelGone(gone))
    await week.at(6, 11)
    _, letter = await written(week.ada, 2)
    words = f"**Local server**: <#{lounge}> is gone, and I need it for the puzzle of the day."
    assert letter["content"].startswith(words)
    # The failure is recorded after the letter was sent; the clock stands still, so only the choice retries it.
    await bot.says("error='Refused")
    await week.choose("puzzles", yard)
    await week.posted(6, yard)
    assert len(await written(week.ada, 2)) == 2


async def _another_hour_makes_no_second_post(week: Week, yard: str) -> None:
    await week.at(7, 10)
    await week.posted(7, yard)
    await week.choose("puzzle-hour", "12")
    await week.at(7, 12)
    # The bot has looked at what is due: the post of the day before is closed.
    (before,) = [it for it in await week.posts() if _of(6) in text_of(it)]
    await until(week.grace, before, "**Board of the day**")
