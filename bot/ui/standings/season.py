"""`/season`: who was best last season."""

import asyncio
import io
from typing import Any

import discord
import structlog
from discord import ui

from bot.app.services import Services
from bot.app.standings.leaderboards import LeaderboardQuery
from bot.ui.kit.acting import Acting
from bot.ui.kit.pictures import GALLERY_ALT
from bot.ui.kit.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.reply import Said
from bot.ui.kit.services import Kit
from bot.ui.standings.leaderboard import PICTURE, leaderboard_chart, legend, line, scope_of, title_of
from db.api.leaderboards import Standings
from db.api.places import DiscordId, Place
from render.charts.leaderboard import draw_leaderboard, leaderboard_alt

log = structlog.get_logger()

MEDALS = ("🥇", "🥈", "🥉")


async def show_podium(acting: Acting, query: LeaderboardQuery) -> Said:
    """Show last season's podium to this member."""
    standings = await acting.services.leaderboards.podium(query)
    theme = await acting.theme()
    return Said("", podium_message(query, standings), files=await podium_files(query, standings, theme))


async def podium_files(query: LeaderboardQuery, standings: Standings, theme: str) -> list[discord.File]:
    """The picture of a podium; none of an empty one."""
    if not standings.rows:
        return []
    ladder = leaderboard_chart(query, standings, viewer=0)
    png = await asyncio.to_thread(draw_leaderboard, ladder, theme)
    return [discord.File(io.BytesIO(png), filename=PICTURE, description=leaderboard_alt(ladder))]


def podium_message(query: LeaderboardQuery, standings: Standings) -> ui.LayoutView:
    """A podium as a message, beside its picture."""
    box: ui.Container[Any] = ui.Container()
    box.add_item(ui.TextDisplay(f"### Last season: {title_of(query)}\n-# {scope_of(query, standings)}"))
    if standings.rows:
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        alt = leaderboard_alt(leaderboard_chart(query, standings, viewer=0), GALLERY_ALT)
        gallery.add_item(media=f"attachment://{PICTURE}", description=alt)
        box.add_item(gallery)
        lines = [legend(standings), *(f"{MEDALS[row.rank - 1]} {line(row)}" for row in standings.rows)]
        box.add_item(ui.TextDisplay("\n".join(lines)))
    else:
        where = "" if query.guild is None else " here"
        box.add_item(ui.TextDisplay(f"Nobody finished a rated game{where} last season."))
    box.add_item(ui.TextDisplay("-# A season is a month. `/leaderboard` shows how this one stands."))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


class PodiumAnnouncer:
    """Announces the podium of a season that has ended, once, where a server wants it.

    It is noted when it has been announced; whoever is killed before that leaves it to the next one, and it is posted
    once all the same (see `bot.ui.kit.posting`).
    """

    def __init__(self, client: discord.Client, services: Services, kit: Kit) -> None:
        self._client = client
        self._leaderboards = services.leaderboards
        self._preferences = services.preferences
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts

    async def catch_up(self) -> None:
        """Announce what is due in the servers that this process sees."""
        for guild in await self._leaderboards.podiums_due():
            if (there := self._client.get_guild(guild)) is not None:
                await self._announce(there)

    async def _announce(self, there: discord.Guild) -> None:
        """In the channel of results, else in that of system messages."""
        channel = (await self._preferences.guild(there.id)).results or _system(there)
        if channel is None:
            return
        season, standings = await self._leaderboards.due_podium(there.id)
        if standings.rows and not await self._send(there.id, channel, season, standings):
            return
        await self._leaderboards.podium_told(there.id, season)

    async def _send(self, guild: DiscordId, channel: DiscordId, season: str, standings: Standings) -> bool:
        """Whether that is settled: the podium is there, or cannot be."""
        query, place = LeaderboardQuery(None, guild), Place(guild, channel)
        theme = await self._preferences.theme(place)
        try:
            await self._posting.at(place).send(
                view=podium_message(query, standings),
                files=await podium_files(query, standings, theme),
                once=f"podium {season} {guild}",
            )
        except DISCORD_ERRORS as error:
            log.warning("podium not announced", guild=guild, channel=channel, error=type(error).__name__)
            if isinstance(error, discord.Forbidden):
                await self._permission_alerts.report(place)
            return not is_temporary(error)
        return True


def _system(there: discord.Guild) -> DiscordId | None:
    return None if there.system_channel is None else there.system_channel.id
