"""Starting a game against a computer player: at once with `/play`, or chosen from a private message."""

from typing import Any

import discord
from discord import ui

from bot.app.computers.games import played_by_computers
from bot.app.mentions import PERSONAS, persona
from bot.ui.components.emoji import game_option
from bot.ui.components.layout import card
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Response, Said, private
from bot.ui.interactions.venue import check_venue
from db.values.challenges import Order
from db.values.computers import LEVELS
from render.games import HOSTED_GAMES
from rules.games import find

USUAL = 0
"""The level, in a custom id, that stands for the one that the member chose last in a game."""


async def play_computer(
    acting: Acting,
    game: str | None,
    level: int | None,
    size: str = "",
    order: Order = Order.LOT,
    rated: bool = False,
) -> Response:
    """Begin a game of this member against a computer player, or let them choose one if `game` is None."""
    if game is None:
        return await choose_game(acting, level or USUAL)
    check_venue(acting.interaction, alone=True)
    await acting.ui_services.permission_alerts.check(acting.interaction, acting.place)
    games = acting.services.computer_games
    table = await games.play(acting.place, acting.user, game, level, size, order, rated=rated)
    await acting.display.show(table.id)
    return None


async def choose_game(acting: Acting, level: int = USUAL) -> Said:
    """Let this member choose a game to play against a computer player, and its level."""
    withheld = (await acting.services.preferences.guild(acting.place.guild)).withheld
    games = [game.key for game in HOSTED_GAMES if game.key not in withheld and played_by_computers(game.key)]
    return Said("", chooser(games, level))


def chooser(games: list[str], level: int = USUAL) -> ui.LayoutView:
    """Return the message in which a game is chosen, which begins it, and the level."""
    if level == USUAL:
        who = f"Without a level you play the one you played last; the first time that is {PERSONAS[0].name}."
    else:
        who = f"{persona(level).sign} **{persona(level).name}**: {persona(level).character}"
    return card(
        f"### Play against the computer\nChoose a game and it begins at once. {who}",
        ui.ActionRow(PlayGameSelect(level, games)),
        ui.ActionRow(PlayLevelSelect(level)),
    )


class PlayMeButton(PersistentItem[ui.Button[Any]], template="play-me"):
    """Opens the choice of a game against a computer player."""

    def __init__(self, label: str = "Play me") -> None:
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label=label, style=style, custom_id="play-me"))

    async def answer(self, acting: Acting) -> Said:
        return await choose_game(acting)


class BeginnerButton(PersistentItem[ui.Button[Any]], template=r"beginner:(?P<game>[a-z][a-z0-9]*)"):
    """Begins a short game against the weakest computer player."""

    words = frozenset({"game"})

    def __init__(self, game: str) -> None:
        self.game = game
        style = discord.ButtonStyle.success
        label = "Play a game against the beginner"
        super().__init__(ui.Button(label=label, style=style, custom_id=f"beginner:{game}"))

    async def answer(self, acting: Acting) -> Response:
        return await play_computer(acting, self.game, LEVELS[0], next(iter(find(self.game).sizes)))


class PlayGameSelect(PersistentItem[ui.Select[Any]], template=r"play-game:(?P<level>[0-5])"):
    """Begins the chosen game."""

    def __init__(self, level: int, games: list[str] | None = None) -> None:
        self.level = level
        options = [game_option(game) for game in HOSTED_GAMES if games is None or game.key in games]
        super().__init__(
            ui.Select(custom_id=f"play-game:{level}", placeholder="Choose a game", options=options)
        )

    async def answer(self, acting: Acting) -> Response:
        return await play_computer(acting, self.item.values[0], None if self.level == USUAL else self.level)


class PlayLevelSelect(PersistentItem[ui.Select[Any]], template="play-level"):
    """Chooses the level of the computer player."""

    def __init__(self, level: int = USUAL) -> None:
        options = [
            discord.SelectOption(label="The level I played last", value=str(USUAL), default=level == USUAL)
        ]
        options += [
            discord.SelectOption(
                label=f"{found.name} (level {found.level} of {len(LEVELS)})",
                value=str(found.level),
                description=found.character,
                emoji=found.sign,
                default=found.level == level,
            )
            for found in PERSONAS
        ]
        super().__init__(ui.Select(custom_id="play-level", options=options))

    async def answer(self, acting: Acting) -> Response:
        said = await choose_game(acting, int(self.item.values[0]))
        if not private(acting.interaction):
            return said
        await acting.interaction.edit_original_response(view=said.view)
        return None
