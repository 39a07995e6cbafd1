"""`/history`: the finished games of a server or of direct messages, page by page."""

from collections.abc import Sequence
from typing import Any, Self

import discord
from discord import app_commands, ui
from discord.ext import commands
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import mention
from bot.app.replay import HistoryPage, search_for
from bot.ui import autocomplete
from bot.ui.components.message_parts import Part, card, with_emoji
from bot.ui.components.wording import (
    best_first,
    linked_name,
    names,
    points,
    sum_of_both,
    which_game,
)
from bot.ui.computers import COMPUTER_CHOICES, one_player
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Content, Context, Interaction, Response, respond
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.replay import export, import_record, replay_of_message, show_replay
from db.values.matches import Outcome, Search
from db.values.places import DiscordId, Place
from render.board.phrases import early_ending
from rules.games import find

NOTHING = "-"
"""The value of an unset filter in a custom id."""


async def show_history(context: Context, search: Search) -> Content:
    """Show this member the newest finished matches that fit a search."""
    return Content("", await _message(context, await context.services.history.page(search)))


async def _message(context: Context, page: HistoryPage) -> ui.LayoutView:
    show = await show_rows(context, ShowHistoryButton.of(page)) if page.matches else []
    return history_message(page, show=show)


def history_message(
    page: HistoryPage, *, turns: bool = True, show: Sequence[ui.ActionRow[Any]] = ()
) -> ui.LayoutView:
    """Return a page of the history, with a menu to watch its games; `turns` adds buttons to other pages."""
    lines = [_line(loaded) for loaded in page.matches]
    parts: list[Part] = [
        f"### Finished games\n-# {_filters(page.search)}",
        "\n".join(lines) or "No game that fits has been finished here yet.",
    ]
    if page.matches:
        parts.append(ui.ActionRow(WatchSelect(page.matches)))
    if turns and (page.newer or page.older):
        newest, oldest = (page.matches[0].id, page.matches[-1].id) if page.matches else (0, 0)
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


def _line(loaded: LoadedMatch) -> str:
    stored = loaded.stored
    score = f" **{points(loaded)}**" if points(loaded) else ""
    who = names(loaded, lambda seat: mention(loaded.stored.users[seat]))
    how = early_ending(loaded.match.observe(None))
    when = format_dt(stored.finished_at, "R") if stored.finished_at else ""
    both = sum_of_both(loaded, best_first(loaded))
    about = " · ".join(filter(None, [which_game(loaded), f"both games {both}" if both else "", when]))
    return f"- **{linked_name(loaded)}**: {who}{score}{' ' if how else ''}{how} · {about}"


_OUTCOME = "|".join((NOTHING, *Outcome))
_FILTERS = rf"(?P<game>[a-z-]+):(?P<member>[0-9]+):(?P<opponent>[0-9]+):(?P<outcome>{_OUTCOME})"

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


class HistoryPageButton(
    PersistentItem[ui.Button[Any]],
    template=rf"history:(?P<action>newer|older):(?P<mark>[0-9]+):{_FILTERS}",
):
    """Shows the next or previous page of a history."""

    def __init__(
        self,
        action: str,
        mark: int,
        game: str,
        member: int,
        opponent: int,
        outcome: str,
        *,
        there: bool = True,
    ) -> None:
        self.action, self.mark = action, mark
        self.filters = (game, member, opponent, outcome)
        custom_id = f"history:{action}:{mark}:{game}:{member}:{opponent}:{outcome}"
        super().__init__(ui.Button(label=action.capitalize(), custom_id=custom_id, disabled=not there))

    @classmethod
    def to(cls, search: Search, action: str, mark: int, *, there: bool) -> Self:
        """Return the button on a page of `search` whose first or last match is `mark`."""
        return cls(action, mark, *_filters_of(search), there=there)

    async def answer(self, context: Context) -> None:
        search = _search(self.filters, context.place, context.user)
        history = context.services.history
        page = await history.page(search, self.mark, newer=self.action == "newer")
        await context.interaction.edit_original_response(view=await _message(context, page))


