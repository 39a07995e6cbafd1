"""The players' choice: one message shows their game and changes with every move, or each move gets a new board."""

from typing import Any

from discord import ui

from bot.app.matches.table import Table
from bot.app.members.preferences import Preferences
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem

_LABELS = {"same": "Always the same board", "new": "A new board for each move"}
_ANSWERS = {
    "same": "from the next move on, one message shows the game. A line below it calls who is next.",
    "new": "from the next move on, each move gets a new board, and the one before becomes a line.",
}


async def in_place(table: Table, preferences: Preferences) -> bool:
    """Return True if one message shows a match, as its players or else their server chose."""
    for stored in (table.stored, table.stored.first):
        if stored is not None and stored.in_place is not None:
            return stored.in_place
    return (await preferences.server_of(table)).in_place


class InPlaceButton(PersistentItem[ui.Button[Any]], template=r"in-place:(?P<match>[0-9]+):(?P<way>same|new)"):
    """Chooses for all players of a match how it is shown."""

    words = frozenset({"way"})

    def __init__(self, match: int, way: str) -> None:
        self.match, self.way = match, way
        super().__init__(ui.Button(label=_LABELS[way], custom_id=f"in-place:{match}:{way}"))

    async def answer(self, acting: Acting) -> str:
        table = await acting.services.matches.show_in_place(self.match, acting.user, self.way == "same")
        return f"**{table.name}**: {_ANSWERS[self.way]} You have chosen that for all players."
