"""Proposing a match to another server and accepting one: the forms for managers."""

from datetime import timedelta
from typing import Annotated, Any

import discord
from discord import ui

from bot.app.events.server_matches import BOARDS
from bot.ui.components.message_parts import message
from bot.ui.events.buttons import show
from bot.ui.events.commands import GAMES_OF_TWO
from bot.ui.events.match_wording import match_text, server_names
from bot.ui.interactions.buttons import Form, FormButton, IdButton, form_menu
from bot.ui.interactions.reply import Content, Context
from bot.ui.members.server_channels import managed_channel, managed_server
from bot.ui.posts.member_names import names_of_strangers, without_mentions
from db.values.events import Event, Terms
from rules.core.sizes import read_size
from rules.games import find

ABOUT_MATCHES = (
    "**A match** against another server: the members of both join on a card, and the strongest play the strongest. It"
    " takes place in this channel. You get a code; somebody who manages the other server enters it there."
)
INVITED = (
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
        boards = {str(it): "1 board" if it == 1 else f"{it} boards" for it in BOARDS}
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
        return INVITED.format(code=event.versus.code)


async def proposal(context: Context, event: Event, code: str) -> Content:
    """Return the message with the terms of a match to a manager who may accept it."""
    names = context.ui_services.member_names
    text = match_text(event, server_names(event, context.ui_services.clients))
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
        return "Your server plays this match; its members join on the card below."
