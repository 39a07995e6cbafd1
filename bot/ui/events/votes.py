"""What the board of a vote game says of votes and volunteers, and its button for volunteers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
from discord import ui
from discord.utils import escape_markdown, format_dt

from bot.app.clocks.time_controls import spell_span
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import mention
from bot.app.volunteers import DAY, Duty
from bot.app.votes import Poll, tally
from bot.ui.components.message_parts import items_below
from bot.ui.components.wording import linked_name
from bot.ui.interactions.buttons import MatchButton
from bot.ui.interactions.reply import Content, Context
from bot.ui.moves.play import show_vote
from bot.ui.moves.prompts import open_label
from bot.ui.posts.clients import Clients
from db.values.places import DiscordId, former
from render.board.phrases import counted

VOLUNTEER = "Volunteer"
"""The label of the button by which members volunteer for secret moves."""
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
    if poll.duty is not None:
        lines += _about_duty(poll.duty)
    lines += [
        f"-# Nobody played for {mention(team)} in time, so the strongest hint was played ({phase})."
        for team, phase in poll.hints
    ]
    if poll.servers is not None:
        lines.append(
            "-# The hosts are the members of **{}**, the guests those of **{}**.".format(*poll.servers)
        )
    if poll.voters:
        named = ", ".join(map(mention, poll.voters[:MOST_LISTED]))
        more = len(poll.voters) - MOST_LISTED
        lines.append(f"-# Voters: {named}{f' and {more} more' if more > 0 else ''}")
    if poll.players:
        named = ", ".join(map(mention, poll.players[:MOST_LISTED]))
        lines.append(f"-# Drawn by lot to play in secret: {named}")
    return lines


def _about_duty(duty: Duty) -> list[str]:
    """Return who plays the secret moves of a side, or until when members can volunteer for that."""
    when = f"{format_dt(duty.ends_at, 'R')} ({format_dt(duty.ends_at, 'f')})"
    waiting = [it for it in duty.waiting if not former(it.user)]
    if duty.player is not None:
        line = f"**{mention(duty.player.user)} was drawn by lot** and plays in secret. The time ends {when}."
        if duty.extended or duty.missed:
            return [
                line,
                "-# The move was not played in time. If it is not played now, the strongest hint is.",
            ]
        return [line, f"-# If they do not play, another volunteer is drawn. {_volunteers(len(waiting))}"]
    line = f"**Who plays this part in secret?** Press **{VOLUNTEER}**: one volunteer is drawn by lot {when}."
    if duty.extended:
        return [
            line,
            f"-# {_volunteers(len(waiting))} Without a volunteer the strongest hint is played then.",
        ]
    return [line, f"-# {_volunteers(len(waiting))}"]


def drawn_sentence(loaded: LoadedMatch, duty: Duty) -> str:
    """Return what a volunteer who was drawn by lot is told."""
    label = open_label(loaded.match.observe(duty.seat).prompt)
    return (
        f"You were drawn by lot to play in secret for {mention(loaded.stored.users[duty.seat])} in"
        f" {linked_name(loaded)}. Press **{label}** on the board and play until {format_dt(duty.ends_at, 'f')}"
        f" ({format_dt(duty.ends_at, 'R')}). Only you see what opens."
    )


def _volunteers(number: int) -> str:
    if not number:
        return "Nobody has volunteered yet."
    return "1 member has volunteered." if number == 1 else f"{number} members have volunteered."


def volunteer_rows(
    loaded: LoadedMatch, duty: Duty, rows: Sequence[ui.ActionRow[Any]]
) -> list[ui.ActionRow[Any]]:
    """Return the row of a board while a side is to play in secret: `rows` have the controls for who was drawn."""
    if duty.player is None:
        wanted = VolunteerButton(loaded.id, style=discord.ButtonStyle.primary)
        return [ui.ActionRow(wanted, *(it for row in rows for it in row.children[1:]))]
    return [ui.ActionRow(*(it for row in rows for it in row.children), VolunteerButton(loaded.id))]


class VolunteerButton(MatchButton, word="volunteer", label=VOLUNTEER):
    """Lets a member volunteer for the secret moves of their side."""

    async def answer(self, context: Context) -> Content:
        services, name = context.services, f"volunteer {self.match}"
        await services.matches.check_visible(self.match, context.user, context.place)
        duty = await services.volunteers.offer(self.match, context.user, context.place.guild)
        await show_vote(context.display, context.ui_services.outbox, self.match, context.place)
        leave = items_below(WithdrawButton(self.match))
        until = format_dt(duty.ends_at, "R")
        if duty.is_for(context.user):
            loaded = await services.matches.load(self.match)
            return Content(drawn_sentence(loaded, duty), leave, name=name)
        text = f"You volunteer. The lot is drawn {until}; if it falls on you, I send you a direct message."
        if duty.player is not None:
            text = f"You volunteer. If {mention(duty.player.user)} does not play, the lot is drawn again {until}."
        return Content(text, leave, name=name)


class WithdrawButton(MatchButton, word="withdraw-volunteer", label="Leave it to others"):
    """Lets a member no longer volunteer. If they were drawn, another volunteer is drawn."""

    async def answer(self, context: Context) -> Content:
        await context.services.matches.check_visible(self.match, context.user, context.place)
        await context.services.volunteers.withdraw(self.match, context.user)
        await show_vote(context.display, context.ui_services.outbox, self.match, context.place)
        return Content("You leave it to others.", name=f"volunteer {self.match}")


def _about_last(poll: Poll) -> str:
    """Return how the last move of the voters was chosen."""
    if not poll.last:
        return f"Nobody had voted, so the voters played the strongest hint, `{poll.move}`."
    own = sum(it.move == poll.move for it in poll.last)
    return f"`{poll.move}` had {own} of {counted(len(poll.last), 'vote')}."


def _counts(poll: Poll) -> str:
    """Return the votes so far, and what happens without any."""
    if not poll.votes:
        if poll.game.extended:
            return "Nobody had voted, so the vote lasts longer this once. Without a vote the strongest hint is played."
        return (
            f"One move {spell_often(poll.game.terms.every)}; the most votes win, and a tie goes to the earlier vote."
            " Nobody has voted yet."
        )
    tallied = tally(poll.votes)
    named = defaultdict(list)
    for it in poll.votes:
        named[it.move].append(mention(it.user))
    shown = []
    for move, count in tallied[:MOST_MOVES]:
        if poll.named:
            some = ", ".join(named[move][:MOST_NAMED])
            shown.append(f"`{move}` {count} ({some}{', …' if count > MOST_NAMED else ''})")
        else:
            shown.append(f"`{move}` {count}")
    rest = sum(count for _, count in tallied[MOST_MOVES:])
    return f"Votes: {' · '.join([*shown, *([f'others {rest}'] if rest else [])])}"


def spell_often(every: timedelta) -> str:
    """Return how often a move is played: `a day`, `every 10 min`."""
    return "a day" if every == DAY else f"every {spell_span(every)}"
