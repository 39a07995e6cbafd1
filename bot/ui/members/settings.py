"""`/settings`: the settings of a server, in one message that only the member who manages it sees."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui
from discord.utils import format_dt, utcnow

from bot.app.clocks.time_controls import read_time_control
from bot.app.errors import Refused
from bot.ui.components.layout import Part, card
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said
from bot.ui.members import server_options as options
from bot.ui.members.theme_pictures import swatch_files, swatches, theme_chosen, theme_options
from bot.ui.posts.permissions import PINNING, is_voice, missing_permissions, posting_permissions
from db.values.places import DiscordId
from db.values.servers import ResultPicture, ServerChange, ServerSettings
from render.games import HOSTED_GAMES

MOST_CHANNELS = 25
"""The most channels that can be chosen in a menu."""

PAGES = {"games": "Games", "posts": "Posts in channels"}
"""The pages, with the labels of their buttons: all settings together have more components than a message may have."""

WRITABLE = (discord.ChannelType.text, discord.ChannelType.news)
"""The channels for results and puzzles."""
PLAYABLE = (
    *WRITABLE,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""The channels for games. In a forum they are played in its posts."""
WITHOUT_BOTH = (
    "Discord has no threads and no pins in voice channels: "
    "games in <#{}> stay in its chat and are not pinned."
)

ON_POSTS = frozenset({"results", "result-picture", "podium", "puzzles", "puzzle-hour", "weekly-moment"})
"""The settings on the page of posts; all others are on that of games."""


async def show_settings(acting: Acting) -> Said:
    """Show the settings of the server to a member who may change them. Raises Refused."""
    _managed_server(acting)
    return Said("", await settings(acting), files=await swatch_files())


async def settings(acting: Acting, page: str = "games") -> ui.LayoutView:
    """Return a page of the message of the server's settings; see PAGES."""
    assert acting.interaction.guild_id is not None
    chosen = await acting.services.preferences.guild(acting.interaction.guild_id)
    parts = _posts(acting, chosen) if page == "posts" else _games(acting, chosen)
    if faults := _faults(acting, chosen):
        parts += [ui.Separator(), "\n".join(f"⚠ {fault}" for fault in faults)]
    turning: ui.ActionRow[Any] = ui.ActionRow(*(PageButton(other, disabled=other == page) for other in PAGES))
    return card("### Settings of this server\nOnly you see this.", turning, *parts)


def _games(acting: Acting, chosen: ServerSettings) -> list[Part]:
    usual = f"Default: {acting.services.preferences.usual_theme}"
    return [
        "**The look** of pictures that everybody sees",
        swatches(),
        ui.ActionRow(SettingSelect("theme", theme_options(chosen.theme, usual))),
        ui.Separator(),
        "**Channels** where games may be started; none chosen means all",
        ui.ActionRow(ChannelSetting("channels", chosen.channels)),
        "**Games** that are offered",
        ui.ActionRow(SettingSelect("games", options.games(chosen.withheld), most=len(HOSTED_GAMES))),
        ui.Separator(),
        "**The clock** of a game for which no other is chosen",
        ui.ActionRow(SettingSelect("clock", options.clocks(chosen.time_control))),
        "**Boards**: where they are posted",
        ui.ActionRow(SettingSelect("threads", options.threads("threads" if chosen.threads else "channel"))),
        ui.ActionRow(SettingSelect("pins", options.pins(on=chosen.pins))),
        "**Global leaderboards**, for games that end here from now on",
        ui.ActionRow(SettingSelect("everywhere", options.everywhere(on=chosen.everywhere))),
        "**Show to the channel**, a button under answers that one member sees",
        ui.ActionRow(SettingSelect("showing", options.showing(on=chosen.showing))),
    ]


def _posts(acting: Acting, chosen: ServerSettings) -> list[Part]:
    begins = utcnow().replace(hour=chosen.puzzle_hour, minute=0)
    return [
        "**Results** are announced in this channel; none chosen means nowhere",
        ui.ActionRow(ChannelSetting("results", _only(chosen.results))),
        ui.ActionRow(SettingSelect("result-picture", options.result_pictures(chosen.result_picture))),
        "**The podium** of a season, when the month is over",
        ui.ActionRow(SettingSelect("podium", options.podium(on=chosen.podium))),
        ui.Separator(),
        "**The puzzle of the day** is posted in this channel once a day; none chosen means nowhere",
        ui.ActionRow(ChannelSetting("puzzles", _only(chosen.puzzle_channel))),
        f"It is posted from {chosen.puzzle_hour:02}:00 UTC on, which is {format_dt(begins, 't')} for you.",
        ui.ActionRow(SettingSelect("puzzle-hour", options.hours(chosen.puzzle_hour))),
        "**The moment of the week**, a puzzle from this server's own games, in the same channel on Mondays",
        ui.ActionRow(SettingSelect("weekly-moment", options.weekly_moment(on=chosen.weekly_moment))),
    ]


def _only(channel: DiscordId | None) -> tuple[DiscordId, ...]:
    return () if channel is None else (channel,)