class ShowHistoryButton(ShowButton, template=rf"show-history:(?P<first>[0-9]+):{_FILTERS}"):
    """Shows a page of a history to the channel: the page that begins with the match `first`, or the newest for 0."""

    def __init__(self, first: int, game: str, member: int, opponent: int, outcome: str) -> None:
        self.first = first
        self.filters = (game, member, opponent, outcome)
        super().__init__(f"show-history:{first}:{game}:{member}:{opponent}:{outcome}")

    @classmethod
    def of(cls, page: HistoryPage) -> Self:
        """Return the button of a page that has matches."""
        return cls(page.matches[0].id if page.newer else 0, *_filters_of(page.search))

    def about(self) -> tuple[DiscordId, ...]:
        _, member, opponent, _ = self.filters
        return tuple(filter(None, (member, opponent)))

    async def public(self, context: Context, theme: str) -> Content:
        search = _search(self.filters, context.place, context.user)
        history = context.services.history
        page = await (history.page_from(search, self.first) if self.first else history.page(search))
        if not page.matches:
            raise Refused("No game that fits is left on this page.")
        return Content("", history_message(page, turns=False))


class WatchSelect(PersistentItem[ui.Select[Any]], template="history:watch"):
    """Shows the replay of the chosen game."""

    def __init__(self, matches: tuple[LoadedMatch, ...] = ()) -> None:
        options = [
            discord.SelectOption(label=loaded.name, value=str(loaded.id), description=_about(loaded))
            for loaded in matches
        ]
        select: ui.Select[Any] = ui.Select(
            custom_id="history:watch", placeholder="Watch a game again", options=options
        )
        super().__init__(select)

    async def answer(self, context: Context) -> Response:
        return await show_replay(context, int(self.item.values[0]))


def _about(loaded: LoadedMatch) -> str:
    finished = loaded.stored.finished_at
    return " · ".join(filter(None, [f"{finished:%Y-%m-%d}" if finished else "", points(loaded)]))


RESULTS = [app_commands.Choice(name=outcome.value, value=outcome.value) for outcome in Outcome]


class Replay(commands.Cog):
    """Games that were played."""

    @app_commands.command(description="Show the games that were finished here.")
    @app_commands.describe(
        game="only this game",
        member="only games of this member",
        opponent="only games against this member",
        computer="only games against this computer player",
        result="only games with this result for the member (default: for you)",
    )
    @app_commands.choices(game=autocomplete.ALL_CHOICES, result=RESULTS)
    @app_commands.choices(computer=COMPUTER_CHOICES)
    async def history(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        member: discord.User | None = None,
        opponent: discord.User | None = None,
        result: app_commands.Choice[str] | None = None,
        computer: app_commands.Choice[int] | None = None,
    ) -> None:
        async def show(context: Context) -> Content:
            search = search_for(
                context.place,
                context.user,
                game=game.value if game else None,
                member=member.id if member else None,
                opponent=one_player(opponent, computer),
                outcome=Outcome(result.value) if result else None,
            )
            return await show_history(context, search)

        await respond(interaction, show)

    @app_commands.command(description="Watch a game again, or step through it.")
    @app_commands.describe(
        game="the number of the game; without one, the game here or the last one that was finished",
        move="show the position after so many moves",
    )
    @app_commands.autocomplete(game=autocomplete.watchable_games)
    async def replay(
        self,
        interaction: Interaction,
        game: int | None = None,
        move: app_commands.Range[int, 0, 9999] | None = None,
    ) -> None:
        await respond(interaction, show_replay, game, move)

    @app_commands.command(description="Save a game as a file, for programs or for later.")
    @app_commands.describe(
        game="the number of the game; without one, the game here or the last one that was finished"
    )
    @app_commands.autocomplete(game=autocomplete.watchable_games)
    async def export(self, interaction: Interaction, game: int | None = None) -> None:
        await respond(interaction, export, game)

    @app_commands.command(name="import", description="Watch a game from a file; only you see it.")
    @app_commands.describe(file="a record that /export has written")
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        await respond(interaction, import_record, file)


@app_commands.context_menu(name="Replay this game")
async def replay_of_message_menu(interaction: Interaction, message: discord.Message) -> None:
    await respond(interaction, replay_of_message, message)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Replay())
    bot.tree.add_command(replay_of_message_menu)
