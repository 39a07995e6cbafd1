"""What all moves for one's own eyes have in common."""

from typing import Any, TypeVar

from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.ui.kit.acting import Acting
from bot.ui.kit.layout import items_below
from bot.ui.kit.pictures import picture_of
from bot.ui.kit.reply import Said
from render import RejectedMove
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.prompt import Prompt

Kind = TypeVar("Kind", bound=Prompt)


async def prompt_of_kind(
    acting: Acting, match: int, plies: int, kind: type[Kind]
) -> tuple[Table, Seat, Kind]:
    """The table, this member's seat there and its prompt. Raises Refused if the prompt is of another kind by now."""
    table, seat, prompt = await acting.services.matches.prompt_for(match, acting.user, plies)
    if not isinstance(prompt, kind):
        raise Refused(f"{table.name} has moved on; press **Look and move** on its newest board.")
    return table, seat, prompt


async def private_board(
    acting: Acting,
    table: Table,
    seen: Observation,
    text: str,
    *items: ui.Item[Any],
    refused: RejectedMove | None = None,
) -> Said:
    """A message for this member alone: words, the picture of what they see (and of what was `refused`), and buttons."""
    theme = await acting.theme()
    view = items_below(*items) if items else None
    return Said(text, view, await picture_of(table, seen, theme, refused))
