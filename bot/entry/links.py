"""Addresses of messages."""

from db.values import DiscordId, Panel, Place


def link(place: Place, panel: Panel) -> str:
    """The address of a board, which every Discord client turns into a way there."""
    return message_link(Place(place.guild, panel.channel), panel.message)


def message_link(place: Place, message: DiscordId) -> str:
    """The address of a message in the channel of a place."""
    return f"https://discord.com/channels/{place.guild or '@me'}/{place.channel}/{message}"
