"""Hints: the move marked on the member's own copy of the board, and a line on the board for everybody."""

from typing import Any

from discord import ui

import render
from bot.ui.components.pictures import picture_of
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said
from bot.ui.review.wording import promise


async def give_hint(acting: Acting, game: int | None) -> Said:
    """Show this member a move for a game, and note on its board that they took a hint."""
    user, place = acting.user, acting.place
    match = await acting.services.matches.pick(user, place, game, on_turn=True)
    hint = await acting.services.hints.take(match, user)
    await acting.display.show(match)
    observation = hint.table.match.observe(hint.seat)
    # A hidden move is laid or named, and has no place of its own on the board.
    advice = None if hint.table.secret else render.Advice(hint.choice.move)
    file = await picture_of(hint.table, observation, await acting.theme(), advice=advice)
    words = promise(hint.choice.value, exact=hint.choice.exact)
    text = f"**{hint.table.name}**: play **{hint.choice.move}**. {words}".rstrip()
    return Said(f"{text}\n-# The board says that you took a hint.", file=file)


class HintButton(PersistentItem[ui.Button[Any]], template=r"hint:(?P<match>[0-9]+)"):
    """Gives the member on turn a hint."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Hint", custom_id=f"hint:{match}"))

    async def answer(self, acting: Acting) -> Said:
        return await give_hint(acting, self.match)
