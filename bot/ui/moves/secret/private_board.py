"""The common parts of moves that only their player may see."""

from typing import Any, TypeVar

from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import Said
from bot.ui.kit.content.layout import items_below
from bot.ui.kit.content.pictures import picture_of
from render import RejectedMove
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.prompt import Prompt

OPEN_LABEL = "Secret move"
"""The label of the button that opens a private board."""

MOST_CARDS = 20
"""Cards that can be pointed at: four rows of buttons, above one for everything else."""
_ACROSS_ON_PHONE = 4
"""Buttons for cards, such as `10–12`, that a phone shows in one row."""

Kind = TypeVar("Kind", bound=Prompt)


def rows_of_cards(count: int) -> list[int]:
    """Return the row for each of so many buttons for cards, at most `MOST_CARDS`: as many rows as a phone shows
    without breaking one, as long as there are four, and of lengths that differ by at most one."""
    rows = min(4, -(-count // _ACROSS_ON_PHONE))
    return [index * rows // count for index in range(count)]


async def prompt_of_kind(
    acting: Acting, match: int, plies: int, kind: type[Kind]
) -> tuple[Table, Seat, Kind]:
    """Return the table, this member's seat and its prompt. Raises Refused if the prompt is of another kind by now."""
    table, seat, prompt = await acting.services.matches.prompt_for(match, acting.user, plies)
    if not isinstance(prompt, kind):
        raise Refused(f"{table.name} has moved on; press **{OPEN_LABEL}** on its newest board.")
    return table, seat, prompt


async def private_board(
    acting: Acting,
    table: Table,
    observation: Observation,
    text: str,
    *items: ui.Item[Any],
    rejected: RejectedMove | None = None,
) -> Said:
    """Return a message for this member alone: text, their view of the board with any rejected move, and components."""
    theme = await acting.theme()
    view = items_below(*items) if items else None
    return Said(text, view, await picture_of(table, observation, theme, rejected))
