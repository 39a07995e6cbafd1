"""`/games`: what waits for a member, what else they play, and what is played here."""

from collections.abc import Iterable, Sequence

import discord

from bot.app.table import Table
from db.values import Challenge
from rules.games import find

MOST = 10
"""Games listed under one heading; a message holds 2,000 characters."""


def overview(user: int, mine: Sequence[Table], here: Sequence[Table], challenges: Sequence[Challenge]) -> str:
    """The list for one member."""
    waiting = [table for table in mine if user in table.waiting_for]
    others = [table for table in mine if user not in table.waiting_for]
    watching = [table for table in here if user not in table.stored.users]
    parts = [
        *_part("Waiting for you", (_line(table) for table in waiting)),
        *_part("Waiting for others", (_line(table) for table in others)),
        *_part("Challenges", (_offer(challenge) for challenge in challenges)),
        *_part("Also played here", (_line(table) for table in watching)),
    ]
    return "\n".join(parts) or "No games yet. Start one with `/challenge`."


def _part(heading: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    if not found:
        return []
    more = [f"- and {len(found) - MOST} more"] if len(found) > MOST else []
    return [f"**{heading}**", *(f"- {line}" for line in found[:MOST]), *more]


def _line(table: Table) -> str:
    players = " against ".join(f"<@{user}>" for user in table.stored.users)
    panel, guild = table.stored.panel, table.stored.place.guild
    if panel is None:
        return f"{table.name}, {players}"
    link = f"https://discord.com/channels/{guild or '@me'}/{panel.channel}/{panel.message}"
    return f"[{table.name}]({link}), {players}"


def _offer(challenge: Challenge) -> str:
    expiry = discord.utils.format_dt(challenge.expires_at, "R")
    title = find(challenge.setup.game).sheet.title
    return f"{title}: <@{challenge.challenger}> challenges <@{challenge.opponent}>, expires {expiry}"
