"""Setting a server up: its first message, and the form for managers, which `/settings` and one question offer, too."""

import io
from datetime import datetime, timedelta
from typing import Any

import discord
import structlog
from discord import ui
from discord.utils import format_dt, utcnow

from bot.app.clocks.time_controls import COMMON_TIME_CONTROLS, read_time_control, spell_time_control
from bot.app.members.preferences import Preferences
from bot.app.servers import NEW_SERVERS_CLOCK
from bot.ui.challenges.message import ChallengeButton
from bot.ui.components.message_parts import card, gallery, sheet_of_games
from bot.ui.computers import PlayMeButton
from bot.ui.interactions.buttons import Form, FormButton, IdButton, form_menu
from bot.ui.interactions.reply import Content, Context, in_place
from bot.ui.lessons import LessonsButton
from bot.ui.members.server_channels import (
    MOST_CHANNELS,
    PLAYABLE,
    WRITABLE,
    managed_server,
    marked,
    only,
    warnings,
)
from bot.ui.posts.posting import Posting
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.clocks import TimeControl
from db.values.places import DiscordId, Place
from db.values.servers import ServerSettings
from render.games import HOSTED_GAMES
from render.readme_pictures import ANIMATION

QUESTION = (
    "### Set up Pencilbox in one minute?\n"
    "One form asks where games are played, where a daily puzzle and results are posted, and which clock games have. "
    "Until you send it, your settings stay as they are. Only you see this."
)
HOURS = {str(hour): f"{hour:02}:00 UTC" for hour in range(24)}
"""The hours of a day, with their labels."""


def clock_options(chosen: TimeControl | None) -> list[discord.SelectOption]:
    """Return the options of a menu of clocks, in which the chosen one is marked."""
    time_controls = {read_time_control(text): text for text in COMMON_TIME_CONTROLS}
    return [
        discord.SelectOption(
            label=spell_time_control(time_control).capitalize(), value=text, default=time_control == chosen
        )
        for time_control, text in time_controls.items()
    ]


class SetupButton(FormButton, word="setup", label="Set up"):
    """Opens the form of a server's main settings for a manager."""

    async def form(self, context: Context) -> "SetupForm":
        chosen = await context.services.preferences.guild(managed_server(context))
        return SetupForm(chosen, _default_channel(context))


def _default_channel(context: Context) -> DiscordId | None:
    """Return the channel in which the form was opened, or its parent channel, or that of system messages."""
    guild, place = context.interaction.guild, context.place
    assert guild is not None
    for channel in (place.parent, place.channel):
        if channel is not None and isinstance(guild.get_channel(channel), discord.TextChannel):
            return channel
    return None if guild.system_channel is None else guild.system_channel.id


class SetupForm(Form):
    """Asks a manager for the main settings of a server, each with a default.

    A server that posts neither puzzles nor results is offered `channel` for both, and a clock if it has none.
    """

    def __init__(self, chosen: ServerSettings, channel: DiscordId | None) -> None:
        super().__init__("Set up Pencilbox")
        puzzles, results, clock = chosen.puzzle_channel, chosen.results, chosen.time_control
        if puzzles is None and results is None:
            puzzles = results = channel
            clock = clock or NEW_SERVERS_CLOCK
        here = _channels("games", chosen.channels, PLAYABLE, MOST_CHANNELS, "Everywhere")
        about = "Where games may be started; none chosen means everywhere."
        self.games = self.ask("Channels for games", here, about)
        daily = _channels("puzzles", only(puzzles), WRITABLE, 1, "Nowhere")
        about = "And a post about each week. None chosen means nowhere."
        self.puzzles = self.ask("Channel for the puzzle of the day", daily, about)
        hour = form_menu("hour", HOURS, str(chosen.puzzle_hour))
        self.hour = self.ask("Hour of the puzzle", hour, f"It is {utcnow():%H:%M} UTC now.")
        announced = _channels("results", only(results), WRITABLE, 1, "Nowhere")
        about = "Each result, and the podium of each month."
        self.results = self.ask("Channel for results", announced, about)
        usual = ui.Select[Any](custom_id="clock", options=clock_options(clock))
        self.clock = self.ask("Clock", usual, "For games for which no other clock is chosen.")

    async def answer(self, context: Context) -> Content | None:
        guild = managed_server(context)
        games, puzzles, results = (
            tuple(channel.id for channel in menu.values) for menu in (self.games, self.puzzles, self.results)
        )
        await context.services.store.servers.change(
            guild,
            channels=games,
            puzzle_channel=next(iter(puzzles), None),
            puzzle_hour=int(self.hour.values[0]),
            weekly_moment=bool(puzzles),
            results=next(iter(results), None),
            podium=bool(results),
            time_control=read_time_control(self.clock.values[0]),
            setup_due=False,
        )
        await context.ui_services.outbox.settings_changed(guild)
        chosen = await context.services.preferences.guild(guild)
        text = f"### Pencilbox is set up\n{_summary(chosen, utcnow())}"
        return await in_place(context, Content("", card(text, *warnings(context, chosen))))


