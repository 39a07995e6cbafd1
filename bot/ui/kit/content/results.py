"""The result of a match as a sentence. Whoever won is named first, and points stand in the order of the names."""

from collections.abc import Callable

import discord

from bot.app.bans import SERVER_BANNED
from bot.app.matches.table import Table
from bot.app.mentions import capital
from bot.ui.kit.content.mentions import player_label
from render.board.outcome import early_ending, is_draw
from render.board.phrases import joined
from rules.core.game import Seat

COLON = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
"""Stands between two points."""


def result(table: Table) -> str:
    """Return the result of a match that is over: `Grace beat Ada 3 : 2 by resignation.`"""
    match = table.match
    if table.stored.void is not None or not match.winners:
        reason = discord.utils.escape_markdown(table.stored.void or "no reason was given").rstrip(".")
        if table.stored.void == SERVER_BANNED:
            return f"This game has ended because {reason}. Nobody wins."
        if match.winners:
            return f"A moderator took this result back: {reason}. It counts for nobody."
        return f"A moderator ended this game: {reason}. Nobody wins."
    who = names(table, lambda seat: player_label(table, seat))
    ending = early_ending(match.observe(None))
    return capital(f"{' '.join(filter(None, [who, points(table), ending]))}.")


def best_first(table: Table) -> tuple[Seat, ...]:
    """Return the seats in the order in which a result names them: winners first.

    Players who left before the end are not named, unless the only winner beat nobody else.
    """
    winners = table.match.winners or ()
    others = tuple(seat for seat in range(table.match.setup.players) if seat not in winners)
    if not winners:
        return others
    stayed = tuple(seat for seat in others if seat in table.match.playing)
    return (*winners, *(stayed or (others if len(winners) == 1 else ())))


def names(table: Table, label: Callable[[Seat], str]) -> str:
    """Return the result in names: `Grace beat Ada`; `Ada against Grace` for a match without one."""
    labels = [label(seat) for seat in best_first(table)]
    won = len(table.match.winners or ())
    if won == 0:
        return " against ".join(labels)
    first, others = joined(labels[:won]), joined(labels[won:])
    if won == 1:
        return f"{first} beat {others}"
    verb = "drew" if is_draw(table.match.observe(None)) else "share the win"
    return f"{first} {verb}, ahead of {others}" if others else f"{first} {verb}"


def points(table: Table) -> str:
    """Return the points in the order in which the result names the players, like `7 : 5`; "" if there are none."""
    scores = table.match.scores
    if scores is None or not table.match.winners:
        return ""
    return COLON.join(str(scores[seat]) for seat in best_first(table))
