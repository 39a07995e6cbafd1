"""`/replay`: a match from its start on, as far as everybody may see it."""

from typing import Any

import discord
from discord import ui

from bot.app.matches.table import Table
from bot.ui.kit.buttons import Kept
from bot.ui.kit.reply import Said, answer
from bot.ui.kit.services import desk_of, place_of
from bot.ui.replay.film import Reel, film, position, step

Interaction = discord.Interaction[Any]


async def show_replay(interaction: Interaction, game: int | None, move: int | None = None) -> None:
    """Show this member a game: as an animation, or (with `move`) as it stood after so many moves."""

    async def act() -> Said:
        desk = desk_of(interaction)
        user, place = interaction.user.id, place_of(interaction)
        reel = reel_of(await desk.matches.shown(user, place, game))
        theme = await desk.theme(place, user)
        return await film(reel, theme, desk.studio) if move is None else await position(reel, move, theme)

    await answer(interaction, act)


def reel_of(table: Table) -> Reel:
    """A match as what can be watched."""

    def button(to: int, way: str, disabled: bool) -> StepButton:
        return StepButton(table.id, to, way, disabled=disabled)

    return Reel(table.name, f"{table.stored.setup.game}-{table.id}", table.match, button)


class StepButton(
    Kept[ui.Button[Any]],
    template=r"step:(?P<match>[0-9]+):(?P<at>[0-9]+):(?P<way>first|back|forward|last)",
):
    """Shows another position of a game in the same message."""

    words = frozenset({"way"})

    def __init__(self, match: int, at: int, way: str, *, disabled: bool = False) -> None:
        self.match, self.at = match, at
        custom_id = f"step:{match}:{at}:{way}"
        super().__init__(ui.Button(label=way.capitalize(), custom_id=custom_id, disabled=disabled))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk = desk_of(interaction)
            user, place = interaction.user.id, place_of(interaction)
            table = await desk.matches.shown(user, place, self.match)
            await step(interaction, reel_of(table), self.at, await desk.theme(place, user))

        await answer(interaction, act)


class WatchButton(Kept[ui.Button[Any]], template=r"watch:(?P<match>[0-9]+)"):
    """Shows a whole game again to the member who presses it."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Watch it again", custom_id=f"watch:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        await show_replay(interaction, self.match)
