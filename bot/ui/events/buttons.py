"""The buttons of a cup: joining and leaving, and what its organiser and moderators may do."""

from typing import Any

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.events.events import Events
from bot.app.events.server_matches import Side
from bot.ui.components.message_parts import Part, message
from bot.ui.interactions.buttons import ConfirmForm, Form, FormButton, IdButton, PersistentItem
from bot.ui.interactions.checks import moderates
from bot.ui.interactions.reply import Content, Context, edit
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.events import Correction, Event, EventState
from db.values.posts import PostKind

log = structlog.get_logger()

GREEN, RED = discord.ButtonStyle.success, discord.ButtonStyle.danger


async def show(context: Context, event: int) -> None:
    """Publish the message of a cup, and let the outbox publish the boards of games that have begun or ended.

    The message of the guests of a match is published if they have pressed.
    """
    outbox = context.ui_services.outbox
    try:
        for key in ("", str(context.place.guild)):
            await outbox.publish(PostKind.EVENT, event, key)
    except DISCORD_ERRORS as error:
        log.warning("post.not_published", cup=event, error=type(error).__name__)
    outbox.wake()


def service_for(context: Context, event: Event) -> Events | Side:
    """Return what members may do with an event; in a match, for the server in which they press."""
    if event.versus is None:
        return context.services.events
    return context.services.server_matches.side(context.place.guild)


class CupButton(IdButton):
    """A button about one cup. Its custom id holds a word and the number of the cup."""

    event: int


class JoinCupButton(CupButton, word="cup-join", label="Join", style=GREEN):
    """Joins a cup."""

    async def answer(self, context: Context) -> str:
        found = await context.services.events.load(self.event)
        event = await service_for(context, found).join(self.event, context.user)
        await show(context, event.id)
        if event.state is EventState.OPEN:
            return f"You take part in this {event.noun}. When it starts, you are told as you chose in `/preferences`."
        return f"You take part in this {event.noun}, and it has started: `/games` lists your games."


class LeaveCupButton(CupButton, word="cup-leave", label="Leave"):
    """Leaves a cup that has not started."""

    async def answer(self, context: Context) -> str:
        found = await context.services.events.load(self.event)
        if found.state is not EventState.OPEN:
            raise Refused(
                f"This {found.noun} has started; **Leave** on its newest message takes you out of it."
            )
        await context.services.events.leave(self.event, context.user)
        await show(context, self.event)
        return f"You do not take part in this {found.noun} any more."


class CupFormButton(FormButton):
    """A button about one cup that opens a form."""

    event: int


class QuitCupButton(CupFormButton, word="cup-quit", label="Leave"):
    """Asks a player to confirm that they leave a running cup."""

    async def form(self, context: Context) -> Form:
        found = await context.services.events.load(self.event)
        if found.entrant(context.user) is None:
            raise Refused(f"You do not take part in this {found.noun}.")
        annulled = (
            " If fewer than half of your games are over, they end without a result instead, and none of your games"
            " counts in the table."
        )
        more = annulled if found.versus is None else ""
        text = f"You lose your games in it that are still running.{more} You cannot join again."
        return ConfirmForm("Leave", text, self._leave)

    async def _leave(self, context: Context) -> str:
        await context.services.events.leave(self.event, context.user)
        await show(context, self.event)
        return "You have left."


async def managed(context: Context, number: int) -> Event:
    """Return an event that the member may change. Raises Refused."""
    event = await context.services.events.load(number)
    service_for(context, event).check_manager(event, context.user, moderator=moderates(context))
    return event


class ManageCupButton(CupButton, word="cup-manage", label="Manage…"):
    """Shows the organiser or a moderator privately what they can do."""

    async def answer(self, context: Context) -> Content:
        return Content("", management(await managed(context, self.event)), name=f"cup {self.event}")


