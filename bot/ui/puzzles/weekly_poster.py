"""Posting the best moment of a week in servers that want it, once a week in each."""

from datetime import date

import discord
from discord import ui

import render
from bot.app.mentions import mention
from bot.app.moments.moments import moment_name
from bot.app.puzzles.daily import DAY
from bot.app.puzzles.weekly import WEEK
from bot.app.services import Services
from bot.ui.kit.content.layout import card, gallery
from bot.ui.kit.content.pictures import GALLERY_ALT
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.services import Kit
from bot.ui.puzzles.buttons import PuzzleButton
from bot.ui.puzzles.daily_post import asked, daily_file, daily_picture, filename
from bot.ui.puzzles.moments import game_and_number
from bot.ui.puzzles.once_poster import Kind, OncePoster
from bot.ui.puzzles.wording import about, spell_day
from db.api.moments import StoredMoment
from db.api.places import Place
from rules.puzzles.puzzle import Puzzle


def heading(monday: date) -> str:
    """Return the heading of the post of a Monday, about the week before, by which it is found again."""
    first, last = monday - WEEK, monday - DAY
    return f"### The moment of the week · {spell_day(first)} to {spell_day(last)}"


KIND = Kind("moment", "the moment of the week", heading)


def weekly_view(moment: StoredMoment, puzzle: Puzzle, monday: date) -> ui.LayoutView:
    """Return the post of a week, without the move."""
    player = mention(moment.user) if moment.user else "A player"
    came = "found the right move" if moment.found else "did not find the right move"
    played = f"{player} had this position in {game_and_number(moment)}, at move {moment.ply + 1}, and {came}."
    seen = puzzle.match.observe(None)
    return card(
        f"{heading(monday)}\n-# {about(puzzle)}\n{played} {asked(puzzle)}",
        gallery(filename(puzzle), render.alt(seen, GALLERY_ALT)),
        ui.ActionRow(PuzzleButton(moment_name(moment))),
    )


class WeeklyPoster:
    """Posts the best moment of the week before, from Monday on."""

    def __init__(self, clients: Clients, services: Services, kit: Kit) -> None:
        self._weekly = services.weekly_moments
        self._preferences = services.preferences
        self._once = OncePoster(clients, services.preferences, kit, services.weekly_moments, KIND)

    async def catch_up(self) -> None:
        """Post what is due."""
        monday, guilds = await self._weekly.due()
        if guilds:
            await self._once.post_all(guilds, monday, lambda place: self._content(place, monday))
            await self._weekly.forget()

    async def _content(self, place: Place, monday: date) -> tuple[ui.LayoutView, discord.File] | None:
        assert place.guild is not None
        best = await self._weekly.best(place.guild, monday)
        if best is None:
            if not await self._weekly.any(place.guild, monday):
                await self._weekly.nothing(place.guild, monday)
            return None
        moment, puzzle = best
        theme = await self._preferences.theme(place)
        file = daily_file(puzzle, await daily_picture(puzzle, theme))
        return weekly_view(moment, puzzle, monday), file
