"""`/season`: the podium of last season, and its announcement in servers that want it."""

import discord
import structlog
from discord import ui

from bot.app.services import Services
from bot.app.standings.leaderboards import LeaderboardQuery
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import Said
from bot.ui.kit.content.layout import Part, card, gallery
from bot.ui.kit.content.pictures import GALLERY_ALT
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.posts.posting import DISCORD_ERRORS, is_temporary
from bot.ui.kit.services import Kit
from bot.ui.standings.leaderboard_picture import PICTURE, leaderboard_chart, leaderboard_files, names_on
from bot.ui.standings.leaderboard_wording import heading, legend, line, scope_of
from db.api.places import DiscordId, Place
from db.api.standings.leaderboards import Standings
from render.charts.leaderboard import LeaderboardChart, leaderboard_alt

log = structlog.get_logger()

MEDALS = ("🥇", "🥈", "🥉")


async def show_podium(acting: Acting, query: LeaderboardQuery) -> Said:
    """Show last season's podium to this member."""
    standings = await acting.services.leaderboards.podium(query)
    return await _podium(acting.kit, acting.place, query, standings, await acting.theme())


async def _podium(kit: Kit, place: Place, query: LeaderboardQuery, standings: Standings, theme: str) -> Said:
    chart = leaderboard_chart(query, standings, 0, await names_on(kit, place, standings))
    return Said("", podium_message(query, standings, chart), files=await leaderboard_files(chart, theme))


def podium_message(query: LeaderboardQuery, standings: Standings, chart: LeaderboardChart) -> ui.LayoutView:
    """Return a podium as a message; its picture is attached beside it."""
    parts: list[Part] = [f"### {heading('Last season', query)}\n-# {scope_of(query, standings)}"]
    if standings.rows:
        lines = [legend(standings), *(f"{MEDALS[row.rank - 1]} {line(row)}" for row in standings.rows)]
        parts += [gallery(PICTURE, leaderboard_alt(chart, GALLERY_ALT)), "\n".join(lines)]
    else:
        where = "" if query.guild is None else " here"
        parts.append(f"Nobody finished a rated game{where} last season.")
    parts.append("-# A season is a month. `/leaderboard` shows the current one.")
    return card(*parts)


class PodiumAnnouncer:
    """Announces the podium of a season that has ended, once in each server that wants it.

    An announced podium is recorded. A process that was killed before could record it is followed by one that posts
    it again, but Discord makes one message of two (see `bot.ui.kit.posts.posting`).
    """

    def __init__(self, clients: Clients, services: Services, kit: Kit) -> None:
        self._clients = clients
        self._leaderboards = services.leaderboards
        self._preferences = services.preferences
        self._kit = kit

    async def catch_up(self) -> None:
        """Announce the podiums that are due in the servers of this process."""
        for guild in await self._leaderboards.podiums_due():
            if (server := self._clients.get_guild(guild)) is not None:
                await self._announce(server)

    async def _announce(self, server: discord.Guild) -> None:
        """Announce a podium in the channel of results, or in that of system messages if there is none."""
        channel = (await self._preferences.guild(server.id)).results or _system_channel(server)
        if channel is None:
            return
        season, standings = await self._leaderboards.due_podium(server.id)
        if standings.rows and not await self._send(server.id, channel, season, standings):
            return
        await self._leaderboards.podium_told(server.id, season)

    async def _send(self, guild: DiscordId, channel: DiscordId, season: str, standings: Standings) -> bool:
        """Post a podium. Return False if it could not be posted now but may be later."""
        query, place = LeaderboardQuery(None, guild), Place(guild, channel)
        podium = await _podium(self._kit, place, query, standings, await self._preferences.theme(place))
        try:
            await self._kit.posting.at(place).send(
                view=podium.view, files=podium.attached, once=f"podium {season} {guild}"
            )
        except DISCORD_ERRORS as error:
            log.warning("podium not announced", guild=guild, channel=channel, error=type(error).__name__)
            if isinstance(error, discord.Forbidden):
                await self._kit.permission_alerts.report(place)
            return not is_temporary(error)
        return True


def _system_channel(server: discord.Guild) -> DiscordId | None:
    return None if server.system_channel is None else server.system_channel.id
