"""The rules of games as pages with pictures, and lessons whose steps a member plays alone; `/learn`."""

import asyncio
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, app_commands, ui

from bot.app.challenges.terms import FAVOURED, PROVED
from bot.app.lessons import Standing, StepExercise, standing_of, taught
from bot.app.matches.exercise import strongest
from bot.app.mentions import persona_name
from bot.ui import autocomplete
from bot.ui.components.message_parts import (
    Part,
    card,
    computer_seats,
    gallery,
    game_option,
    picture_of,
    rejection_picture,
    seat_token,
    sheet_of_games,
    with_emoji,
)
from bot.ui.components.wording import CHECK
from bot.ui.computers import BeginnerButton
from bot.ui.explorer import ExploreButton
from bot.ui.interactions.buttons import GameKey, IdButton, IdSelect, PersistentItem, TwoDigits
from bot.ui.interactions.reply import Content, Context, Interaction, Response, change, pictured, respond
from bot.ui.moves.controls import controls
from bot.ui.moves.exercises import ExerciseTarget
from bot.ui.moves.play import Controls, PlayButton, TypeButton, action_rows
from db.values.puzzles import Progress
from render.board.players import YOU, Player
from render.lessons import lesson_page
from rules.core.game import Game
from rules.core.sizes import spell
from rules.games import find
from rules.lessons import Lesson, lesson_of


def rules_message(game: Game[Any, Any], *below: Part) -> ui.LayoutView:
    """Return the rules of a game with its origin, and `below` at the end. House rulings are marked."""
    text = game.sheet
    play = "\n".join(f"{number}. {rule}" for number, rule in enumerate(text.play, 1))
    house = "\n".join(f"{number}. {ruling}" for number, ruling in enumerate(text.house, 1))
    return card(
        f"## {with_emoji(game.key, text.title)}\n{origin_line(game)}",
        ui.Separator(),
        f"**Goal.** {text.goal}\n\n{play}\n\n**The end.** {text.end}",
        f"**Example.** {text.example}",
        f"**House rulings** (ours, not the author's)\n{house}" if house else "",
        f"**Seals.** {CHECK}" if game.sealed else "",
        f"-# {_boards(game)}{_first_player(game)}",
        *below,
    )


def origin_line(game: Game[Any, Any]) -> str:
    """Return the line that names the inventor of a game and the place where it was published."""
    return f"-# {game.sheet.author}, {game.sheet.year}; {game.sheet.place}"


def _first_player(game: Game[Any, Any]) -> str:
    """Return a line about the named sizes that favour the first player, or nothing."""
    proved = [spell(game, size) for size in game.sizes.values() if dict(size) in PROVED.get(game.key, ())]
    if proved:
        advantage = f"With best play the first player wins these sizes: {'; '.join(proved)}."
    elif game.key in FAVOURED:
        advantage = "Between strong players, the first player nearly always wins."
    else:
        return ""
    return f"\n-# {advantage} Two games with swapped seats, the option `games` of `/challenge`, are fair."


def _boards(game: Game[Any, Any]) -> str:
    fewest, most = game.seats
    players = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
    ranges = ", ".join(f"{option.key} {option.low}-{option.high} ({option.says})" for option in game.options)
    return f"{players} · sizes {', '.join(game.sizes)}, or {ranges}"


STEP_LABELS = {
    "open": "Learn it",
    "here": "Back to the board",
    "back": "Previous step",
    "skip": "Skip",
    "next": "Next",
    "again": "Go through it again",
    "hint": "Hint",
}
"""The labels of the button, by action."""


class LearnButton(IdButton, word="learn", label=STEP_LABELS):
    """Goes to a step of a lesson, counted from 0; `open` continues the lesson in a new message."""

    game: GameKey
    step: TwoDigits = 0
    action: str = "open"

    async def answer(self, context: Context) -> Response:
        if self.action == "open":
            return await show_step(context, self.game)
        lessons = context.services.lessons
        if self.action == "hint":
            standing = await lessons.hint(context.user, self.game, self.step)
        else:
            standing = await lessons.go(context.user, self.game, self.step)
        await change(context, await step_message(context, standing))
        return None


class LearnSelect(IdSelect, word="learn", placeholder="Learn…"):
    """Continues the lesson of the chosen game."""

    async def answer(self, context: Context) -> Content:
        return await show_step(context, self.item.values[0])


