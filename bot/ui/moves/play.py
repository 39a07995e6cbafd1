"""Playing a move, however it was entered."""

from typing import Any

import discord
from discord import ui

from bot.ui.kit.buttons import Kept
from bot.ui.kit.reply import answer
from bot.ui.kit.services import desk_of, place_of

Interaction = discord.Interaction[Any]


class PlayButton(
    Kept[ui.Button[Any]], template=r"play:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<text>.{1,60})"
):
    """Plays one move."""

    words = frozenset({"text"})

    def __init__(
        self,
        match: int,
        plies: int,
        text: str,
        label: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.primary,
    ) -> None:
        self.match, self.plies, self.text = match, plies, text
        custom_id = f"play:{match}:{plies}:{text}"
        super().__init__(ui.Button(label=label or text, style=style, custom_id=custom_id))

    async def callback(self, interaction: Interaction) -> None:
        await play(interaction, self.match, self.plies, self.text)


async def play(interaction: Interaction, match: int | None, plies: int | None, text: str) -> None:
    """Play what was pressed, chosen or typed, then show the board.

    `match` None means the one that waits for this member in this channel; `plies` how far the board was that was used.
    """

    async def act() -> str | None:
        desk = desk_of(interaction)
        chosen = match
        if chosen is None:
            table = await desk.matches.pick(interaction.user.id, place_of(interaction).channel, on_turn=True)
            chosen = table.id
        after = await desk.matches.play(chosen, interaction.user.id, text, plies)
        await desk.show(chosen)
        mine = after.match.seen(after.seat_of(interaction.user.id))
        return f"Only you see this: `{mine[-1].text}` counts." if mine != after.match.seen(None) else None

    await answer(interaction, act)
