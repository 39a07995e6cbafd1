"""The rules of a game and where it comes from, as a message."""

from typing import Any

from discord import ui

from bot.app.challenges.terms import FAVOURED, PROVED
from bot.ui.components.emoji import with_emoji
from bot.ui.components.layout import Part, card
from bot.ui.seals import CHECK
from rules.core.game import Game
from rules.core.sizes import spell


def rules_message(game: Game[Any, Any], *below: Part) -> ui.LayoutView:
    """Return the rules of a game with its origin, and `below` at the end; our own rulings are marked as such."""
    text = game.sheet
    play = "\n".join(f"{number}. {rule}" for number, rule in enumerate(text.play, 1))
    house = "\n".join(f"{number}. {ruling}" for number, ruling in enumerate(text.house, 1))
    return card(
        f"## {with_emoji(game.key, text.title)}\n{origin_line(game)}",
        ui.Separator(),
        f"**Goal.** {text.goal}\n\n{play}\n\n**The end.** {text.end}",
        f"**Example.** {text.example}",
        f"**House rulings** (ours, not the author's)\n{house}" if house else "",
        f"**Seals.** {CHECK}" if game.sealed else "",
        f"-# {_boards(game)}{_first_player(game)}",
        *below,
    )


def origin_line(game: Game[Any, Any]) -> str:
    """Return the line that names the inventor of a game and the place where it was published."""
    return f"-# {game.sheet.author}, {game.sheet.year}; {game.sheet.place}"


def _first_player(game: Game[Any, Any]) -> str:
    """Return a line about the named sizes that favour the first player, or nothing."""
    proved = [spell(game, size) for size in game.sizes.values() if dict(size) in PROVED.get(game.key, ())]
    if proved:
        said = f"With best play the first player wins: {'; '.join(proved)}."
    elif game.key in FAVOURED:
        said = "The first player nearly always wins between strong players."
    else:
        return ""
    return f"\n-# {said} With `games: 2` in `/challenge` you play two games with swapped seats."


def _boards(game: Game[Any, Any]) -> str:
    fewest, most = game.seats
    players = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
    ranges = ", ".join(f"{option.key} {option.low}-{option.high} ({option.says})" for option in game.options)
    return f"{players} · sizes {', '.join(game.sizes)}, or {ranges}"
