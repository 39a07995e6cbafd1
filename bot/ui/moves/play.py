"""Playing a move that was pressed, chosen or typed."""

from typing import Any

import discord
from discord import ui

import render
from bot.ui.kit.answers.acting import Acting, Interaction
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response, dismiss, respond_by_changing


class PlayButton(
    PersistentItem[ui.Button[Any]], template=r"play:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<text>.{1,60})"
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

    async def answer(self, acting: Acting) -> Response:
        return await play(acting, self.match, self.plies, self.text)

    async def callback(self, interaction: Interaction) -> None:
        await respond_by_changing(interaction, self.checked_answer)
        await dismiss(interaction)


async def play(acting: Acting, match: int | None, plies: int | None, text: str) -> str | None:
    """Play a move by its text and show the board.

    `match` None means the match in this channel that waits for this member. `plies` is the number of plies on the board
    that was used, None if no board was used.
    """
    chosen = await acting.services.matches.pick(acting.user, acting.place, match, on_turn=True)
    after = await acting.services.matches.play(chosen, acting.user, text, plies)
    await acting.display.show(chosen, after)
    seat = after.seat_of(acting.user)
    mine = after.match.seen(seat)
    if mine == after.match.seen(None):
        return None
    return f"You played `{mine[-1].text}`: {render.caption(after.match.observe(seat))}. Only you see this."
