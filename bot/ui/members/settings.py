"""`/settings`: the settings of a server, in one message that only the member who manages it sees."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.app.clocks.time_controls import COMMON_TIME_CONTROLS, read_time_control, spell_time_control
from bot.app.errors import Refused
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Said
from bot.ui.kit.content.emoji import game_emoji
from bot.ui.kit.content.layout import Part, card
from bot.ui.kit.posts.permissions import missing_permissions
from bot.ui.matches.pins import NEEDED
from bot.ui.members.theme_pictures import swatch_files, swatches, theme_chosen, theme_options
from db.api.clocks import TimeControl
from db.api.places import DiscordId
from db.api.servers import ResultPicture, ServerChange, ServerSettings
from render.hosted_games import HOSTED_GAMES

MOST_CHANNELS = 25
"""The most channels that can be chosen in a menu."""


async def show_settings(acting: Acting) -> Said:
    """Show the settings of the server to a member who may change them. Raises Refused."""
    _managed_server(acting)
    return Said("", await settings(acting), files=await swatch_files())


async def settings(acting: Acting) -> ui.LayoutView:
    """Return the message of the server's settings."""
    assert acting.interaction.guild_id is not None
    chosen = await acting.services.preferences.guild(acting.interaction.guild_id)
    usual = f"Default: {acting.services.preferences.usual_theme}"
    results = (chosen.results,) if chosen.results is not None else ()
    parts: list[Part] = [
        "### Settings of this server\nOnly you see this.",
        "**The look** of pictures that everybody sees",
        swatches(),
        ui.ActionRow(SettingSelect("theme", theme_options(chosen.theme, usual))),
        ui.Separator(),
        "**Channels** where games may be started; none chosen means all",
        ui.ActionRow(ChannelSetting("channels", chosen.channels)),
        "**Games** that are offered",
        ui.ActionRow(SettingSelect("games", _games(chosen), most=len(HOSTED_GAMES))),
        ui.Separator(),
        "**The clock** of a game for which no other is chosen",
        ui.ActionRow(SettingSelect("clock", _clocks(chosen.time_control))),
        "**Boards**: where they are posted, and how they show a move",
        ui.ActionRow(SettingSelect("threads", _threads("threads" if chosen.threads else "channel"))),
        ui.ActionRow(SettingSelect("moves", _moves("same" if chosen.in_place else "new"))),
        ui.ActionRow(SettingSelect("pins", _pins(on=chosen.pins))),
        ui.Separator(),
        "**Results** are announced in this channel; none chosen means nowhere",
        ui.ActionRow(ChannelSetting("results", results)),
        ui.ActionRow(SettingSelect("result-picture", _result_pictures(chosen.result_picture))),
        "**The podium** of a season, when the month is over",
        ui.ActionRow(SettingSelect("podium", _podium(on=chosen.podium))),
        "**Global leaderboards**, for games that end here from now on",
        ui.ActionRow(SettingSelect("everywhere", _everywhere(on=chosen.everywhere))),
        "**Show to the channel**, a button under answers that one member sees",
        ui.ActionRow(SettingSelect("showing", _showing(on=chosen.showing))),
    ]
    if faults := _faults(acting, chosen):
        parts.append("\n".join(f"⚠ {fault}" for fault in faults))
    return card(*parts)


def _managed_server(acting: Acting) -> DiscordId:
    """Return the id of the server if this member may manage it. Raises Refused.

    Checked at every press: a server can allow the command to any member, and nothing else guards the menus.
    """
    if acting.interaction.guild_id is None or not acting.interaction.permissions.manage_guild:
        raise Refused("Only members with the permission Manage Server can use these settings.")
    return acting.interaction.guild_id


def _games(chosen: ServerSettings) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=game.sheet.title,
            value=game.key,
            default=game.key not in chosen.withheld,
            emoji=game_emoji(game.key),
        )
        for game in HOSTED_GAMES
    ]


def _clocks(chosen: TimeControl | None) -> list[discord.SelectOption]:
    time_controls = {read_time_control(text): text for text in COMMON_TIME_CONTROLS}
    return [
        discord.SelectOption(
            label=spell_time_control(time_control).capitalize(), value=text, default=time_control == chosen
        )
        for time_control, text in time_controls.items()
    ]


def _threads(chosen: str) -> list[discord.SelectOption]:
    labels = {
        "channel": "In the channel",
        "threads": "Each game in its own thread",
    }
    return [
        discord.SelectOption(label=label, value=value, default=value == chosen)
        for value, label in labels.items()
    ]


def _moves(chosen: str) -> list[discord.SelectOption]:
    shown = {
        "new": ("A new board for each move", "The board before becomes one line with the move."),
        "same": ("One board that changes", "A line below calls the next player, until they have moved."),
    }
    return [
        discord.SelectOption(label=label, description=about, value=value, default=value == chosen)
        for value, (label, about) in shown.items()
    ]


