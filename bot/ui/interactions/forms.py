"""Forms: the base class of most, how one is opened, and which are open."""

from abc import abstractmethod
from typing import Any
from weakref import WeakValueDictionary

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.ui.interactions.acting import Acting, Interaction, count_ended
from bot.ui.interactions.admission import turned_away
from bot.ui.interactions.reply import Response, answer_error, refuse, respond
from bot.ui.meter import Outcome
from bot.ui.posts.posting import DISCORD_ERRORS

log = structlog.get_logger()

LONGEST_TITLE = 45
"""Characters that Discord allows for the title of a form."""
FORGOTTEN_AFTER = 3600.0
"""Seconds after which an opened form can no longer be sent: Discord does not tell that a member has closed it."""

LONGEST_TEXT = 4000
"""The most characters that Discord takes in a line of a form."""
UNFIT = "What was filled in does not fit this form; open it again."

_open: WeakValueDictionary[str, ui.Modal] = WeakValueDictionary()
"""By custom id: the forms that discord.py still holds, because they can be submitted."""


class CheckedForm(ui.Modal):
    """A form of which only what it asked for is taken. Discord checks that too, and nothing may depend on it."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return True if all fields were filled in with what they take. If not, the member is told so."""
        if await turned_away(interaction):
            return False
        if all(map(_filled, self.walk_children())):
            return True
        await refuse(interaction, Refused(UNFIT))
        return False

    async def on_error(self, interaction: Interaction, error: Exception, /) -> None:  # type: ignore[override]  # a Modal has no item
        """Log an error before the answer began, and tell the member."""
        await answer_error(interaction, error)


def _filled(field: ui.Item[Any]) -> bool:
    match field:
        case ui.TextInput():
            return len(field.value) <= (field.max_length or LONGEST_TEXT) and bool(
                field.value or not field.required
            )
        case ui.Select():
            values = set(field.values)
            least = field.min_values if field.required else 0
            return least <= len(values) and values <= {option.value for option in field.options}
        case ui.RadioGroup():
            offered = {option.value for option in field.options}
            return field.value in offered or (field.value is None and not field.required)
    return True


class Form(CheckedForm):
    """A form whose submission is answered like a press of a button. Each opened one has a custom id of its own."""

    def __init__(self, title: str) -> None:
        """A longer title than Discord allows is cut."""
        super().__init__(title=title[:LONGEST_TITLE], timeout=None)

    @abstractmethod
    async def answer(self, acting: Acting) -> Response:
        """Do what this is for, and return the answer for the member. Raises Refused or RuleError."""

    async def on_submit(self, interaction: Interaction) -> None:
        await respond(interaction, self.answer)


async def open_form(interaction: Interaction, form: ui.Modal) -> None:
    """Answer an interaction with a form. If Discord does not take it, it has told the member so."""
    _open[form.custom_id] = form
    # discord.py would register the form after Discord's reply, and not find it if it was submitted before that.
    # `add_view` takes only a form without a timeout.
    interaction.client.add_view(form)
    form.timeout = FORGOTTEN_AFTER
    try:
        await interaction.response.send_modal(form)
    except DISCORD_ERRORS as error:
        form.stop()
        late = isinstance(error, discord.NotFound)
        count_ended(interaction, Outcome.LATE if late else Outcome.FAILED)
        log.warning("form not opened", error=type(error).__name__)
    except BaseException:
        form.stop()
        raise
    else:
        count_ended(interaction, Outcome.ANSWERED)


def is_open(custom_id: str) -> bool:
    """True if a form with this custom id can still be submitted to this process."""
    return custom_id in _open
