"""The wish of a member to be told when somebody looks for opponents: its form, and the sentence that repeats it."""

from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.app.clocks.dates import zone_of
from bot.app.errors import Refused
from bot.app.members.hours import read_hours, read_zone
from bot.ui.components.message_parts import marked_games
from bot.ui.interactions.buttons import Form, FormButton, form_menu
from bot.ui.interactions.reply import Content, Context
from db.values.members import Interest
from db.values.places import DiscordId
from render.board.phrases import counted
from render.games import HOSTED_GAMES
from rules.core.notation import joined
from rules.games import find

NUMBERS = (1, 2, 3, 5, 10)
"""The numbers of notifications of a day that can be chosen."""
ABOUT_ZONES = "A name follows daylight saving time, an offset does not."
HERE, ELSEWHERE, STOP = "here", "elsewhere", "stop"


def spell_interest(wish: Interest | None, guild: DiscordId | None, now: datetime) -> str:
    """Return a sentence about a wish as it is read in a server, or in direct messages (None)."""
    if wish is None:
        return "I do not tell you when somebody looks for opponents."
    games = "any game" if not wish.games else joined([find(key).sheet.title for key in wish.games])
    if (wish.first_hour, wish.end_hour) == (0, 24):
        hours = "at any hour"
    else:
        hours = f"from {wish.first_hour:02}:00 to {wish.end_hour:02}:00"
    often = "once" if wish.most == 1 else f"{wish.most} times"
    return (
        f"I tell you when somebody looks for opponents in {games}, {_where(wish, guild)}: "
        f"{hours}, at most {often} a day. "
        f"Your time zone is {wish.zone}, where it is {now.astimezone(zone_of(wish.zone)):%H:%M} now."
    )


def _where(wish: Interest, guild: DiscordId | None) -> str:
    """Return the servers of a wish, as they are named in a server, or in direct messages (None)."""
    others = len(wish.guilds) - (guild in wish.guilds)
    if guild in wish.guilds:
        return "in this server" + (f" and {counted(others, 'other')}" if others else "")
    return f"in {counted(others, 'server')}" + ("" if guild is None else ", but not in this one")


class InterestButton(FormButton, word="interest", label="When somebody wants to play…"):
    """Opens the form of the wish to be told when somebody looks for opponents."""

    async def form(self, context: Context) -> "InterestForm":
        wish, guild = await context.services.interests.of(context.user), context.place.guild
        if wish is None and guild is None:
            raise Refused("Use `/preferences` in the server in which you want to play.")
        return InterestForm(wish, context.user, guild)


def zone_field(zone: str | None) -> ui.TextInput[Any]:
    """Return the field of a form in which a member types a time zone."""
    examples = "Berlin, UTC+2, or your time now: 20:15"
    return ui.TextInput(custom_id="zone", default=zone, placeholder=examples, max_length=40)


class InterestForm(Form):
    """Asks for the games, the hours, the time zone, the daily number and the server of notifications."""

    def __init__(self, wish: Interest | None, user: DiscordId, guild: DiscordId | None) -> None:
        super().__init__("When somebody wants to play")
        chosen = wish or Interest(user)
        options = marked_games(HOSTED_GAMES, chosen.games)
        games = ui.Select[Any](
            custom_id="games",
            placeholder="All games",
            options=options,
            min_values=0,
            max_values=len(options),
            required=False,
        )
        self.games = self.ask("Games", games, "None chosen means all.")
        between = f"{chosen.first_hour}-{chosen.end_hour}"
        hours = ui.TextInput[Any](custom_id="hours", default=between, max_length=20)
        self.hours = self.ask("Hours", hours, "In your time zone, like 18-23.")
        self.zone = self.ask("Time zone", zone_field(None if wish is None else wish.zone), ABOUT_ZONES)
        often = {str(number): f"{counted(number, 'time')} a day" for number in NUMBERS}
        self.most = self.ask("At most", form_menu("most", often, str(chosen.most)))
        where = ui.RadioGroup[Any](custom_id="where", options=_places(wish, guild))
        self.where = self.ask("Where", where)

    async def answer(self, context: Context) -> Content:
        interests, user, guild = context.services.interests, context.user, context.place.guild
        now = context.services.clock.now()
        if self.where.value == STOP:
            await interests.stop(user)
        else:
            first, end = read_hours(self.hours.value)
            zone = read_zone(self.zone.value, now)
            wish = Interest(user, tuple(self.games.values), first, end, zone, int(self.most.values[0]))
            await interests.choose(wish, guild, here=self.where.value == HERE)
        text = spell_interest(await interests.of(user), guild, now)
        return Content(text, name="interest")


def _places(wish: Interest | None, guild: DiscordId | None) -> list[discord.RadioGroupOption]:
    """Return the options for the servers of a wish: this one, those that were chosen before, or none."""
    others = [it for it in (wish.guilds if wish is not None else ()) if it != guild]
    here = wish is None or guild in wish.guilds
    options = []
    if guild is not None:
        label = "In this server, too" if others else "In this server"
        options.append(discord.RadioGroupOption(label=label, value=HERE, default=here))
    if others:
        label = f"In {counted(len(others), 'other server' if guild is not None else 'server')} only"
        options.append(
            discord.RadioGroupOption(label=label, value=ELSEWHERE, default=guild is None or not here)
        )
    options.append(discord.RadioGroupOption(label="Nowhere: do not tell me", value=STOP))
    return options
