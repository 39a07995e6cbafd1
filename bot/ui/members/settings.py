"""`/settings`: the settings of a server, in one private message."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

from discord import app_commands, ui
from discord.utils import format_dt, utcnow

from bot.app.clocks.time_controls import read_time_control, spell_time_control
from bot.app.errors import Refused
from bot.app.events.leagues import CLOCKS
from bot.ui.components.message_parts import Part, card, marked_games, members_menu, menu_options
from bot.ui.events.commands import GAMES_OF_TWO
from bot.ui.events.titles import TitleRoleSelect, role_fault
from bot.ui.interactions.buttons import IdButton, IdSelect, PersistentItem
from bot.ui.interactions.commands import in_servers
from bot.ui.interactions.reply import Content, Context, Interaction, edit, respond
from bot.ui.members.preferences import swatch_files, swatches, theme_chosen, theme_options
from bot.ui.members.server_channels import (
    MOST_CHANNELS,
    PLAYABLE,
    WRITABLE,
    managed_server,
    marked,
    only,
    warnings,
)
from bot.ui.members.setup import HOURS, SetupButton, clock_options
from bot.ui.members.vote_games import ABOUT, ABOUT_MATCHES, ServerMatchButton, VoteCodeButton, VoteGameButton
from db.values.events import TitleKind
from db.values.places import DiscordId
from db.values.servers import ResultPicture, ServerChange, ServerSettings
from render.games import HOSTED_GAMES
from rules.games import SIZE_NAMES

MOST_EXCLUDED = 25
"""The most members that a server can exclude: as many as a menu can show as chosen."""

EXCLUDED = (
    "**Excluded members** can begin and join no games in this server. Games that they play already go on; **More** "
    "below its board ends such a game."
)

PAGES = {"games": "Games", "posts": "Posts in channels", "members": "Members", "events": "Events"}
"""The pages, with the labels of their buttons: all settings together have more components than a message may have."""

PAGE_OF = {
    **dict.fromkeys(
        ("results", "result-picture", "podium", "puzzles", "puzzle-hour", "weekly-moment"), "posts"
    ),
    "reports": "members",
    **dict.fromkeys(("leagues", "league-channel", "league-clock", "league-size"), "events"),
}
"""By setting: its page; all others are on that of games."""


async def show_settings(context: Context) -> Content:
    """Show the settings of the server to a member who may change them. Raises Refused."""
    managed_server(context)
    return Content("", await settings(context), files=await swatch_files())


async def settings(context: Context, page: str = "games") -> ui.LayoutView:
    """Return a page of the message of the server's settings; see PAGES."""
    assert context.interaction.guild_id is not None
    chosen = await context.services.preferences.guild(context.interaction.guild_id)
    match page:
        case "posts":
            parts = _posts(chosen)
        case "members":
            parts = _members(chosen, await context.services.store.servers.excluded(chosen.guild))
        case "events":
            parts = await _events(context, chosen)
        case _:
            parts = _games(context, chosen)
    parts += warnings(context, chosen)
    turning: ui.ActionRow[Any] = ui.ActionRow(
        *(PageButton(other, disabled=other == page) for other in PAGES), SetupButton()
    )
    return card("### Settings of this server\nOnly you see this.", turning, *parts)


def _games(context: Context, chosen: ServerSettings) -> list[Part]:
    usual = f"Default: {context.services.preferences.usual_theme}"
    offered = [game.key for game in HOSTED_GAMES if game.key not in chosen.withheld]
    return [
        "**The theme** of pictures that everybody sees",
        swatches(),
        ui.ActionRow(SettingSelect("theme", options=theme_options(chosen.theme, usual))),
        ui.Separator(),
        "**Channels** where games may be started; none chosen means all",
        ui.ActionRow(ChannelSetting("channels", chosen.channels)),
        "**Games** that are offered",
        ui.ActionRow(
            SettingSelect("games", options=marked_games(HOSTED_GAMES, offered), most=len(HOSTED_GAMES))
        ),
        ui.Separator(),
        "**The clock** of a game for which no other is chosen",
        ui.ActionRow(SettingSelect("clock", options=clock_options(chosen.time_control))),
        "**Boards**: where they are posted",
        _menu("threads", "threads" if chosen.threads else "channel"),
        _switch("pins", on=chosen.pins),
        "**Global leaderboards**, for games that end here from now on",
        _switch("everywhere", on=chosen.everywhere),
        "**Show to the channel**, a button under answers that only one member sees",
        _switch("showing", on=chosen.showing),
    ]