def _channels(
    custom_id: str,
    chosen: tuple[DiscordId, ...],
    kinds: tuple[discord.ChannelType, ...],
    most: int,
    placeholder: str,
) -> ui.ChannelSelect[Any]:
    return ui.ChannelSelect(
        custom_id=custom_id,
        channel_types=list(kinds),
        placeholder=placeholder,
        min_values=0,
        max_values=most,
        required=False,
        default_values=marked(chosen),
    )


def _summary(chosen: ServerSettings, now: datetime) -> str:
    """Return what happens in a server from now on, as a list."""
    where = "in " + ", ".join(f"<#{it}>" for it in chosen.channels) if chosen.channels else "in every channel"
    clock = spell_time_control(chosen.time_control)
    lines = [f"Games can be started {where}. A game for which no clock is chosen has {clock}."]
    if chosen.puzzle_channel is None:
        lines.append("No puzzle of the day is posted.")
    else:
        at = now.replace(hour=chosen.puzzle_hour, minute=0, second=0)
        first = f"every day from {format_dt(at, 't')} on"
        if at <= now:
            first += ", today within a few minutes"
        elif at - now > timedelta(hours=1):
            first += ", for the first time today"
        lines.append(f"The puzzle of the day is posted in <#{chosen.puzzle_channel}> {first}.")
        lines.append("A post about the week before follows there on Mondays.")
    if chosen.results is None:
        lines.append("Results and the podium of a month are not announced.")
    else:
        lines.append(f"Results and the podium of each month are announced in <#{chosen.results}>.")
    lines.append("`/settings` changes these and more.")
    return "\n".join(f"- {line}" for line in lines)


class SetupQuestions:
    """The question to managers whether they want to set their server up, once for each server."""

    def __init__(self) -> None:
        self._settled: set[DiscordId] = set()
        """The servers whose managers are not to be asked, or no more. Only a new version asks others."""

    async def due(self, context: Context) -> Content | None:
        """Return the question if the member manages a server in which it is still to be asked; then it was asked."""
        guild = context.place.guild
        if guild is None or guild in self._settled or not context.interaction.permissions.manage_guild:
            return None
        due = (await context.services.preferences.guild(guild)).setup_due
        self._settled.add(guild)
        if not due:
            return None
        await context.services.store.servers.change(guild, setup_due=False)
        buttons: ui.ActionRow[Any] = ui.ActionRow(
            SetupButton(style=discord.ButtonStyle.primary), NotNowButton()
        )
        return Content("", card(QUESTION, buttons))


class NotNowButton(IdButton, word="setup:later", label="Not now"):
    """Declines the question if the server is to be set up."""

    async def answer(self, context: Context) -> Content | None:
        text = "Nothing was changed. **Set up** in `/settings` opens the form whenever you like."
        return await in_place(context, Content("", card(text)))


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
