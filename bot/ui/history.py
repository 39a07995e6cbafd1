"""The finished games of a server or of direct messages, page by page; `/replay`."""

from collections.abc import Sequence
from typing import Annotated, Any, Self

import discord
from discord import app_commands, ui
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.matches.forgotten import unplayed
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import mention
from bot.app.replay import HistoryPage, search_for
from bot.ui import autocomplete
from bot.ui.components.message_parts import Part, card, game_options, menu_options, with_emoji
from bot.ui.components.wording import (
    best_first,
    linked_name,
    names,
    points,
    sum_of_both,
    takeovers,
    which_game,
)
from bot.ui.interactions.buttons import GameOrAll, IdButton, IdSelect
from bot.ui.interactions.checks import game_of
from bot.ui.interactions.reply import Content, Context, Interaction, change, respond
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.replay import WatchSelect, import_record, show_replay
from db.values.matches import Outcome, Search
from db.values.places import DiscordId, Place
from render.board.phrases import early_ending
from rules.core.notation import joined
from rules.games import find

NOTHING = "-"
"""The value of an unset filter in a custom id."""


async def _message(context: Context, page: HistoryPage) -> ui.LayoutView:
    show = await show_rows(context, ShowHistoryButton.of(page)) if page.matches else []
    return history_message(page, show=show)


def history_message(
    page: HistoryPage, *, turns: bool = True, show: Sequence[ui.ActionRow[Any]] = ()
) -> ui.LayoutView:
    """Return a page of the history, with a menu to watch its games; `turns` adds buttons and menus to other pages."""
    lines = [_line(loaded) for loaded in page.matches]
    parts: list[Part] = [
        f"### Finished games\n-# {_filters(page.search)}",
        "\n".join(lines) or "No matching game has been finished here yet.",
    ]
    if page.matches:
        parts.append(ui.ActionRow(watch_select(page.matches)))
    if turns and (page.newer or page.older):
        newest, oldest = (page.matches[0].id, page.matches[-1].id) if page.matches else (0, 0)
        newer = HistoryPageButton.to(page.search, "newer", newest, there=page.newer)
        older = HistoryPageButton.to(page.search, "older", oldest, there=page.older)
        parts.append(ui.ActionRow(newer, older))
    if turns:
        filters, outcome = _filters_of(page.search), page.search.outcome or NOTHING
        games = HistorySelect("game", *filters, options=game_options(page.search.game))
        parts.append(ui.ActionRow(games))
        if page.search.member is not None:
            labels = {NOTHING: "All results"} | {str(it): it.capitalize() for it in Outcome}
            results = HistorySelect("result", *filters, options=menu_options(labels, outcome))
            parts.append(ui.ActionRow(results))
    return card(*parts, *show)


def _filters(search: Search) -> str:
    game = with_emoji(search.game, find(search.game).sheet.title) if search.game else "all games"
    who = f"of {mention(search.member)}" if search.member else "played here"
    against = f", against {mention(search.opponent)}" if search.opponent else ""
    outcome = f", {search.outcome}" if search.outcome else ""
    return f"{game} {who}{against}{outcome} · newest first"


def _line(loaded: LoadedMatch) -> str:
    stored = loaded.stored
    score = f" **{points(loaded)}**" if points(loaded) else ""
    who = names(loaded, lambda seat: mention(loaded.stored.users[seat]))
    late = joined([mention(stored.users[seat]) for seat in unplayed(loaded)])
    how = f"ended because {late} did not move" if late else early_ending(loaded.match.observe(None))
    when = format_dt(stored.finished_at, "R") if stored.finished_at else ""
    both = sum_of_both(loaded, best_first(loaded))
    computers = " ".join(takeovers(loaded)).removesuffix(".")
    about = " · ".join(
        filter(None, [which_game(loaded), f"both games {both}" if both else "", computers, when])
    )
    return f"- **{linked_name(loaded)}**: {who}{score}{' ' if how else ''}{how} · {about}"


_OUTCOME = "|".join((NOTHING, *Outcome))

Filters = tuple[str, int, int, str]
"""The game, the member, the opponent and the result of a search in a custom id; 0 means no member."""


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


