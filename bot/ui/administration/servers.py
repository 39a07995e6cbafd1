"""`/admin servers`: the servers of the bot by size and activity; and leaving one of them."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.administration.owners import check_owner
from bot.ui.components.layout import card
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said, change
from db.values.places import DiscordId

SHOWN = 10
"""Servers on one page."""
NOT_THERE = (10004, 50001)
"""Error codes of Discord for a server that does not exist, and for one that the bot is not in."""


async def show_servers(acting: Acting) -> Said:
    """Show the first page of the servers."""
    await acting.services.administration.log(acting.user, "list the servers")
    return await _page(acting, 0)


async def _page(acting: Acting, number: int) -> Said:
    """Return a page, counted from 0; a number that is too high gives the last page."""
    activity = await acting.services.administration.activity()
    clients = acting.ui_services.clients
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
        return Said("", card(heading, "\n".join(lines)))
    row: ui.ActionRow[Any] = ui.ActionRow(
        ServersButton(max(number - 1, 0), "back", disabled=number == 0),
        ServersButton(number + 1, "more", disabled=number == last),
    )
    return Said("", card(heading, "\n".join(lines), f"-# page {number + 1} of {last + 1}", row))


async def server_of_bot(acting: Acting, guild: DiscordId) -> discord.Guild | None:
    """Ask Discord for a server that the bot is in, whichever process serves it; None if the bot is not in it."""
    try:
        found: discord.Guild = await acting.interaction.client.fetch_guild(guild, with_counts=False)
    except discord.HTTPException as error:
        if error.code not in NOT_THERE:
            raise
        return None
    return found


class ServersButton(
    PersistentItem[ui.Button[Any]], template=r"admin-servers:(?P<page>[0-9]{1,6}):(?P<way>back|more)"
):
    """Shows another page of the servers."""

    words = frozenset({"way"})

    def __init__(self, page: int, way: str, *, disabled: bool = False) -> None:
        self.page = page
        custom_id = f"admin-servers:{page}:{way}"
        super().__init__(ui.Button(label=way.capitalize(), custom_id=custom_id, disabled=disabled))

    async def answer(self, acting: Acting) -> None:
        check_owner(acting)
        await change(acting, await _page(acting, self.page))


class LeaveServerButton(PersistentItem[ui.Button[Any]], template=r"admin-leave:(?P<guild>[0-9]{1,20})"):
    """Lets the bot leave a server."""

    def __init__(self, guild: int) -> None:
        self.guild = guild
        style = discord.ButtonStyle.danger
        super().__init__(ui.Button(label="Leave the server", style=style, custom_id=f"admin-leave:{guild}"))

    async def answer(self, acting: Acting) -> str:
        check_owner(acting)
        found = await server_of_bot(acting, self.guild)
        if found is None:
            raise Refused(f"I am not in the server `{self.guild}`.")
        await acting.services.administration.log(acting.user, f"leave server {self.guild}")
        await found.leave()
        return f"I have left **{discord.utils.escape_markdown(found.name)}**."
