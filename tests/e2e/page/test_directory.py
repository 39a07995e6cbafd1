"""The pictures of docs/directory.md: a board, the puzzle of the day, and the post of the week.

Set PENCILBOX_SCREENS to a folder to take them again (`make screens`).
"""

import json
import os
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect
from sqlalchemy import update

from bot.app.challenges.terms import terms_of
from bot.app.matches.loaded import LoadedMatch
from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from db.models import MatchRow
from db.values.challenges import Order, Terms
from db.values.places import DiscordId, Place
from db.values.posts import PostKind
from db.values.puzzles import Attempt
from db.values.standings import NEWCOMER
from tests.app.conftest import NoLot, SearchHere
from tests.app.moments.test_moments import MISSED_AND_FOUND
from tests.e2e.bot_in_process import bot_here
from tests.e2e.page.test_taps import AT_REST
from tests.sandbox.page.windows import Windows

RECORDS = Path("docs/pictures/records.jsonl")
DAY = timedelta(days=1)


def recorded(file: str) -> dict[str, Any]:
    """Return the record of the game that a picture of the README shows."""
    records = map(json.loads, RECORDS.read_text("utf-8").splitlines())
    return next(record for record in records if record["file"] == file)


class Server:
    """A server in which two members have played for a week."""

    def __init__(self, local: Sandbox, bot: Pencilbox) -> None:
        self.local, self.bot, self.services = local, bot, bot.services
        self.guild = int(local.world.guild["id"])
        self.ada, self.grace, self.emmy = (int(it["id"]) for it in local.world.members if not it.get("bot"))
        self.monday = self.services.weekly_posts.monday

    def channel(self, name: str) -> int:
        return int(self.local.channel(name)["id"])

    async def begin(self, terms: Terms, users: tuple[DiscordId, DiscordId]) -> LoadedMatch:
        """Begin a game of the first of these members, who moves first, against the second one."""
        place = Place(self.guild, self.channel("games"))
        made = await self.services.challenges.make(place, users[0], terms)
        _, loaded = await self.services.challenges.accept(made.id, users[1])
        assert loaded is not None
        return loaded

    async def play(self, loaded: LoadedMatch, moves: Iterable[str]) -> None:
        for move in moves:
            (seat, *_) = loaded.match.to_move
            assert seat is not None
            loaded = await self.services.matches.play(loaded.id, loaded.stored.users[seat], move)

    async def live(self) -> None:
        """Play the games of last week, and solve its puzzles."""
        store = self.services.store
        both = (self.ada, self.grace)
        for number in range(5):
            terms = terms_of("skull", "quick", 2, 2, Order.FIRST)
            await self.play(await self.begin(terms, both if number % 2 else both[::-1]), MISSED_AND_FOUND)
        record = recorded("maze.png")
        terms = terms_of(record["game"], "standard", 2, 2, Order.FIRST)
        terms = replace(terms, options=tuple(record["options"].items()))
        await self.play(await self.begin(terms, both), (move for _, move in record["moves"]))
        ended = datetime.combine(self.monday - DAY, time(18), UTC)
        async with store.sessions.write() as session:
            then = {"started_at": ended - DAY, "finished_at": ended}
            await session.execute(update(MatchRow).where(MatchRow.finished_at.is_not(None)).values(then))
        while await self.services.moments.search_next() is not None:
            pass
        for user, length in ((self.grace, 9), (self.ada, 4)):
            for ago in range(1, length + 1):
                day = self.monday - ago * DAY
                at = datetime.combine(day, time(12), UTC)
                begun = Attempt(user, await store.puzzles.choose(day, f"skull-{ago}"), at, guild=self.guild)
                await store.puzzles.keep_attempt(
                    begun, replace(begun, moves=("a1",), solved=True, ended=at), NEWCOMER
                )

    async def post(self) -> None:
        """Let the bot post the puzzle of the day and the post of the week, in two channels."""
        store = self.services.store
        await store.servers.change(self.guild, puzzle_channel=self.channel("puzzle"), puzzle_hour=0)
        await self.services.daily_puzzles.add_due()
        await self.bot.outbox_task.publish_pending()
        await store.servers.change(self.guild, puzzle_channel=self.channel("week"))
        # The bot adds the post on Monday from 02:00 on, which the time of a test may be before.
        places = [(self.guild, self.channel("week"))]
        await store.posts.add(PostKind.MOMENT, str(self.monday), places, datetime.now(UTC))
        await self.bot.outbox_task.publish_pending()


@pytest.mark.soak
@pytest.mark.parametrize("theme", ["slate", "paper"])
async def test_the_post_of_a_week_is_read_at_every_width(
    windows: Windows, tmp_path: Path, theme: str
) -> None:
    async with AsyncExitStack() as stack:
        local = await stack.enter_async_context(Sandbox(channels=("week", "games", "puzzle")))
        bot = await stack.enter_async_context(
            bot_here(local.url, tmp_path, chance=NoLot(), searches=SearchHere())
        )
        server = Server(local, bot)
        await bot.services.store.servers.change(server.guild, theme=theme)
        await server.live()
        await server.post()
        chat = await stack.enter_async_context(windows.lend(width=400, height=1200))
        await chat.page.emulate_media(color_scheme="dark" if theme == "slate" else "light")
        await chat.page.goto(f"{local.url}/?as={server.emmy}")
        for width in (400, 1280):
            await chat.page.set_viewport_size({"width": width, "height": 1200})
            post = chat.messages.filter(has_text="The week ·").last
            for text in ("Board of the week", "Closest rivalry", "Puzzle streaks", "Moment of the week"):
                await expect(post).to_contain_text(text)
            await expect(post.get_by_role("img", name="Maze")).to_have_js_property("complete", True)
            await chat.page.wait_for_function(AT_REST)
        if theme == "slate" and (folder := os.environ.get("PENCILBOX_SCREENS")):
            running = await server.begin(
                terms_of("alaric", "standard", 2, 2, Order.FIRST), (server.emmy, server.ada)
            )
            await server.play(running, (move for _, move in recorded("alaric.png")["moves"]))
            await bot.display.show(running.id)
            await chat.page.goto(f"{local.url}/?as={server.grace}")
            for number, channel in enumerate(("games", "puzzle", "week"), 1):
                await chat.page.get_by_role("button", name=f"Channel {channel}").click()
                await expect(chat.last.get_by_role("img").last).to_be_visible()
                await chat.page.wait_for_function(AT_REST)
                path = Path(folder).parent / "directory" / f"{number}-{channel}.png"
                await chat.last.screenshot(path=path)
        assert chat.faults == []
