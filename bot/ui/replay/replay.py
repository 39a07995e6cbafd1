"""`/replay`: a match from its start, as far as everybody may see it."""

import re
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.reply import Response, Said
from bot.ui.replay.animation import STEPS, ReplaySource, animation, position, step, step_label

_NUMBER = re.compile(r"#(?P<match>[0-9]{1,9})\b")


async def show_replay(acting: Acting, game: int | None, move: int | None = None) -> Said:
    """Show this member a game as an animation, or the position after `move` moves."""
    user, place = acting.user, acting.place
    source = source_of(await acting.services.matches.shown(user, place, game))
    theme = await acting.theme()
    return (
        await animation(source, theme, acting.kit.film_worker)
        if move is None
        else await position(source, move, theme)
    )


async def replay_of_message(acting: Acting, message: discord.Message) -> Said:
    """Show this member the whole game of a message of this bot's: the first `#12` in it names the game."""
    bot = acting.interaction.client.user
    ours = bot is not None and message.author.id == bot.id
    found = next(filter(None, map(_NUMBER.search, _texts(message))), None) if ours else None
    if found is None:
        raise Refused("This message shows no game; use it on a board of mine.")
    return await show_replay(acting, int(found["match"]))


def _texts(message: discord.Message) -> list[str]:
    if not message.flags.components_v2:
        return [message.content]
    view = ui.LayoutView.from_message(message)
    return [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]


def source_of(table: Table) -> ReplaySource:
    """Return a match as the source of a replay."""

    def button(to: int, way: str, disabled: bool) -> StepButton:
        return StepButton(table.id, to, way, disabled=disabled)

    return ReplaySource(table.name, f"{table.stored.setup.game}-{table.id}", table.match, button)


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
        await step(acting, source_of(table), self.at, self.way)


class WatchButton(PersistentItem[ui.Button[Any]], template=r"watch:(?P<match>[0-9]+)"):
    """Shows the whole game to the member who presses it."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Watch it again", custom_id=f"watch:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await show_replay(acting, self.match)
