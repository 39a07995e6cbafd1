"""Titles in `/profile`, and the roles of servers that mirror them."""

from collections.abc import Sequence
from typing import Any

import discord
import structlog
from discord import ui
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.events.schedule import season_name
from bot.app.services import Services
from bot.app.tasks.rounds import TryLater
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Context
from bot.ui.posts.clients import Clients
from bot.ui.posts.requests import retried_if_temporary
from db.values.events import RoleChange, Title, TitleKind
from db.values.places import DiscordId
from rules.games import find

log = structlog.get_logger()

TASK = "roles"
"""The name of the background task whose items are roles that are to be given or taken away."""
PAUSE = 60.0
"""Seconds between two rounds."""
SHOWN = 5
"""The most titles that a profile names, the newest."""
NAMES = {
    TitleKind.CHAMPION: "Champions of the month",
    TitleKind.CUP: "Winners of cups",
    TitleKind.DIVISION: "Winners of divisions",
    TitleKind.PUZZLES: "Thirty puzzle days in a row",
    TitleKind.FINISHER: "Most reliable finishers",
}
REASON = "A title of Pencilbox"
"""The reason in the server's audit log."""


def title_text(title: Title) -> str:
    """Return a title in words, without its date."""
    game = "" if title.game is None else find(title.game).sheet.title
    match title.kind:
        case TitleKind.CHAMPION:
            return f"champion of {season_name(title.season or title.key)} ({game})"
        case TitleKind.CUP:
            return f"winner of a cup ({game})"
        case TitleKind.DIVISION:
            return f"winner of a division in {season_name(title.season or title.key)} ({game})"
        case TitleKind.PUZZLES:
            return "thirty puzzle days in a row"
        case TitleKind.FINISHER:
            return f"most reliable finisher of {season_name(title.key)}"


def titles_line(titles: Sequence[Title]) -> list[str]:
    """Return one line with the newest titles of a member, and how many more there are; none without a title."""
    if not titles:
        return []
    shown = [f"{title_text(it)}, {format_dt(it.at, 'd')}" for it in titles[:SHOWN]]
    more = f" · and {len(titles) - SHOWN} more" if len(titles) > SHOWN else ""
    return [f"🥇 {' · '.join(shown)}{more}"]


class TitleRoleSelect(
    PersistentItem[ui.RoleSelect[Any]],
    template=rf"title-role:(?P<kind>{'|'.join(TitleKind)})",
):
    """Chooses the role that mirrors a kind of title. Only those who manage the server see it."""

    def __init__(self, kind: str, chosen: DiscordId | None = None) -> None:
        self.kind = TitleKind(kind)
        defaults = [] if chosen is None else [discord.Object(chosen, type=discord.Role)]
        select: ui.RoleSelect[Any] = ui.RoleSelect(
            custom_id=f"title-role:{kind}",
            placeholder=NAMES[self.kind],
            min_values=0,
            default_values=defaults,
        )
        super().__init__(select)

    async def answer(self, context: Context) -> None:
        guild = context.interaction.guild
        assert guild is not None
        if not context.interaction.permissions.manage_guild:
            raise Refused("Only members with the permission Manage Server can choose roles.")
        role = self.item.values[0] if self.item.values else None
        if role is not None:
            check_role(guild, role, manages=context.interaction.permissions.manage_roles)
        await context.services.store.titles.choose(guild.id, self.kind, None if role is None else role.id)


def check_role(guild: discord.Guild, role: discord.Role, *, manages: bool) -> None:
    """Raise Refused if the bot cannot give a role, or the member may not let it do so."""
    if not manages:
        raise Refused("Only members with the permission Manage Roles can let me give roles.")
    if (fault := role_fault(guild, role.id)) is not None:
        raise Refused(fault)


def role_fault(guild: discord.Guild, role: DiscordId) -> str | None:
    """Return the sentence that says why the bot cannot give a role, or None."""
    found = guild.get_role(role)
    if found is None:
        return "A role for titles was deleted; choose another one."
    if found.managed or found.is_default():
        return f"{found.mention} belongs to Discord or to an app, so nobody can give it; choose another role."
    if not guild.me.guild_permissions.manage_roles:
        return f"I need the permission Manage Roles to give {found.mention}."
    if found >= guild.me.top_role:
        return f"{found.mention} is above my own role, so I cannot give it; move my role above it."
    return None


class RoleTask:
    """Gives and takes away the roles of titles, and stores what Discord has confirmed."""

    def __init__(self, services: Services, clients: Clients) -> None:
        self._services = services
        self._titles = services.store.titles
        self._clients = clients

    async def round(self) -> float:
        """Make the changes that are due. Return the seconds to wait."""
        rounds = self._services.rounds
        due = await self._titles.due(self._services.clock.now(), await rounds.limit(TASK))
        await rounds.each(TASK, due, self._change, key=lambda it: f"{it.kind} {it.key} in {it.guild}")
        return PAUSE

    async def _change(self, change: RoleChange) -> None:
        guild = self._clients.get_guild(change.guild)
        if guild is None:
            raise TryLater("the server is not reachable") from LookupError(change.guild)
        given = True
        try:
            with retried_if_temporary():
                member = await guild.fetch_member(change.user)
                if change.give is not None:
                    await member.add_roles(discord.Object(change.give), reason=REASON)
                elif change.held is not None and not await self._titles.holds_otherwise(
                    change, self._services.clock.now()
                ):
                    await member.remove_roles(discord.Object(change.held), reason=REASON)
        except discord.NotFound:
            given = False  # The member has left, or the role was deleted.
        await self._titles.confirm(change, given=given)
        log.info("role.confirmed", kind=change.kind, given=given and change.give is not None)
