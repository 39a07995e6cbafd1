"""`/history`: the finished games of a server or of direct messages, page by page."""

from collections.abc import Sequence
from typing import Any, Self

import discord
from discord import ui
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.mentions import mention
from bot.app.replay import HistoryPage, search_for
from bot.ui.components.emoji import with_emoji
from bot.ui.components.layout import Part, card
from bot.ui.components.wording import best_first, board_link, names, points, sum_of_both, which_game
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Response, Said
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.replay.replay import show_replay
from db.values.matches import Outcome, Search
from db.values.places import DiscordId, Place
from render.board.phrases import early_ending
from rules.games import find

NOTHING = "-"
"""A filter that is not set, in a custom id."""


async def show_history(acting: Acting, search: Search) -> Said:
    """Show this member the newest finished matches that fit a search."""
    return Said("", await _message(acting, await acting.services.history.page(search)))


async def _message(acting: Acting, page: HistoryPage) -> ui.LayoutView:
    show = await show_rows(acting, ShowHistoryButton.of(page)) if page.tables else []
    return history_message(page, show=show)


def history_message(
    page: HistoryPage, *, turns: bool = True, show: Sequence[ui.ActionRow[Any]] = ()
) -> ui.LayoutView:
    """Return a page of the history, with a menu to watch its games; `turns` adds buttons to the pages beside it."""
    lines = [_line(table) for table in page.tables]
    parts: list[Part] = [
        f"### Finished games\n-# {_filters(page.search)}",
        "\n".join(lines) or "No game that fits has been finished here yet.",
    ]
    if page.tables:
        parts.append(ui.ActionRow(WatchSelect(page.tables)))
    if turns and (page.newer or page.older):
        newest, oldest = (page.tables[0].id, page.tables[-1].id) if page.tables else (0, 0)
        newer = HistoryPageButton.to(page.search, "newer", newest, there=page.newer)
        older = HistoryPageButton.to(page.search, "older", oldest, there=page.older)
        parts.append(ui.ActionRow(newer, older))
    return card(*parts, *show)


def _filters(search: Search) -> str:
    game = with_emoji(search.game, find(search.game).sheet.title) if search.game else "all games"
    who = f"of {mention(search.member)}" if search.member else "played here"
    against = f", against {mention(search.opponent)}" if search.opponent else ""
    outcome = f", {search.outcome}" if search.outcome else ""
    return f"{game} {who}{against}{outcome} · newest first"


def _line(table: Table) -> str:
    stored = table.stored
    panel = stored.panel
    name = f"**{table.name}**" if panel is None else f"**[{table.name}]({board_link(stored.place, panel)})**"
    score = f" **{points(table)}**" if points(table) else ""
    who = names(table, lambda seat: mention(table.stored.users[seat]))
    how = early_ending(table.match.observe(None))
    when = format_dt(stored.finished_at, "R") if stored.finished_at else ""
    both = sum_of_both(table, best_first(table))
    about = " · ".join(filter(None, [which_game(table), f"both games {both}" if both else "", when]))
    return f"- {name}: {who}{score}{' ' if how else ''}{how} · {about}"


_OUTCOME = "|".join((NOTHING, *Outcome))
_FILTERS = rf"(?P<game>[a-z-]+):(?P<member>[0-9]+):(?P<opponent>[0-9]+):(?P<outcome>{_OUTCOME})"

Filters = tuple[str, int, int, str]
"""The game, the member, the opponent and the result of a search, as custom ids name them; 0 stands for no member."""


def _filters_of(search: Search) -> Filters:
    return search.game or NOTHING, search.member or 0, search.opponent or 0, search.outcome or NOTHING


def _search(filters: Filters, place: Place, asker: DiscordId) -> Search:
    """Return the search with these filters. Raises Refused."""
    game, member, opponent, outcome = filters
    return search_for(
        place,
        asker,
        game=None if game == NOTHING else game,
        member=member or None,
        opponent=opponent or None,
        outcome=None if outcome == NOTHING else Outcome(outcome),
    )


class HistoryPageButton(
    PersistentItem[ui.Button[Any]],
    template=rf"history:(?P<way>newer|older):(?P<mark>[0-9]+):{_FILTERS}",
):
    """Shows the next or previous page of a history."""

    words = frozenset({"way", "game", "outcome"})

    def __init__(
        self, way: str, mark: int, game: str, member: int, opponent: int, outcome: str, *, there: bool = True
    ) -> None:
        self.way, self.mark = way, mark
        self.filters = (game, member, opponent, outcome)
        custom_id = f"history:{way}:{mark}:{game}:{member}:{opponent}:{outcome}"
        super().__init__(ui.Button(label=way.capitalize(), custom_id=custom_id, disabled=not there))

    @classmethod
    def to(cls, search: Search, way: str, mark: int, *, there: bool) -> Self:
        """Return the button from the page of `search` whose first or last match is `mark`."""
        return cls(way, mark, *_filters_of(search), there=there)

    async def answer(self, acting: Acting) -> None:
        search = _search(self.filters, acting.place, acting.user)
        history = acting.services.history
        page = await history.page(search, self.mark, newer=self.way == "newer")
        await acting.interaction.edit_original_response(view=await _message(acting, page))


class ShowHistoryButton(ShowButton, template=rf"show-history:(?P<first>[0-9]+):{_FILTERS}"):
    """Shows to the channel the page of a history that begins with the match `first`; the newest page with 0."""

    words = frozenset({"game", "outcome"})

    def __init__(self, first: int, game: str, member: int, opponent: int, outcome: str) -> None:
        self.first = first
        self.filters = (game, member, opponent, outcome)
        super().__init__(f"show-history:{first}:{game}:{member}:{opponent}:{outcome}")

    @classmethod
    def of(cls, page: HistoryPage) -> Self:
        """Return the button of a page that has matches."""
        return cls(page.tables[0].id if page.newer else 0, *_filters_of(page.search))

    def about(self) -> tuple[DiscordId, ...]:
        _, member, opponent, _ = self.filters
        return tuple(filter(None, (member, opponent)))

    async def public(self, acting: Acting, theme: str) -> Said:
        search = _search(self.filters, acting.place, acting.user)
        history = acting.services.history
        page = await (history.page_from(search, self.first) if self.first else history.page(search))
        if not page.tables:
            raise Refused("No game that fits is left on this page.")
        return Said("", history_message(page, turns=False))


class WatchSelect(PersistentItem[ui.Select[Any]], template="history:watch"):
    """Shows the replay of the chosen game."""

    def __init__(self, tables: tuple[Table, ...] = ()) -> None:
        options = [
            discord.SelectOption(label=table.name, value=str(table.id), description=_about(table))
            for table in tables
        ]
        select: ui.Select[Any] = ui.Select(
            custom_id="history:watch", placeholder="Watch a game again", options=options
        )
        super().__init__(select)

    async def answer(self, acting: Acting) -> Response:
        return await show_replay(acting, int(self.item.values[0]))


def _about(table: Table) -> str:
    finished = table.stored.finished_at
    return " · ".join(filter(None, [f"{finished:%Y-%m-%d}" if finished else "", points(table)]))
