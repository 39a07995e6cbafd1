"""Reports about a game to the moderators of its server, and feedback to the operator."""

import io
from collections.abc import Sequence
from typing import Any

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import mention
from bot.app.replay import exported
from bot.ui.components.wording import linked_name
from bot.ui.interactions.buttons import Form, FormButton
from bot.ui.interactions.reply import NOBODY, Context
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.replay import record_files
from db.values.places import DiscordId

log = structlog.get_logger()

LONGEST_REPORT = 1000
"""The most characters of a report and of feedback."""
LONGEST_MESSAGE = 2000
"""The most characters of a message, which Discord counts."""
TEXT_FILE = "text.txt"
"""The name of the file with a report or feedback that is too long to be quoted."""


def can_be_reported(context: Context, loaded: LoadedMatch) -> bool:
    """Return True if a match is one of this server, whose moderators chose a channel for reports."""
    stored = loaded.stored
    here = stored.place.guild is not None and stored.place.guild == context.place.guild
    return here and not stored.private and loaded.server.reports is not None


class ReportButton(FormButton, word="report", label="Report…"):
    """Opens the form by which a member reports a game to the moderators."""

    match: int

    async def form(self, context: Context) -> "ReportForm":
        context.services.reports.check(context.user)
        loaded = await context.services.matches.near(self.match, context.place)
        if not can_be_reported(context, loaded):
            raise Refused(
                "Games cannot be reported here, since this server has no channel for reports; tell a moderator."
            )
        return ReportForm(loaded)


class ReportForm(Form):
    """Asks a member what the moderators should know about a game."""

    def __init__(self, loaded: LoadedMatch) -> None:
        super().__init__(f"Report {loaded.name}")
        self.match = loaded.id
        about = "The moderators of this server read it, with your name and the moves of the game."
        self.text = self.ask("What happened?", _text(), about)

    async def answer(self, context: Context) -> str:
        context.services.reports.check(context.user)
        loaded = await context.services.matches.near(self.match, context.place)
        settings = await context.services.preferences.guild(context.place.guild)
        if settings.reports is None:
            raise Refused("This server has no channel for reports any more; tell a moderator.")
        players = ", ".join(mention(user) for user in loaded.stored.users)
        text = f"**Report** of {mention(context.user)} about {linked_name(loaded)} ({players})"
        try:
            exported(loaded)
        except Refused:
            # Moderators may be players themselves: hidden moves stay hidden from them, too.
            files = []
            text += "\n-# The moves of the game can be saved as a file when it is over."
        else:
            files = record_files(loaded, context.user)
        refusal = "I cannot write in the channel for reports at the moment; tell a moderator."
        await _send(context, settings.guild, settings.reports, text, self.text.value, refusal, files)
        return (
            f"The moderators of this server can read your report of {loaded.name} now. If you do not want to play with "
            "somebody any more, block them in `/preferences`."
        )


class FeedbackButton(FormButton, word="feedback", label="Send feedback"):
    """Opens the form by which a member writes to the operator."""

    async def form(self, context: Context) -> "FeedbackForm":
        context.services.reports.check(context.user)
        if context.ui_services.links.feedback is None:
            raise Refused(f"I cannot send feedback to the operator. {context.ui_services.links.contact}")
        return FeedbackForm()


class FeedbackForm(Form):
    """Asks a member what the operator should know."""

    def __init__(self) -> None:
        super().__init__("Send feedback")
        about = "The operator, who runs me, reads it with your name. I keep no copy."
        self.text = self.ask("What would you like to say?", _text(), about)

    async def answer(self, context: Context) -> str:
        context.services.reports.check(context.user)
        channel = context.ui_services.links.feedback
        assert channel is not None
        name = discord.utils.escape_markdown(context.interaction.user.name)
        text = f"**Feedback** of {mention(context.user)} ({name})"
        refusal = f"I cannot reach the operator at the moment. {context.ui_services.links.contact}"
        await _send(context, None, channel, text, self.text.value, refusal)
        return "Thank you. The operator can read it now."


def _text() -> ui.TextInput[Any]:
    return ui.TextInput(custom_id="text", style=discord.TextStyle.paragraph, max_length=LONGEST_REPORT)


def _quoted(text: str) -> str:
    """Return what a member wrote as a quotation, in which nothing is a mention or a heading."""
    lines = discord.utils.escape_markdown(text).splitlines()
    return "\n".join(f"> {line}" for line in lines)


async def _send(
    context: Context,
    guild: DiscordId | None,
    channel: DiscordId,
    heading: str,
    written: str,
    refusal: str,
    files: Sequence[discord.File] = (),
) -> None:
    """Post what a member has written, without pings, and count it. Raises Refused with `refusal` if that fails.

    A text that is too long for a message, with its quotation marks, becomes a file.
    """
    text, attached = f"{heading}\n{_quoted(written)}", [*files]
    if len(text) > LONGEST_MESSAGE:
        text = f"{heading}\n-# The text is in the file {TEXT_FILE}."
        attached.append(discord.File(io.BytesIO(written.encode()), filename=TEXT_FILE))
    target = context.ui_services.clients.channel(guild, channel)
    try:
        await target.send(text, files=attached, allowed_mentions=NOBODY)
    except DISCORD_ERRORS as error:
        log.warning("report.not_posted", channel=channel, error=type(error).__name__)
        raise Refused(refusal) from error
    context.services.reports.count(context.user)
