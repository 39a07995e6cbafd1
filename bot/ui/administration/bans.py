"""`/admin ban-member`, `ban-server`, `unban`, `bans` and `log`."""

import discord
from discord import app_commands
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.ui.administration.owners import owns
from bot.ui.administration.servers import LeaveServerButton, server_of_bot
from bot.ui.components.layout import items_below
from bot.ui.interactions.acting import Acting, Interaction, acting_of
from bot.ui.interactions.reply import Said
from db.values.administration import Ban
from rules.core.errors import shown

MOST = 25
"""Choices that Discord allows, and lines of a list."""
LINE = 120
"""The most characters of what an owner wrote, in a line of a list."""


async def ban_member(acting: Acting, user: discord.User, reason: str, days: int | None) -> str:
    """Ban a member, show what they have left, and say what becomes of their games."""
    if user.bot:
        raise Refused("Bots cannot use me, so there is no need to ban one.")
    left = await acting.services.administration.ban_member(acting.user, user.id, reason, days)
    acting.display.wake()
    challenges = _told(len(left.challenges), "open challenge was closed", "open challenges were closed")
    games = _told(len(left.matches), "running game was resigned", "running games were resigned")
    return f"{mention(user.id)} may not use me {_until(days)}. {challenges}, {games.lower()}."


def _told(number: int, one: str, several: str) -> str:
    return f"{number or 'No'} {one if number == 1 else several}"


async def ban_server(acting: Acting, server: str, reason: str, days: int | None) -> Said:
    """Ban a server, and offer to leave it."""
    guild = _server(server)
    if guild == acting.interaction.guild_id:
        raise Refused("This is the server of `/admin`; ban another.")
    ended = await acting.services.administration.ban_server(acting.user, guild, reason, days)
    games = _told(len(ended), "running game has ended", "running games have ended")
    text = f"The server `{guild}` may not use me {_until(days)}. {games} without a result."
    if await server_of_bot(acting, guild) is None:
        return Said(text)
    return Said(f"{text} I am still in it.", items_below(LeaveServerButton(guild)))


async def unban(acting: Acting, number: int) -> str:
    """Lift a ban."""
    ban = await acting.services.administration.unban(acting.user, number)
    return f"{_whom(ban)} may use me again."


async def show_bans(acting: Acting) -> str:
    """List the bans that hold."""
    bans = await acting.services.administration.bans()
    lines = [
        f"- `{ban.id}` {_whom(ban)}, {'without an end' if ban.until is None else f'until {format_dt(ban.until)}'}:"
        f" {shown(ban.reason, LINE)}"
        for ban in bans[:MOST]
    ]
    more = [f"-# and {len(bans) - MOST} more"] if len(bans) > MOST else []
    return "\n".join(
        [f"**{len(bans)} ban{'s' if len(bans) > 1 else ''}**" if bans else "Nobody is banned.", *lines, *more]
    )[:2000]


async def show_log(acting: Acting) -> str:
    """List what owners did with `/admin` last."""
    actions = await acting.services.administration.actions(MOST)
    lines = [
        f"- {format_dt(it.at, 'R')} {'a former owner' if it.user is None else mention(it.user)}: {it.what[:LINE]}"
        for it in actions
    ]
    text = ""
    for line in lines:
        if len(text) + len(line) > 1990:
            break
        text += f"{line}\n"
    return text or "Nothing was done with `/admin` yet."


async def bans_to_lift(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """Suggest the bans that hold."""
    if not owns(interaction):
        return []
    choices = []
    acting = acting_of(interaction)
    for ban in await acting.services.administration.bans():
        member = None if ban.user is None else interaction.client.get_user(ban.user)
        guild = None if ban.guild is None else acting.ui_services.clients.get_guild(ban.guild)
        name = (
            member.display_name
            if member
            else guild.name
            if guild
            else str(ban.user or ban.guild or "deleted")
        )
        text = f"{ban.id}: {name}, {ban.reason}"
        if typed.lower() in text.lower():
            choices.append(app_commands.Choice(name=text[:100], value=ban.id))
    return choices[:MOST]


async def servers_to_ban(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest servers by their names."""
    if not owns(interaction):
        return []
    clients = acting_of(interaction).ui_services.clients
    known = [guild for id_ in sorted(clients.guilds()) if (guild := clients.get_guild(id_))]
    found = [guild for guild in known if typed.lower() in f"{guild.name} {guild.id}".lower()]
    return [
        app_commands.Choice(name=f"{guild.name} ({guild.id})"[:100], value=str(guild.id))
        for guild in found[:MOST]
    ]


def _server(text: str) -> int:
    if not text.strip().isdecimal() or not 0 < int(text) < 2**63:
        raise Refused("A server is named by its id, a number; choose one of those that are suggested.")
    return int(text)


def _until(days: int | None) -> str:
    return "any more" if days is None else f"for {days} day{'s' if days > 1 else ''}"


def _whom(ban: Ban) -> str:
    if ban.user is not None:
        return mention(ban.user)
    return "Somebody whose data was deleted" if ban.guild is None else f"The server `{ban.guild}`"
