"""`/games`: what waits for a member, what else they play, and what is played here."""

from collections.abc import Iterable, Sequence

import discord
from discord import ui

from bot.app.table import Table
from bot.entry.links import link
from bot.entry.offer import summary
from db.values import Challenge, DiscordId
from rules.games import find

MOST = 5
"""Games listed under one heading: four headings of them fit into the 4,000 characters of a message."""


def overview(
    user: DiscordId, mine: Sequence[Table], here: Sequence[Table], challenges: Sequence[Challenge]
) -> ui.LayoutView:
    """The list for one member."""
    waiting = [table for table in mine if user in table.waiting_for]
    others = [table for table in mine if user not in table.waiting_for]
    watching = [table for table in here if user not in table.stored.users]
    parts = [
        *_part("Waiting for you", (_line(table, user) for table in waiting)),
        *_part("Waiting for others", (_line(table, user) for table in others)),
        *_part("Challenges", (_offer(challenge) for challenge in challenges)),
        *_part("Also played here", (_line(table, user) for table in watching)),
    ]
    view = ui.LayoutView(timeout=None)
    for part in parts or ["No games yet. Start one with `/challenge`."]:
        view.add_item(ui.TextDisplay(part))
    return view


def _part(heading: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    if not found:
        return []
    more = [f"- and {len(found) - MOST} more"] if len(found) > MOST else []
    return ["\n".join([f"**{heading}**", *(f"- {line}" for line in found[:MOST]), *more])]


def _line(table: Table, user: DiscordId) -> str:
    others = [other for other in table.stored.users if other != user]
    players = " against ".join(f"<@{other}>" for other in others)
    if len(others) < len(table.stored.users):
        players = f"against {players}"
    panel = table.stored.panel
    if panel is None:
        return f"{table.name}, {players}"
    return f"[{table.name}]({link(table.stored.place, panel)}), {players}"


def _offer(challenge: Challenge) -> str:
    expiry = discord.utils.format_dt(challenge.expires_at, "R")
    title = find(challenge.terms.game).sheet.title
    return f"{title}: {summary(challenge)}, expires {expiry}"
