"""The line after a move that links to another game which waits for the same player."""

from datetime import timedelta

from discord.utils import format_dt

from bot.app.matches.listed import alone
from bot.app.matches.loaded import LoadedMatch
from bot.ui.components.wording import linked_name
from bot.ui.interactions.reply import Content, Context
from bot.ui.moves.play import MOVED

LIVE = timedelta(hours=12)
"""A player whose clock gives less time than this plays on at once, and is told of no other game."""


async def next_game(context: Context) -> Content | None:
    """Return the line about the other games that wait for a member who has just moved, or None."""
    moved: LoadedMatch | None = context.interaction.extras.get(MOVED)
    if moved is None or not _wants(moved, context):
        return None
    mine, _ = await context.services.matches.by_hand(context.user)
    waiting = [it for it in mine if it.id != moved.id and context.user in it.waiting_for]
    if not waiting:
        return None
    longest = min(waiting, key=lambda it: (it.since(context.user), it.id))
    since = format_dt(longest.since(context.user), "R")
    line = f"Next: {linked_name(longest)}, your turn came {since}."
    if len(waiting) > 1:
        line += f" {len(waiting)} games wait for you; `/games` lists them."
    return Content(f"-# {line}", name="next game")


def _wants(moved: LoadedMatch, context: Context) -> bool:
    """Return True if the member plays other games, is to be told of them, and is not busy with this one."""
    user, stored = context.user, moved.stored
    chosen, clock = moved.chosen_by(user), stored.time_control
    if chosen is None or not chosen.next_game or stored.context is None or user not in stored.context.busy:
        return False
    if moved.match.over:
        return True
    if user in moved.waiting_for or alone(stored.users, user):
        return False
    return clock is None or clock.span >= LIVE
