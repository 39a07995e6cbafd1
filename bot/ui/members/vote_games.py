"""Starting a vote game, and a match with another server: the forms for managers."""

from dataclasses import replace
from datetime import timedelta, tzinfo
from typing import Annotated, Any

import discord
from discord import ui
from discord.utils import escape_markdown, format_dt, utcnow

from bot.app.events.server_matches import BOARDS
from bot.app.members.digests import next_due, zone_told
from bot.app.mentions import PERSONAS
from bot.ui.components.message_parts import items_below, message
from bot.ui.components.wording import linked_name
from bot.ui.events.buttons import show
from bot.ui.events.commands import GAMES_OF_TWO
from bot.ui.events.votes import spell_often
from bot.ui.events.wording import match_text, server_names
from bot.ui.interactions.buttons import Form, FormButton, IdButton, form_menu
from bot.ui.interactions.reply import Content, Context
from bot.ui.members.server_channels import managed_channel, managed_server
from bot.ui.posts.member_names import names_of_strangers, without_mentions
from db.values.events import Event, Terms
from db.values.posts import PostKind
from db.values.votes import VoteTerms
from render.board.phrases import counted
from render.games import HOSTED_GAMES
from rules.core.sizes import read_size
from rules.games import find

ABOUT_MATCHES = (
    "**A match** against another server: the members of both join on a card, and the strongest play the strongest. It"
    " takes place in this channel. You get a code; somebody who manages the other server enters it there."
)
INVITED_TO_MATCH = (
    "Send this code to somebody who manages the other server: `{code}`. They enter it in the channel where their"
    " members join: `/settings`, **Events**, **Enter a code**. It is valid for seven days. Members of this server can"
    " join at once."
)
WHEN_FULL = "full"
STARTS = {
    WHEN_FULL: "When both line-ups are full",
    "1": "In one hour",
    "24": "In one day",
    "72": "In three days",
    "168": "In seven days",
}
"""When a match starts, by its hours, with the labels."""
EACH = {"2": "Two games, with swapped seats", "1": "One game"}


class ServerMatchButton(FormButton, word="match-propose", label="Propose a match"):
    """Opens the form of a match between servers for a manager."""

    async def form(self, context: Context) -> "ServerMatchForm":
        managed_server(context)
        return ServerMatchForm()


class ServerMatchForm(Form):
    """Proposes a match in the channel of the interaction."""

    def __init__(self) -> None:
        super().__init__("Propose a match")
        games = {it.key: it.sheet.title for it in GAMES_OF_TWO}
        boards = {str(it): counted(it, "board") for it in BOARDS}
        game, most = form_menu("game", games, next(iter(games))), form_menu("boards", boards, "4")
        self.game = self.ask("Game", game, "On its standard board, rated if the games have a clock.")
        self.boards = self.ask("Boards", most, "The most players of each server.")
        self.each = self.ask("Games on each board", form_menu("each", EACH, "2"))
        clock = ui.TextInput[Any](
            custom_id="clock", required=False, max_length=50, placeholder="3d, 24h or 15m+10s"
        )
        self.clock = self.ask("Clock", clock, "Empty: as usual in this server.")
        start = form_menu("start", STARTS, WHEN_FULL)
        self.start = self.ask("Start", start, "At the latest after 14 days, with those who have joined.")

    async def answer(self, context: Context) -> str:
        await managed_channel(context)
        services, game = context.services, self.game.values[0]
        time_control = await services.preferences.time_control(context.place.guild, self.clock.value)
        terms = Terms(
            game,
            tuple(read_size(find(game), "").items()),
            time_control,
            rated=time_control is not None,
            most=2 * int(self.boards.values[0]),
        )
        start = self.start.values[0]
        starts_in = None if start == WHEN_FULL else timedelta(hours=int(start))
        event = await services.server_matches.propose(
            context.place, context.user, terms, int(self.each.values[0]), starts_in
        )
        await show(context, event.id)
        assert event.versus is not None
        return INVITED_TO_MATCH.format(code=event.versus.code)


async def proposal(context: Context, event: Event, code: str) -> Content:
    """Return the message with the terms of a match to a manager who may accept it."""
    names = context.ui_services.member_names
    assert event.versus is not None
    accepted = replace(event, versus=replace(event.versus, place=context.place))
    text = match_text(accepted, server_names(accepted, context.ui_services.clients))
    hosts = await names_of_strangers(names, event.place.guild, [it.user for it in event.entrants])
    view = message(without_mentions(text, hosts), ui.ActionRow(AcceptMatchButton(code)))
    return Content("", view, name=f"match {event.id}")


class AcceptMatchButton(IdButton, word="match-accept", label="Accept", style=discord.ButtonStyle.success):
    """Accepts a match for the server."""

    code: Annotated[str, "[0-9a-f]{10}"]

    async def answer(self, context: Context) -> str:
        await managed_channel(context)
        event = await context.services.server_matches.accept(self.code, context.place)
        await show(context, event.id)
        context.ui_services.outbox.wake()
        return "Your server plays this match; its members join on its card."