class HistoryPageButton(IdButton, word="history"):
    """Shows the next or previous page of a history."""

    action: Annotated[str, "newer|older"]
    mark: int
    game: GameOrAll
    member: DiscordId
    opponent: DiscordId
    outcome: Annotated[str, _OUTCOME]

    @classmethod
    def to(cls, search: Search, action: str, mark: int, *, there: bool) -> Self:
        """Return the button on a page of `search` whose first or last match is `mark`."""
        return cls(action, mark, *_filters_of(search), label=action.capitalize(), disabled=not there)

    async def answer(self, context: Context) -> None:
        filters = self.game, self.member, self.opponent, self.outcome
        search, history = _search(filters, context.place, context.user), context.services.history
        page = await history.page(search, self.mark, newer=self.action == "newer")
        await change(context, Content("", await _message(context, page)))


class HistoryButton(IdButton, word="history-of", label="Games"):
    """Shows the newest finished matches that fit a search to the member who presses it."""

    game: GameOrAll
    member: DiscordId
    opponent: DiscordId
    outcome: Annotated[str, _OUTCOME]

    async def answer(self, context: Context) -> Content:
        return await _newest(context, (self.game, self.member, self.opponent, self.outcome))


class HistorySelect(IdSelect, word="history-by"):
    """Shows the matches of another game, or those with another result for the member."""

    what: Annotated[str, "game|result"]
    game: GameOrAll
    member: DiscordId
    opponent: DiscordId
    outcome: Annotated[str, _OUTCOME]

    async def answer(self, context: Context) -> None:
        value = self.item.values[0]
        game, outcome = (value, self.outcome) if self.what == "game" else (self.game, value)
        await change(context, await _newest(context, (game, self.member, self.opponent, outcome)))


async def _newest(context: Context, filters: Filters) -> Content:
    """Return the newest finished matches that fit these filters."""
    page = await context.services.history.page(_search(filters, context.place, context.user))
    return Content("", await _message(context, page))


class ShowHistoryButton(ShowButton, word="show-history"):
    """Shows a page of a history to the channel: the page that begins with the match `first`, or the newest for 0."""

    first: int
    game: GameOrAll
    member: DiscordId
    opponent: DiscordId
    outcome: Annotated[str, _OUTCOME]

    @classmethod
    def of(cls, page: HistoryPage) -> Self:
        """Return the button of a page that has matches."""
        return cls(page.matches[0].id if page.newer else 0, *_filters_of(page.search))

    def about(self) -> tuple[DiscordId, ...]:
        return tuple(filter(None, (self.member, self.opponent)))

    async def public(self, context: Context, theme: str) -> Content:
        filters = self.game, self.member, self.opponent, self.outcome
        search, history = _search(filters, context.place, context.user), context.services.history
        page = await (history.page_from(search, self.first) if self.first else history.page(search))
        if not page.matches:
            raise Refused("No matching game is left on this page.")
        return Content("", history_message(page, turns=False))


def watch_select(matches: Sequence[LoadedMatch]) -> WatchSelect:
    """Return the menu from which one of these matches is watched."""
    return WatchSelect(
        options=[
            discord.SelectOption(label=loaded.name, value=str(loaded.id), description=_about(loaded))
            for loaded in matches
        ]
    )


def _about(loaded: LoadedMatch) -> str:
    finished = loaded.stored.finished_at
    return " · ".join(filter(None, [f"{finished:%Y-%m-%d}" if finished else "", points(loaded)]))


@app_commands.command(description="Watch a game again, or step through it.")
@app_commands.describe(
    number="the number of the game (default: the game here, or the last one that was finished)",
    move="show the position after so many moves",
    file="a game that was saved as a file; only you see it",
)
@app_commands.autocomplete(number=autocomplete.watchable_games)
async def replay(
    interaction: Interaction,
    number: int | None = None,
    move: app_commands.Range[int, 0, 9999] | None = None,
    file: discord.Attachment | None = None,
) -> None:
    if file is not None:
        await respond(interaction, import_record, file)
    else:
        await respond(interaction, show_replay, number, move)


@app_commands.context_menu(name="Replay this game")
async def replay_of_message_menu(interaction: Interaction, message: discord.Message) -> None:
    await respond(interaction, lambda it: show_replay(it, game_of(it, message).match))
