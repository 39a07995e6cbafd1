"""The options of menus in which a game is chosen."""

from typing import Any

import discord

from bot.ui.kit.content.emoji import game_emoji
from rules.core.game import Game

LONGEST = 100
"""Discord's limit for the description of an option, in characters."""


def game_option(game: Game[Any, Any]) -> discord.SelectOption:
    """Return the option of a game: its emoji if there is one, its title and its pitch."""
    return discord.SelectOption(
        label=game.sheet.title,
        value=game.key,
        description=game.sheet.pitch,
        emoji=game_emoji(game.key),
    )
