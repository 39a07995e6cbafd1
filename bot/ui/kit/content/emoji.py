"""The emojis of the games, which belong to the application: uploaded once, then used in titles and menus."""

import asyncio

import discord
import structlog

from bot.ui.kit.posts.posting import DISCORD_ERRORS
from render.hosted_games import HOSTED_GAMES
from render.marks import mark_png

log = structlog.get_logger()

_PREFIX = "pencilbox_"
_ready: dict[str, discord.PartialEmoji] = {}
"""By the key of its game. A process serves one application, whose emojis can be used wherever it can post."""


async def load_emojis(client: discord.Client) -> None:
    """Look up the emojis of the games, and upload those that Discord does not have yet.

    If Discord refuses or cannot be reached, games without an emoji are shown by their titles alone until the next
    start.
    """
    try:
        stored = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
        for game in HOSTED_GAMES:
            name = _PREFIX + game.key
            emoji = stored.get(name)
            if emoji is None:
                image = await asyncio.to_thread(mark_png, game.key)
                emoji = await client.create_application_emoji(name=name, image=image)
            _ready[game.key] = discord.PartialEmoji(name=name, id=emoji.id)
    except DISCORD_ERRORS as error:
        log.warning("games are shown without their emojis", error=repr(error))


def game_emoji(game: str) -> discord.PartialEmoji | None:
    """Return the emoji of a game, or None if there is none."""
    return _ready.get(game)


def with_emoji(game: str, title: str) -> str:
    """Return a title with the emoji of its game before it, or the title alone if there is none."""
    emoji = game_emoji(game)
    return title if emoji is None else f"{emoji} {title}"
