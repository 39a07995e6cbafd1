"""`/replay`: a match from its start, as far as everybody may see it."""

from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.app.matches.table import Table
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.game_messages import game_of
from bot.ui.interactions.reply import Response, Said
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.interactions.waiting import Waiting
from bot.ui.replay.animation import STEPS, ReplaySource, animation, position, step, step_label
from db.values.matches import Search


async def show_replay(acting: Acting, game: int | None, move: int | None = None) -> Said:
    """Show this member a game as an animation, or the position after `move` moves."""
    source = await _source(acting, await watched(acting, game))
    theme = await acting.theme()
    return (
        await animation(source, theme, acting.ui_services.film_worker, Waiting(acting))
        if move is None
        else await position(source, move, theme)
    )


async def watched(acting: Acting, game: int | None) -> Table:
    """Return the match that this member wants to watch. None is the one that is played in this channel, else the last
    that was finished here, their own before others. Raises Refused."""
    services, user, place = acting.services, acting.user, acting.place
    if game is None and not await services.matches.running(place):
        own = await services.history.recent(Search.near(place, member=user), 1)
        last = own or await services.history.recent(Search.near(place), 1)
        game = last[0].id if last else None
    return await services.matches.shown(user, place, game)


async def replay_of_message(acting: Acting, message: discord.Message) -> Said:
    """Show this member the whole game of a message of this bot's."""
    return await show_replay(acting, game_of(acting, message).match)


async def _source(acting: Acting, table: Table) -> ReplaySource:
    """Return a match as the source of a replay that this member sees."""
    offered = await show_rows(acting, ShowReplayButton(table.id, 0, "whole"))

    def button(to: int, way: str, disabled: bool) -> StepButton:
        return StepButton(table.id, to, way, disabled=disabled)

    def below(at: int | None) -> list[ui.ActionRow[Any]]:
        show = (
            ShowReplayButton(table.id, 0, "whole") if at is None else ShowReplayButton(table.id, at, "still")
        )
        return [ui.ActionRow(show)] if offered else []

    return replace(_public_source(table), button=button, below=below)


def _public_source(table: Table) -> ReplaySource:
    """Return a match as the source of a replay without controls."""
    return ReplaySource(table.name, f"{table.stored.setup.game}-{table.id}", table.match, None)


class StepButton(
    PersistentItem[ui.Button[Any]],
    template=rf"step:(?P<match>[0-9]+):(?P<at>[0-9]+):(?P<way>{STEPS})",
):
    """Shows another position of a game, or its animation, in the same message."""

    words = frozenset({"way"})

    def __init__(self, match: int, at: int, way: str, *, disabled: bool = False) -> None:
        self.match, self.at, self.way = match, at, way
        custom_id = f"step:{match}:{at}:{way}"
        super().__init__(ui.Button(label=step_label(way), custom_id=custom_id, disabled=disabled))

    async def answer(self, acting: Acting) -> None:
        user, place = acting.user, acting.place
        table = await acting.services.matches.shown(user, place, self.match)
        await step(acting, await _source(acting, table), self.at, self.way)


class ShowReplayButton(
    ShowButton, template=r"show-step:(?P<match>[0-9]+):(?P<at>[0-9]+):(?P<way>still|whole)"
):
    """Shows to the channel the position after `at` visible moves, or ("whole") the animation of the game."""

    words = frozenset({"way"})

    def __init__(self, match: int, at: int, way: str) -> None:
        self.match, self.at, self.way = match, at, way
        super().__init__(f"show-step:{match}:{at}:{way}")

    async def public(self, acting: Acting, theme: str) -> Said:
        table = await acting.services.matches.shown(acting.user, acting.place, self.match)
        source = replace(_public_source(table), below=lambda _: [ui.ActionRow(WatchButton(table.id))])
        if self.way == "whole":
            return await animation(source, theme, acting.ui_services.film_worker, Waiting(acting))
        return await position(source, self.at, theme)


class WatchButton(PersistentItem[ui.Button[Any]], template=r"watch:(?P<match>[0-9]+)"):
    """Shows the whole game to the member who presses it."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Watch it again", custom_id=f"watch:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await show_replay(acting, self.match)
