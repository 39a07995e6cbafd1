"""The channels of a server that its managers choose, and what the bot lacks in them."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.components.message_parts import Part
from bot.ui.interactions.checks import check_place
from bot.ui.interactions.reply import Context
from bot.ui.posts.permissions import PINNING, is_voice, missing_permissions, posting_permissions
from db.values.places import DiscordId
from db.values.servers import ResultPicture, ServerSettings

MOST_CHANNELS = 25
"""The most channels that can be chosen in a menu."""

WRITABLE = (discord.ChannelType.text, discord.ChannelType.news)
"""The channels for results, puzzles and reports."""
PLAYABLE = (
    *WRITABLE,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""The channels for games. In a forum they are played in its posts."""
WITHOUT_BOTH = (
    "Discord has no threads and no pins in voice channels: "
    "games in <#{channel}> stay in its chat and are not pinned."
)


def managed_server(context: Context) -> DiscordId:
    """Return the id of the server if this member may manage it. Raises Refused.

    This is checked at every press, because a server can allow the command to any member.
    """
    if context.interaction.guild_id is None or not context.interaction.permissions.manage_guild:
        raise Refused("Only members with the permission Manage Server can use these settings.")
    return context.interaction.guild_id


async def managed_channel(context: Context) -> DiscordId:
    """Return the id of the server as `managed_server` does, if games can be begun in this channel. Raises Refused."""
    guild = managed_server(context)
    check_place(context.interaction)
    await context.ui_services.permission_alerts.check(context.interaction, context.place)
    return guild


def only(channel: DiscordId | None) -> tuple[DiscordId, ...]:
    """Return a channel as the channels of a menu; no channels for None."""
    return () if channel is None else (channel,)


def marked(channels: Sequence[DiscordId]) -> list[discord.SelectDefaultValue]:
    """Return the channels as the ones that are chosen when a menu is shown."""
    return [
        discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
        for channel in channels
    ]


def warnings(context: Context, chosen: ServerSettings) -> list[Part]:
    """Return the last part of a message about the settings: what the bot lacks in the chosen channels, if anything."""
    faults = _faults(context, chosen)
    return [ui.Separator(), "\n".join(f"⚠ {fault}" for fault in faults)] if faults else []


def _faults(context: Context, chosen: ServerSettings) -> list[str]:
    """Return a sentence for each missing permission, and for each channel that has no threads and pins."""
    guild = context.interaction.guild
    assert guild is not None
    playing = chosen.channels or (context.interaction.channel_id or 0,)
    needed: list[tuple[DiscordId, list[str]]] = []
    for channel in playing:
        found = guild.get_channel(channel)
        names = list(posting_permissions(thread=isinstance(found, discord.ForumChannel)))
        if chosen.threads and isinstance(found, discord.TextChannel):
            names += ["create_public_threads", "send_messages_in_threads"]
        if chosen.pins and not is_voice(found):
            names += PINNING
        needed.append((channel, names))
    if chosen.results is not None:
        names = ["view_channel", "send_messages"]
        if chosen.result_picture is not ResultPicture.NONE:
            names.append("attach_files")
        needed.append((chosen.results, names))
    if chosen.puzzle_channel is not None:
        names = ["view_channel", "send_messages", "attach_files", "read_message_history"]
        needed.append((chosen.puzzle_channel, names))
    if chosen.reports is not None:
        needed.append((chosen.reports, ["view_channel", "send_messages", "attach_files"]))
    lacking = [
        f"In <#{channel}> I lack {missing}."
        for channel, names in needed
        if (missing := missing_permissions(guild, channel, names))
    ]
    voices = [channel for channel in playing if is_voice(guild.get_channel(channel))]
    return lacking + [
        WITHOUT_BOTH.format(channel=channel) for channel in voices if chosen.threads or chosen.pins
    ]
