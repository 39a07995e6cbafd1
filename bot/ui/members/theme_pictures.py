"""Sample pictures and menu options of the themes, for the messages in which a member chooses one."""

import asyncio
import io
from typing import Any

import discord
from discord import ui

from render.charts.theme_sample import theme_sample

LABELS = {"slate": "Slate: dark", "paper": "Paper: light, for daylight"}
"""By name of the theme, in the order in which members see them."""


def swatches() -> ui.MediaGallery[Any]:
    """Return the gallery of the themes' samples; `swatch_files` must be attached to the message once."""
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    for theme in LABELS:
        gallery.add_item(media=f"attachment://{theme}.png", description=f"How {theme} looks.")
    return gallery


async def swatch_files() -> list[discord.File]:
    """Return the sample pictures of the themes."""
    return [
        discord.File(
            io.BytesIO(await asyncio.to_thread(theme_sample, theme)),
            filename=f"{theme}.png",
            description=f"How {theme} looks.",
        )
        for theme in LABELS
    ]


def theme_options(chosen: str | None, otherwise: str) -> list[discord.SelectOption]:
    """Return the options of a theme menu; `otherwise` is the label of the option for no theme."""
    return [
        discord.SelectOption(label=otherwise, value="same", default=chosen is None),
        *(
            discord.SelectOption(label=label, value=theme, default=theme == chosen)
            for theme, label in LABELS.items()
        ),
    ]


def theme_chosen(value: str) -> str | None:
    """Return the theme of an option of `theme_options`, or None."""
    return value if value in LABELS else None
