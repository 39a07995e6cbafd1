"""`/leaderboard`: the ranks of members, page by page, and the podium of a month that is posted in a server."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Self

import discord
from discord import app_commands, ui

from bot.app.errors import Refused
from bot.app.mentions import named
from bot.app.services import Services
from bot.app.standings import LeaderboardQuery
from bot.ui import autocomplete
from bot.ui.components.message_parts import (
    ALL,
    Part,
    card,
    chart_file,
    gallery,
    game_options,
    menu_options,
    with_emoji,
)
from bot.ui.events.wording import linked_title, podium_lines, table_lines
from bot.ui.interactions.buttons import GameOrAll, IdButton, IdSelect, PersistentItem
from bot.ui.interactions.reply import Content, Context, Interaction, change, respond
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.posts.member_names import Names
from bot.ui.posts.outbox import Draft
from bot.ui.puzzles.run import best_line
from bot.ui.services import ServicePublisher, UiServices
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from db.values.standings import Mark, PageTurn, PeriodKind, Ranked, Standings
from render.board.phrases import counted
from render.charts.leaderboard import ChartRow, LeaderboardChart, draw_leaderboard, leaderboard_alt
from rules.games import find

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


class PodiumPublisher(ServicePublisher):
    """Publishes the podium of a season that has ended, in each server that wants it.

    The channel is that of results, or that of system messages if the server chose none.
    """

    kind = PostKind.PODIUM
    once = True

    async def draft(self, post: Post) -> Draft | None:
        server = self._ui_services.clients.get_guild(post.guild)
        if server is None or post.message is not None or post.key != self._services.leaderboards.season_ended:
            return None
        channel = (await self._preferences.guild(server.id)).results or _system_channel(server)
        query = LeaderboardQuery(None, server.id)
        standings = await self._services.leaderboards.podium(query)
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


HERE, EVERYWHERE = "here", "everywhere"
LAST = "last"
"""The season that has ended, whose podium is shown."""
PERIODS: dict[str, str] = {
    PeriodKind.ALWAYS: "all time",
    PeriodKind.SEASON: "this season",
    PeriodKind.WEEK: "this week",
    LAST: "last season",
}
LABELS = {
    PageTurn.FIRST: "Top",
    PageTurn.BACK: "Higher",
    PageTurn.MINE: "My rank",
    PageTurn.FORWARD: "Lower",
}


def leaderboard_for(
    guild: DiscordId | None, game: str | None, where: str, period_kind: PeriodKind
) -> LeaderboardQuery:
    """Return the query for a leaderboard. In direct messages (`guild` None) it is always the global one."""
    return LeaderboardQuery(game, guild if where == HERE else None, period_kind)


async def show_leaderboard(context: Context, game: str | None, where: str, period: str) -> Content:
    """Show this member the top of a leaderboard; for the period LAST the podium."""
    guild = context.place.guild
    if period == LAST:
        query = leaderboard_for(guild, game, where, PeriodKind.SEASON)
        return await show_podium(context, query, _menus(query, in_server=guild is not None, period=LAST))
    query = leaderboard_for(guild, game, where, PeriodKind(period))
    return await _page(context, query, PageTurn.FIRST, (0, 0))


def _menus(query: LeaderboardQuery, *, in_server: bool, period: str) -> list[ui.ActionRow[Any]]:
    where = EVERYWHERE if query.guild is None else HERE
    return [
        ui.ActionRow(GameSelect(where, period, options=game_options(query.game))),
        ui.ActionRow(LeaderboardSelect(query.game or ALL, (where, period), in_server=in_server)),
    ]


async def _page(context: Context, query: LeaderboardQuery, turn: PageTurn, mark: Mark) -> Content:
    standings = await context.services.leaderboards.page(query, context.user, turn, mark)
    names = await names_on(context.ui_services, context.place, standings)
    chart = leaderboard_chart(query, standings, context.user, names)
    files = await leaderboard_files(chart, await context.theme())
    show = await show_rows(context, ShowLeaderboardButton.of(query, standings)) if standings.rows else []
    in_server = context.place.guild is not None
    runs = "" if query.guild is None else best_line(await context.services.puzzle_runs.best(query.guild))
    more = [runs, *(await league_lines(context.services, query))]
    view = leaderboard_message(
        query, standings, chart, context.user, in_server=in_server, show=show, more=more
    )
    return Content("", view, files=files)


def leaderboard_message(
    query: LeaderboardQuery,
    standings: Standings,
    chart: LeaderboardChart,
    viewer: DiscordId,
    *,
    in_server: bool,
    show: Sequence[ui.ActionRow[Any]] = (),
    more: Sequence[str] = (),
) -> ui.LayoutView:
    """Return a page of a leaderboard as a message, with further lines that are not empty.

    The picture is attached separately.
    """
    parts = [*_head(query, standings, chart), "\n".join(filter(None, (_lines(standings, viewer), *more)))]
    if standings.higher or standings.lower:
        parts.append(ui.ActionRow(*_buttons(query, standings)))
    return card(*parts, *_menus(query, in_server=in_server, period=query.period_kind), *show)


def public_leaderboard(
    query: LeaderboardQuery, standings: Standings, chart: LeaderboardChart
) -> ui.LayoutView:
    """Return a page of a leaderboard for everybody, without anything about the member who shows it."""
    lines = [legend(standings), *(ranked_line(row) for row in standings.rows)]
    if standings.around:
        lines += ["…", *(ranked_line(row) for row in standings.around)]
    return card(*_head(query, standings, chart), "\n".join(lines))


def _head(query: LeaderboardQuery, standings: Standings, chart: LeaderboardChart) -> list[Part]:
    members = f" · {counted(standings.members, 'member')}" if standings.rows else ""
    parts: list[Part] = [f"### {heading('Leaderboard', query)}\n-# {scope_of(query, standings)}{members}"]
    if standings.rows:
        parts.append(gallery(PICTURE, leaderboard_alt(chart)))
    return parts


def _line(row: Ranked, viewer: DiscordId) -> str:
    return f"{ranked_line(row)}{' · you' if row.rating.user == viewer else ''}"


def _lines(standings: Standings, viewer: DiscordId) -> str:
    hidden = "-# You chose not to be listed here. You can change that in `/preferences`."
    if not standings.rows:
        nobody = "Nobody is listed yet. Rated games count here, such as a `/challenge` with a clock."
        return f"{nobody}\n{hidden}" if standings.hidden else nobody
    lines = [legend(standings), *(_line(row, viewer) for row in standings.rows)]
    if standings.around:
        lines += ["…", *(_line(row, viewer) for row in standings.around)]
    elif standings.hidden:
        lines.append(hidden)
    elif all(row.rating.user != viewer for row in standings.rows):
        lines.append("-# You are not on this leaderboard yet. Finish a rated game to be listed.")
    return "\n".join(lines)


def _buttons(query: LeaderboardQuery, standings: Standings) -> list["LeaderboardPageButton"]:
    rows = standings.rows
    enabled = {
        PageTurn.FIRST: standings.higher,
        PageTurn.BACK: standings.higher,
        PageTurn.MINE: bool(standings.around),
        PageTurn.FORWARD: standings.lower,
    }
    marks = {PageTurn.BACK: rows[0].mark, PageTurn.FORWARD: rows[-1].mark}
    return [
        LeaderboardPageButton.to(query, turn, marks.get(turn, (0, 0)), enabled=on)
        for turn, on in enabled.items()
    ]


Where = Annotated[str, "here|everywhere"]


class LeaderboardPageButton(IdButton, word="ladder"):
    """Shows another page of a leaderboard."""

    turn: Annotated[str, "first|mine|back|forward"]
    score: Annotated[int, "-?[0-9]+"]
    user: DiscordId
    game: GameOrAll
    where: Where
    period_kind: Annotated[str, "always|season|week"]

    @classmethod
    def to(cls, query: LeaderboardQuery, turn: PageTurn, mark: Mark, *, enabled: bool) -> Self:
        where = EVERYWHERE if query.guild is None else HERE
        chosen = query.game or ALL, where, query.period_kind
        return cls(turn, *mark, *chosen, label=LABELS[turn], disabled=not enabled)

    async def answer(self, context: Context) -> None:
        query = _query(context, self.game, self.where, self.period_kind)
        await change(context, await _page(context, query, PageTurn(self.turn), (self.score, self.user)))


def _query(context: Context, game: str, where: str, period_kind: str) -> LeaderboardQuery:
    chosen = None if game == ALL else game
    return leaderboard_for(context.place.guild, chosen, where, PeriodKind(period_kind))


class ShowLeaderboardButton(ShowButton, word="show-ladder"):
    """Shows to the channel the page of a leaderboard that begins with this row; the first page with (0, 0)."""

    score: Annotated[int, "-?[0-9]+"]
    user: DiscordId
    game: GameOrAll
    where: Where
    period_kind: Annotated[str, "always|season|week"]

    @classmethod
    def of(cls, query: LeaderboardQuery, standings: Standings) -> Self:
        """Return the button of a page that has rows."""
        mark = standings.rows[0].mark if standings.higher else (0, 0)
        return cls(*mark, query.game or ALL, EVERYWHERE if query.guild is None else HERE, query.period_kind)

    async def public(self, context: Context, theme: str) -> Content:
        query = _query(context, self.game, self.where, self.period_kind)
        # The page after a mark begins below the mark, so the mark is placed right above the row.
        turn, mark = (
            (PageTurn.FORWARD, (self.score, self.user + 1)) if self.user else (PageTurn.FIRST, (0, 0))
        )
        standings = await context.services.leaderboards.page(query, context.user, turn, mark)
        if not standings.rows:
            raise Refused("Nobody is on this leaderboard any more.")
        names = await names_on(context.ui_services, context.place, standings)
        chart = leaderboard_chart(query, standings, context.user, names, private=False)
        return Content(
            "", public_leaderboard(query, standings, chart), files=await leaderboard_files(chart, theme)
        )


class GameSelect(IdSelect, word="ladder-game"):
    """Shows the leaderboard of another game."""

    where: Where
    period: Annotated[str, "always|season|week|last"]

    async def answer(self, context: Context) -> None:
        game = self.item.values[0]
        chosen = None if game == ALL else game
        await change(context, await show_leaderboard(context, chosen, self.where, self.period))


class LeaderboardSelect(PersistentItem[ui.Select[Any]], template=r"ladder-board:(?P<game>[a-z-]+)"):
    """Shows another leaderboard of the same game: of this server or global, of all time, a season or the week."""

    def __init__(self, game: str, chosen: tuple[str, str] | None = None, *, in_server: bool = True) -> None:
        self.game = None if game == ALL else game
        labels = {
            f"{where}:{period}": f"{'This server' if where == HERE else 'Global'}, {spelt}"
            for where in ((HERE, EVERYWHERE) if in_server else (EVERYWHERE,))
            for period, spelt in PERIODS.items()
        }
        options = menu_options(labels, ":".join(chosen or ()))
        super().__init__(ui.Select(custom_id=f"ladder-board:{game}", options=options))

    async def answer(self, context: Context) -> None:
        where, period = self.item.values[0].split(":")
        await change(context, await show_leaderboard(context, self.game, where, period))


SCOPES = [
    app_commands.Choice(name="this server", value=HERE),
    app_commands.Choice(name="global", value=EVERYWHERE),
]
TIMES = [app_commands.Choice(name=spelt, value=period) for period, spelt in PERIODS.items()]


@app_commands.command(description="Show a leaderboard, and your rank on it.")
@app_commands.describe(
    game="the game (default: all games together)",
    where="this server or global (default: this server)",
    time="all time, this season or week, or the podium of last season (default: all time)",
)
@app_commands.choices(game=autocomplete.ALL_CHOICES, where=SCOPES, time=TIMES)
async def leaderboard(
    interaction: Interaction,
    game: str | None = None,
    where: str = HERE,
    time: str = PeriodKind.ALWAYS,
) -> None:
    await respond(interaction, show_leaderboard, game, where, time)