def _managed_server(acting: Acting) -> DiscordId:
    """Return the id of the server if this member may manage it. Raises Refused.

    Checked at every press: a server can allow the command to any member, and nothing else guards the menus.
    """
    if acting.interaction.guild_id is None or not acting.interaction.permissions.manage_guild:
        raise Refused("Only members with the permission Manage Server can use these settings.")
    return acting.interaction.guild_id


def _faults(acting: Acting, chosen: ServerSettings) -> list[str]:
    """Return a sentence for each channel in which these settings cannot be carried out.

    The bot may lack a permission there, or the channel may have no threads and pins.
    """
    guild = acting.interaction.guild
    assert guild is not None
    playing = chosen.channels or (acting.interaction.channel_id or 0,)
    needed: list[tuple[DiscordId, list[str]]] = []
    for channel in playing:
        found = guild.get_channel(channel)
        names = list(posting_permissions(thread=isinstance(found, discord.ForumChannel)))
        if chosen.threads and isinstance(found, discord.TextChannel):
            names += ["create_public_threads", "send_messages_in_threads"]
        if chosen.pins and not is_voice(found):
            names += PINNING
        needed.append((channel, names))
    if chosen.results is not None:
        names = ["view_channel", "send_messages"]
        if chosen.result_picture is not ResultPicture.NONE:
            names.append("attach_files")
        needed.append((chosen.results, names))
    if chosen.puzzle_channel is not None:
        names = ["view_channel", "send_messages", "attach_files", "read_message_history"]
        needed.append((chosen.puzzle_channel, names))
    lacking = [
        f"In <#{channel}> I lack {missing}."
        for channel, names in needed
        if (missing := missing_permissions(guild, channel, names))
    ]
    voices = [channel for channel in playing if is_voice(guild.get_channel(channel))]
    return lacking + [WITHOUT_BOTH.format(channel) for channel in voices if chosen.threads or chosen.pins]


class SettingSelect(
    PersistentItem[ui.Select[Any]],
    template=(
        r"setting:(?P<what>"
        r"theme|games|clock|threads|pins|podium|everywhere|showing|result-picture|puzzle-hour|weekly-moment)"
    ),
):
    """Changes one setting, and shows the new ones."""

    words = frozenset({"what"})

    def __init__(
        self, what: str, options: list[discord.SelectOption] | None = None, *, most: int = 1
    ) -> None:
        self.what = what
        super().__init__(ui.Select(custom_id=f"setting:{what}", options=options or [], max_values=most))

    async def answer(self, acting: Acting) -> None:
        await _change(acting, self.what, _read(self.what, self.item.values))


class ChannelSetting(
    PersistentItem[ui.ChannelSelect[Any]], template=r"setting:(?P<what>channels|results|puzzles)"
):
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
                channel_types=list(PLAYABLE if what == "channels" else WRITABLE),
                placeholder="All channels" if what == "channels" else "Nowhere",
                min_values=0,
                max_values=MOST_CHANNELS if what == "channels" else 1,
                default_values=known,
            )
        )

    async def answer(self, acting: Acting) -> None:
        ids = tuple(channel.id for channel in self.item.values)
        first = ids[0] if ids else None
        match self.what:
            case "channels":
                change = ServerChange(channels=ids)
            case "results":
                change = ServerChange(results=first)
            case _:
                change = ServerChange(puzzle_channel=first)
        await _change(acting, self.what, change)


class PageButton(PersistentItem[ui.Button[Any]], template=r"settings:page:(?P<page>games|posts)"):
    """Turns to a page of the settings."""

    words = frozenset({"page"})

    def __init__(self, page: str, *, disabled: bool = False) -> None:
        self.page = page
        super().__init__(ui.Button(label=PAGES[page], custom_id=f"settings:page:{page}", disabled=disabled))

    async def answer(self, acting: Acting) -> None:
        _managed_server(acting)
        files = await swatch_files() if self.page == "games" else []
        await acting.interaction.edit_original_response(
            view=await settings(acting, self.page), attachments=files
        )


def _read(what: str, values: Sequence[str]) -> ServerChange:
    match what:
        case "theme":
            return ServerChange(theme=theme_chosen(values[0]))
        case "games":
            return ServerChange(withheld=tuple(game.key for game in HOSTED_GAMES if game.key not in values))
        case "clock":
            return ServerChange(time_control=read_time_control(values[0]))
        case "pins":
            return ServerChange(pins=values[0] == "on")
        case "podium":
            return ServerChange(podium=values[0] == "on")
        case "everywhere":
            return ServerChange(everywhere=values[0] == "on")
        case "result-picture":
            return ServerChange(result_picture=ResultPicture(values[0]))
        case "weekly-moment":
            return ServerChange(weekly_moment=values[0] == "on")
        case "puzzle-hour":
            return ServerChange(puzzle_hour=int(values[0]))
        case "showing":
            return ServerChange(showing=values[0] == "on")
        case _:
            return ServerChange(threads=values[0] == "threads")


async def _change(acting: Acting, what: str, change: ServerChange) -> None:
    guild = _managed_server(acting)
    await acting.services.preferences.change(guild, **change)
    await acting.display.settings_changed(guild)
    page = "posts" if what in ON_POSTS else "games"
    await acting.interaction.edit_original_response(view=await settings(acting, page))
