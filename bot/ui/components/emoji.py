"""The emojis of the games, which belong to the application: uploaded once, then used in titles and menus of games."""

import asyncio
from collections.abc import Callable
from typing import Any

import discord
import structlog

from bot.ui.posts.clients import Clients
from bot.ui.posts.posting import DISCORD_ERRORS
from render.games import HOSTED_GAMES
from render.marks import mark_png
from rules.core.game import Game

log = structlog.get_logger()

_PREFIX = "pencilbox_"
LOOKS, PAUSE = 10, 5.0
"""The number of looks for emojis that another process uploads, and the seconds between two of them."""
_ready: dict[str, discord.PartialEmoji] = {}
"""By the key of its game. A process serves one application, whose emojis can be used wherever it can post."""


async def load_emojis(clients: Clients, leads: Callable[[], bool]) -> None:
    """Look up the emojis of the games, and upload those that Discord does not have yet.

    Of several processes only the one that `leads` uploads; the others wait for that.

    If Discord refuses or cannot be reached, or a mark cannot be drawn, games without an emoji are shown by their titles
    alone until the next start.
    """
    try:
        for _ in range(LOOKS):
            await _load(clients, upload=leads())
            if len(_ready) == len(HOSTED_GAMES):
                log.debug("the emojis of all games are known")
                return
            await asyncio.sleep(PAUSE)
    except DISCORD_ERRORS as error:
        log.warning("games are shown without their emojis", error=repr(error))
    except Exception:
        log.exception("emojis.load_failed")  # nothing awaits this task


async def _load(clients: Clients, *, upload: bool) -> None:
    stored = {emoji.name: emoji for emoji in await clients.emojis()}
    for game in HOSTED_GAMES:
        name = _PREFIX + game.key
        emoji = stored.get(name)
        if emoji is None and upload:
            image = await asyncio.to_thread(mark_png, game.key)
            emoji = await clients.create_emoji(name, image)
        if emoji is not None:
            _ready[game.key] = discord.PartialEmoji(name=name, id=emoji.id)


def game_emoji(game: str) -> discord.PartialEmoji | None:
    """Return the emoji of a game, or None if there is none."""
    return _ready.get(game)


def with_emoji(game: str, title: str) -> str:
    """Return a title with the emoji of its game before it, or the title alone if there is none."""
    emoji = game_emoji(game)
    return title if emoji is None else f"{emoji} {title}"


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
