"""Showing the themes where one is chosen."""

import asyncio
import io
from typing import Any

import discord
from discord import ui

from render.charts.theme_sample import theme_sample
from render.engine.theme import THEMES


def swatches() -> ui.MediaGallery[Any]:
    """Every theme's card; their files go beside the message, once."""
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    for theme in THEMES:
        gallery.add_item(media=f"attachment://{theme}.png", description=f"How {theme} looks.")
    return gallery


async def swatch_files() -> list[discord.File]:
    """The pictures of the themes' cards."""
    return [
        discord.File(
            io.BytesIO(await asyncio.to_thread(theme_sample, theme)),
            filename=f"{theme}.png",
            description=f"How {theme} looks.",
        )
        for theme in THEMES
    ]


def theme_options(chosen: str | None, otherwise: str) -> list[discord.SelectOption]:
    """The themes to choose from; the empty one means what `otherwise` says."""
    return [
        discord.SelectOption(label=otherwise, value="same", default=chosen is None),
        *(
            discord.SelectOption(label=theme.capitalize(), value=theme, default=theme == chosen)
            for theme in THEMES
        ),
    ]


def theme_chosen(value: str) -> str | None:
    """The theme that an option of `theme_options` stands for."""
    return value if value in THEMES else None
