"""Addresses of messages."""

from db.values import Panel, Place


def link(place: Place, panel: Panel) -> str:
    """The address of a board, which every Discord client turns into a way there."""
    return f"https://discord.com/channels/{place.guild or '@me'}/{panel.channel}/{panel.message}"