def _posts(chosen: ServerSettings) -> list[Part]:
    begins = utcnow().replace(hour=chosen.puzzle_hour, minute=0)
    return [
        "**Results** are announced in this channel; none chosen means nowhere",
        ui.ActionRow(ChannelSetting("results", only(chosen.results))),
        _menu("result-picture", chosen.result_picture),
        "**The podium** of a season, when the month is over",
        _switch("podium", on=chosen.podium),
        ui.Separator(),
        "**The puzzle of the day** is posted in this channel once a day; none chosen means nowhere",
        ui.ActionRow(ChannelSetting("puzzles", only(chosen.puzzle_channel))),
        f"It is posted from {chosen.puzzle_hour:02}:00 UTC on, which is {format_dt(begins, 't')} for you.",
        _menu("puzzle-hour", str(chosen.puzzle_hour)),
        "**The post of the week** in the same channel on Mondays: a board, rivals, puzzle streaks and a moment",
        _switch("weekly-moment", on=chosen.weekly_moment),
    ]


def _members(chosen: ServerSettings, excluded: Sequence[DiscordId]) -> list[Part]:
    return [
        "**Reports** by members about games are posted in this channel; none chosen means nobody can report",
        ui.ActionRow(ChannelSetting("reports", only(chosen.reports))),
        ui.Separator(),
        EXCLUDED,
        ui.ActionRow(ExclusionSelect(excluded)),
    ]


def _row(item: ui.Item[Any]) -> ui.ActionRow[Any]:
    return ui.ActionRow(item)


async def _events(context: Context, chosen: ServerSettings) -> list[Part]:
    guild = context.interaction.guild
    assert guild is not None
    roles = await context.services.store.titles.roles(guild.id)
    selects = [TitleRoleSelect(kind, roles.get(kind)) for kind in TitleKind]
    faults = dict.fromkeys(filter(None, (role_fault(guild, role) for role in roles.values())))
    leagues = marked_games(GAMES_OF_TWO, chosen.leagues)
    channel_missing = chosen.leagues and chosen.league_channel is None
    return [
        "**Leagues** take place in this channel; none chosen means nowhere",
        ui.ActionRow(ChannelSetting("league-channel", only(chosen.league_channel))),
        "**Clock and size** of the months that open from now on; one that can be joined already keeps its own",
        _menu("league-clock", chosen.league_clock),
        _menu("league-size", chosen.league_size),
        (
            "**Games with a league** every month, in divisions of four to eight, rated. Members can join the next month"
            " at once, and after that in the last week before each month.\n-# A league that you remove can no longer be"
            " joined; a month that is being played goes on."
        ),
        ui.ActionRow(SettingSelect("leagues", options=leagues, least=0, most=len(GAMES_OF_TWO))),
        *(["⚠ Leagues begin once you choose their channel above."] if channel_missing else []),
        ui.Separator(),
        "**Roles of titles**, which their holders have for 31 days; none chosen means no role",
        *map(_row, selects),
        *(["\n".join(f"⚠ {fault}" for fault in faults)] if faults else []),
        ui.Separator(),
        f"{ABOUT}\n{ABOUT_MATCHES}",
        ui.ActionRow(VoteGameButton(), ServerMatchButton(), VoteCodeButton()),
    ]


LABELS: Mapping[str, Mapping[str, str]] = {
    "threads": {"channel": "In the channel", "threads": "Each game in its own thread"},
    "pins": {"off": "Boards are not pinned", "on": "The newest board of each running game is pinned"},
    "everywhere": {"on": "Games count globally, too", "off": "Games count in this server only"},
    "showing": {
        "on": "Members may show what they see",
        "off": "Nothing is shown; such answers stay private",
    },
    "result-picture": {
        ResultPicture.BOARD: "With the final board",
        ResultPicture.FILM: "With the game as an animation",
        ResultPicture.NONE: "In words only",
    },
    "podium": {
        "off": "Not announced",
        "on": "Announced in the channel of results, or else in that of system messages",
    },
    "puzzle-hour": HOURS,
    "weekly-moment": {"off": "Not posted", "on": "Posted on Mondays"},
    "league-clock": {it: spell_time_control(read_time_control(it)).capitalize() for it in CLOCKS},
    "league-size": {it: f"{it.capitalize()} games" for it in SIZE_NAMES},
}
"""By setting: the labels of its values."""
DESCRIPTIONS: Mapping[str, Mapping[str, str]] = {
    "pins": {"off": "Pinned boards are unpinned.", "on": "From its next move on, and until the game ends."},
    "result-picture": {ResultPicture.FILM: "Until it is drawn, the final board is shown."},
    "weekly-moment": {
        "on": "Members who chose not to be listed are not named, and their boards are not shown."
    },
    "league-clock": {
        "12h": "For members who come every day: each player has time for 28 moves in any month.",
        "1d": "Each player has time for 14 moves in any month.",
        "2d": "For games of few moves: each player has time for 7 moves in any month.",
    },
}
"""By setting: the descriptions of some of its values."""


