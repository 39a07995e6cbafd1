"""**Show to the channel**: a button under a private answer that posts the answer in the channel."""

from abc import abstractmethod
from collections.abc import Collection
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.ui.interactions.buttons import IdButton
from bot.ui.interactions.checks import check_members
from bot.ui.interactions.reply import Content, Context, Response, name_opponents
from bot.ui.posts.permissions import check_thread
from db.values.places import DiscordId

LABEL = "Show to the channel"


async def show_rows(context: Context, button: "ShowButton") -> list[ui.ActionRow[Any]]:
    """Return the row with this button; an empty list if the server does not want it.

    There is no button in the bot's direct messages with a member, where nobody else would see the message.
    """
    if context.interaction.context.dm_channel or not await context.services.showing.offered(context.place):
        return []
    return [ui.ActionRow(button)]


class ShowButton(IdButton):
    """Posts a private answer for everybody. The message is created again from stored data, without controls."""

    def __init_subclass__(cls, *, word: str) -> None:
        super().__init_subclass__(word=word, label=LABEL)

    def about(self) -> Collection[DiscordId]:
        """Return the members whom the message is about, if they are few."""
        return ()

    @abstractmethod
    async def public(self, context: Context, theme: str) -> Content:
        """Return what everybody may see, as a framed message with pictures in this theme.

        Raises Refused.
        """

    async def answer(self, context: Context) -> Response:
        interaction, user, place = context.interaction, context.user, context.place
        assert interaction.message is not None
        _check_may_write(context)
        if interaction.is_guild_integration():
            await check_thread(interaction)
        await check_members(context, self.about())
        await context.services.showing.check(user, place, self.about())
        press = f"{interaction.message.id} {self.item.custom_id}"
        context.services.showing.begin(user, press)
        try:
            await _post(
                context, await self.public(context, await context.services.preferences.theme(place)), press
            )
        except BaseException:
            context.services.showing.failed(user, press)
            raise
        return None


async def _post(context: Context, content: Content, press: str) -> None:
    assert isinstance(content.view, ui.LayoutView)
    (frame,) = content.view.children
    assert isinstance(frame, ui.Container)
    frame.add_item(ui.TextDisplay(f"-# Shown by {mention(context.user)}"))
    place = context.place
    await name_opponents(context, content)
    try:
        await context.ui_services.posting.at(place).send(
            view=content.view, files=content.attached, once=f"show {press}"
        )
    except discord.HTTPException as error:
        raise await context.ui_services.permission_alerts.refusal(error, place) from None


def _check_may_write(context: Context) -> None:
    """Raise Refused if the member may not write there themselves."""
    interaction = context.interaction
    if interaction.guild_id is None:
        return
    held = interaction.permissions
    writes = held.send_messages_in_threads if context.place.parent is not None else held.send_messages
    if not writes:
        raise Refused("You may not write in this channel, so you cannot show anything here.")
    if not interaction.is_guild_integration() and not held.use_external_apps:
        raise Refused(
            "Only you would see it, since you lack the permission Use External Apps in this channel."
        )
