"""Every lesson is gone through by its buttons, without Discord: the real services, store, search and pictures."""

from dataclasses import dataclass
from typing import cast

import discord
import pytest

from bot.app.errors import Refused
from bot.app.lessons import Lessons, taught
from bot.app.matches.exercise import entered
from bot.app.mentions import capital
from bot.app.searches import NoChoice, Purpose
from bot.ui.interactions.reply import Content
from bot.ui.lessons import STEP_LABELS, LearnButton, StepTarget
from bot.ui.moves.play import PlayButton
from db.values.puzzles import Progress
from rules.core.game import Seat
from rules.core.match import Match
from rules.lessons import Lesson, Step, lesson_of
from rules.players.levels import Budget
from rules.players.player import Choice
from tests.app.conftest import ADA, Host, NoLot
from tests.ui.exercises import LoneMember

pytestmark = pytest.mark.slow


@dataclass
class Learner(LoneMember):
    """A member alone with the message of a lesson."""

    game: str = ""

    async def way(self, step: int, way: str) -> None:
        await self.press(f"learn:{self.game}:{step}:{way}")


def wrong_move(step: Step) -> str | None:
    return next(iter(step.wrong), None)


ALIKE = {"alaric", "spaghetti", "cocomposite", "polygons", "xlines", "maze"}
"""Games whose lessons need no other buttons than those of the other games."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.soak] if game in ALIKE else []) for game in taught()]
)
async def test_a_lesson_is_gone_through_by_its_buttons(host: Host, game: str) -> None:
    lesson = lesson_of(game)
    assert lesson is not None
    learner = Learner(host, game=game)
    learner.seen.append(cast(Content, await LearnButton(game).answer(learner.context)))
    for number, step in enumerate(lesson.steps):
        learner.check()
        assert f"step {number + 1} of {len(lesson.steps)}" in learner.text
        assert step.ask in learner.text
        match = step.scene.match(game)
        seat = step.seat(match)
        wrong = wrong_move(step)
        if wrong is not None and number in (1, len(lesson.steps) - 1):
            await learner.enter(match, StepTarget(game, number), seat, wrong)
            assert step.wrong[wrong] in learner.text, "one sentence"
            assert step.ask in learner.text, "and the same step again"
            assert await host.store.lessons.progress(ADA, game) == Progress(ADA, game, number)
        if number == 0:
            await learner.way(number, "hint")
            said = entered(match.observe(seat).prompt, step.hint)
            assert said.startswith("lay " if game == "palindromes" else "play ")
            assert f"{capital(said)}." in learner.text
        await learner.enter(match, StepTarget(game, number), seat, step.hint)
        while step.done not in learner.text:
            exercise = await host.services.lessons.exercise(ADA, game, number)
            assert exercise.moves, "the moves are stored, so that a restart loses none"
            await learner.way(number, "hint")
            typed = learner.text.split("Play **")[-1].split("**")[0]
            move = "done" if "Press **Done**" in learner.text else typed
            await learner.enter(exercise.match, StepTarget(game, number), seat, move)
        if number + 1 < len(lesson.steps):
            await learner.way(number + 1, "next")
    assert "completed the lesson" in learner.text
    assert f"beginner:{game}" in learner.buttons
    assert (await host.store.lessons.progress(ADA, game)).done
    assert await host.services.lessons.done(ADA) == 1


async def test_a_lesson_is_resumed_and_steps_can_be_skipped_and_gone_back_to(host: Host) -> None:
    learner = Learner(host, game="skull")
    learner.seen.append(cast(Content, await LearnButton("skull").answer(learner.context)))
    assert "learn:skull:0:back" not in learner.buttons
    await learner.way(1, "skip")
    await learner.way(2, "skip")
    await learner.way(1, "back")
    again = Learner(host, game="skull")
    again.seen.append(cast(Content, await LearnButton("skull").answer(again.context)))
    assert "step 2 of 6" in again.text
    # A refusal that this step does not ask for is told, with its picture, and the step goes on.
    await again.press("try:skull:1:play:0:3:d2")
    assert "**Done.** d2 touches 2 skulls" in again.text
    picture = again.seen[-1].file
    assert picture is not None
    assert picture.filename == "skull-0-3-refused.png"


async def test_a_button_of_a_position_that_is_gone_shows_the_step_as_it_is(host: Host) -> None:
    learner = Learner(host, game="skull")
    await LearnButton("skull", 5, "skip").answer(learner.context)
    stale = PlayButton(StepTarget("skull", 5), 7, "a4")
    await stale.answer(learner.context)
    assert "has moved on" in learner.text
    assert "step 6 of 6" in learner.text


def test_every_label_has_a_way() -> None:
    for way in STEP_LABELS:
        assert isinstance(LearnButton("skull", 1, way).item, discord.ui.Button)


class NoAnswer:
    """A search that finds no move, as on a machine that is too busy."""

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        raise NoChoice("nothing was found")


def goes_on(step: Step, start: Match) -> bool:
    """True if the game is not over with the move that the hint names."""
    return not start.play(step.seat(start), step.hint).over


async def test_a_step_stays_as_it_was_where_the_computer_player_finds_no_move(host: Host) -> None:
    lessons = Lessons(host.store, host.clock, NoLot(), NoAnswer())
    game, number, step = next(
        (game, number, step)
        for game in taught()
        for number, step in enumerate(cast(Lesson, lesson_of(game)).steps)
        if step.against and goes_on(step, step.scene.match(game))
    )
    exercise = await lessons.exercise(ADA, game, number)
    await exercise.play(0, ADA, step.hint)
    with pytest.raises(Refused, match="has found no move; please try again"):
        await lessons.save(exercise)
    assert await host.store.lessons.progress(ADA, game) == Progress(ADA, game)