def _pins(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Boards are not pinned", value="off", default=not on),
        discord.SelectOption(
            label="The newest board of each running game is pinned",
            description="From its next move on, and until the game ends.",
            value="on",
            default=on,
        ),
    ]


def _result_pictures(chosen: ResultPicture) -> list[discord.SelectOption]:
    labels = {
        ResultPicture.BOARD: ("With the final board", ""),
        ResultPicture.FILM: ("With the game as an animation", "Until it is drawn, the final board is shown."),
        ResultPicture.NONE: ("In words only", ""),
    }
    return [
        discord.SelectOption(label=label, description=about or None, value=value, default=value is chosen)
        for value, (label, about) in labels.items()
    ]


def _podium(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Not announced", value="off", default=not on),
        discord.SelectOption(
            label="Announced in the channel of results, or else of system messages", value="on", default=on
        ),
    ]


def _everywhere(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Games count there, too", value="on", default=on),
        discord.SelectOption(label="Games count in this server only", value="off", default=not on),
    ]


def _showing(*, on: bool) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label="Members may show what they see", value="on", default=on),
        discord.SelectOption(
            label="Nothing is shown; such answers stay private", value="off", default=not on
        ),
    ]


def _faults(acting: Acting, chosen: ServerSettings) -> list[str]:
    """Return a sentence for each channel in which the bot lacks a permission that these settings need."""
    assert acting.interaction.guild is not None
    playing = chosen.channels or (acting.interaction.channel_id or 0,)
    needed: list[tuple[DiscordId, list[str]]] = []
    for channel in playing:
        names = ["view_channel", "send_messages", "attach_files"]
        if chosen.threads:
            names += ["create_public_threads", "send_messages_in_threads"]
        if chosen.pins:
            names += NEEDED
        needed.append((channel, names))
    if chosen.results is not None:
        names = ["view_channel", "send_messages"]
        if chosen.result_picture is not ResultPicture.NONE:
            names.append("attach_files")
        needed.append((chosen.results, names))
    return [
        f"In <#{channel}> I lack {missing}."
        for channel, names in needed
        if (missing := missing_permissions(acting.interaction.guild, channel, names))
    ]


class SettingSelect(
    PersistentItem[ui.Select[Any]],
    template=r"setting:(?P<what>theme|games|clock|threads|moves|pins|podium|everywhere|showing|result-picture)",
):
    """Changes one setting, and shows the new ones."""

    words = frozenset({"what"})

    def __init__(
        self, what: str, options: list[discord.SelectOption] | None = None, *, most: int = 1
    ) -> None:
        self.what = what
        super().__init__(ui.Select(custom_id=f"setting:{what}", options=options or [], max_values=most))

    async def answer(self, acting: Acting) -> None:
        await _change(acting, _read(self.what, self.item.values))


class ChannelSetting(PersistentItem[ui.ChannelSelect[Any]], template=r"setting:(?P<what>channels|results)"):
    """Changes a setting that holds channels, and shows the new ones."""

    words = frozenset({"what"})

    def __init__(self, what: str, chosen: Sequence[DiscordId] = ()) -> None:
        self.what = what
        known = [
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in chosen
        ]
        super().__init__(
            ui.ChannelSelect(
                custom_id=f"setting:{what}",
                channel_types=[discord.ChannelType.text],
                placeholder="All channels" if what == "channels" else "Nowhere",
                min_values=0,
                max_values=MOST_CHANNELS if what == "channels" else 1,
                default_values=known,
            )
        )

    async def answer(self, acting: Acting) -> None:
        ids = tuple(channel.id for channel in self.item.values)
        if self.what == "channels":
            await _change(acting, ServerChange(channels=ids))
        else:
            await _change(acting, ServerChange(results=ids[0] if ids else None))


def _read(what: str, values: Sequence[str]) -> ServerChange:
    match what:
        case "theme":
            return ServerChange(theme=theme_chosen(values[0]))
        case "games":
            return ServerChange(withheld=tuple(game.key for game in HOSTED_GAMES if game.key not in values))
        case "clock":
            return ServerChange(time_control=read_time_control(values[0]))
        case "moves":
            return ServerChange(in_place=values[0] == "same")
        case "pins":
            return ServerChange(pins=values[0] == "on")
        case "podium":
            return ServerChange(podium=values[0] == "on")
        case "everywhere":
            return ServerChange(everywhere=values[0] == "on")
        case "result-picture":
            return ServerChange(result_picture=ResultPicture(values[0]))
        case "showing":
            return ServerChange(showing=values[0] == "on")
        case _:
            return ServerChange(threads=values[0] == "threads")


async def _change(acting: Acting, change: ServerChange) -> None:
    await acting.services.preferences.change(_managed_server(acting), **change)
    await acting.interaction.edit_original_response(view=await settings(acting))
