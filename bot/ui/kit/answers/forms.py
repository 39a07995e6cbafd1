"""Forms: the base class of most, how one is opened, and which are open."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from discord import ui

from bot.ui.kit.answers.acting import Acting, Interaction
from bot.ui.kit.answers.reply import Response, respond

Act = Callable[[Acting], Awaitable[Response]]

LONGEST_TITLE = 45
"""Characters that Discord allows for the title of a form."""
FORGOTTEN_AFTER = 3600.0
"""Seconds after which an opened form can no longer be sent: Discord does not tell that a member has closed it."""

_open: WeakValueDictionary[str, ui.Modal] = WeakValueDictionary()
"""By custom id: the forms that discord.py still holds, because they can be submitted."""


class Form(ui.Modal):
    """A form whose submission is answered like a press of a button. Each opened one has a custom id of its own."""

    def __init__(self, title: str) -> None:
        """A longer title than Discord allows is cut."""
        super().__init__(title=title[:LONGEST_TITLE], timeout=FORGOTTEN_AFTER)

    @abstractmethod
    async def answer(self, acting: Acting) -> Response:
        """Do what this is for, and return the answer for the member. Raises Refused or RuleError."""

    around: Callable[[Acting, Act], Awaitable[Response]] | None = None
    """Runs the answer where more than the form is to be answered; None runs it alone."""

    async def on_submit(self, interaction: Interaction) -> None:
        if self.around is None:
            await respond(interaction, self.answer)
        else:
            await respond(interaction, self.around, self.answer)


async def open_form(interaction: Interaction, form: ui.Modal) -> None:
    """Answer an interaction with a form."""
    _open[form.custom_id] = form
    # discord.py would register the form after Discord's reply, and not find it if it was submitted before that.
    interaction._state.store_view(form)
    try:
        await interaction.response.send_modal(form)
    except BaseException:
        form.stop()
        raise


def is_open(custom_id: str) -> bool:
    """True if a form with this custom id can still be submitted to this process."""
    return custom_id in _open
