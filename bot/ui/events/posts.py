"""Publishing the message of a cup: its card before the start, then its cross tables, which follow every result."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.app.events.line_ups import Board, boards_of
from bot.app.events.schedule import quarter, season_after
from bot.app.events.standing import DRAW, LOSS, WIN, Game, Group, game_of, groups_of
from bot.ui.components.message_parts import card, chart_file, gallery
from bot.ui.events.buttons import JoinCupButton, LeaveCupButton, ManageCupButton, QuitCupButton
from bot.ui.events.wording import known_names, match_text, server_names, strangers_of, text, title
from bot.ui.lessons import LessonButton, learn_button
from bot.ui.posts.member_names import Names, name_strangers, names_of_strangers
from bot.ui.posts.outbox import Draft
from bot.ui.services import ServicePublisher
from db.values.events import Event, EventState, Versus
from db.values.members import Notice, is_computer
from db.values.places import DiscordId
from db.values.posts import News, Occasion, Post, PostKind
from render.charts.cross_table import CrossRow, CrossTable, Mark, cross_table_alt, draw_cross_table
from render.charts.match_table import MatchSide, MatchTable, draw_match_table, match_table_alt

_MARKS = {WIN: Mark.WON, DRAW: Mark.DRAWN, LOSS: Mark.LOST}


def cross_table(
    event: Event, group: Group, groups: Sequence[Group], names: Mapping[DiscordId, Names]
) -> CrossTable:
    """Return the cross table of a group. Entrants whose games do not count stand below the others."""
    users = event.users
    order = [*(it.entrant for it in group.rows), *group.annulled]
    ranks = {it.entrant: it for it in group.rows}
    league = event.season is not None
    final = event.state is EventState.OVER and (league or len(groups) == 1)

    def row(entrant: int) -> CrossRow:
        found, user = ranks.get(entrant), users[entrant]
        cells = tuple(_cell(group.games, entrant, opponent) for opponent in order)
        return CrossRow(
            rank=None if found is None else found.place,
            cells=cells,
            points=0 if found is None else found.points,
            played=0 if found is None else found.played,
            names=names.get(user, ()),
            computer=is_computer(user),
        )

    what = (
        f"{'Division' if league else 'Group'} {group.number + 1} · "
        if len(groups) > 1
        else "Final group · "
        if len(event.stages) > 1
        else ""
    )
    done = group.finished == len(group.games)
    about = f"{what}{'all' if done else f'{group.finished} of {len(group.games)}'} games are over"
    return CrossTable(title(event), about, tuple(map(row, order)), final)


def _cell(games: Sequence[Game], entrant: int, opponent: int) -> tuple[Mark, ...]:
    """Return the results of an entrant against an opponent, in the order in which the games were paired."""
    marks = []
    for game in games:
        if {game.first, game.second} != {entrant, opponent}:
            continue
        if game.halves is None:
            marks.append(Mark.RUNNING if game.running else Mark.NONE)
        else:
            marks.append(_MARKS[game.halves if game.first == entrant else WIN - game.halves])
    return tuple(marks)


def match_table(
    event: Event, names: Mapping[DiscordId, Names], servers: tuple[Sequence[str], Sequence[str]]
) -> MatchTable:
    """Return the table of a match between two servers. `servers` are the names of each, the best first."""
    users = event.users

    def sides(board: Board) -> tuple[MatchSide, MatchSide]:
        games = [game_of(it) for it in board.pairings]
        host, guest = (
            MatchSide(_cell(games, own, other), board.score[side], names.get(users[own], ()))
            for side, (own, other) in enumerate(((board.host, board.guest), (board.guest, board.host)))
        )
        return host, guest

    over = sum(not it.running for it in event.pairings)
    done = over == len(event.pairings)
    about = f"{'all' if done else f'{over} of {len(event.pairings)}'} games are over"
    boards = tuple(map(sides, boards_of(event)))
    hosts, guests = map(tuple, servers)
    return MatchTable(title(event), about, (hosts, guests), boards, event.state is EventState.OVER)


class Chart(NamedTuple):
    """A picture below the text of an event. `draw` returns it in a theme, as a PNG."""

    alt: str
    draw: Callable[[str], bytes]


class EventPublisher(ServicePublisher):
    """Publishes the message of each cup. It is posted again, with mentions, when a stage begins and at the end."""

    kind = PostKind.EVENT

    async def draft(self, post: Post) -> Draft | None:
        event = await self._services.store.events.get(post.subject)
        if event is None:
            return None
        progress, before = _progress(event), await self._month_before(event)
        anew = post.message is not None and post.progress < progress
        users: Sequence[DiscordId] = ()
        if before is not None and post.message is None:
            users = before.members  # One press keeps them in the league.
        elif progress and (anew or post.message is None):
            users = _members_in(event, post)
        notify = (await self._by_notice(event, users))[Notice.PING]
        place, versus = event.place, event.versus
        if versus is None:
            words, charts = await self._of_stage(event, before)
        else:
            place = versus.place if versus.place is not None and post.key else event.place
            words, charts = await self._of_match(event, versus)
        late = event.late and self._services.clock.now() < event.stages[0].started_at + quarter(
            event.stages[0]
        )
        view = card(words, *_pictures(charts), *_rows(event, late=late))
        if versus is not None:
            strangers = strangers_of(event, place.guild)
            name_strangers(view, await names_of_strangers(self._member_names, *strangers))
        theme = await self._preferences.theme(place)

        async def files() -> Sequence[discord.File]:
            return [
                await chart_file(_filename(number), it.alt, it.draw, theme)
                for number, it in enumerate(charts)
            ]

        return Draft(place, view, files, progress, notify=notify, anew=anew)

    async def posted(self, post: Post, draft: Draft) -> None:
        event = await self._services.store.events.get(post.subject)
        if event is None or event.state not in (EventState.OPEN, EventState.RUNNING):
            return
        if event.versus is not None and event.state is EventState.OPEN:
            return
        users: Sequence[DiscordId] = _members_in(event, post)
        if event.state is EventState.OPEN:
            before = await self._month_before(event)
            users = () if before is None else before.members
        direct = (await self._by_notice(event, users))[Notice.DIRECT]
        news = News(Occasion.EVENT, event.id, len(event.stages))
        await self._turn_notices.write(direct, post.guild, news)

    async def _of_stage(self, event: Event, before: Event | None) -> tuple[str, list[Chart]]:
        """Return the text of a cup or of a month of a league, and the cross tables of its newest stage."""
        groups = groups_of(event, len(event.stages) - 1) if event.stages else []
        names = await self._member_names.of(event.place.guild, [it.user for it in event.entrants])
        tables = [cross_table(event, group, groups, names) for group in groups]
        charts = [Chart(cross_table_alt(it), partial(draw_cross_table, it)) for it in tables]
        return text(event, groups, before), charts

    async def _of_match(self, event: Event, versus: Versus) -> tuple[str, list[Chart]]:
        """Return the text of a match between servers, and its table once it has started."""
        departed = bool(await self._services.store.servers.gone(event.servers))
        words = match_text(event, server_names(event, self._clients), departed=departed)
        if not event.stages:
            return words, []
        names: dict[DiscordId, Names] = {}
        for place, guest in ((event.place, False), (versus.place, True)):
            users = [it.user for it in event.entrants if it.guest is guest]
            names |= await self._member_names.of(None if place is None else place.guild, users)
        table = match_table(event, names, known_names(event, self._clients))
        return words, [Chart(match_table_alt(table), partial(draw_match_table, table))]

    async def _month_before(self, event: Event) -> Event | None:
        """Return the month before of a league that members can join, if it was played; else None."""
        if event.season is None or event.state is not EventState.OPEN or event.place.guild is None:
            return None
        season = season_after(event.season, -1)
        found = await self._services.store.events.season(event.place.guild, event.terms.game, season)
        return found if found is not None and found.stages else None

    async def _by_notice(self, event: Event, users: Sequence[DiscordId]) -> dict[Notice, list[DiscordId]]:
        """Return the users by their notice; a daily message would come too late for games with a short clock."""
        return await self._turn_notices.by_notice(users, time_control=event.terms.time_control)


def _members_in(event: Event, post: Post) -> list[DiscordId]:
    """Return the members who play in an event and see this message of it."""
    if event.versus is None:
        return list(event.members)
    guests = {it.user for it in event.entrants if it.guest}
    return [it for it in event.members if (it in guests) is bool(post.key)]


def _progress(event: Event) -> int:
    """Return the number of stages that have begun, and one more if the cup is over."""
    return len(event.stages) + (event.state is EventState.OVER)


def _filename(number: int) -> str:
    return f"table{number + 1}.png"


def _pictures(charts: Sequence[Chart]) -> list[ui.MediaGallery[Any]]:
    """Return the place for the attached charts; no place without charts."""
    if not charts:
        return []
    found = gallery(_filename(0), charts[0].alt)
    for number, chart in enumerate(charts[1:], 1):
        found.add_item(media=f"attachment://{_filename(number)}", description=chart.alt)
    return [found]


def _rows(event: Event, *, late: bool) -> list[ui.ActionRow[Any]]:
    number, game = event.id, event.terms.game
    manage = ManageCupButton(number)
    if event.state is EventState.OPEN:
        how = [LessonButton(game), *learn_button(game)]
        return [ui.ActionRow(JoinCupButton(number), LeaveCupButton(number), manage), ui.ActionRow(*how)]
    if event.state is EventState.RUNNING:
        return [ui.ActionRow(*([JoinCupButton(number)] if late else []), QuitCupButton(number), manage)]
    return []