class LessonsButton(IdButton, word="lessons", label="Learn one"):
    """Lets the member choose one of all lessons."""

    async def answer(self, context: Context) -> Content:
        return await show_lessons(context, None)


async def show_lessons(context: Context, game: str | None) -> Content:
    """Continue the lesson of a game, or let the member choose a lesson."""
    if game is not None:
        return await show_step(context, game)
    progress = await context.services.lessons.progress(context.user)
    picture = await sheet_of_games([*progress], await context.theme())
    text = (
        "### Learn a game\nA lesson takes two minutes. Only you see it, and you can leave it and come back."
    )
    menu = LearnSelect(options=[_option(it) for it in progress.values()])
    return pictured(text, picture, ui.ActionRow(menu))


async def show_step(context: Context, game: str) -> Content:
    """Show the current step of a lesson. Raises Refused and BadSetup."""
    return await step_message(context, await context.services.lessons.go(context.user, game))


class StepTarget(ExerciseTarget[StepExercise], word="try"):
    """A step of a lesson, counted from 0."""

    def __init__(self, game: str, step: int) -> None:
        self.game, self.step = game, step
        self.prefix = f"try:{game}:{step}:"

    @classmethod
    def named(cls, *words: str) -> "StepTarget":
        game, step = words
        return cls(game, int(step))

    async def matches(self, context: Context) -> StepExercise:
        return await context.services.lessons.exercise(context.user, self.game, self.step)

    async def judged(self, context: Context, exercise: StepExercise) -> Content:
        return await step_message(context, await context.services.lessons.save(exercise))

    async def asked(self, context: Context, exercise: StepExercise, controls: Controls) -> Content:
        picture = await controls.picture(await context.theme())
        return _message(
            standing_of(exercise), picture, controls, _navigation(standing_of(exercise), board=True)
        )

    async def unchanged(self, context: Context, exercise: StepExercise, refusal: str) -> Content:
        return await step_message(context, replace(standing_of(exercise), said=refusal))


async def step_message(context: Context, standing: Standing) -> Content:
    """Return the message of a step with its position, and the controls for a move unless the step is done."""
    loaded, seat, theme = standing.loaded, standing.seat, await context.theme()
    target = StepTarget(standing.lesson.key, standing.number)
    prompt = loaded.match.observe(seat).prompt
    entering: Controls | None = None
    if prompt is not None and not standing.reached:
        entering = controls(prompt, target, loaded, seat)
    if rejected := await rejection_picture(standing.refusal, theme):
        picture = rejected
    elif entering is not None:
        picture = await entering.picture(theme)
    else:
        players = [*computer_seats(loaded), Player(seat, YOU)] if loaded.match.over else ()
        picture = await picture_of(loaded, loaded.match.observe(seat), theme, players=players)
    if entering is None or loaded.secret:
        return _message(standing, picture, entering, _navigation(standing))
    tempting: list[ui.Item[Any]] = [
        PlayButton(target, loaded.shown, text, text, ButtonStyle.danger) for text in standing.step.tempting
    ]
    if tempting:
        entering.rows.append(tempting)
    return _message(standing, picture, entering, _navigation(standing, TypeButton(target, loaded.shown)))


def _message(
    standing: Standing,
    picture: discord.File,
    controls: Controls | None,
    navigation: Sequence[ui.ActionRow[Any]],
) -> Content:
    """Return the message of a step: the picture, the task, the controls, and the `navigation` to other steps."""
    text = "" if controls is None else f"{controls.progress}{controls.text}".strip()
    rows = [] if controls is None else action_rows(controls.rows)
    told = "\n".join(filter(None, (task(standing), text)))
    return pictured(heading(standing), picture, told, *rows, *navigation)


def heading(standing: Standing) -> str:
    """Return the title of a step, its number, and the mark of the member's seat."""
    steps, step = standing.lesson.steps, standing.step
    title = find(standing.lesson.key).sheet.title
    where = f"step {standing.number + 1} of {len(steps)}"
    titled = with_emoji(standing.lesson.key, step.heading)
    return f"### {titled}\n-# {title} · {where} · you: {seat_token(standing.seat)}"


