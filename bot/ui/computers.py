"""Starting a game against a computer player: at once with `/play`, or chosen from a private message."""

from typing import Annotated, Any

import discord
from discord import app_commands, ui

from bot.app.computers import played_by_computers
from bot.app.errors import Refused
from bot.app.mentions import PERSONAS, persona
from bot.ui import autocomplete
from bot.ui.components.message_parts import card, gallery, sheet_of_games
from bot.ui.interactions.buttons import GameKey, IdButton, IdSelect, PersistentItem
from bot.ui.interactions.checks import check_place
from bot.ui.interactions.reply import (
    Content,
    Context,
    Interaction,
    Response,
    dismiss,
    in_place,
    respond,
)
from bot.ui.moves.play import action_rows
from db.values.challenges import Order
from db.values.members import LEVELS, computer_player
from render.games import HOSTED_GAMES
from render.lessons import IN_A_ROW
from rules.games import find

USUAL = 0
"""The level in a custom id that means the suggested level."""


async def play_computer(
    context: Context,
    game: str | None,
    level: int | None,
    size: str = "",
    order: Order = Order.LOT,
    rated: bool = False,
) -> Response:
    """Begin a game against a computer player, or let the member choose a game if `game` is None."""
    if game is None:
        return await choose_game(context, level or USUAL)
    check_place(context.interaction, alone=True)
    games = context.services.computer_games
    loaded = await games.play(context.place, context.user, game, level, size, order, rated=rated)
    await context.display.show(loaded.id)
    return None


async def choose_game(context: Context, level: int = USUAL) -> Content:
    """Return the message in which a member chooses a game against a computer player, and its level.

    Raises Refused if no game that is played here has the level.
    """
    withheld = (await context.services.preferences.guild(context.place.guild)).withheld
    hosted = [game.key for game in HOSTED_GAMES if game.key not in withheld]
    games = [game for game in hosted if played_by_computers(game, level or LEVELS[0])]
    if not games:
        raise Refused("No game that is played in this server has that level; choose a lower one.")
    picture = await sheet_of_games(games, await context.theme())
    return Content("", chooser(games, level, gallery(picture.filename, picture.description or "")), picture)


def chooser(games: list[str], level: int, picture: ui.Item[Any]) -> ui.LayoutView:
    """Return the message with the sheet of the games, a button for each, arranged alike, and the menu of levels.

    A press on a button begins the game.
    """
    if level == USUAL:
        who = (
            f"You begin against {PERSONAS[0].name}, the easiest, and later against whoever suits you. The menu lists"
            f" all {len(PERSONAS)}."
        )
    else:
        who = f"{persona(level).sign} **{persona(level).name}**: {persona(level).character}"
        if not all(played_by_computers(game.key, level) for game in HOSTED_GAMES):
            who += f" Other games have fewer than {level} levels."
    buttons: list[ui.Item[Any]] = [PlayGameButton(level, game, label=find(game).sheet.name) for game in games]
    rows = [buttons[start : start + IN_A_ROW] for start in range(0, len(buttons), IN_A_ROW)]
    return card(
        f"### Play against the computer\nPress a game: it begins at once, and only you see it.\n{who}",
        picture,
        *action_rows(rows),
        ui.ActionRow(PlayLevelSelect(level)),
    )


class PlayMeButton(IdButton, word="play-me", label="Play me", style=discord.ButtonStyle.primary):
    """Opens the choice of a game against a computer player."""

    async def answer(self, context: Context) -> Content:
        return await choose_game(context)


class BeginnerButton(
    IdButton, word="beginner", label="Play a game against the beginner", style=discord.ButtonStyle.success
):
    """Begins a short game against the weakest computer player."""

    game: GameKey

    async def answer(self, context: Context) -> Response:
        return await play_computer(context, self.game, LEVELS[0], next(iter(find(self.game).sizes)))


class PlayGameButton(IdButton, word="play-game", label="Play"):
    """Begins a game, and deletes the private message with the games."""

    level: Annotated[int, "[0-7]"]
    game: GameKey

    async def answer(self, context: Context) -> Response:
        response = await play_computer(context, self.game, None if self.level == USUAL else self.level)
        await dismiss(context)
        return response


class PlayGameSelect(IdSelect, word="play-game"):
    """Begins the chosen game. Only messages of earlier versions have such menus."""

    level: Annotated[int, "[0-7]"]

    async def answer(self, context: Context) -> Response:
        return await play_computer(context, self.item.values[0], None if self.level == USUAL else self.level)


class PlayLevelSelect(PersistentItem[ui.Select[Any]], template="play-level"):
    """Chooses the level of the computer player."""

    def __init__(self, level: int = USUAL) -> None:
        options = [
            discord.SelectOption(label="The level that suits me", value=str(USUAL), default=level == USUAL)
        ]
        options += [
            discord.SelectOption(
                label=f"{found.name} (level {found.level})",
                value=str(found.level),
                description=found.character,
                emoji=found.sign,
                default=found.level == level,
            )
            for found in PERSONAS
        ]
        super().__init__(ui.Select(custom_id="play-level", options=options))

    async def answer(self, context: Context) -> Response:
        return await in_place(context, await choose_game(context, int(self.item.values[0])))


LEVEL_CHOICES = [
    app_commands.Choice(name=f"{found.level}: {found.name}. {found.character}", value=found.level)
    for found in PERSONAS
]
COMPUTER_CHOICES = [
    app_commands.Choice(name=f"{found.name} (level {found.level})", value=computer_player(found.level))
    for found in PERSONAS
]

ORDER_CHOICES = [
    app_commands.Choice(name=name, value=order.value)
    for name, order in (("I begin", Order.FIRST), ("I go second", Order.LAST), ("drawn by lot", Order.LOT))
]


@app_commands.command(description="Play against the computer, at once.")
@app_commands.describe(
    game="the game to play (default: you choose from a menu)",
    level=f"how strong it is, {LEVELS[0]} to {LEVELS[-1]} (default: the level that suits your rating)",
    size="size of the board: quick, standard, long, or numbers like 7x4 (default: your last; at first quick)",
    order="who begins (default: drawn by lot)",
    rated="true if the game counts for ratings, on the standard size (default: false)",
)
@app_commands.choices(game=autocomplete.HOSTED_CHOICES, order=ORDER_CHOICES)
@app_commands.choices(level=LEVEL_CHOICES)
@app_commands.autocomplete(size=autocomplete.sizes)
async def play(
    interaction: Interaction,
    game: str | None = None,
    level: int | None = None,
    size: str = "",
    order: str = Order.LOT,
    rated: bool = False,
) -> None:
    await respond(interaction, play_computer, game, level, size, Order(order), rated)
