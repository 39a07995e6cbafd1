"""The podium of last season, as a page of `/leaderboard` and as an announcement in servers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.app.services import Services
from bot.app.standings.leaderboards import LeaderboardQuery
from bot.ui.components.message_parts import Part, card, gallery
from bot.ui.events.wording import linked_title, podium_lines, table_lines
from bot.ui.interactions.reply import Content, Context
from bot.ui.posts.outbox import Draft, DraftPublisher, Outbox
from bot.ui.services import UiServices
from bot.ui.standings.leaderboard_page import (
    PICTURE,
    heading,
    leaderboard_chart,
    leaderboard_files,
    legend,
    line,
    names_on,
    scope_of,
)
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from db.values.standings import PeriodKind, Standings
from render.charts.leaderboard import LeaderboardChart, leaderboard_alt

MEDALS = ("🥇", "🥈", "🥉")


async def show_podium(
    context: Context, query: LeaderboardQuery, rows: Sequence[ui.ActionRow[Any]]
) -> Content:
    """Show last season's podium to this member, with menus in `rows`."""
    standings = await context.services.leaderboards.podium(query)
    leagues = await league_lines(context.services, query, last=True)
    theme = await context.theme()
    return await _podium(context.ui_services, context.place, query, standings, leagues, theme, rows)


async def league_lines(services: Services, query: LeaderboardQuery, *, last: bool = False) -> list[str]:
    """Return the table of a league of this month, or of the month before with `last`, for the leaderboard of a season.

    With `last` and without a game, return the podiums of all leagues of the server.
    """
    if query.guild is None or query.period_kind is not PeriodKind.SEASON:
        return []
    leagues = await services.leagues.of(query.guild, last=last)
    if query.game is not None:
        return [line for it in leagues if it.terms.game == query.game for line in table_lines(it)]
    return [
        f"**{linked_title(it)}**: {' '.join(lines)}" for it in leagues if last and (lines := podium_lines(it))
    ]


async def _podium(
    ui_services: UiServices,
    place: Place,
    query: LeaderboardQuery,
    standings: Standings,
    leagues: Sequence[str],
    theme: str,
    rows: Sequence[ui.ActionRow[Any]] = (),
) -> Content:
    chart = leaderboard_chart(query, standings, 0, await names_on(ui_services, place, standings))
    view = podium_message(query, standings, chart, rows, leagues)
    return Content("", view, files=await leaderboard_files(chart, theme))


def podium_message(
    query: LeaderboardQuery,
    standings: Standings,
    chart: LeaderboardChart,
    rows: Sequence[ui.ActionRow[Any]] = (),
    leagues: Sequence[str] = (),
) -> ui.LayoutView:
    """Return a podium as a message, with lines about the leagues of its month. The picture is attached separately."""
    parts: list[Part] = [f"### {heading('Last season', query)}\n-# {scope_of(query, standings)}"]
    if leagues:
        parts.append("\n".join(leagues))
    if standings.rows:
        lines = [legend(standings), *(f"{MEDALS[row.rank - 1]} {line(row)}" for row in standings.rows)]
        parts += [gallery(PICTURE, leaderboard_alt(chart)), "\n".join(lines)]
    elif not leagues:
        where = "" if query.guild is None else " here"
        parts.append(f"Nobody finished a rated game{where} last season.")
    parts.append("-# A season is a month. `/leaderboard` shows the current one.")
    return card(*parts, *rows)


class PodiumPublisher(DraftPublisher):
    """Publishes the podium of a season that has ended, in each server that wants it.

    The channel is that of results, or that of system messages if the server chose none.
    """

    kind = PostKind.PODIUM
    once = True

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox)
        self._services = services
        self._leaderboards = services.leaderboards
        self._preferences = services.preferences
        self._ui_services = ui_services

    async def draft(self, post: Post) -> Draft | None:
        assert post.guild is not None
        server = self._ui_services.clients.get_guild(post.guild)
        if server is None or post.message is not None or post.key != self._leaderboards.season_ended:
            return None
        channel = (await self._preferences.guild(server.id)).results or _system_channel(server)
        query = LeaderboardQuery(None, server.id)
        standings = await self._leaderboards.podium(query)
        season = replace(query, period_kind=PeriodKind.SEASON)
        leagues = await league_lines(self._services, season, last=True)
        if channel is None or not (standings.rows or leagues):
            return None
        place = Place(server.id, channel)
        theme = await self._preferences.theme(place)
        podium = await _podium(self._ui_services, place, query, standings, leagues, theme)
        assert isinstance(podium.view, ui.LayoutView)

        async def files() -> Sequence[discord.File]:
            return (await _podium(self._ui_services, place, query, standings, leagues, theme)).attached

        return Draft(place, podium.view, files)


def _system_channel(server: discord.Guild) -> DiscordId | None:
    return None if server.system_channel is None else server.system_channel.id
