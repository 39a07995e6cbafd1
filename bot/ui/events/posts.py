"""Publishing the message of a cup: its card before the start, then its cross tables, which follow every result."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.app.events.schedule import quarter, season_after
from bot.app.events.standing import Group, groups_of
from bot.app.services import Services
from bot.ui.components.message_parts import card, chart_file, gallery
from bot.ui.events.buttons import JoinCupButton, LeaveCupButton, ManageCupButton, QuitCupButton
from bot.ui.events.charts import cross_table, match_table
from bot.ui.events.match_wording import known_names, match_text, server_names, strangers_of
from bot.ui.events.wording import text
from bot.ui.lessons import LessonButton, learn_button
from bot.ui.posts.member_names import name_strangers, names_of_strangers
from bot.ui.posts.outbox import Draft, DraftPublisher, Outbox
from bot.ui.services import UiServices
from db.values.events import Event, EventState
from db.values.members import Notice
from db.values.places import DiscordId
from db.values.posts import News, Occasion, Post, PostKind
from render.charts.cross_table import (
    CrossTable,
    cross_table_alt,
    draw_cross_table,
    draw_match_table,
    match_table_alt,
)


class EventPublisher(DraftPublisher):
    """Publishes the message of each cup. It is posted again, with mentions, when a stage begins and at the end."""

    kind = PostKind.EVENT

    def __init__(self, outbox: Outbox, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox)
        self._services = services
        self._preferences = services.preferences
        self._turn_notices = ui_services.turn_notices
        self._member_names = ui_services.member_names
        self._clients = ui_services.clients

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
