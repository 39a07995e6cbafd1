"""The contents of a page of a leaderboard: its heading, a line for each member, and its picture."""

from collections.abc import Mapping, Sequence
from datetime import date

import discord

from bot.app.mentions import named
from bot.app.standings.leaderboards import LeaderboardQuery
from bot.ui.components.message_parts import chart_file, with_emoji
from bot.ui.posts.member_names import Names
from bot.ui.services import UiServices
from db.values.places import DiscordId, Place
from db.values.standings import PeriodKind, Ranked, Standings
from render.charts.leaderboard import ChartRow, LeaderboardChart, draw_leaderboard, leaderboard_alt
from rules.games import find

RECOMPUTING = "-# A result was taken back: ratings are being recomputed and may change shortly."


def legend(standings: Standings) -> str:
    """Return a line that explains the numbers of a leaderboard, and a note while ratings are recomputed."""
    certain = all(is_certain(row) for row in (*standings.rows, *standings.around))
    explained = f"-# rating{'' if certain else ' (?: few games so far)'} · won–drawn–lost"
    return f"{explained}\n{RECOMPUTING}" if standings.recomputing else explained


def line(row: Ranked) -> str:
    """Return a member's name, score and record, as the legend explains."""
    rating = row.rating
    record = f"{rating.won}–{rating.drawn}–{rating.lost}"
    return f"{named(rating.user, computer=row.computer)} · **{row.mark[0]}**{'' if is_certain(row) else '?'} · {record}"


def ranked_line(row: Ranked) -> str:
    """Return a member's rank and line."""
    # A Markdown list would number the rows itself, but members with equal scores share a rank.
    return f"{row.rank}\\. {line(row)}"


def title_of(query: LeaderboardQuery) -> str:
    return find(query.game).sheet.title if query.game else "All games"


def heading(what: str, query: LeaderboardQuery) -> str:
    """Return the heading of a leaderboard, with the emoji of its game if it is of one game."""
    text = f"{what}: {title_of(query)}"
    return with_emoji(query.game, text) if query.game else text


def scope_of(query: LeaderboardQuery, standings: Standings) -> str:
    """Return the scope and the period of a leaderboard: `global · all time`."""
    where = "global" if query.guild is None else "this server"
    return f"{where} · {spell_period(standings.leaderboard.period)}"


def spell_period(period: str) -> str:
    """Return a period of a leaderboard in words: `all time`, `November 2026`, `week 47 of 2026`."""
    if not period:
        return "all time"
    year, part = period.split("-")
    if part.startswith("W"):
        return f"week {int(part[1:])} of {year}"
    return f"{date(int(year), int(part), 1):%B} {year}"


def is_certain(row: Ranked) -> bool:
    """Return True if a member's score is certain enough to be shown without a question mark."""
    return not row.rating.held.skill.provisional


PICTURE = "leaderboard.png"


async def names_on(ui_services: UiServices, place: Place, standings: Standings) -> dict[DiscordId, Names]:
    """Return the names of the members on a page, as used at a place."""
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
    return [await chart_file(PICTURE, leaderboard_alt(chart), draw_leaderboard, chart, theme)]
