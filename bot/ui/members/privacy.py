"""The page of `/preferences` on which a member exports or deletes the data that Pencilbox keeps about them."""

import io

import discord
import structlog

from bot.app.replay import packed
from bot.ui.components.message_parts import items_below
from bot.ui.interactions.buttons import IdButton
from bot.ui.interactions.reply import Content, Context

log = structlog.get_logger()

ABOUT = (
    "### What Pencilbox keeps about you\n"
    "To host games: the Discord ids of players, servers, channels and messages; moves with their times; results,"
    " ratings, achievements and titles; the games that you follow; your votes in vote games;"
    " the day on which you last used me;"
    " and your choices in `/preferences`."
    " I keep no names, and nothing that you write in Discord.\n"
    "The data is kept until you delete it here, or until you have not used me for {months} months."
)


class PrivacyButton(IdButton, word="privacy:show", label="Your data…"):
    """Tells the member what is kept about them, with buttons to export and to delete it, and the operator's links."""

    async def answer(self, context: Context) -> Content:
        about = ABOUT.format(months=context.services.retention.months)
        text = "\n".join((about, *context.ui_services.links.line))
        return Content(text, items_below(ExportButton(), DeleteButton()))


class ExportButton(IdButton, word="privacy:export", label="Export my data"):
    """Exports everything that is kept about the member who presses it."""

    async def answer(self, context: Context) -> Content:
        exported = await context.services.privacy.export(context.user)
        file = discord.File(io.BytesIO(packed(exported)), filename="pencilbox-data.json")
        return Content(
            "Everything that Pencilbox keeps about you, table by table. It includes your own hidden moves.",
            file=file,
        )


class DeleteButton(
    IdButton, word="privacy:delete", label="Delete my data…", style=discord.ButtonStyle.danger
):
    """Asks for confirmation, and lists what will be deleted."""

    async def answer(self, context: Context) -> Content:
        matches, challenges = await context.services.privacy.still_in(context.user)
        return Content(question(matches, challenges), items_below(ReallyDeleteButton()))


class ReallyDeleteButton(
    IdButton, word="privacy:really-delete", label="Yes, delete it all", style=discord.ButtonStyle.danger
):
    """Deletes everything that is kept about the member who presses it."""

    async def answer(self, context: Context) -> None:
        await context.services.privacy.forget(context.user)
        context.ui_services.outbox.wake()
        await context.interaction.edit_original_response(content=DELETED, view=None)


DELETED = (
    "Everything that Pencilbox kept about you is deleted. The boards and challenges that name you are being edited,"
    " which may take a while. Other messages in Discord, such as announced results, may still name you: ask a moderator"
    " to delete them. If you play again, you start from the beginning."
)


def question(matches: int, challenges: int) -> str:
    """Return the question before the data of a member in so many running matches and open challenges is deleted."""
    left = []
    if matches:
        left.append(f"{matches} running game{'s' if matches > 1 else ''}")
    if challenges:
        left.append(f"{challenges} open challenge{'s' if challenges > 1 else ''}")
    leave = (
        f"- You leave {' and '.join(left)}: the games are resigned, the challenges withdrawn.\n"
        if left
        else ""
    )
    return (
        f"**Delete everything that Pencilbox keeps about you?** This cannot be undone.\n{leave}"
        "- Your preferences are deleted. So are all blocks: those that you set and those that others set against you.\n"
        "- Finished games stay for the other players, with **a former member** in your place.\n"
        "- Your results are removed from the leaderboards."
    )
