"""Links to messages, and names of players in messages."""

import render
from bot.app.matches.table import Table
from bot.app.mentions import mention
from db.api.matches.matches import Panel
from db.api.places import DiscordId, Place
from rules.core.game import Seat


def board_link(place: Place, panel: Panel) -> str:
    """Return the address of a board; Discord shows it as a link."""
    return message_link(Place(place.guild, panel.channel), panel.message)


def message_link(place: Place, message: DiscordId) -> str:
    """Return the address of a message in the channel of a place."""
    return f"https://discord.com/channels/{place.guild or '@me'}/{place.channel}/{message}"


def player_label(table: Table, seat: Seat | None) -> str:
    """Return the mention of the member at a seat and the seat's mark in the picture; "Chance" for None."""
    return "Chance" if seat is None else f"{mention(table.stored.users[seat])} {render.seat_mark(seat)}"
