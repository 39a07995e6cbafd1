"""The first message in a server."""

import io
from typing import Any

import discord
import structlog
from discord import ui

from bot.app.members.preferences import Preferences
from bot.ui.challenges.commands import ChallengeButton
from bot.ui.components.message_parts import card, gallery, sheet_of_games
from bot.ui.computers import PlayMeButton
from bot.ui.lessons import LessonsButton
from bot.ui.members.setup import SetupButton
from bot.ui.posts.posting import Posting
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.places import Place
from render.games import HOSTED_GAMES
from render.readme_pictures import ANIMATION

log = structlog.get_logger()

FILM = "A game of Alaric, move by move."
"""The alt text of the animation."""


async def welcome(theme: str, note: str = "") -> tuple[ui.LayoutView, list[discord.File]]:
    """Return the first message in a server, which shows the games and how to begin, and its files."""
    film = discord.File(io.BytesIO(ANIMATION.read_bytes()), filename=ANIMATION.name, description=FILM)
    games = await sheet_of_games([game.key for game in HOSTED_GAMES], theme)
    # The text beside the animation is narrow on a phone.
    beside = (
        f"### Pencilbox is here, with {len(HOSTED_GAMES)} abstract games\n"
        "**Play** begins a game against the computer, which only you see."
    )
    below = (
        "**Learn** teaches you a game in two minutes. **Challenge somebody** to play with you.\n"
        "-# **Set up** is for those who manage this server: a daily puzzle, results and more, in one form."
    )
    animation = ui.Thumbnail[Any](f"attachment://{film.filename}", description=FILM)
    view = card(
        ui.Section(beside, accessory=animation),
        below,
        *([note] if note else []),
        gallery(games.filename, games.description or ""),
        ui.ActionRow(
            PlayMeButton(label="Play"), LessonsButton(label="Learn"), ChallengeButton(), SetupButton()
        ),
    )
    return view, [film, games]


async def post_welcome(
    posting: Posting, preferences: Preferences, guild: discord.Guild, note: str = ""
) -> None:
    """Post the first message in the system channel of a server, if the bot may post there."""
    channel = guild.system_channel
    if channel is None:
        return
    place = Place(guild.id, channel.id)
    try:
        view, files = await welcome(await preferences.theme(place), note)
        await posting.at(place).send(view=view, files=files, once=f"welcome {guild.id}")
    except DISCORD_ERRORS as error:
        log.info("welcome.post_failed", guild=guild.id, error=type(error).__name__)