def management(event: Event) -> ui.LayoutView:
    """Return the message with which an organiser or a moderator changes a cup."""
    number, ends = event.id, f"End the {event.noun}…"
    if event.state not in (EventState.OPEN, EventState.RUNNING):
        return message(f"This {event.noun} is over.")
    if event.versus is not None:
        about = (
            "You act for your server: you remove its players, and correct results in favour of the other server."
            " Everything that you do here is announced in the message of the match."
        )
        early = (
            EndCupButton(number, label=ends) if event.state is EventState.OPEN else CorrectCupButton(number)
        )
        return message(about, ui.ActionRow(early), ui.ActionRow(RemoveCupSelect(number)))
    parts: list[Part] = [f"Everything that you do here is announced in the message of the {event.noun}."]
    if event.state is EventState.OPEN:
        start = [StartCupButton(number)] if event.season is None else []
        parts.append(ui.ActionRow(*start, EndCupButton(number, label=ends)))
    else:
        late = [] if event.late or len(event.stages) > 1 else [LateCupButton(number)]
        parts.append(ui.ActionRow(CorrectCupButton(number), *late, EndCupButton(number, label=ends)))
    parts.append(ui.ActionRow(RemoveCupSelect(number)))
    return message(*parts)


class StartCupButton(CupButton, word="cup-start", label="Start now", style=GREEN):
    """Starts a cup early."""

    async def answer(self, context: Context) -> None:
        await context.ui_services.permission_alerts.check(context.interaction, context.place)
        after = await context.services.events.start(self.event, context.user, moderator=moderates(context))
        await show(context, self.event)
        await edit(context, view=management(after))


class LateCupButton(CupButton, word="cup-late", label="Let late players in"):
    """Lets members join a running cup."""

    async def answer(self, context: Context) -> None:
        after = await context.services.events.let_late_in(
            self.event, context.user, moderator=moderates(context)
        )
        await show(context, self.event)
        await edit(context, view=management(after))


class RemoveCupSelect(PersistentItem[ui.UserSelect[Any]], template=r"cup-remove:(?P<event>[0-9]+)"):
    """Removes a player from a cup."""

    def __init__(self, event: int) -> None:
        self.event = event
        super().__init__(ui.UserSelect(custom_id=f"cup-remove:{event}", placeholder="Remove a player"))

    async def answer(self, context: Context) -> None:
        found, whom = await context.services.events.load(self.event), self.item.values[0].id
        service = service_for(context, found)
        after = await service.remove(self.event, context.user, whom, moderator=moderates(context))
        await show(context, self.event)
        await edit(context, view=management(after))


class CorrectCupButton(CupFormButton, word="cup-correct", label="Correct a result…"):
    """Asks for the game whose result is to be corrected, and for the result."""

    async def form(self, context: Context) -> Form:
        return CorrectCupForm((await managed(context, self.event)).id)


AS_PLAYED = "played"
_RESULTS = {
    Correction.FIRST.value: "The player who moved first won",
    Correction.DRAWN.value: "A draw",
    Correction.SECOND.value: "The player who moved second won",
    Correction.NONE.value: "The game does not count",
    AS_PLAYED: "As it was played",
}


class CorrectCupForm(Form):
    """Corrects the result of a game in the table of a cup."""

    def __init__(self, event: int) -> None:
        super().__init__("Correct a result")
        self.event = event
        number = ui.TextInput[Any](max_length=12, custom_id="number", placeholder="17")
        about = "The number of the game, which stands on its board. Ratings do not change."
        self.number = self.ask("Game", number, about)
        options = [discord.RadioGroupOption(label=label, value=value) for value, label in _RESULTS.items()]
        result = ui.RadioGroup[Any](custom_id="result", options=options)
        self.result = self.ask("Result in the table", result)

    async def answer(self, context: Context) -> str:
        number = self.number.value.strip().lstrip("#")
        if not number.isdecimal():
            raise Refused("Write the number of a game, like `17`; it stands on its board.")
        value = self.result.value or AS_PLAYED
        result = None if value == AS_PLAYED else Correction(value)
        found, moderator = await context.services.events.load(self.event), moderates(context)
        service = service_for(context, found)
        await service.correct(self.event, context.user, int(number), result, moderator=moderator)
        await show(context, self.event)
        return f"The table now shows the corrected result of #{number}."


class EndCupButton(CupFormButton, word="cup-end", label="End the cup…", style=RED):
    """Asks for a confirmation before a cup ends."""

    async def form(self, context: Context) -> Form:
        await managed(context, self.event)
        text = "It ends for good. Games that still run end without a result; the table stays."
        return ConfirmForm("End it", text, self._end)

    async def _end(self, context: Context) -> str:
        found = await context.services.events.load(self.event)
        service = service_for(context, found)
        await service.end(self.event, context.user, moderator=moderates(context))
        await show(context, self.event)
        return "You have ended it."
