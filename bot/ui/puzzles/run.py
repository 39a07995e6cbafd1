"""The message of a puzzle run: one puzzle after the other, until the time is over or too many mistakes were made."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog
from discord import ButtonStyle, ui
from discord.utils import format_dt

from bot.app.matches.matches import Matches
from bot.app.mentions import mention
from bot.app.puzzles.puzzles import MOST_MISTAKES, PuzzleExercise, RunStanding
from bot.app.tasks.background import own_context
from bot.ui.components.message_parts import card, rejection_picture
from bot.ui.interactions.buttons import IdButton
from bot.ui.interactions.reply import Content, Context, change, pictured
from bot.ui.moves.controls import controls
from bot.ui.moves.exercises import ExerciseTarget
from bot.ui.moves.play import Controls, action_rows, type_buttons
from bot.ui.puzzles.wording import about, card_progress, task
from db.values.places import DiscordId
from db.values.puzzles import PuzzleRun
from render.board.phrases import counted

log = structlog.get_logger()

RULES = (
    "### Puzzle run\nSolve as many puzzles as you can in **three minutes**. The easy ones come first, and each asks "
    "you to win. The **third mistake** ends the run. A move that the rules forbid costs only time. The best runs of "
    "the week in this server are on `/leaderboard`; your puzzle rating does not change."
)
LABELS = {"rules": "Puzzle run", "start": "Start", "again": "Another run"}
"""The labels of the button, by action."""


class RunButton(IdButton, word="run", label=LABELS):
    """Explains puzzle runs in a new private message, or begins a run in the same message."""

    action: str = "rules"

    async def answer(self, context: Context) -> Content | None:
        if self.action == "rules":
            return Content("", card(RULES, ui.ActionRow(RunButton("start", style=ButtonStyle.success))))
        standing = await context.services.puzzle_runs.begin(context.user, context.place)
        await change(context, await run_message(context, standing))
        seconds = (standing.ends - context.services.clock.now()).total_seconds()
        ending = asyncio.create_task(_end_after(seconds, context, standing.run.id), context=own_context())
        _ending.add(ending)
        ending.add_done_callback(_ending.discard)
        return None


_ending: set[asyncio.Task[None]] = set()
"""The tasks that show the ends of runs in their messages. After a restart the next press does so."""

_LATER = 0.5
"""Seconds after the end of a run at which it is shown: the wall clock may be slower than the clock of the task."""


async def _end_after(seconds: float, context: Context, run: int) -> None:
    """Show the end of a run when its time is over."""
    try:
        await asyncio.sleep(seconds + _LATER)
        await show_end(context, run)
    except Exception as error:  # The next press shows it.
        log.info("puzzle_run.end_not_shown", error=type(error).__name__)


async def show_end(context: Context, number: int) -> None:
    """Show the result of a run in the message of an interaction if its time is over, unless a later run is there."""
    runs = context.services.puzzle_runs
    run = await runs.find(number, context.user)
    if runs.over(run):
        await change(context, await run_message(context, await runs.standing(run)))


class RunTarget(ExerciseTarget[PuzzleExercise], word="run"):
    """The puzzle of a run. `number` counts the puzzles of the run that had ended before it."""

    def __init__(self, run: int, number: int) -> None:
        self.run, self.number = run, number
        self.prefix = f"run:{run}:{number}:"

    @classmethod
    def named(cls, *words: str) -> "RunTarget":
        run, number = words
        return cls(int(run), int(number))

    async def matches(self, context: Context) -> PuzzleExercise:
        return await context.services.puzzle_runs.exercise(await self._found(context))

    async def enter(
        self, context: Context, entering: Callable[[Context, Matches], Awaitable[Controls | None]]
    ) -> None:
        """Run a control. Where the run is over or has another puzzle by now, only show it as it is."""
        runs, run = context.services.puzzle_runs, await self._found(context)
        if runs.over(run) or run.solved + run.mistakes != self.number:
            await change(context, await run_message(context, await runs.standing(run)))
        else:
            await super().enter(context, entering)

    async def judged(self, context: Context, exercise: PuzzleExercise) -> Content:
        run = await self._found(context)
        return await run_message(context, await context.services.puzzle_runs.save(run, exercise))

    async def asked(self, context: Context, exercise: PuzzleExercise, controls: Controls) -> Content:
        standing = await context.services.puzzle_runs.standing(await self._found(context))
        picture = await controls.picture(await context.theme())
        navigation = [RunHereButton(self.run), *type_buttons(self, exercise.loaded_now)]
        return _message(standing, exercise, controls.text.strip(), picture, controls, navigation)

    async def unchanged(self, context: Context, exercise: PuzzleExercise, refusal: str) -> Content:
        standing = await context.services.puzzle_runs.standing(await self._found(context))
        return await run_message(context, standing, refusal)

    async def _found(self, context: Context) -> PuzzleRun:
        return await context.services.puzzle_runs.find(self.run, context.user)


class RunHereButton(IdButton, word="run-here", label="Back to the board"):
    """Shows the puzzle of a run again, or the result of the run."""

    run: int

    async def answer(self, context: Context) -> None:
        runs = context.services.puzzle_runs
        await change(
            context, await run_message(context, await runs.standing(await runs.find(self.run, context.user)))
        )


async def run_message(context: Context, standing: RunStanding, note: str = "") -> Content:
    """Return the message of a run: its puzzle with the controls for a move, or its result.

    `note` is a sentence below the task.
    """
    exercise = standing.exercise
    if exercise is None:
        over = card(result(standing), ui.ActionRow(RunButton("again")))
        return Content("", over, version=_version(standing))
    run, loaded, theme = standing.run, exercise.loaded_now, await context.theme()
    target = RunTarget(run.id, run.solved + run.mistakes)
    prompt = loaded.match.observe(exercise.seat).prompt
    assert prompt is not None
    entering = controls(prompt, target, loaded, exercise.seat)
    picture = await rejection_picture(standing.refusal, theme) or await entering.picture(theme)
    return _message(standing, exercise, note, picture, entering, type_buttons(target, loaded))


def _message(
    standing: RunStanding,
    exercise: PuzzleExercise,
    note: str,
    picture: discord.File,
    controls: Controls,
    navigation: Sequence[ui.Item[Any]],
) -> Content:
    rows = action_rows([*controls.rows, [*navigation]])
    told = "\n".join(filter(None, (_last(standing), task(exercise.puzzle), _so_far(exercise), note)))
    content = pictured(f"{score_line(standing)}\n-# {about(exercise.puzzle)}", picture, told, *rows)
    return replace(content, version=_version(standing))


def _version(standing: RunStanding) -> tuple[int, ...]:
    """Return the version of the message of a run: an end comes after its puzzles, and a later run after the end."""
    run = standing.run
    return run.id, standing.exercise is None, run.solved + run.mistakes, len(run.moves)


def score_line(standing: RunStanding) -> str:
    """Return the heading of a run that goes on: the puzzles that were solved, the mistakes, and when it ends."""
    run = standing.run
    ends = format_dt(standing.ends, "R")
    return f"### Puzzle run · {run.solved} solved\nEnds {ends} · {run.mistakes} of {MOST_MISTAKES} mistakes"


def _last(standing: RunStanding) -> str:
    """Return a sentence about the last move; "" before the first one."""
    if standing.refusal is not None:
        return f"> {standing.refusal}"
    before, run = standing.before, standing.run
    if before is None:
        return ""
    if run.solved > before.solved:
        return "> ✓ **Solved.** Here is the next one."
    if run.mistakes > before.mistakes:
        return "> ✗ **That was a mistake.** Here is another one."
    if standing.exercise is not None and standing.exercise.puzzle.cards:
        return ""  # the words named so far are listed
    return "> ✓ That is the only move."


def _so_far(exercise: PuzzleExercise) -> str:
    """Return how many moves are left in a puzzle with several; "" before the first one was found."""
    if exercise.puzzle.cards:
        return "\n".join(card_progress(exercise.puzzle, exercise.moves))
    left = exercise.puzzle.only_moves - len(exercise.moves)
    return f"{counted(left, 'move')} to go." if exercise.moves else ""


def result(standing: RunStanding) -> str:
    """Return the result of a run that is over, and the best runs of the week."""
    run = standing.run
    why = (
        "The third mistake ended the run." if run.mistakes >= MOST_MISTAKES else "The three minutes are over."
    )
    lines = [
        f"### Puzzle run · {run.solved} solved",
        f"{why} You solved {counted(run.solved, 'puzzle')} and made {counted(run.mistakes, 'mistake')}.",
        f"Your best run this week: **{standing.best}**.",
    ]
    return "\n".join([*lines, *filter(None, [best_line(standing.server)])])


def best_line(best: Sequence[tuple[DiscordId, int]]) -> str:
    """Return the best puzzle runs of the week in a server as a small line; "" if there are none."""
    if not best:
        return ""
    ranked = ", ".join(f"{mention(user)} {solved}" for user, solved in best)
    return f"-# Best puzzle runs here this week: {ranked}"
