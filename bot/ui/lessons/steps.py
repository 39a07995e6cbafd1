"""The message of a step of a lesson: what is asked, the position, the controls of a match, and the way on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

import render
from bot.app.lessons.lessons import Standing, taught
from bot.app.mentions import persona
from bot.ui.computers.play import BeginnerButton
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response, Said, change
from bot.ui.kit.content.emoji import game_option, with_emoji
from bot.ui.kit.content.layout import Part, card
from bot.ui.kit.content.pictures import board_picture, rejection_picture
from bot.ui.moves.entering import move_rows, private_question
from bot.ui.moves.play import PlayButton, TypeButton
from bot.ui.moves.solo import pieces, wrap
from db.api.computers import LEVELS
from db.api.lessons import Progress
from rules.games import find
from rules.lessons import lesson_of

LABELS = {
    "open": "Learn it",
    "here": "Back to the board",
    "back": "Previous step",
    "skip": "Skip",
    "next": "Next",
    "again": "Go through it again",
    "hint": "Hint",
}
"""The labels of the button, by way."""


class LearnButton(
    PersistentItem[ui.Button[Any]],
    template=(
        r"learn:(?P<game>[a-z][a-z0-9]*):(?P<step>[0-9]{1,2}):(?P<way>open|here|back|skip|next|again|hint)"
    ),
):
    """Goes to a step of a lesson, counted from 0. With `open` a new message shows where the member left the lesson."""

    words = frozenset({"game", "way"})

    def __init__(self, game: str, step: int = 0, way: str = "open", *, disabled: bool = False) -> None:
        self.game, self.step, self.way = game, step, way
        style = ButtonStyle.primary if way == "next" else ButtonStyle.secondary
        custom_id = f"learn:{game}:{step}:{way}"
        super().__init__(ui.Button(label=LABELS[way], style=style, custom_id=custom_id, disabled=disabled))

    async def answer(self, acting: Acting) -> Response:
        if self.way == "open":
            return await show_step(acting, self.game)
        lessons = acting.services.lessons
        if self.way == "hint":
            standing = await lessons.hint(acting.user, self.game, self.step)
        else:
            standing = await lessons.go(acting.user, self.game, self.step)
        await change(acting, await step_message(acting, standing))
        return None


class LearnSelect(PersistentItem[ui.Select[Any]], template="learn"):
    """Shows where the member left the lesson of the chosen game."""

    def __init__(self, progress: Sequence[Progress] = ()) -> None:
        options = [_option(found) for found in progress]
        super().__init__(ui.Select(custom_id="learn", placeholder="Learn…", options=options))

    async def answer(self, acting: Acting) -> Said:
        return await show_step(acting, self.item.values[0])


class LessonsButton(PersistentItem[ui.Button[Any]], template="lessons"):
    """Lets the member choose one of all lessons."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Learn one", custom_id="lessons"))

    async def answer(self, acting: Acting) -> Said:
        return await show_lessons(acting, None)


async def show_lessons(acting: Acting, game: str | None) -> Said:
    """Show where this member left the lesson of a game, or let them choose one of all."""
    if game is not None:
        return await show_step(acting, game)
    progress = await acting.services.lessons.progress(acting.user)
    text = (
        "### Learn a game\nA lesson takes two minutes. Only you see it, and you can leave it and come back."
    )
    return Said("", card(text, ui.ActionRow(LearnSelect(list(progress.values())))))


async def show_step(acting: Acting, game: str) -> Said:
    """Show the step at which this member left a lesson. Raises Refused and BadSetup."""
    return await step_message(acting, await acting.services.lessons.go(acting.user, game))


