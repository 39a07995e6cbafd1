"""Pictures of boards as files, with their alt text."""

import asyncio
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec

import discord

import render
from bot.app.matches.table import IllegalMove, Table
from bot.app.mentions import persona_name
from db.values.members import level_of
from render.board.phrases import shortened
from render.board.text import ALT_LIMIT
from rules.core.game import Seat
from rules.core.match import Observation

Arguments = ParamSpec("Arguments")

_drawing = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""One thread: Python lets only one of several run at a time, so each would wait for the others, and the event loop for
each of them."""


async def board_picture(table: Table, theme: str, seat: Seat | None = None) -> discord.File:
    """Return the board as `seat` (None: everybody) may see it."""
    return await picture_of(table, table.match.observe(seat), theme)


async def picture_of(
    table: Table,
    observation: Observation,
    theme: str,
    rejected: render.RejectedMove | render.RejectedMoves | None = None,
    advice: render.Advice | None = None,
) -> discord.File:
    """Return the picture of an observation of this table, with rejected moves or the advice marked on it.

    A thread draws it, since that takes milliseconds.
    """
    png = await _drawn(render.draw, observation, theme, rejected, computer_seats(table), advice)
    marks = "-refused" if rejected is not None else "-hint" if advice is not None else ""
    name = filename(table).replace(".png", f"{marks}.png")
    return discord.File(
        io.BytesIO(png), filename=name, description=render.alt(observation, rejected=rejected, advice=advice)
    )


async def candidates_picture(
    table: Table, seat: Seat, theme: str, candidates: render.Candidates
) -> discord.File:
    """Return the board as `seat` may see it, with candidates for a move marked on it."""
    observation = table.match.observe(seat)
    png = await _drawn(render.draw_candidates, observation, candidates, theme)
    name = filename(table).replace(".png", "-choose.png")
    words = f"{render.candidates_text(candidates)} {render.alt(observation)}"
    return discord.File(io.BytesIO(png), filename=name, description=shortened(words, ALT_LIMIT))


async def _drawn(
    draw: Callable[Arguments, bytes], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> bytes:
    """Return the picture that `draw` makes of these arguments."""
    work = partial(copy_context().run, draw, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_drawing, work)


def computer_seats(table: Table) -> tuple[render.ComputerSeat, ...]:
    """Return the seats of computer players as pictures mark them."""
    return tuple(
        render.ComputerSeat(seat, level, persona_name(user) or "")
        for seat, user in enumerate(table.stored.users)
        if (level := level_of(user)) is not None
    )


def visible_rejection(refusal: IllegalMove) -> render.RejectedMove | None:
    """Return the parts of an illegal move that its player's view of the board can mark, or None."""
    observation = refusal.table.match.observe(refusal.seat)
    return render.visible_part(observation, render.RejectedMove(refusal.move, refusal.marks))


async def rejection_picture(refusal: IllegalMove, theme: str) -> discord.File | None:
    """Return the board with an illegal move marked on it, as its player may see it; None if no part can be marked."""
    rejected = visible_rejection(refusal)
    if rejected is None:
        return None
    return await picture_of(refusal.table, refusal.table.match.observe(refusal.seat), theme, rejected)


def filename(table: Table) -> str:
    """Return the name of the picture of a table's newest public position."""
    return f"{table.stored.setup.game}-{table.id}-{table.shown}.png"
