"""A control of a match that is used in a lesson: the move is judged by the step, and nothing is played anywhere."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.lessons.lessons import standing
from bot.app.lessons.sitting import Sitting
from bot.app.matches.matches import IllegalMove
from bot.ui.kit.answers.acting import Acting, Interaction, acting_of
from bot.ui.kit.answers.buttons import FormButton, PersistentItem
from bot.ui.kit.answers.reply import Response, Said, change, refuse
from bot.ui.lessons.controls import control, prefix
from bot.ui.lessons.steps import framed, step_message
from db.api.proposals import Proposal
from rules.core.errors import RuleError

BROKEN = "This button no longer works; `/learn` shows the lesson."


class TryButton(
    PersistentItem[ui.Button[Any]],
    template=r"try:(?P<game>[a-z][a-z0-9]*):(?P<step>[0-9]{1,2}):(?P<inner>[a-z]+:.{1,90})",
):
    """The button of a match with the custom id `inner`, in a step of a lesson."""

    words = frozenset({"game", "inner"})

    def __init__(self, game: str, step: int, inner: str) -> None:
        self.game, self.step, self.inner = game, step, inner
        super().__init__(ui.Button(label="Try", custom_id=prefix(game, step) + inner))

    async def answer(self, acting: Acting) -> Response:
        found = control(self.inner)
        if found is None:
            raise Refused(BROKEN)
        await self.run(acting, found.answer)
        return None

    async def callback(self, interaction: Interaction) -> None:
        found = control(self.inner)
        if not isinstance(found, FormButton):
            await super().callback(interaction)
            return
        acting = acting_of(interaction)
        try:
            sitting = await acting.services.lessons.sit(acting.user, self.game, self.step)
            form = await found.form(_within(acting, sitting, []))
        except (Refused, RuleError) as refusal:
            await refuse(interaction, refusal)
            return
        form.around = self.run
        await interaction.response.send_modal(form)

    async def run(self, acting: Acting, act: Callable[[Acting], Awaitable[Response]]) -> None:
        """Run what a control does with the position of the step as the only match, and show the step as it is then."""
        lessons = acting.services.lessons
        sitting = await lessons.sit(acting.user, self.game, self.step)
        shown: list[Said] = []
        said = ""
        try:
            response = await act(_within(acting, sitting, shown))
            shown += [response] if isinstance(response, Said) else []
        except IllegalMove:
            pass  # Among the attempts, with what is said about it.
        except (Refused, RuleError) as refusal:
            said = str(refusal)
        if sitting.attempts:
            answer = await step_message(acting, await lessons.settle(sitting))
        elif shown:
            answer = framed(standing(sitting), shown[-1], board=True)
        else:
            answer = await step_message(acting, replace(standing(sitting), said=said))
        await change(acting, answer)


def _within(acting: Acting, sitting: Sitting, shown: list[Said]) -> Acting:
    """Return the interaction as it looks to a control: its match is the step, and what it changes is collected."""

    async def collect(said: Said) -> None:
        shown.append(said)

    services = replace(acting.services, matches=sitting)
    return replace(acting, services=services, display=_NoDisplay(), changes=collect)


class _NoDisplay:
    """Shows nothing: the step is shown when the move was judged."""

    async def show(self, match: int, *, again: bool = False) -> None: ...

    async def refresh(self, match: int) -> None: ...

    async def announce(self, proposal: Proposal) -> None: ...

    async def deliver(self, interaction: discord.Interaction[Any]) -> None: ...