def task(standing: Standing) -> str:
    """Return the task of a step, and the sentence about the last move."""
    lines, step = [], standing.step
    if not standing.reached:
        lines.append(step.ask)
    if standing.replies:
        played = ", then ".join(f"`{text}`" for text in standing.replies)
        lines.append(f"> {persona_name(strongest(standing.loaded.match.game))} played {played}.")
    if standing.said:
        lines.append(f"> {'**Done.** ' if standing.reached else ''}{standing.said}")
    if standing.reached and standing.last:
        lines.append("**You have completed the lesson.** Now play a game against the beginner.")
    return "\n".join(lines)


def _navigation(
    standing: Standing, typed: TypeButton | None = None, *, board: bool = False
) -> list[ui.ActionRow[Any]]:
    """Return the last rows: buttons that help with the move, and buttons that lead to other steps.

    `typed` opens the form for a move, `board` adds the way back to the position of the step.
    """
    game, number = standing.lesson.key, standing.number
    back = LearnButton(game, max(number - 1, 0), "back", disabled=number == 0)
    explore = [] if standing.loaded.secret else [ExploreButton(f"step:{game}:{number}")]
    if standing.reached and standing.last:
        return [ui.ActionRow(BeginnerButton(game), LearnButton(game, 0, "again"), *explore)]
    if standing.reached:
        return [
            ui.ActionRow(LearnButton(game, number + 1, "next", style=ButtonStyle.primary), back, *explore)
        ]
    skip = BeginnerButton(game) if standing.last else LearnButton(game, number + 1, "skip")
    hint = LearnButton(game, number, "hint")
    if board:
        return [ui.ActionRow(LearnButton(game, number, "here"), hint), ui.ActionRow(back, skip)]
    if typed is not None:
        return [ui.ActionRow(typed, hint), ui.ActionRow(back, skip, *explore)]
    return [ui.ActionRow(hint, back, skip)]


def _option(progress: Progress) -> discord.SelectOption:
    option = game_option(find(progress.game))
    lesson = lesson_of(progress.game)
    count = len(lesson.steps) if lesson is not None else 0
    if progress.done:
        option.description = "You have completed this lesson."
    elif progress.step or progress.moves:
        option.description = f"You are at step {min(progress.step + 1, count)} of {count}."
    return option


def learn_button(game: str) -> list[LearnButton]:
    """Return the button that opens the lesson of a game; none for a game without one."""
    return [LearnButton(game)] if game in taught() else []


PAGE_LABELS = {"open": "How it is played", "back": "Back", "next": "Next", "words": "All rules in words"}
"""The labels of the button, by action."""


class LessonButton(IdButton, word="how", label=PAGE_LABELS):
    """Shows a page: with `open` in a new private message, otherwise in the same message."""

    game: GameKey
    page: TwoDigits = 0
    action: str = "open"

    async def answer(self, context: Context) -> Response:
        content = await show_lesson(context, self.game, self.page)
        if self.action == "open":
            return content
        await change(context, content)
        return None


class RulesSelect(PersistentItem[ui.Select[Any]], template="help:rules"):
    """Shows how the chosen game is played."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        options = [game_option(find(key)) for key in games]
        super().__init__(ui.Select(custom_id="help:rules", placeholder="Read the rules of…", options=options))

    async def answer(self, context: Context) -> Content:
        return await show_lesson(context, self.item.values[0])


async def show_lesson(context: Context, key: str, page: int = 0) -> Content:
    """Return a page about a game, counted from 0. All rules in words follow after the last picture.

    Raises BadSetup if there is no such game.
    """
    game = find(key)
    lesson = lesson_of(key)
    if lesson is None or page >= len(lesson.pages):
        return _in_words(game, lesson)
    theme = await context.theme()
    picture = await asyncio.to_thread(lesson_page, key, page, theme)
    file = discord.File(
        io.BytesIO(picture.png), filename=f"{key}-how-{page + 1}.png", description=picture.alt
    )
    return Content("", _page(game, lesson, page, gallery(file.filename, picture.alt)), file)


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


def _in_words(game: Game[Any, Any], lesson: Lesson | None) -> Content:
    if lesson is None:
        return Content("", rules_message(game))
    back = LessonButton(game.key, len(lesson.pages) - 1, "back")
    return Content("", rules_message(game, ui.ActionRow(back, *learn_button(game.key))))


@app_commands.command(description="Learn a game in two minutes, by doing.")
@app_commands.describe(game="the game to learn (default: you choose from a menu)")
@app_commands.choices(game=autocomplete.HOSTED_CHOICES)
async def learn(interaction: Interaction, game: str | None = None) -> None:
    await respond(interaction, show_lessons, game)
