"""The lines about votes on the board of a vote game."""

from collections import defaultdict
from dataclasses import replace
from datetime import timedelta

from discord.utils import escape_markdown, format_dt

from bot.app.clocks.time_controls import spell_span
from bot.app.mentions import mention
from bot.app.votes import DAY, Poll, tally
from bot.ui.posts.clients import Clients
from db.values.places import DiscordId

MOST_MOVES = 8
"""The most moves whose votes a board shows."""
MOST_NAMED = 10
"""The most voters of a move who are named."""
MOST_LISTED = 40
"""The most voters who are named at the end."""


def with_servers(poll: Poll | None, clients: Clients, host: DiscordId | None) -> Poll | None:
    """Return a poll with the names of both servers, as far as this process knows them."""
    if poll is None or poll.guests is None or host is None:
        return poll
    found = (clients.get_guild(host), clients.get_guild(poll.guests))
    first, second = ("another server" if it is None else escape_markdown(it.name) for it in found)
    return replace(poll, servers=(first, second))


def poll_lines(poll: Poll) -> list[str]:
    """Return the lines of a board about the last move of the voters, the votes so far and, at the end, who voted."""
    lines = []
    if poll.move is not None:
        lines.append(f"-# {_about_last(poll)}")
    if poll.ends_at is not None:
        until = f"until {format_dt(poll.ends_at, 'f')} ({format_dt(poll.ends_at, 'R')})."
        if poll.yours:
            lines.append(f"**Vote for a move** by its button {until} You can change your vote until then.")
        else:
            lines.append(f"The members of the other server vote {until}")
        lines.append(f"-# {_counts(poll)}")
    if poll.servers is not None:
        lines.append(
            "-# The hosts are the members of **{}**, the guests those of **{}**.".format(*poll.servers)
        )
    if poll.voters:
        named = ", ".join(map(mention, poll.voters[:MOST_LISTED]))
        more = len(poll.voters) - MOST_LISTED
        lines.append(f"-# Voters: {named}{f' and {more} more' if more > 0 else ''}")
    return lines


def _about_last(poll: Poll) -> str:
    """Return how the last move of the voters was chosen."""
    if not poll.last:
        return f"Nobody had voted, so the voters played the strongest hint, `{poll.move}`."
    own = sum(it.move == poll.move for it in poll.last)
    return f"`{poll.move}` had {own} of {_spelled(len(poll.last))}."


def _spelled(votes: int) -> str:
    return "1 vote" if votes == 1 else f"{votes} votes"


def _counts(poll: Poll) -> str:
    """Return the votes so far, and what happens without any."""
    if not poll.votes:
        if poll.game.extended:
            return "Nobody had voted, so the vote lasts longer this once. Without a vote the strongest hint is played."
        return (
            f"One move {spell_often(poll.game.terms.every)}; the most votes win, and a tie goes to the earlier vote."
            " Nobody has voted yet."
        )
    counted = tally(poll.votes)
    named = defaultdict(list)
    for it in poll.votes:
        named[it.move].append(mention(it.user))
    shown = []
    for move, count in counted[:MOST_MOVES]:
        if poll.named:
            some = ", ".join(named[move][:MOST_NAMED])
            shown.append(f"`{move}` {count} ({some}{', …' if count > MOST_NAMED else ''})")
        else:
            shown.append(f"`{move}` {count}")
    rest = sum(count for _, count in counted[MOST_MOVES:])
    return f"Votes: {' · '.join([*shown, *([f'others {rest}'] if rest else [])])}"


def spell_often(every: timedelta) -> str:
    """Return how often a move is played: `a day`, `every 10 min`."""
    return "a day" if every == DAY else f"every {spell_span(every)}"
