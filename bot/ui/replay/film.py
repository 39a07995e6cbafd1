"""A game from its start on: as an animation, or one position after the other."""

import asyncio
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.ui.kit.acting import Acting
from bot.ui.kit.film_worker import FilmWorker
from bot.ui.kit.pictures import FILE_ALT, GALLERY_ALT
from bot.ui.kit.reply import Said
from render.replay import positions
from rules.core.match import Match, Observation

LONGEST = 150
"""Positions that are drawn as an animation; a longer game is stepped through."""

PATIENCE = 120.0
"""Seconds for which an animation is waited for."""

WHOLE = "The whole game, move by move. "


@dataclass(frozen=True, slots=True)
class Reel:
    """What can be watched: its name for people, that of its files, and the button that leads to another position.

    `button` is given the position, the way to it, and whether one is there already. `record` is a file that the message
    carries along: its name and content.
    """

    name: str
    stem: str
    match: Match
    button: Callable[[int, str, bool], ui.Item[Any]]
    record: tuple[str, bytes] | None = None


async def film(reel: Reel, theme: str, studio: FilmWorker) -> Said:
    """The whole game as an animation, with buttons to its positions; where it takes too long, the last position."""
    seen = await _seen(reel)
    last = len(seen) - 1
    if len(seen) > LONGEST:
        return await _shown(reel, seen, last, theme)
    try:
        async with asyncio.timeout(PATIENCE):
            moving = await studio.film(reel.match, theme)
    except TimeoutError:
        return await _shown(reel, seen, last, theme)
    alt = WHOLE + render.alt(seen[-1], GALLERY_ALT - len(WHOLE))
    file = _file(f"{reel.stem}.gif", moving, seen[-1])
    return _page(reel, f"**{reel.name}**, move by move", file, alt, last, last)


async def position(reel: Reel, at: int, theme: str) -> Said:
    """The position after `at` moves that could be seen, with buttons to the others. Raises Refused."""
    seen = await _seen(reel)
    last = len(seen) - 1
    if not 0 <= at <= last:
        raise Refused(f"{reel.name} has {last} moves so far; name one from 0 to {last}.")
    return await _shown(reel, seen, at, theme)


async def step(acting: Acting, reel: Reel, at: int, theme: str) -> None:
    """Show the position after `at` moves, or the last, in the message whose button was pressed."""
    seen = await _seen(reel)
    said = await _shown(reel, seen, min(at, len(seen) - 1), theme)
    await acting.interaction.edit_original_response(view=said.view, attachments=said.attached)


async def _seen(reel: Reel) -> tuple[Observation, ...]:
    return await asyncio.to_thread(lambda: tuple(positions(reel.match)))


async def _shown(reel: Reel, seen: tuple[Observation, ...], at: int, theme: str) -> Said:
    png = await asyncio.to_thread(render.draw, seen[at], theme)
    file = _file(f"{reel.stem}-{at}.png", png, seen[at])
    last = len(seen) - 1
    when = "before the first move" if at == 0 else f"move {at} of {last}: {render.caption(seen[at])}"
    return _page(reel, f"**{reel.name}**, {when}", file, render.alt(seen[at], GALLERY_ALT), at, last)


def _file(name: str, content: bytes, seen: Observation) -> discord.File:
    return discord.File(io.BytesIO(content), filename=name, description=render.alt(seen, FILE_ALT))


def _page(reel: Reel, heading: str, picture: discord.File, alt: str, at: int, last: int) -> Said:
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(heading))
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    gallery.add_item(media=f"attachment://{picture.filename}", description=alt)
    box.add_item(gallery)
    ways = {"first": 0, "back": max(at - 1, 0), "forward": min(at + 1, last), "last": last}
    box.add_item(ui.ActionRow(*(reel.button(to, way, to == at) for way, to in ways.items())))
    files = []
    if reel.record is not None:
        name, content = reel.record
        files.append(discord.File(io.BytesIO(content), filename=name))
        box.add_item(ui.File(f"attachment://{name}"))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return Said("", view, picture, files)