SPANS = {
    "1440": "Every day",
    "720": "Every 12 hours",
    "360": "Every 6 hours",
    "60": "Every hour",
    "30": "Every 30 minutes",
    "10": "Every 10 minutes",
}
"""The times between two moves, in minutes, with their labels."""
AT_ONCE = "after"
HOURS = {AT_ONCE: "After the time that you chose above", **{str(it): f"At {it:02}:00" for it in range(24)}}
"""When the first vote ends, with the labels."""
COUNTS, NAMES = "counts", "names"
NAMED = {COUNTS: "How many vote for each move", NAMES: "Who votes for which move"}


ABOUT = (
    "**A vote game**: the members of this server play together, and the move with the most votes is played. It takes"
    " place in this channel.\nAgainst a computer player it starts at once. Against another server you get a code;"
    " somebody who manages that server enters it there."
)
INVITED = (
    "Send this code to somebody who manages the other server: `{code}`. They enter it in the channel where their"
    " members vote: `/settings`, **Events**, **Enter a code**. It is valid for seven days and for one game; your next"
    " code replaces it."
)
OTHERS = "0"
"""The opponent that stands for the members of another server."""


class VoteGameButton(FormButton, word="vote-game", label="Start a vote game"):
    """Opens the form of a vote game for a manager."""

    async def form(self, context: Context) -> "VoteGameForm":
        managed_server(context)
        return VoteGameForm(await zone_told(context.services.store, context.user))


class VoteGameForm(Form):
    """Starts a vote game in the channel of the interaction."""

    def __init__(self, zone: tzinfo) -> None:
        super().__init__("Start a vote game")
        self._zone = zone
        games = {it.key: it.sheet.title for it in HOSTED_GAMES}
        levels = {OTHERS: "The members of another server"} | {
            str(it.level): f"{it.sign} {it.name}, level {it.level}" for it in PERSONAS
        }
        game, every = form_menu("game", games, next(iter(games))), form_menu("every", SPANS, "1440")
        hour, shown = form_menu("hour", HOURS, AT_ONCE), form_menu("shown", NAMED, COUNTS)
        now = f"It is {utcnow().astimezone(zone):%H:%M} now ({zone})."
        self.game = self.ask(
            "Game", game, "On its standard board, casual. Everybody in this channel can vote."
        )
        self.level = self.ask(
            "Opponent", form_menu("level", levels, "3"), "A computer player, or another server."
        )
        self.every = self.ask("How often the members move", every, "The move with the most votes is played.")
        self.hour = self.ask("When the first vote ends", hour, now)
        self.shown = self.ask("What everybody sees", shown, "At the end of the game all voters are listed.")

    async def answer(self, context: Context) -> str:
        await managed_channel(context)
        every, now = timedelta(minutes=int(self.every.values[0])), context.services.clock.now()
        first_at, hour = now + every, self.hour.values[0]
        if hour != AT_ONCE:
            first_at = next_due(int(hour), str(self._zone), now)
        terms = VoteTerms(every, first_at, self.shown.values[0] == NAMES, str(self._zone))
        game, level = self.game.values[0], self.level.values[0]
        if level == OTHERS:
            return INVITED.format(code=await context.services.votes.invite(context.place, game, terms))
        loaded = await context.services.votes.start(context.place, game, int(level), terms)
        await context.display.show(loaded.id)
        loaded = await context.services.matches.load(loaded.id)
        return (
            f"{linked_name(loaded)} has begun: the members vote for their moves, and the first vote ends"
            f" {format_dt(first_at, 'R')}. **More** on its board ends it early."
        )


class VoteCodeButton(FormButton, word="vote-code", label="Enter a code"):
    """Asks a manager for the code of an invitation."""

    async def form(self, context: Context) -> "VoteCodeForm":
        managed_server(context)
        return VoteCodeForm()


class VoteCodeForm(Form):
    """Shows the invitation of another server, with a button that accepts it."""

    def __init__(self) -> None:
        super().__init__("Enter the code of another server")
        code = ui.TextInput[Any](max_length=20, custom_id="code")
        self.code = self.ask("Code", code, "You read the terms before the game begins.")

    async def answer(self, context: Context) -> Content:
        managed_server(context)
        event = await context.services.server_matches.proposed(self.code.value, context.place)
        if event is not None:
            return await proposal(context, event, self.code.value.strip().lower())
        found = await context.services.votes.invitation(self.code.value, context.place)
        inviting = context.ui_services.clients.get_guild(found.place.guild)
        by = "Another server" if inviting is None else f"**{escape_markdown(inviting.name)}**"
        named = "who votes for what" if found.terms.named else "how many vote for each move"
        text = (
            f"{by} invites your server to a game of {find(found.game).sheet.title} in this channel. The servers move in"
            f" turn, one move {spell_often(found.terms.every)}, and each board says {named}; the voters of a"
            " server are named in that server only."
        )
        return Content(text, items_below(AcceptVoteButton(found.code)))


class AcceptVoteButton(IdButton, word="vote-accept", label="Accept", style=discord.ButtonStyle.success):
    """Accepts an invitation for the server."""

    code: Annotated[str, "[0-9a-f]{10}"]

    async def answer(self, context: Context) -> str:
        guild = await managed_channel(context)
        loaded = await context.services.votes.accept(self.code, context.place)
        outbox = context.ui_services.outbox
        await outbox.publish(PostKind.COPY, loaded.id, str(guild))
        await context.display.show(loaded.id)
        outbox.wake()
        return f"{loaded.name} has begun; its board is in this channel and in the other server."
