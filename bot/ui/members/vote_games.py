"""Starting a vote game: the form for managers."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import discord
from discord import ui
from discord.utils import format_dt, utcnow

from bot.app.mentions import PERSONAS
from bot.app.votes import DAY, open_to_votes
from bot.ui.components.wording import linked_name
from bot.ui.interactions.buttons import Form, FormButton
from bot.ui.interactions.checks import check_place
from bot.ui.interactions.reply import Context
from bot.ui.members.server_channels import managed_server
from db.values.votes import VoteTerms
from render.games import HOSTED_GAMES

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
HOURS = {
    AT_ONCE: "After the time that you chose above",
    **{str(it): f"At {it:02}:00 UTC" for it in range(24)},
}
"""When the first vote ends, with the labels."""
COUNTS, NAMES = "counts", "names"
NAMED = {COUNTS: "How many vote for each move", NAMES: "Who votes for which move"}


class VoteGameButton(FormButton, template="vote-game"):
    """Opens the form of a vote game for a manager."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Vote game", custom_id="vote-game"))

    async def form(self, context: Context) -> "VoteGameForm":
        managed_server(context)
        return VoteGameForm()


def _menu(custom_id: str, labels: Mapping[str, str], chosen: str) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=label, value=value, default=value == chosen)
        for value, label in labels.items()
    ]
    return ui.Select(custom_id=custom_id, options=options)


class VoteGameForm(Form):
    """Starts a vote game in the channel of the interaction."""

    def __init__(self) -> None:
        super().__init__("Start a vote game")
        games = {it.key: it.sheet.title for it in HOSTED_GAMES if open_to_votes(it)}
        levels = {str(it.level): f"{it.sign} {it.name}, level {it.level}" for it in PERSONAS}
        self.game = _menu("game", games, next(iter(games)))
        self.level = _menu("level", levels, "3")
        self.every = _menu("every", SPANS, "1440")
        self.hour = _menu("hour", HOURS, AT_ONCE)
        self.shown = _menu("shown", NAMED, COUNTS)
        for text, about, component in (
            ("Game", "On its standard board, casual. Everybody in this channel can vote.", self.game),
            ("Opponent", "The computer player.", self.level),
            ("How often the members move", "The move with the most votes is played.", self.every),
            ("When the first vote ends", f"It is {utcnow():%H:%M} UTC now.", self.hour),
            ("What everybody sees", "At the end of the game all voters are listed.", self.shown),
        ):
            self.add_item(ui.Label(text=text, description=about, component=component))

    async def answer(self, context: Context) -> str:
        managed_server(context)
        check_place(context.interaction)
        await context.ui_services.permission_alerts.check(context.interaction, context.place)
        every, now = timedelta(minutes=int(self.every.values[0])), context.services.clock.now()
        first_at, hour = now + every, self.hour.values[0]
        if hour != AT_ONCE:
            first_at = now.replace(hour=int(hour), minute=0, second=0, microsecond=0)
            first_at += DAY if first_at <= now else timedelta(0)
        terms = VoteTerms(every, first_at, self.shown.values[0] == NAMES)
        loaded = await context.services.votes.start(
            context.place, self.game.values[0], int(self.level.values[0]), terms
        )
        await context.display.show(loaded.id)
        loaded = await context.services.matches.load(loaded.id)
        return (
            f"{linked_name(loaded)} has begun: the members vote for their moves, and the first vote ends"
            f" {format_dt(first_at, 'R')}. **More** on its board ends it early."
        )
