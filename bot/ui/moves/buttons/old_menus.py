"""Menus of moves that boards had before they had a button for each move: those posted then are still answered."""

from typing import Any

from discord import ui

from bot.ui.kit.answers.acting import Acting, Interaction
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response, Said, dismiss
from bot.ui.moves.buttons.part_buttons import part_question
from bot.ui.moves.play import play


class PlaySelect(PersistentItem[ui.Select[Any]], template=r"pick:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Plays the move that is chosen."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        super().__init__(ui.Select(custom_id=f"pick:{match}:{plies}"))

    async def answer(self, acting: Acting) -> Response:
        return await play(acting, self.match, self.plies, self.item.values[0])

    async def callback(self, interaction: Interaction) -> None:
        await super().callback(interaction)
        await dismiss(interaction)


class MoveGroupSelect(
    PersistentItem[ui.Select[Any]],
    template=r"narrow:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<path>[0-9.]{0,40})",
):
    """Offered groups of moves; it answers with the buttons by which moves are found today, whichever was chosen."""

    words = frozenset({"path"})

    def __init__(self, match: int, plies: int, path: str = "") -> None:
        self.match, self.plies, self.path = match, plies, path
        super().__init__(ui.Select(custom_id=f"narrow:{match}:{plies}:{path}"))

    async def answer(self, acting: Acting) -> Said:
        return await part_question(acting, self.match, self.plies, "")
