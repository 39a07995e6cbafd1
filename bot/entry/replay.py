"""`/replay`: a whole game as an animation, or one position after the other."""

import asyncio
import io
from typing import Any

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.app.table import Table
from bot.entry.desk import desk_of, place_of
from bot.entry.item import Kept
from bot.entry.panel import GALLERY_ALT
from bot.entry.pictures import FILE_ALT
from bot.entry.reply import Said, answer
from render.replay import animate, positions
from rules.core.match import Observation

Interaction = discord.Interaction[Any]


async def show_replay(interaction: Interaction, game: int | None, move: int | None) -> None:
    """Show this member a game: as an animation, or (with `move`) as it stood after so many moves."""

    async def act() -> Said:
        desk = desk_of(interaction)
        user, place = interaction.user.id, place_of(interaction)
        table = await desk.matches.shown(user, place, game)
        theme = await desk.theme(place, user)
        if move is not None:
            return await _position(table, move, theme)
        film = await asyncio.to_thread(lambda: animate(positions(table.match), theme))
        seen = table.match.observe(None)
        name = f"{table.stored.setup.game}-{table.id}.gif"
        file = discord.File(io.BytesIO(film), filename=name, description=render.alt(seen, FILE_ALT))
        alt = f"The whole game, move by move. {render.alt(seen, GALLERY_ALT - 35)}"
        heading = f"**{table.name}**, move by move"
        return Said("", _page(heading, name, alt, _stepper(table.id, _last(table), _last(table))), file)

    await answer(interaction, act)


class StepButton(
    Kept[ui.Button[Any]],
    template=r"step:(?P<match>[0-9]+):(?P<at>[0-9]+):(?P<way>first|back|forward|last)",
):
    """Shows another position of a game in the same message."""

    words = frozenset({"way"})

    def __init__(self, match: int, at: int, way: str, *, disabled: bool = False) -> None:
        self.match, self.at = match, at
        custom_id = f"step:{match}:{at}:{way}"
        super().__init__(ui.Button(label=way.capitalize(), custom_id=custom_id, disabled=disabled))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk = desk_of(interaction)
            user, place = interaction.user.id, place_of(interaction)
            table = await desk.matches.shown(user, place, self.match)
            page = await _position(table, min(self.at, _last(table)), await desk.theme(place, user))
            assert page.file is not None
            await interaction.edit_original_response(view=page.view, attachments=[page.file])

        await answer(interaction, act)


async def _position(table: Table, at: int, theme: str) -> Said:
    """The position after `at` moves that could be seen, with buttons to the others."""
    if not 0 <= at <= _last(table):
        raise Refused(f"{table.name} has {_last(table)} moves so far; name one from 0 to {_last(table)}.")
    seen = tuple(positions(table.match))[at]
    png = await asyncio.to_thread(render.draw, seen, theme)
    name = f"{table.stored.setup.game}-{table.id}-{at}.png"
    file = discord.File(io.BytesIO(png), filename=name, description=render.alt(seen, FILE_ALT))
    heading = f"**{table.name}**, {_when(at, table, seen)}"
    row = _stepper(table.id, at, _last(table))
    return Said("", _page(heading, name, render.alt(seen, GALLERY_ALT), row), file)


def _last(table: Table) -> int:
    return sum(1 for _ in positions(table.match)) - 1


def _when(at: int, table: Table, seen: Observation) -> str:
    if at == 0:
        return "before the first move"
    return f"move {at} of {_last(table)}: {render.caption(seen)}"


def _stepper(match: int, at: int, last: int) -> ui.ActionRow[Any]:
    ways = {"first": 0, "back": max(at - 1, 0), "forward": min(at + 1, last), "last": last}
    return ui.ActionRow(*(StepButton(match, to, way, disabled=to == at) for way, to in ways.items()))


def _page(heading: str, name: str, alt: str, row: ui.ActionRow[Any]) -> ui.LayoutView:
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(heading))
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    gallery.add_item(media=f"attachment://{name}", description=alt)
    box.add_item(gallery)
    box.add_item(row)
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view
