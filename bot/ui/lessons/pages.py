"""The way a game is played, in pictures that a member pages through alone; the last page is all rules in words."""

import asyncio
import io
from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.ui.components.emoji import game_option, with_emoji
from bot.ui.components.layout import card, gallery
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Response, Said, change
from bot.ui.lessons.steps import learn_button
from bot.ui.rules import origin_line, rules_message
from render.lessons import lesson_page
from rules.core.game import Game
from rules.games import find
from rules.lessons import Lesson, lesson_of

LABELS = {"open": "How it is played", "back": "Back", "next": "Next", "words": "All rules in words"}
"""The labels of the button, by way."""


class LessonButton(
    PersistentItem[ui.Button[Any]],
    template=r"how:(?P<game>[a-z][a-z0-9]*):(?P<page>[0-9]{1,2}):(?P<way>open|back|next|words)",
):
    """Shows a page of a lesson: with `open` in a new message for this member alone, otherwise in the same message."""

    words = frozenset({"game", "way"})

    def __init__(self, game: str, page: int = 0, way: str = "open", *, disabled: bool = False) -> None:
        self.game, self.page, self.way = game, page, way
        custom_id = f"how:{game}:{page}:{way}"
        super().__init__(ui.Button(label=LABELS[way], custom_id=custom_id, disabled=disabled))

    async def answer(self, acting: Acting) -> Response:
        said = await show_lesson(acting, self.game, self.page)
        if self.way == "open":
            return said
        await change(acting, said)
        return None


class RulesSelect(PersistentItem[ui.Select[Any]], template="help:rules"):
    """Shows how the chosen game is played."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        options = [game_option(find(key)) for key in games]
        super().__init__(ui.Select(custom_id="help:rules", placeholder="Read the rules of…", options=options))

    async def answer(self, acting: Acting) -> Said:
        return await show_lesson(acting, self.item.values[0])


async def show_lesson(acting: Acting, key: str, page: int = 0) -> Said:
    """Return a page of the lesson of a game, counted from 0. After the last picture, all rules follow in words.

    Raises BadSetup if there is no such game.
    """
    game = find(key)
    lesson = lesson_of(key)
    if lesson is None or page >= len(lesson.pages):
        return _in_words(game, lesson)
    theme = await acting.theme()
    picture = await asyncio.to_thread(lesson_page, key, page, theme)
    file = discord.File(
        io.BytesIO(picture.png), filename=f"{key}-how-{page + 1}.png", description=picture.alt
    )
    return Said("", _page(game, lesson, page, gallery(file.filename, picture.alt)), file)


def _page(game: Game[Any, Any], lesson: Lesson, number: int, picture: ui.Item[Any]) -> ui.LayoutView:
    page, count = lesson.pages[number], len(lesson.pages)
    refusal = f"\n> {lesson.refusal(page)}" if page.refused else ""
    title = with_emoji(game.key, game.sheet.title)
    return card(
        f"### {title}\n**{number + 1} of {count} · {page.heading}**\n{page.text}{refusal}",
        picture,
        origin_line(game) if number == 0 else "",
        ui.ActionRow(
            LessonButton(game.key, max(number - 1, 0), "back", disabled=number == 0),
            LessonButton(game.key, min(number + 1, count - 1), "next", disabled=number == count - 1),
            LessonButton(game.key, count, "words"),
            *learn_button(game.key),
        ),
    )


def _in_words(game: Game[Any, Any], lesson: Lesson | None) -> Said:
    if lesson is None:
        return Said("", rules_message(game))
    back = LessonButton(game.key, len(lesson.pages) - 1, "back")
    return Said("", rules_message(game, ui.ActionRow(back, *learn_button(game.key))))
