"""The first message in a server that has added the bot."""

import discord
import structlog
from discord import ui

from bot.ui.components.layout import card
from bot.ui.computers.play import PlayMeButton
from bot.ui.members.command_list import CommandsButton
from bot.ui.posts.posting import DISCORD_ERRORS, Posting
from db.values.places import Place
from render.games import HOSTED_GAMES

log = structlog.get_logger()


def welcome() -> ui.LayoutView:
    """Return the message that says what members can do."""
    return card(
        f"### Pencilbox is here\nI host {len(HOSTED_GAMES)} abstract games. Press **Play me** for a game against the"
        " computer, or type `/challenge` and choose a member. `/help` says what you can do next.",
        ui.ActionRow(PlayMeButton(), CommandsButton()),
    )


async def post_welcome(posting: Posting, guild: discord.Guild) -> None:
    """Post the first message in a server's system channel, if it has one where the bot may post."""
    channel = guild.system_channel
    if channel is None:
        return
    try:
        target = posting.at(Place(guild.id, channel.id))
        await target.send(view=welcome(), once=f"welcome {guild.id}")
    except DISCORD_ERRORS as error:
        log.info("no first message", guild=guild.id, error=type(error).__name__)
