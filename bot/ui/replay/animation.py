"""A game from its start: as an animation, or one position after the other."""

import asyncio
import io
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.ui.components.film_worker import FilmWorker
from bot.ui.components.layout import card, gallery
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.reply import Said, change
from bot.ui.interactions.waiting import Waiting
from render.board.text import ALT_LIMIT
from render.replay import positions
from rules.core.match import Match, Observation

MOST_POSITIONS = 150
"""A game of more positions is not animated; it can be stepped through."""

PATIENCE = 120.0
"""Seconds after which the drawing of an animation is given up."""

WHOLE = "The whole game, move by move. "

STEPS = "first|back|forward|last|again"
"""The buttons under a position, as a custom id names them."""


@dataclass(frozen=True, slots=True)
class ReplaySource:
    """A game to replay: its `name` for members, the `stem` of its files' names, and its buttons.

    `button` makes the button to a position from that position's number, its name in STEPS, and True if the position is
    shown already. Without it the game stands alone, as everybody in a channel may be shown it. `below` holds further
    rows by what is shown: the number of a position, or None for the animation.
    `record` is a file that the message carries along: its name and content.
    """

    name: str
    stem: str
    match: Match
    button: Callable[[int, str, bool], ui.Item[Any]] | None
    record: tuple[str, bytes] | None = None
    below: Callable[[int | None], Sequence[ui.Item[Any]]] = lambda _: ()


async def animation(
    source: ReplaySource, theme: str, film_worker: FilmWorker, waiting: Waiting | None = None
) -> Said:
    """Return the whole game as an animation, or its last position if drawing it would take too long.

    Whoever is `waiting` for it is told how far it is. Raises Refused.
    """
    seen = await _observations(source.match)
    last = len(seen) - 1
    file = await _film_file(source.match, source.stem, seen, theme, film_worker, waiting)
    if file is None:
        return await _still(source, seen, last, theme)
    alt = WHOLE + render.alt(seen[-1], ALT_LIMIT - len(WHOLE))
    return _page(source, f"**{source.name}**, move by move", file, alt, last, last, whole=True)


async def film_of(match: Match, stem: str, theme: str, film_worker: FilmWorker) -> discord.File | None:
    """Return a whole game as an animation, or None if drawing it would take too long. Raises Refused."""
    return await _film_file(match, stem, await _observations(match), theme, film_worker, None)


async def _film_file(
    match: Match,
    stem: str,
    seen: tuple[Observation, ...],
    theme: str,
    film_worker: FilmWorker,
    waiting: Waiting | None,
) -> discord.File | None:
    """Return a whole game, whose positions are given, as an animation; None if drawing it would take too long."""
    if len(seen) > MOST_POSITIONS:
        return None
    try:
        async with waiting.telling(progress) if waiting else nullcontext(lambda _, __: None) as drawn:
            async with asyncio.timeout(PATIENCE):
                gif = await film_worker.film(match, theme, drawn)
    except TimeoutError:
        return None
    return _file(f"{stem}.gif", gif, seen[-1])


def progress(done: int, of: int) -> str:
    """Return the progress of a film for members."""
    return f"Making the film: {done} of {of} positions." if of else "Making the film."


async def position(source: ReplaySource, at: int, theme: str) -> Said:
    """Return the position after `at` visible moves, with buttons to the others. Raises Refused."""
    seen = await _observations(source.match)
    last = len(seen) - 1
    if not 0 <= at <= last:
        raise Refused(f"{source.name} has {last} moves so far; choose one from 0 to {last}.")
    return await _still(source, seen, at, theme)


async def step(acting: Acting, source: ReplaySource, at: int, way: str) -> None:
    """Show the position after `at` visible moves (the last one, if there are fewer) in the message whose button was
    pressed, or ("again") the animation."""
    theme = await acting.theme()
    if way == "again":
        said = await animation(source, theme, acting.ui_services.film_worker, Waiting(acting))
    else:
        seen = await _observations(source.match)
        said = await _still(source, seen, min(at, len(seen) - 1), theme)
    await change(acting, said)


async def _observations(match: Match) -> tuple[Observation, ...]:
    return await asyncio.to_thread(lambda: tuple(positions(match)))


async def _still(source: ReplaySource, seen: tuple[Observation, ...], at: int, theme: str) -> Said:
    png = await asyncio.to_thread(render.draw, seen[at], theme)
    # Named unlike a board, since a member may show it to the channel: see bot.ui.matches.posts.lost_boards.
    file = _file(f"{source.stem}-move-{at}.png", png, seen[at])
    last = len(seen) - 1
    when = "before the first move" if at == 0 else f"move {at} of {last}: {render.caption(seen[at])}"
    alt = render.alt(seen[at])
    again = len(seen) <= MOST_POSITIONS
    return _page(source, f"**{source.name}**, {when}", file, alt, at, last, again=again)


def step_label(way: str) -> str:
    """Return the label of a button in STEPS."""
    return "Play again" if way == "again" else way.capitalize()


def _file(name: str, content: bytes, seen: Observation) -> discord.File:
    return discord.File(io.BytesIO(content), filename=name, description=render.alt(seen))


def _page(
    source: ReplaySource,
    heading: str,
    picture: discord.File,
    alt: str,
    at: int,
    last: int,
    *,
    again: bool = False,
    whole: bool = False,
) -> Said:
    parts: list[ui.Item[Any]] = [ui.TextDisplay(heading), gallery(picture.filename, alt)]
    if source.button is not None:
        targets = {"first": 0, "back": max(at - 1, 0), "forward": min(at + 1, last), "last": last}
        buttons = [source.button(to, way, to == at) for way, to in targets.items()]
        if again:
            buttons.append(source.button(at, "again", False))
        parts.append(ui.ActionRow(*buttons))
    parts += source.below(None if whole else at)
    files = []
    if source.record is not None:
        name, content = source.record
        files.append(discord.File(io.BytesIO(content), filename=name))
        parts.append(ui.File(f"attachment://{name}"))
    return Said("", card(*parts), picture, files)
