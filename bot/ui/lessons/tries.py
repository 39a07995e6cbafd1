"""A control of a match that is used in a lesson: the move is judged by the step, and nothing is played anywhere."""

from dataclasses import replace
from typing import Any

from discord import ui

from bot.app.lessons.lessons import standing
from bot.app.lessons.step_match import StepMatch
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import Said
from bot.ui.lessons.steps import framed, prefix, step_message
from bot.ui.moves.solo import SoloButton


class TryButton(
    SoloButton[StepMatch],
    template=r"try:(?P<game>[a-z][a-z0-9]*):(?P<step>[0-9]{1,2}):(?P<inner>[a-z]+:.{1,90})",
):
    """The button of a match with the custom id `inner`, in a step of a lesson."""

    words = frozenset({"game", "inner"})
    broken = "This button no longer works; `/learn` shows the lesson."

    def __init__(self, game: str, step: int, inner: str) -> None:
        self.game, self.step, self.inner = game, step, inner
        super().__init__(ui.Button[Any](label="Try", custom_id=prefix(game, step) + inner))

    async def solo_match(self, acting: Acting) -> StepMatch:
        return await acting.services.lessons.step_match(acting.user, self.game, self.step)

    async def judged(self, acting: Acting, solo: StepMatch) -> Said:
        return await step_message(acting, await acting.services.lessons.settle(solo))

    async def asked(self, acting: Acting, solo: StepMatch, said: Said) -> Said:
        return framed(standing(solo), said, board=True)

    async def unchanged(self, acting: Acting, solo: StepMatch, refusal: str) -> Said:
        return await step_message(acting, replace(standing(solo), said=refusal))
