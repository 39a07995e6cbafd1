"""How members are named in messages."""

import render
from bot.app.matches.table import Table
from bot.app.mentions import mention
from db.api.matches import Panel
from db.api.places import DiscordId, Place
from rules.core.game import Seat


def board_link(place: Place, panel: Panel) -> str:
    """The address of a board, which every Discord client turns into a way there."""
    return message_link(Place(place.guild, panel.channel), panel.message)


def message_link(place: Place, message: DiscordId) -> str:
    """The address of a message in the channel of a place."""
    return f"https://discord.com/channels/{place.guild or '@me'}/{place.channel}/{message}"


def player_label(table: Table, seat: Seat | None) -> str:
    """A seat in a message: the member's mention and the seat's mark in the picture."""
    return "Chance" if seat is None else f"{mention(table.stored.users[seat])} {render.seat_mark(seat)}"
