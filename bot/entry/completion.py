"""Completion of what is typed into the options of slash commands."""

from collections.abc import Iterable
from typing import Any

import discord
from discord import app_commands

from bot.app.table import Table
from bot.entry.desk import desk_of, place_of
from render.drawn import DRAWN
from rules.core.sizes import spell, ways
from rules.games import BY_KEY, GAMES

MOST = 25
"""Choices that Discord shows."""

HOSTED = [app_commands.Choice(name=game.sheet.title, value=game.key) for game in DRAWN]
"""The games that can be played here."""

KNOWN = [app_commands.Choice(name=game.sheet.title, value=game.key) for game in GAMES]
"""All games that the referee knows: those whose rules can be read."""

Interaction = discord.Interaction[Any]
TextChoices = list[app_commands.Choice[str]]
NumberChoices = list[app_commands.Choice[int]]


async def sizes(interaction: Interaction, typed: str) -> TextChoices:
    """The named sizes of the game chosen so far, or a hint how else to say one."""
    game = BY_KEY.get(interaction.namespace.game or "")
    if game is None:
        return [app_commands.Choice(name=name, value=name) for name in ("quick", "standard", "long")]
    named = [
        app_commands.Choice(name=spell(game, size), value=name)
        for name, size in game.sizes.items()
        if typed.lower() in name
    ]
    return named or [app_commands.Choice(name=f"{typed} ({ways(game)})"[:100], value=typed[:100])]


async def my_games(interaction: Interaction, typed: str) -> NumberChoices:
    """The games that the member plays in this channel."""
    mine = await desk_of(interaction).matches.mine(interaction.user.id, place_of(interaction).channel)
    return _games(mine, typed)


async def games_here(interaction: Interaction, typed: str) -> NumberChoices:
    """The games that are played in this channel."""
    return _games(await desk_of(interaction).matches.here(place_of(interaction).channel), typed)


async def moves(interaction: Interaction, typed: str) -> TextChoices:
    """The legal moves of the game meant, those that begin with what is typed first."""
    matches = desk_of(interaction).matches
    channel = place_of(interaction).channel
    mine = await matches.mine(interaction.user.id, channel)
    named = interaction.namespace.game
    fitting = [table for table in mine if table.id == named] if named else _waiting(mine, interaction.user.id)
    if len(fitting) == 1:
        return [app_commands.Choice(name=text, value=text) for text in _matching(legal(fitting[0]), typed)]
    # Several games wait: each choice says which one it is for, and `/move` reads it back.
    texts = [f"#{table.id} {text}" for table in fitting for text in _matching(legal(table), typed)[:8]]
    names = {f"#{table.id}": table.name for table in fitting}
    return [
        app_commands.Choice(name=f"{text.split(' ', 1)[1]} in {names[text.split()[0]]}", value=text)
        for text in texts[:MOST]
    ]


def legal(table: Table) -> tuple[str, ...]:
    """The moves to offer: none where they are secret."""
    return table.match.legal() or ()


def _matching(texts: Iterable[str], typed: str) -> list[str]:
    plain = typed.strip().lower()
    starting = [text for text in texts if text.startswith(plain)]
    inside = [text for text in texts if plain in text and not text.startswith(plain)]
    return (starting + inside)[:MOST]


def _waiting(tables: Iterable[Table], user: int) -> list[Table]:
    return [table for table in tables if user in table.waiting_for]


def _games(tables: Iterable[Table], typed: str) -> NumberChoices:
    plain = typed.strip().lower()
    fitting = [table for table in tables if plain in table.name.lower()]
    return [app_commands.Choice(name=table.name, value=table.id) for table in fitting[:MOST]]
