"""Pictures as files, with their alt text."""

import asyncio
import io

import discord

import render
from bot.app.matches.matches import IllegalMove
from bot.app.matches.table import Table
from rules.core.game import Seat
from rules.core.match import Observation

FILE_ALT = 1024
"""Characters that Discord allows for the alt text of a file."""
GALLERY_ALT = 256
"""Characters that Discord allows for the alt text of a picture in a gallery."""


async def board_picture(table: Table, theme: str, seat: Seat | None = None) -> discord.File:
    """The board as `seat` (None: everybody) may see it."""
    return await picture_of(table, table.match.observe(seat), theme)


async def picture_of(
    table: Table, seen: Observation, theme: str, refused: render.RejectedMove | None = None
) -> discord.File:
    """What is `seen` of a table, with what was `refused` marked on it. Drawn in a worker thread: it takes tens of
    milliseconds."""
    png = await asyncio.to_thread(render.draw, seen, theme, refused)
    name = filename(table) if refused is None else filename(table).replace(".png", "-refused.png")
    return discord.File(io.BytesIO(png), filename=name, description=render.alt(seen, FILE_ALT, refused))


def visible_rejection(refusal: IllegalMove) -> render.RejectedMove | None:
    """What of an illegal move can be marked on the board as its player sees it; None when that is nothing."""
    seen = refusal.table.match.observe(refusal.seat)
    return render.visible_part(seen, render.RejectedMove(refusal.move, refusal.marks))


async def rejection_picture(refusal: IllegalMove, theme: str) -> discord.File | None:
    """The board with an illegal move on it, as its player may see it; None when there is nothing to point at."""
    refused = visible_rejection(refusal)
    if refused is None:
        return None
    return await picture_of(refusal.table, refusal.table.match.observe(refusal.seat), theme, refused)


def filename(table: Table) -> str:
    return f"{table.stored.setup.game}-{table.id}-{table.shown}.png"
