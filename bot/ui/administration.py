"""`/admin servers`: the servers of the bot by size and activity; and leaving one of them."""

import asyncio
import resource
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Concatenate, ParamSpec

import discord
import structlog
from discord import AppInfo, TeamMemberRole, TeamMembershipState, app_commands, ui
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.ui.components.message_parts import card, items_below
from bot.ui.interactions.buttons import IdButton, Page
from bot.ui.interactions.reply import (
    LONGEST_REASON,
    Content,
    Context,
    Interaction,
    Response,
    change,
    context_of,
    respond,
)
from db.values.administration import Ban
from db.values.places import DiscordId
from render.board.phrases import counted
from rules.core.errors import shown

REFUSAL = "Only the owner of this bot may do that."


def is_owner(application: AppInfo | None, user: DiscordId) -> bool:
    """Return True for the owner of an application, and for members of its team who may change the application."""
    if application is None:
        return False
    if application.team is None:
        return user == application.owner.id
    return any(
        it.id == user
        and it.membership_state is TeamMembershipState.accepted
        and it.role is not TeamMemberRole.read_only
        for it in application.team.members
    )


def owns(interaction: Interaction) -> bool:
    """Return True if the member is an owner. discord.py reads the application when it logs in."""
    return is_owner(interaction.client.application, interaction.user.id)


def check_owner(context: Context) -> None:
    """Raise Refused unless the member is an owner."""
    if not owns(context.interaction):
        raise Refused(REFUSAL)


SPAN = timedelta(minutes=10)
"""The time over which moves are counted."""
NAP, NAPS = 0.02, 10
"""Seconds of a sleep that measures the delay of the event loop, and the number of sleeps."""


async def show_load(context: Context) -> Content:
    """Show the load of this process and of the database."""
    administration = context.services.administration
    await administration.log(context.user, "look at the load")
    late = await _lag()
    began = perf_counter()
    waiting = await context.services.store.administration.boards_waiting()
    asked = perf_counter() - began
    moves = await administration.moves(SPAN)
    size = await context.services.store.administration.database_size()
    client = context.interaction.client
    latency = client.latency
    connection = "not connected" if latency != latency else f"{latency * 1000:.0f} ms"
    minutes = SPAN.total_seconds() / 60
    lines = (
        f"**{moves / minutes:.1f}** moves per minute were made in the last {minutes:.0f} minutes",
        f"**{waiting}** boards wait to be published",
        f"**{late * 1000:.0f} ms** is the longest delay of the event loop",
        f"**{_memory() / 1e6:.0f} MB** of memory are used by this process",
        f"**{size / 1e6:.1f} MB** is the size of the database; a query takes {asked * 1000:.0f} ms",
        f"**{connection}** is the latency of the connection to Discord",
        f"**{len(context.ui_services.clients.guilds())}** is the number of servers of this process",
    )
    return Content("", card("### Load", "\n".join(f"- {line}" for line in lines)))


async def _lag() -> float:
    """Return the longest delay of the event loop after a few short sleeps, in seconds."""
    worst = 0.0
    for _ in range(NAPS):
        began = perf_counter()
        await asyncio.sleep(NAP)
        worst = max(worst, perf_counter() - began - NAP)
    return worst


