"""The picture of a page of a leaderboard."""

import asyncio
import io
from collections.abc import Mapping, Sequence

import discord

from bot.app.standings.leaderboards import LeaderboardQuery
from bot.ui.posts.member_names import Names
from bot.ui.services import UiServices
from bot.ui.standings.leaderboard_wording import is_certain, scope_of, title_of
from db.values.places import DiscordId, Place
from db.values.standings import PeriodKind, Ranked, Standings
from render.charts.leaderboard import ChartRow, LeaderboardChart, draw_leaderboard, leaderboard_alt

PICTURE = "leaderboard.png"


async def names_on(ui_services: UiServices, place: Place, standings: Standings) -> dict[DiscordId, Names]:
    """Return the names of the members on a page, as they are called at a place."""
    users = [row.rating.user for row in (*standings.rows, *standings.around)]
    return await ui_services.member_names.of(place.guild, users)


def leaderboard_chart(
    query: LeaderboardQuery,
    standings: Standings,
    viewer: DiscordId,
    names: Mapping[DiscordId, Names],
    *,
    private: bool = True,
) -> LeaderboardChart:
    """Return the contents of a page's picture, in which the viewer's row is marked."""

    def chart_rows(rows: Sequence[Ranked]) -> tuple[ChartRow, ...]:
        return tuple(
            ChartRow(
                rank=row.rank,
                score=row.mark[0],
                games=row.rating.games,
                names=names.get(row.rating.user, ()),
                climbed=None if row.before is None else row.before - row.rank,
                sure=is_certain(row),
                own=row.rating.user == viewer,
                computer=row.computer,
            )
            for row in rows
        )

    return LeaderboardChart(
        title_of(query),
        scope_of(query, standings),
        chart_rows(standings.rows),
        chart_rows(standings.around),
        moving=query.period_kind is PeriodKind.ALWAYS,
        private=private,
    )


async def leaderboard_files(chart: LeaderboardChart, theme: str) -> list[discord.File]:
    """Return the picture of a page; nothing for an empty one."""
    if not chart.rows:
        return []
    png = await asyncio.to_thread(draw_leaderboard, chart, theme)
    return [discord.File(io.BytesIO(png), filename=PICTURE, description=leaderboard_alt(chart))]
