"""The commands of `/admin`. They are registered in one server, which the person who runs the bot names.

So the list of commands stays as it is for everybody else.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, ParamSpec

import discord
import structlog
from discord import app_commands
from discord.utils import format_dt

from bot.ui.administration.bans import (
    ban_member,
    ban_server,
    bans_to_lift,
    servers_to_ban,
    show_bans,
    show_log,
    unban,
)
from bot.ui.administration.load import show_load
from bot.ui.administration.owners import check_owner
from bot.ui.administration.servers import show_servers
from bot.ui.interactions.acting import Acting, Interaction
from bot.ui.interactions.admission import LONGEST_REASON
from bot.ui.interactions.reply import Response, respond
from db.values.places import DiscordId

log = structlog.get_logger()

Arguments = ParamSpec("Arguments")

Reason = app_commands.Range[str, 1, LONGEST_REASON]
Days = app_commands.Range[int, 1, 3650]


class Admin(app_commands.Group):
    """For the owner of the bot. Others do not see it, and are refused."""

    def __init__(self) -> None:
        # Discord shows it to administrators of that server alone, unless they allow it to others.
        nobody = discord.Permissions.none()
        super().__init__(name="admin", description="For the owner of the bot.", default_permissions=nobody)

    @app_commands.command(description="List the servers of the bot, those with the most games first.")
    async def servers(self, interaction: Interaction) -> None:
        await _respond(interaction, show_servers)

    @app_commands.command(description="Show how much there is to do, and how the bot copes.")
    async def load(self, interaction: Interaction) -> None:
        await _respond(interaction, show_load)

    @app_commands.command(name="ban-member", description="Let a member not use the bot any more, anywhere.")
    @app_commands.describe(
        member="the member",
        reason="why; the member reads it",
        days="for so many days (default: without an end)",
    )
    async def ban_a_member(
        self, interaction: Interaction, member: discord.User, reason: Reason, days: Days | None = None
    ) -> None:
        await _respond(interaction, ban_member, member, reason, days)

    @app_commands.command(name="ban-server", description="Let the bot not be used in a server any more.")
    @app_commands.describe(
        server="the server, by its id", reason="why; its members read it",
        days="for so many days (default: without an end)",
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
    @app_commands.describe(text="what members read", hours="for so many hours")
    async def announce(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, 300],
        hours: app_commands.Range[int, 1, 336],
    ) -> None:
        await _respond(interaction, _announce, text, hours)

    @app_commands.command(name="end-announcement", description="Announce nothing any more.")
    async def end_announcement(self, interaction: Interaction) -> None:
        await _respond(interaction, _end_announcement)

    @app_commands.command(name="log", description="List what was done with /admin.")
    async def actions(self, interaction: Interaction) -> None:
        await _respond(interaction, show_log)


async def _respond(
    interaction: Interaction,
    act: Callable[Concatenate[Acting, Arguments], Awaitable[Response]],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> None:
    """Answer an owner by `act`, and refuse everybody else."""

    async def answer(acting: Acting) -> Response:
        check_owner(acting)
        return await act(acting, *args, **kwargs)

    await respond(interaction, answer)


async def _announce(acting: Acting, text: str, hours: int) -> str:
    found = await acting.services.administration.announce(acting.user, text, hours)
    return (
        f"Until {format_dt(found.until)} members read this in `/help` and `/games` and under new boards:"
        f" {found.text}\n"
        "-# The time in which the bot does not run is given back to clocks."
    )


async def _end_announcement(acting: Acting) -> str:
    await acting.services.administration.end_announcement(acting.user)
    return "Nothing is announced any more."


def add_admin_commands(tree: app_commands.CommandTree[Any], guild: DiscordId) -> None:
    """Let the bot answer `/admin` in a server."""
    tree.add_command(Admin(), guild=discord.Object(guild))


async def sync_admin_commands(tree: app_commands.CommandTree[Any], guild: DiscordId) -> None:
    """Register `/admin` in a server. If Discord refuses that, it is logged, and the bot runs without."""
    try:
        await tree.sync(guild=discord.Object(guild))
    except discord.HTTPException as error:
        log.warning(
            "no /admin: the bot must be in the server that PENCILBOX_ADMIN_SERVER names",
            guild=guild,
            error=error.code,
        )
    except discord.RateLimited as error:
        log.warning("admin_commands.sync_failed", guild=guild, retry_after=error.retry_after)
