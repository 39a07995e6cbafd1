"""Two selects one after the other, where there are too many moves for one."""

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
from bot.ui.moves.menu import menu
from rules.core.game import Seat
from rules.core.prompt import NumberPrompt, Prompt, SegmentPrompt

MENU_LIMIT = 25
"""Options that a select may hold."""


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Moves that belong together, by their canonical texts in board order, and what they have in common."""

    name: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sorting:
    """How the moves of a kind of prompt fall into groups: `first` says what is to be chosen first, `key` which group
    a move belongs to, and `name` is the name of one or several groups drawn together, from their keys."""

    first: str
    key: Callable[[str], str]
    name: Callable[[Sequence[str]], str]


@singledispatch
def sorting(prompt: Prompt) -> Sorting:
    """Cells go by their columns."""
    return Sorting("First choose a column.", lambda text: text[:1], _columns)


@sorting.register
def _number(prompt: NumberPrompt) -> Sorting:
    return Sorting("First choose a range.", lambda text: str((int(text) - 1) // 10), lambda _: "")


@sorting.register
def _segment(prompt: SegmentPrompt) -> Sorting:
    return Sorting("First choose where it starts.", lambda text: text.split("-")[0], _starts)


def move_groups(prompt: Prompt, moves: Sequence[str]) -> tuple[MoveGroup, ...]:
    """Two to 25 groups, none empty, of more than 25 moves; one that is too long for a select can be split again."""
    sort = sorting(prompt)
    parts: dict[str, list[str]] = {}
    for move in moves:
        parts.setdefault(sort.key(move), []).append(move)
    if len(parts) <= 3 and max(map(len, parts.values())) > MENU_LIMIT:
        # By what they have in common they would have to be split once more; by their order they need not.
        ordered = [move for part in parts.values() for move in part]
        return tuple(
            MoveGroup(_span(part), part)
            for part in _even(ordered, min(MENU_LIMIT, -(-len(moves) // MENU_LIMIT)))
        )
    found = []
    for keys in _even(tuple(parts), min(MENU_LIMIT, len(parts))):
        together = tuple(move for key in keys for move in parts[key])
        found.append(MoveGroup(sort.name(keys) or _span(together), together))
    return tuple(found)


def _even(things: Sequence[str], number: int) -> Iterable[tuple[str, ...]]:
    """So many stretches of a sequence, as long as each other give or take one."""
    bounds = [len(things) * place // number for place in range(number + 1)]
    return (tuple(things[low:high]) for low, high in pairwise(bounds))


def _span(moves: Sequence[str]) -> str:
    return moves[0] if len(moves) == 1 else f"{moves[0]} to {moves[-1]}"


def _columns(keys: Sequence[str]) -> str:
    return f"Column {keys[0]}" if len(keys) == 1 else f"Columns {' and '.join(keys)}"


def _starts(keys: Sequence[str]) -> str:
    return f"From {' or '.join(keys)}"


Interaction = discord.Interaction[Any]

NAMED = 3
"""Moves of a group that its option names."""


class MoveGroupSelect(
    PersistentItem[ui.Select[Any]],
    template=r"narrow:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<path>[0-9.]{0,40})",
):
    """Shows, to the member alone, the moves of the group that is chosen: to play one, or in groups once more.

    `path` holds the places of the groups chosen before, each followed by a dot.
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
            options=[_option(place, group) for place, group in enumerate(options)],
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
    """The select for the board, which anybody may see."""
    return _select(prompt, table, "", MoveGroup("", prompt.choices))


def select_at(prompt: Prompt, table: Table, seat: Seat, path: str) -> ui.Item[Any]:
    """The select for what a path leads to: for moves, or for groups where they are too many. Raises Refused."""
    group = _at(prompt, path)
    if len(group.moves) > MENU_LIMIT:
        return _select(prompt, table, path, group)
    return menu(table, seat, group.moves, group.name)


def _select(prompt: Prompt, table: Table, path: str, group: MoveGroup) -> MoveGroupSelect:
    placeholder = group.name or sorting(prompt).first
    return MoveGroupSelect(table.id, table.shown, path, move_groups(prompt, group.moves), placeholder)


def _at(prompt: Prompt, path: str) -> MoveGroup:
    """The group at the end of a path. Raises Refused when there is none."""
    group = MoveGroup("", prompt.choices)
    for place in path.split(".")[:-1]:
        found = move_groups(prompt, group.moves) if len(group.moves) > MENU_LIMIT else ()
        if not place or int(place) >= len(found):
            raise Refused("This menu is out of date; choose on the newest board, which `/board` shows.")
        group = found[int(place)]
    return group


def _option(place: int, group: MoveGroup) -> discord.SelectOption:
    more = len(group.moves) - NAMED
    names = ", ".join(group.moves[:NAMED])
    description = f"{names} and {more} more" if more > 0 else names
    return discord.SelectOption(label=group.name, value=str(place), description=description)
