"""The message of a step of a lesson: its task, the position, the controls for a move, and the ways to other steps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

import render
from bot.app.lessons import Standing, StepExercise, standing_of, taught
from bot.app.mentions import persona
from bot.ui.components.emoji import game_option, with_emoji
from bot.ui.components.layout import Part, card, gallery
from bot.ui.components.pictures import board_picture, rejection_picture
from bot.ui.computers.play import BeginnerButton
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Response, Said, change
from bot.ui.moves.controls import controls
from bot.ui.moves.play import PlayButton, TypeButton
from bot.ui.moves.targets import Controls, ExerciseTarget, action_rows
from db.values.members import LEVELS
from db.values.puzzles import Progress
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


class StepTarget(ExerciseTarget[StepExercise], word="try"):
    """A step of a lesson, counted from 0."""

    def __init__(self, game: str, step: int) -> None:
        self.game, self.step = game, step
        self.prefix = f"try:{game}:{step}:"

    @classmethod
    def named(cls, *words: str) -> "StepTarget":
        game, step = words
        return cls(game, int(step))

    async def matches(self, acting: Acting) -> StepExercise:
        return await acting.services.lessons.exercise(acting.user, self.game, self.step)

    async def judged(self, acting: Acting, exercise: StepExercise) -> Said:
        return await step_message(acting, await acting.services.lessons.save(exercise))

    async def asked(self, acting: Acting, exercise: StepExercise, controls: Controls) -> Said:
        picture = await controls.picture(await acting.theme())
        return _message(standing_of(exercise), picture, controls, _way_on(standing_of(exercise), board=True))

    async def unchanged(self, acting: Acting, exercise: StepExercise, refusal: str) -> Said:
        return await step_message(acting, replace(standing_of(exercise), said=refusal))


async def step_message(acting: Acting, standing: Standing) -> Said:
    """Return the message of a step with its position, and the controls for a move unless the step is done."""
    table, seat, theme = standing.table, standing.seat, await acting.theme()
    target = StepTarget(standing.lesson.key, standing.number)
    prompt = table.match.observe(seat).prompt
    entering: Controls | None = None
    if prompt is not None and not standing.reached:
        entering = controls(prompt, target, table, seat)
    if standing.refusal is not None and (rejected := await rejection_picture(standing.refusal, theme)):
        picture = rejected
    elif entering is not None:
        picture = await entering.picture(theme)
    else:
        picture = await board_picture(table, theme, seat)
    if entering is None or table.secret:
        return _message(standing, picture, entering, _way_on(standing))
    tempting: list[ui.Item[Any]] = [
        PlayButton(target, table.shown, text, text, ButtonStyle.danger) for text in standing.step.tempting
    ]
    if tempting:
        entering.rows.append(tempting)
    return _message(standing, picture, entering, _way_on(standing, TypeButton(target, table.shown)))


def _message(
    standing: Standing, picture: discord.File, controls: Controls | None, ways: Sequence[ui.ActionRow[Any]]
) -> Said:
    """Return the message of a step: the task and the picture, the controls, and the `ways` to other steps."""
    text, rows = ("", []) if controls is None else (controls.text.strip(), action_rows(controls.rows))
    shown: list[Part] = [heading(standing), text, gallery(picture.filename, picture.description or "")]
    return Said("", card(*shown, *rows, *ways), picture)


def heading(standing: Standing) -> str:
    """Return the title of a step, its task, and the sentence about the last move."""
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


def _way_on(
    standing: Standing, typed: TypeButton | None = None, *, board: bool = False
) -> list[ui.ActionRow[Any]]:
    """Return the last rows: buttons that help with the move, and buttons that lead to other steps.

    `typed` opens the form for a move, `board` adds the way back to the position of the step.
    """
    game, number = standing.lesson.key, standing.number
    back = LearnButton(game, max(number - 1, 0), "back", disabled=number == 0)
    if standing.reached and standing.last:
        return [ui.ActionRow(BeginnerButton(game), LearnButton(game, 0, "again"))]
    if standing.reached:
        return [ui.ActionRow(LearnButton(game, number + 1, "next"), back)]
    skip = BeginnerButton(game) if standing.last else LearnButton(game, number + 1, "skip")
    hint = LearnButton(game, number, "hint")
    if board:
        return [ui.ActionRow(LearnButton(game, number, "here"), hint), ui.ActionRow(back, skip)]
    if typed is not None:
        return [ui.ActionRow(typed, hint), ui.ActionRow(back, skip)]
    return [ui.ActionRow(hint, back, skip)]


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