def _memory() -> int:
    """Return the memory of this process in bytes; the maximum since its start if the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()


SHOWN = 10
"""Servers on one page."""
NOT_THERE = (10004, 50001)
"""Error codes of Discord for a server that does not exist, and for one that the bot is not in."""


async def show_servers(context: Context) -> Content:
    """Show the first page of the servers."""
    await context.services.administration.log(context.user, "list the servers")
    return await _page(context, 0)


async def _page(context: Context, number: int) -> Content:
    """Return a page, counted from 0; a number that is too high gives the last page."""
    activity = await context.services.administration.activity()
    clients = context.ui_services.clients
    guilds = {id_: found for id_ in clients.guilds() if (found := clients.get_guild(id_))}

    def order(guild: DiscordId) -> tuple[int, int, int]:
        played = activity.get(guild)
        games = 0 if played is None else played.running + played.lately
        found = guilds.get(guild)
        return games, (found.member_count or 0) if found else 0, guild

    ids = sorted({*guilds, *activity}, key=order, reverse=True)
    last = max(0, (len(ids) - 1) // SHOWN)
    number = min(number, last)
    lines = []
    for place, guild in enumerate(ids[number * SHOWN : (number + 1) * SHOWN], number * SHOWN + 1):
        found, played = guilds.get(guild), activity.get(guild)
        name = "not served here" if found is None else f"**{discord.utils.escape_markdown(found.name)}**"
        members = "" if found is None or not found.member_count else f" · {found.member_count} members"
        running, lately = (0, 0) if played is None else (played.running, played.lately)
        lines.append(
            f"{place}. {name}{members}\n-# `{guild}` · {running} games running, {lately} ended in 7 days"
        )
    heading = f"### {len(guilds)} server{'' if len(guilds) == 1 else 's'}"
    if not last:
        return Content("", card(heading, "\n".join(lines)))
    row: ui.ActionRow[Any] = ui.ActionRow(
        ServersButton(max(number - 1, 0), "back", disabled=number == 0),
        ServersButton(number + 1, "more", disabled=number == last),
    )
    return Content("", card(heading, "\n".join(lines), f"-# page {number + 1} of {last + 1}", row))


async def server_of_bot(context: Context, guild: DiscordId) -> discord.Guild | None:
    """Ask Discord for a server that the bot is in, whichever process serves it; None if the bot is not in it."""
    try:
        found: discord.Guild = await context.interaction.client.fetch_guild(guild, with_counts=False)
    except discord.HTTPException as error:
        if error.code not in NOT_THERE:
            raise
        return None
    return found


class ServersButton(IdButton, word="admin-servers", label={"back": "Back", "more": "More"}):
    """Shows another page of the servers."""

    page: Page
    action: str

    async def answer(self, context: Context) -> None:
        check_owner(context)
        await change(context, await _page(context, self.page))


class LeaveServerButton(
    IdButton, word="admin-leave", label="Leave the server", style=discord.ButtonStyle.danger
):
    """Makes the bot leave a server."""

    guild: Annotated[int, "[0-9]{1,20}"]

    async def answer(self, context: Context) -> str:
        check_owner(context)
        found = await server_of_bot(context, self.guild)
        if found is None:
            raise Refused(f"I am not in the server `{self.guild}`.")
        await context.services.administration.log(context.user, f"leave server {self.guild}")
        await found.leave()
        return f"I have left **{discord.utils.escape_markdown(found.name)}**."


MOST = 25
"""Choices that Discord allows, and lines of a list."""
LINE = 120
"""The most characters of a text by an owner in a line of a list."""


async def ban_member(context: Context, user: discord.User, reason: str, days: int | None) -> str:
    """Ban a member, and publish what changed in their games."""
    if user.bot:
        raise Refused("Bots cannot use me, so there is no need to ban one.")
    left = await context.services.administration.ban_member(context.user, user.id, reason, days)
    context.ui_services.outbox.wake()
    challenges = _told(len(left.challenges), "open challenge was closed", "open challenges were closed")
    games = _told(len(left.matches), "running game was resigned", "running games were resigned")
    return f"{mention(user.id)} may not use me {_until(days)}. {challenges}, {games.lower()}."


def _told(number: int, one: str, several: str) -> str:
    return f"{number or 'No'} {one if number == 1 else several}"


async def ban_server(context: Context, server: str, reason: str, days: int | None) -> Content:
    """Ban a server, and offer to leave it."""
    guild = _server(server)
    if guild == context.interaction.guild_id:
        raise Refused("You cannot ban this server, because it has the command `/admin`.")
    ended = await context.services.administration.ban_server(context.user, guild, reason, days)
    games = _told(len(ended), "running game has ended", "running games have ended")
    text = f"The server `{guild}` may not use me {_until(days)}. {games} without a result."
    if await server_of_bot(context, guild) is None:
        return Content(text)
    return Content(f"{text} I am still in it.", items_below(LeaveServerButton(guild)))


async def unban(context: Context, number: int) -> str:
    """Lift a ban."""
    ban = await context.services.administration.unban(context.user, number)
    return f"{_whom(ban)} may use me again."


async def show_bans(context: Context) -> str:
    """List the current bans."""
    bans = await context.services.administration.bans()
    lines = [
        f"- `{ban.id}` {_whom(ban)}, {'without an end' if ban.until is None else f'until {format_dt(ban.until)}'}:"
        f" {shown(ban.reason, LINE)}"
        for ban in bans[:MOST]
    ]
    more = [f"-# and {len(bans) - MOST} more"] if len(bans) > MOST else []
    return "\n".join([f"**{counted(len(bans), 'ban')}**" if bans else "Nobody is banned.", *lines, *more])[
        :2000
    ]


async def show_log(context: Context) -> str:
    """List the last actions of owners."""
    actions = await context.services.store.administration.actions(MOST)
    lines = [
        f"- {format_dt(it.at, 'R')} {'a former owner' if it.user is None else mention(it.user)}: {it.what[:LINE]}"
        for it in actions
    ]
    text = ""
    for line in lines:
        if len(text) + len(line) > 1990:
            break
        text += f"{line}\n"
    return text or "Nobody has used `/admin` yet."


async def bans_to_lift(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """Suggest the current bans."""
    if not owns(interaction):
        return []
    choices = []
    context = context_of(interaction)
    for ban in await context.services.administration.bans():
        member = None if ban.user is None else interaction.client.get_user(ban.user)
        guild = context.ui_services.clients.get_guild(ban.guild)
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
    clients = context_of(interaction).ui_services.clients
    known = [guild for id_ in sorted(clients.guilds()) if (guild := clients.get_guild(id_))]
    found = [guild for guild in known if typed.lower() in f"{guild.name} {guild.id}".lower()]
    return [
        app_commands.Choice(name=f"{guild.name} ({guild.id})"[:100], value=str(guild.id))
        for guild in found[:MOST]
    ]


def _server(text: str) -> int:
    if not text.strip().isdecimal() or not 0 < int(text) < 2**63:
        raise Refused("This is not the id of a server; choose a suggested server.")
    return int(text)


def _until(days: int | None) -> str:
    return "any more" if days is None else f"for {counted(days, 'day')}"


def _whom(ban: Ban) -> str:
    if ban.user is not None:
        return mention(ban.user)
    return "Somebody whose data was deleted" if ban.guild is None else f"The server `{ban.guild}`"


log = structlog.get_logger()

Arguments = ParamSpec("Arguments")

Reason = app_commands.Range[str, 1, LONGEST_REASON]
Days = app_commands.Range[int, 1, 3650]


class Admin(app_commands.Group):
    """The commands of the owner of the bot. Other members do not see them, and are refused."""

    def __init__(self) -> None:
        # Discord shows it to administrators of that server alone, unless they allow it to others.
        nobody = discord.Permissions.none()
        super().__init__(name="admin", description="For the owner of the bot.", default_permissions=nobody)

    @app_commands.command(description="List the servers of the bot, those with the most games first.")
    async def servers(self, interaction: Interaction) -> None:
        await _respond(interaction, show_servers)

    @app_commands.command(description="Show the load of the bot.")
    async def load(self, interaction: Interaction) -> None:
        await _respond(interaction, show_load)

    @app_commands.command(name="ban-member", description="Ban a member from using the bot, in every server.")
    @app_commands.describe(
        member="the member",
        reason="the reason, which the member reads",
        days="the number of days (default: without an end)",
    )
    async def ban_a_member(
        self, interaction: Interaction, member: discord.User, reason: Reason, days: Days | None = None
    ) -> None:
        await _respond(interaction, ban_member, member, reason, days)

    @app_commands.command(name="ban-server", description="Ban a server from using the bot.")
    @app_commands.describe(
        server="the server, by its id", reason="the reason, which its members read",
        days="the number of days (default: without an end)",
    )  # fmt: skip
    @app_commands.autocomplete(server=servers_to_ban)
    async def ban_a_server(
        self,
        interaction: Interaction,
        server: app_commands.Range[str, 1, 20],
        reason: Reason,
        days: Days | None = None,
    ) -> None:
        await _respond(interaction, ban_server, server, reason, days)

    @app_commands.command(name="unban", description="Lift a ban.")
    @app_commands.describe(ban="the number of the ban")
    @app_commands.autocomplete(ban=bans_to_lift)
    async def lift(self, interaction: Interaction, ban: int) -> None:
        await _respond(interaction, unban, ban)

    @app_commands.command(description="List the bans.")
    async def bans(self, interaction: Interaction) -> None:
        await _respond(interaction, show_bans)

    @app_commands.command(description="Announce maintenance: under boards and in /help and /games.")
    @app_commands.describe(text="what members read", hours="the number of hours")
    async def announce(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, 300],
        hours: app_commands.Range[int, 1, 336],
    ) -> None:
        await _respond(interaction, _announce, text, hours)

    @app_commands.command(name="end-announcement", description="End the announcement.")
    async def end_announcement(self, interaction: Interaction) -> None:
        await _respond(interaction, _end_announcement)

    @app_commands.command(name="log", description="List what was done with /admin.")
    async def actions(self, interaction: Interaction) -> None:
        await _respond(interaction, show_log)


async def _respond(
    interaction: Interaction,
    act: Callable[Concatenate[Context, Arguments], Awaitable[Response]],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> None:
    """Answer an owner with `act`, and refuse everybody else."""

    async def answer(context: Context) -> Response:
        check_owner(context)
        return await act(context, *args, **kwargs)

    await respond(interaction, answer)


async def _announce(context: Context, text: str, hours: int) -> str:
    found = await context.services.administration.announce(context.user, text, hours)
    return (
        f"Until {format_dt(found.until)} members read this in `/help` and `/games` and under new boards:"
        f" {found.text}\n"
        "-# The time in which the bot does not run is given back to clocks."
    )


async def _end_announcement(context: Context) -> str:
    await context.services.administration.end_announcement(context.user)
    return "The announcement has ended."


def add_admin_commands(tree: app_commands.CommandTree[Any], guild: DiscordId) -> None:
    tree.add_command(Admin(), guild=discord.Object(guild))


async def sync_admin_commands(tree: app_commands.CommandTree[Any], guild: DiscordId) -> None:
    """Register `/admin` in a server. If Discord refuses, this is logged, and the bot runs without the command."""
    try:
        await tree.sync(guild=discord.Object(guild))
    except discord.HTTPException as error:
        # Most often, the bot is not in the server that PENCILBOX_ADMIN_SERVER names.
        log.warning("admin_commands.sync_failed", guild=guild, error=error.code)
    except discord.RateLimited as error:
        log.warning("admin_commands.sync_failed", guild=guild, retry_after=error.retry_after)
