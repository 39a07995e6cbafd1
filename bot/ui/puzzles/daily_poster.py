"""Posting the puzzle of the day in servers, once a day in each, and bringing the posts up to date."""

from datetime import date, datetime, timedelta

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.puzzles.daily import DAY, DayBoard
from bot.app.services import Services
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.services import Kit
from bot.ui.puzzles.daily_post import daily_file, daily_picture, daily_view, heading
from bot.ui.puzzles.once_poster import Kind, OncePoster
from db.api.places import DiscordId, Place
from rules.puzzles.puzzle import Puzzle

BETWEEN_UPDATES = timedelta(minutes=1)
"""The least time between two edits of a post."""

KIND = Kind("puzzle", "the puzzle of the day", heading)


class DailyPoster:
    """Posts the puzzle of the day, and changes the posts when results change."""

    def __init__(self, clients: Clients, services: Services, kit: Kit) -> None:
        self._daily = services.daily_puzzles
        self._preferences = services.preferences
        self._kit = kit
        self._updated: datetime | None = None
        self._once = OncePoster(clients, services.preferences, kit, services.daily_puzzles, KIND)
        self._pictures: dict[tuple[str, str], bytes] = {}
        """The pictures of the newest puzzle, by its name and the theme."""

    async def catch_up(self) -> None:
        """Post what is due, and once a minute bring the posts up to date."""
        day, guilds = await self._daily.due()
        if guilds and (puzzle := await self._daily.puzzle(day)) is not None:
            await self._once.post_all(guilds, day, lambda place: self._content(place, day, puzzle))
        now = self._daily.now
        if self._updated is None or not timedelta() <= now - self._updated < BETWEEN_UPDATES:
            self._updated = now
            await self._update()
            await self._daily.forget()

    async def _content(self, place: Place, day: date, puzzle: Puzzle) -> tuple[ui.LayoutView, discord.File]:
        assert place.guild is not None
        view = await self._view(place.guild, day, puzzle, await self._daily.board(place.guild, day))
        theme = await self._preferences.theme(place)
        return view, daily_file(puzzle, await self._picture(puzzle, theme))

    async def _update(self) -> None:
        """Bring the posts up to date that no longer say what is true."""
        for post, board in await self._daily.outdated():
            place = Place(post.guild, post.channel)
            if post.message is None or not self._kit.posting.reaches(place):
                continue
            over = post.day < self._daily.today
            try:
                puzzle = await self._daily.shown(post.day)
            except Refused:  # A later version has it no more: the post stays as it is.
                await self._daily.updated(post, board, closed=True)
                continue
            view = await self._view(post.guild, post.day, puzzle, board, over=over)
            if await self._kit.posting.at(place).edit(post.message, view):
                await self._daily.updated(post, board, closed=over)

    async def _view(
        self, guild: DiscordId, day: date, puzzle: Puzzle, board: DayBoard, *, over: bool = False
    ) -> ui.LayoutView:
        earlier = await self._daily.post(guild, day - DAY)
        yesterday = None if earlier is None else (earlier, await self._daily.board(guild, day - DAY))
        return daily_view(puzzle, day, board, over=over, yesterday=yesterday)

    async def _picture(self, puzzle: Puzzle, theme: str) -> bytes:
        """Return the picture of the newest puzzle. It is the same in all servers with that theme."""
        if (puzzle.name, theme) not in self._pictures:
            if any(name != puzzle.name for name, _ in self._pictures):
                self._pictures.clear()
            self._pictures[puzzle.name, theme] = await daily_picture(puzzle, theme)
        return self._pictures[puzzle.name, theme]
