"""The line after a move that links to another game which waits for the same player."""

from discord.utils import format_dt, utcnow

from bot.app.clocks.arithmetic import live
from bot.app.matches.listed import alone
from bot.app.matches.loaded import LoadedMatch
from bot.ui.components.wording import linked_name
from bot.ui.interactions.reply import Content, Context, delete_answers
from bot.ui.moves.play import MOVED
from bot.ui.posts.answers import TOKEN_LIFETIME

NAME = "next game"
"""The name of the private line, by which a newer one replaces it."""


async def next_game(context: Context) -> Content | None:
    """Return the line about the other games that wait for a member who has just moved, or None."""
    moved: LoadedMatch | None = context.interaction.extras.get(MOVED)
    if moved is None or not _wants(moved, context):
        return None
    waiting = await context.services.matches.waiting_elsewhere(moved, context.user)
    if not waiting:
        await delete_answers(context, NAME)
        return None
    longest = min(waiting, key=lambda it: (it.since(context.user), it.id))
    since = format_dt(longest.since(context.user), "R")
    line = f"Next: {linked_name(longest)}, your turn came {since}."
    if len(waiting) > 1:
        line += f" {len(waiting)} games wait for you; `/games` lists them."
    content = Content(f"-# {line}", name=NAME)
    return None if _is_shown(context, content.text) else content


def _is_shown(context: Context, text: str) -> bool:
    """Return True if the member was told just this in this channel, so recently that they still see it."""
    newest = context.ui_services.private_answers.newest(context.user, NAME)
    if newest is None or utcnow() - newest.created_at > TOKEN_LIFETIME:
        return False
    return newest.channel.id == context.place.channel and newest.content == text


def _wants(moved: LoadedMatch, context: Context) -> bool:
    """Return True if the member plays other games, is to be told of them, and is not busy with this one."""
    user, stored, chosen = context.user, moved.stored, moved.chosen_by(context.user)
    if chosen is None or not chosen.next_game or user not in stored.context.elsewhere:
        return False
    if moved.match.over:
        return True
    if user in moved.waiting_for or alone(stored.users, user):
        return False
    # Players of a live game stay at its board.
    return not live(stored.time_control)
