"""Helpers that put messages together from Discord's components.

Texts are given as plain strings; an empty one is left out. What is posted works for ever, and discord.py keeps none of
it in memory: its buttons and menus are found again by their custom ids (bot.ui.interactions.buttons).
"""

from collections.abc import Iterable, Iterator
from typing import Any

import discord
from discord import ui

Part = ui.Item[Any] | str


def card(*parts: Part, accent: discord.Colour | None = None) -> ui.LayoutView:
    """Return a message of one framed box that holds these parts; `accent` is the colour of its left edge."""
    return message(ui.Container(*_items(parts), accent_colour=accent))


def message(*parts: Part) -> ui.LayoutView:
    """Return a message of these parts, without a frame."""
    view = ui.LayoutView(timeout=None)
    for item in _items(parts):
        view.add_item(item)
    view.stop()
    return view


def gallery(filename: str, alt: str, *, spoiler: bool = False) -> ui.MediaGallery[Any]:
    """Return a place for the attached picture of this name; its alt text has at most 1,024 characters.

    A `spoiler` is shown only to those who press it.
    """
    picture = discord.MediaGalleryItem(f"attachment://{filename}", description=alt, spoiler=spoiler)
    return ui.MediaGallery(picture)


def items_below(*items: ui.Item[Any]) -> ui.View:
    """Return buttons and menus to be shown below a message of plain text."""
    view = ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def walk(components: Iterable[Any]) -> Iterator[Any]:
    """Yield the components of a message, however deep."""
    for component in components:
        yield component
        yield from walk(getattr(component, "children", ()))
        if (accessory := getattr(component, "accessory", None)) is not None:
            yield accessory


def _items(parts: Iterable[Part]) -> list[ui.Item[Any]]:
    return [ui.TextDisplay(part) if isinstance(part, str) else part for part in parts if part != ""]
