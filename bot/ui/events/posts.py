"""Publishing the message of a cup: its card before the start, then its cross tables, which follow every result."""

from collections.abc import Mapping, Sequence
from typing import Any

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
from db.values.events import Event, EventState
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


class EventPublisher(ServicePublisher):
    """Publishes the message of each cup. It is posted again, with mentions, when a stage begins and at the end."""

    kind = PostKind.EVENT

    async def draft(self, post: Post) -> Draft | None:
        event = await self._services.store.events.get(post.subject)
        if event is None:
            return None
        if event.versus is not None:
            return await self._of_match(post, event)
        groups = groups_of(event, len(event.stages) - 1) if event.stages else []
        names = await self._member_names.of(event.place.guild, [it.user for it in event.entrants])
        charts = [cross_table(event, group, groups, names) for group in groups]
        theme = await self._preferences.theme(event.place)

        async def files() -> Sequence[discord.File]:
            return [
                await chart_file(_filename(number), cross_table_alt(it), draw_cross_table, it, theme)
                for number, it in enumerate(charts)
            ]

        progress = _progress(event)
        anew = post.message is not None and post.progress < progress
        users: Sequence[DiscordId] = event.members if progress and (anew or post.message is None) else ()
        before = await self._month_before(event)
        if before is not None and post.message is None:
            users = before.members  # One press keeps them in the league.
        notify = (await self._by_notice(event, users))[Notice.PING]
        late = event.late and self._services.clock.now() < event.stages[0].started_at + quarter(
            event.stages[0]
        )
        view = event_message(event, groups, charts, late=late, before=before)
        return Draft(event.place, view, files, progress, notify=notify, anew=anew)

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

    async def _of_match(self, post: Post, event: Event) -> Draft:
        """Return the message of a match between servers, in one of them."""
        assert event.versus is not None
        guests = event.versus.place if post.key else None
        progress = _progress(event)
        anew = post.message is not None and post.progress < progress
        users = _members_in(event, post) if progress and (anew or post.message is None) else ()
        notify = (await self._by_notice(event, users))[Notice.PING]
        departed = bool(await self._services.store.servers.gone(event.servers))
        words = match_text(event, server_names(event, self._clients), departed=departed)
        names = {
            user: it
            for place, guest in ((event.place, False), (event.versus.place, True))
            for user, it in (
                await self._member_names.of(
                    None if place is None else place.guild,
                    [it.user for it in event.entrants if it.guest is guest],
                )
            ).items()
        }
        chart = match_table(event, names, known_names(event, self._clients)) if event.stages else None
        picture = [] if chart is None else [gallery(_filename(0), match_table_alt(chart))]
        view = card(words, *picture, *_rows(event, late=False))
        theme = await self._preferences.theme(guests or event.place)
        strangers = strangers_of(event, (guests or event.place).guild)
        name_strangers(view, await names_of_strangers(self._member_names, *strangers))

        async def files() -> Sequence[discord.File]:
            if chart is None:
                return ()
            return [await chart_file(_filename(0), match_table_alt(chart), draw_match_table, chart, theme)]

        return Draft(guests or event.place, view, files, progress, notify=notify, anew=anew)

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


def event_message(
    event: Event,
    groups: Sequence[Group],
    charts: Sequence[CrossTable],
    *,
    late: bool = False,
    before: Event | None = None,
) -> ui.LayoutView:
    """Return the message of an event, with a picture for each group. With `late`, players may still join.

    `before` is the month before of a league that members can join.
    """
    shown = []
    if charts:
        pictures: ui.MediaGallery[Any] = gallery(_filename(0), cross_table_alt(charts[0]))
        for number, chart in enumerate(charts[1:], 1):
            pictures.add_item(media=f"attachment://{_filename(number)}", description=cross_table_alt(chart))
        shown.append(pictures)
    return card(text(event, groups, before), *shown, *_rows(event, late=late))


def _rows(event: Event, *, late: bool) -> list[ui.ActionRow[Any]]:
    number, game = event.id, event.terms.game
    manage = ManageCupButton(number)
    if event.state is EventState.OPEN:
        how = [LessonButton(game), *learn_button(game)]
        return [ui.ActionRow(JoinCupButton(number), LeaveCupButton(number), manage), ui.ActionRow(*how)]
    if event.state is EventState.RUNNING:
        return [ui.ActionRow(*([JoinCupButton(number)] if late else []), QuitCupButton(number), manage)]
    return []
