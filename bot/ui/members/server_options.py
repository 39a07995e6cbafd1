"""The options of the menus in `/settings`, in which what a server chose is marked."""

from collections.abc import Collection

import discord

from bot.app.clocks.time_controls import COMMON_TIME_CONTROLS, read_time_control, spell_time_control
from bot.ui.components.emoji import game_emoji
from db.values.clocks import TimeControl
from db.values.servers import ResultPicture
from render.games import HOSTED_GAMES


def games(withheld: Collection[str]) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=game.sheet.title,
            value=game.key,
            default=game.key not in withheld,
            emoji=game_emoji(game.key),
        )
        for game in HOSTED_GAMES
    ]


def clocks(chosen: TimeControl | None) -> list[discord.SelectOption]:
    time_controls = {read_time_control(text): text for text in COMMON_TIME_CONTROLS}
    return [
        discord.SelectOption(
            label=spell_time_control(time_control).capitalize(), value=text, default=time_control == chosen
        )
        for time_control, text in time_controls.items()
    ]


def threads(chosen: str) -> list[discord.SelectOption]:
    labels = {
        "channel": "In the channel",
        "threads": "Each game in its own thread",
    }
    return [
        discord.SelectOption(label=label, value=value, default=value == chosen)
        for value, label in labels.items()
    ]


def pins(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Boards are not pinned", value="off", default=not on),
        discord.SelectOption(
            label="The newest board of each running game is pinned",
            description="From its next move on, and until the game ends.",
            value="on",
            default=on,
        ),
    ]


def result_pictures(chosen: ResultPicture) -> list[discord.SelectOption]:
    labels = {
        ResultPicture.BOARD: ("With the final board", ""),
        ResultPicture.FILM: ("With the game as an animation", "Until it is drawn, the final board is shown."),
        ResultPicture.NONE: ("In words only", ""),
    }
    return [
        discord.SelectOption(label=label, description=about or None, value=value, default=value is chosen)
        for value, (label, about) in labels.items()
    ]


def podium(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Not announced", value="off", default=not on),
        discord.SelectOption(
            label="Announced in the channel of results, or else of system messages", value="on", default=on
        ),
    ]


def everywhere(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Games count there, too", value="on", default=on),
        discord.SelectOption(label="Games count in this server only", value="off", default=not on),
    ]


def showing(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Members may show what they see", value="on", default=on),
        discord.SelectOption(
            label="Nothing is shown; such answers stay private", value="off", default=not on
        ),
    ]


def hours(chosen: int) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=f"{hour:02}:00 UTC", value=str(hour), default=hour == chosen)
        for hour in range(24)
    ]


def weekly_moment(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Not posted", value="off", default=not on),
        discord.SelectOption(
            label="The best one is posted",
            description="It names the player and says if the move was found, never the move.",
            value="on",
            default=on,
        ),
    ]
