"""The game of a message of this bot, and the position that the message is about."""

import re
from typing import NamedTuple

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.interactions.acting import Acting

_NUMBER = re.compile(r"#(?P<match>[0-9]{1,9})\b")
_MOVE = re.compile(r"(?:^-# | · )(?P<moves>[0-9]{1,4})[.] ")
"""A move in the line that earlier versions of the bot made of a board, like `-# 12. @Ada c4`."""


class GameMessage(NamedTuple):
    """A match, and the number of moves after the last one that the message tells; None if it tells of no move."""

    match: int
    moves: int | None


def game_of(acting: Acting, message: discord.Message) -> GameMessage:
    """Return the game of a message: the first `#12` in it names it. Raises Refused if it is no message of this bot."""
    bot = acting.interaction.client.user
    texts = _texts(message) if bot is not None and message.author.id == bot.id else []
    found = next(filter(None, map(_NUMBER.search, texts)), None)
    if found is None:
        raise Refused("This message shows no game; use it on a board of mine.")
    moves = [int(one["moves"]) for text in texts for one in _MOVE.finditer(text)]
    return GameMessage(int(found["match"]), moves[-1] if moves else None)


def _texts(message: discord.Message) -> list[str]:
    if not message.flags.components_v2:
        return [message.content]
    view = ui.LayoutView.from_message(message)
    return [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
