"""How members are named in messages."""

import render
from bot.app.names import mention
from bot.app.table import Table
from rules.core.game import Seat


def who(table: Table, seat: Seat | None) -> str:
    """A seat in a message: the member's mention and the seat's mark in the picture."""
    return "Chance" if seat is None else f"{mention(table.stored.users[seat])} {render.seat_mark(seat)}"
