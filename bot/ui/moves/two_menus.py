"""Two menus one after the other, where there are too many moves for one."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import pairwise
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.layout import items_below
from bot.ui.kit.reply import Said, private
from bot.ui.moves.menu import MENU_LIMIT, menu
from rules.core.game import Seat
from rules.core.prompt import NumberPrompt, Prompt, SegmentPrompt

EXAMPLES = 3
"""Moves of a group that its option names."""


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Moves that belong together, by their canonical texts in board order, under a name."""

    name: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The way to group the moves of a kind of prompt."""

    placeholder: str
    """The question of the first menu."""
    key: Callable[[str], str]
    """Returns the key of the group to which a move belongs."""
    name: Callable[[Sequence[str]], str]
    """Returns the name of groups that are merged, from their keys; "" to name them by their first and last move."""


@singledispatch
def grouping(prompt: Prompt) -> Grouping:
    """Return the way to group moves; cells are grouped by column."""
    return Grouping("Choose a column first.", lambda text: text[:1], _columns)


@grouping.register
def _number(prompt: NumberPrompt) -> Grouping:
    return Grouping("Choose a range first.", lambda text: str((int(text) - 1) // 10), lambda _: "")


@grouping.register
def _segment(prompt: SegmentPrompt) -> Grouping:
    return Grouping("Choose the start first.", lambda text: text.split("-")[0], _starts)


def move_groups(prompt: Prompt, moves: Sequence[str]) -> tuple[MoveGroup, ...]:
    """Divide more than 25 moves into 2 to 25 groups, none empty. A group of more than 25 moves can be divided again."""
    grouped = grouping(prompt)
    parts: dict[str, list[str]] = {}
    for move in moves:
        parts.setdefault(grouped.key(move), []).append(move)
    if len(parts) <= 3 and max(map(len, parts.values())) > MENU_LIMIT:
        # Groups by key would have to be divided again; stretches of their order need not.
        ordered = [move for part in parts.values() for move in part]
        return tuple(
            MoveGroup(_span(part), part)
            for part in _even(ordered, min(MENU_LIMIT, -(-len(moves) // MENU_LIMIT)))
        )
    found = []
    for keys in _even(tuple(parts), min(MENU_LIMIT, len(parts))):
        together = tuple(move for key in keys for move in parts[key])
        found.append(MoveGroup(grouped.name(keys) or _span(together), together))
    return tuple(found)


def _even(things: Sequence[str], number: int) -> Iterable[tuple[str, ...]]:
    """Divide a sequence into so many stretches whose lengths differ by at most one."""
    bounds = [len(things) * index // number for index in range(number + 1)]
    return (tuple(things[low:high]) for low, high in pairwise(bounds))


def _span(moves: Sequence[str]) -> str:
    return moves[0] if len(moves) == 1 else f"{moves[0]} to {moves[-1]}"


def _columns(keys: Sequence[str]) -> str:
    return f"Column {keys[0]}" if len(keys) == 1 else f"Columns {' and '.join(keys)}"


def _starts(keys: Sequence[str]) -> str:
    return f"From {' or '.join(keys)}"


class MoveGroupSelect(
    PersistentItem[ui.Select[Any]],
    template=r"narrow:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<path>[0-9.]{0,40})",
):
    """A menu of groups of moves. It answers, for the member alone, with a menu of the moves of the chosen group.

    If these are more than 25, the answer is another menu of groups. `path` holds the indices of the groups that were
    chosen before, each followed by a dot.
    """

    words = frozenset({"path"})

    def __init__(
        self,
        match: int,
        plies: int,
        path: str = "",
        options: tuple[MoveGroup, ...] = (),
        placeholder: str | None = None,
    ) -> None:
        self.match, self.plies, self.path = match, plies, path
        select: ui.Select[Any] = ui.Select(
            custom_id=f"narrow:{match}:{plies}:{path}",
            placeholder=placeholder,
            options=[_option(index, group) for index, group in enumerate(options)],
        )
        super().__init__(select)

    async def answer(self, acting: Acting) -> Said | None:
        table, seat, prompt = await acting.services.matches.prompt_for(self.match, acting.user, self.plies)
        path = f"{self.path}{self.item.values[0]}."
        view = items_below(await asyncio.to_thread(select_at, prompt, table, seat, path))
        text = f"**{table.name}**: {prompt.ask}"
        if not private(acting.interaction):
            return Said(text, view)
        await acting.interaction.edit_original_response(content=text, view=view)
        return None


def first_select(prompt: Prompt, table: Table) -> MoveGroupSelect:
    """Return the menu for the board, which everybody sees."""
    return _select(prompt, table, "", MoveGroup("", prompt.choices))


def select_at(prompt: Prompt, table: Table, seat: Seat, path: str) -> ui.Item[Any]:
    """Return the menu at the end of a path: of moves, or of groups if there are too many. Raises Refused."""
    group = _at(prompt, path)
    if len(group.moves) > MENU_LIMIT:
        return _select(prompt, table, path, group)
    return menu(table, seat, group.moves, group.name)


def _select(prompt: Prompt, table: Table, path: str, group: MoveGroup) -> MoveGroupSelect:
    placeholder = group.name or grouping(prompt).placeholder
    return MoveGroupSelect(table.id, table.shown, path, move_groups(prompt, group.moves), placeholder)


def _at(prompt: Prompt, path: str) -> MoveGroup:
    """Return the group at the end of a path. Raises Refused if there is none."""
    group = MoveGroup("", prompt.choices)
    for index in path.split(".")[:-1]:
        found = move_groups(prompt, group.moves) if len(group.moves) > MENU_LIMIT else ()
        if not index or int(index) >= len(found):
            raise Refused("This menu is out of date; use the newest board, which `/board` shows.")
        group = found[int(index)]
    return group


def _option(index: int, group: MoveGroup) -> discord.SelectOption:
    more = len(group.moves) - EXAMPLES
    names = ", ".join(group.moves[:EXAMPLES])
    description = f"{names} and {more} more" if more > 0 else names
    return discord.SelectOption(label=group.name, value=str(index), description=description)