async def step_message(acting: Acting, standing: Standing) -> Said:
    """Return the message of a step with its position, and the controls for a move unless the step is done."""
    table, seat = standing.table, standing.seat
    observation = table.match.observe(seat)
    theme = await acting.theme()
    picture = None if standing.refusal is None else await rejection_picture(standing.refusal, theme)
    if standing.reached or observation.prompt is None:
        return framed(standing, Said("", file=picture or await board_picture(table, theme, seat)))
    if table.secret:
        said = await private_question(observation.prompt, acting, table, seat)
        return framed(standing, replace(said, file=picture or said.file))
    rows = move_rows(observation.prompt, table, seat)
    if standing.step.tempting:
        rows.append(ui.ActionRow(*(_tempting(standing, text) for text in standing.step.tempting)))
    said = Said("", card(*rows), picture or await board_picture(table, theme, seat))
    return framed(standing, said, typing=True)


def framed(standing: Standing, said: Said, *, typing: bool = False, board: bool = False) -> Said:
    """Return an answer to a control of a match as part of the lesson: below what is asked, above the way on.

    `typing` adds the button for typed moves, `board` the way back to the position of the step.
    """
    found = pieces(said, prefix(standing.lesson.key, standing.number), standing.table, standing.seat)
    ways = [ui.ActionRow(*items) for items in _way_on(standing, typing=typing, board=board)]
    wrap(ways, prefix(standing.lesson.key, standing.number))
    shown: list[Part] = [heading(standing), *found.texts, *found.pictures, *found.rows, *ways]
    return Said("", card(*shown), said.file)


def prefix(game: str, step: int) -> str:
    """Return what stands before the custom ids of the controls of a match in a step."""
    return f"try:{game}:{step}:"


def heading(standing: Standing) -> str:
    """Return the title of a step with what is asked and what is said about the last move."""
    steps, step = standing.lesson.steps, standing.step
    title = find(standing.lesson.key).sheet.title
    where = f"step {standing.number + 1} of {len(steps)}"
    titled = with_emoji(standing.lesson.key, step.heading)
    lines = [f"### {titled}", f"-# {title} · {where} · you: {render.seat_mark(standing.seat)}"]
    if not standing.reached:
        lines.append(step.ask)
    if standing.replies:
        played = ", then ".join(f"`{text}`" for text in standing.replies)
        lines.append(f"> {persona(LEVELS[-1]).name} played {played}.")
    if standing.said:
        lines.append(f"> {'**Done.** ' if standing.reached else ''}{standing.said}")
    if standing.reached and standing.last:
        lines.append(
            "**You have gone through the whole lesson.** Now play: the beginner is glad when you win."
        )
    return "\n".join(lines)


def _way_on(standing: Standing, *, typing: bool, board: bool) -> list[list[ui.Item[Any]]]:
    """Return the last rows: what helps with the move, and what leads to other steps."""
    game, number, table = standing.lesson.key, standing.number, standing.table
    back = LearnButton(game, max(number - 1, 0), "back", disabled=number == 0)
    if standing.reached and standing.last:
        return [[BeginnerButton(game), LearnButton(game, 0, "again")]]
    if standing.reached:
        return [[LearnButton(game, number + 1, "next"), back]]
    typed = [TypeButton(table.id, table.shown)] if typing else []
    here = [LearnButton(game, number, "here")] if board else []
    skip = BeginnerButton(game) if standing.last else LearnButton(game, number + 1, "skip")
    hint = LearnButton(game, number, "hint")
    return [[*here, *typed, hint], [back, skip]] if here or typed else [[hint, back, skip]]


def _tempting(standing: Standing, text: str) -> PlayButton:
    table = standing.table
    return PlayButton(table.id, table.shown, text, text, ButtonStyle.danger)


def _option(progress: Progress) -> discord.SelectOption:
    option = game_option(find(progress.game))
    lesson = lesson_of(progress.game)
    count = len(lesson.steps) if lesson is not None else 0
    if progress.done:
        option.description = "You have gone through this lesson."
    elif progress.step or progress.moves:
        option.description = f"You are at step {min(progress.step + 1, count)} of {count}."
    return option


def learn_button(game: str) -> list[LearnButton]:
    """Return the button that opens the lesson of a game; none for a game without one."""
    return [LearnButton(game)] if game in taught() else []