def _menu(what: str, chosen: str) -> ui.ActionRow[Any]:
    options = menu_options(LABELS[what], chosen, DESCRIPTIONS.get(what, {}))
    return ui.ActionRow(SettingSelect(what, options=options))


def _switch(what: str, *, on: bool) -> ui.ActionRow[Any]:
    return _menu(what, "on" if on else "off")


class SettingSelect(IdSelect, word="setting"):
    """Changes one setting, and shows the new ones."""

    what: Annotated[str, "|".join(("theme", "games", "clock", "leagues", *LABELS))]

    async def answer(self, context: Context) -> None:
        await _change(context, self.what, _read(self.what, self.item.values))


class ChannelSetting(
    PersistentItem[ui.ChannelSelect[Any]],
    template=r"setting:(?P<what>channels|results|puzzles|reports|league-channel)",
):
    """Changes a setting that holds channels, and shows the new ones."""

    def __init__(self, what: str, chosen: Sequence[DiscordId] = ()) -> None:
        self.what = what
        super().__init__(
            ui.ChannelSelect(
                custom_id=f"setting:{what}",
                channel_types=list(PLAYABLE if what == "channels" else WRITABLE),
                placeholder="All channels" if what == "channels" else "Nowhere",
                min_values=0,
                max_values=MOST_CHANNELS if what == "channels" else 1,
                default_values=marked(chosen),
            )
        )

    async def answer(self, context: Context) -> None:
        ids = tuple(channel.id for channel in self.item.values)
        if self.what == "channels":
            change = ServerChange(channels=ids)
        else:
            key = "puzzle_channel" if self.what == "puzzles" else self.what.replace("-", "_")
            change = cast(ServerChange, {key: ids[0] if ids else None})
        await _change(context, self.what, change)


class ExclusionSelect(PersistentItem[ui.UserSelect[Any]], template="setting:excluded"):
    """Excludes the chosen members from the games of the server, and admits all others."""

    def __init__(self, excluded: Sequence[DiscordId] = ()) -> None:
        shown = excluded[-MOST_EXCLUDED:]
        super().__init__(members_menu("setting:excluded", "Nobody is excluded", shown, MOST_EXCLUDED))

    async def answer(self, context: Context) -> None:
        guild = managed_server(context)
        chosen = [it.id for it in self.item.values]
        if any(it.bot for it in self.item.values):
            raise Refused("Bots play no games; choose members.")
        await context.services.preferences.exclude(guild, chosen)
        await edit(context, view=await settings(context, "members"))


class PageButton(IdButton, word="settings:page", label=PAGES):
    """Turns to a page of the settings."""

    page: str

    async def answer(self, context: Context) -> None:
        managed_server(context)
        files = await swatch_files() if self.page == "games" else []
        await edit(context, view=await settings(context, self.page), attachments=files)


def _read(what: str, values: Sequence[str]) -> ServerChange:
    if what == "leagues":
        return ServerChange(leagues=tuple(values))
    value = values[0]
    match what:
        case "theme":
            return ServerChange(theme=theme_chosen(value))
        case "games":
            return ServerChange(withheld=tuple(game.key for game in HOSTED_GAMES if game.key not in values))
        case "clock":
            return ServerChange(time_control=read_time_control(value))
        case "threads":
            return ServerChange(threads=value == "threads")
        case "result-picture":
            return ServerChange(result_picture=ResultPicture(value))
        case "puzzle-hour":
            return ServerChange(puzzle_hour=int(value))
        case _:
            chosen = value if what in ("league-clock", "league-size") else value == "on"
            return cast(ServerChange, {what.replace("-", "_"): chosen})


async def _change(context: Context, what: str, change: ServerChange) -> None:
    guild = managed_server(context)
    await context.services.store.servers.change(guild, **change)
    await context.ui_services.outbox.settings_changed(guild)
    if change.keys() & {"leagues", "league_channel"}:
        await context.services.leagues.follow(await context.services.preferences.guild(guild))
        context.ui_services.outbox.wake()
    page = PAGE_OF.get(what, "games")
    await edit(context, view=await settings(context, page))


@app_commands.command(name="settings", description="Change the settings of this server.")
@in_servers
@app_commands.default_permissions(manage_guild=True)
async def settings_command(interaction: Interaction) -> None:
    await respond(interaction, show_settings)
