"""Two selects one after the other, where there are too many moves for one."""

import asyncio
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.table import Table
from bot.entry.asking.groups import FEW, Group, groups, sorting
from bot.entry.asking.menu import menu
from bot.entry.desk import desk_of
from bot.entry.item import Kept
from bot.entry.reply import Said, answer, private
from rules.core.game import Seat
from rules.core.prompt import Prompt

Interaction = discord.Interaction[Any]

NAMED = 3
"""Moves of a group that its option names."""


class NarrowSelect(
    Kept[ui.Select[Any]], template=r"narrow:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<path>[0-9.]{0,40})"
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
        options: tuple[Group, ...] = (),
        placeholder: str | None = None,
    ) -> None:
        self.match, self.plies, self.path = match, plies, path
        select: ui.Select[Any] = ui.Select(
            custom_id=f"narrow:{match}:{plies}:{path}",
            placeholder=placeholder,
            options=[_option(place, group) for place, group in enumerate(options)],
        )
        super().__init__(select)

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> Said | None:
            table, seat, prompt = await desk_of(interaction).matches.asked(
                self.match, interaction.user.id, self.plies
            )
            path = f"{self.path}{self.item.values[0]}."
            view: ui.View = ui.View(timeout=None)
            view.add_item(await asyncio.to_thread(inside, prompt, table, seat, path))
            text = f"**{table.name}**: {prompt.ask}"
            if not private(interaction):
                return Said(text, view)
            await interaction.edit_original_response(content=text, view=view)
            return None

        await answer(interaction, act)


def first(prompt: Prompt, table: Table) -> NarrowSelect:
    """The select for the board, which anybody may see."""
    return _select(prompt, table, "", Group("", prompt.choices))


def inside(prompt: Prompt, table: Table, seat: Seat, path: str) -> ui.Item[Any]:
    """The select for what a path leads to: for moves, or for groups where they are too many. Raises Refused."""
    group = _at(prompt, path)
    if len(group.moves) > FEW:
        return _select(prompt, table, path, group)
    return menu(table, seat, group.moves, group.name)


def _select(prompt: Prompt, table: Table, path: str, group: Group) -> NarrowSelect:
    placeholder = group.name or sorting(prompt).first
    return NarrowSelect(table.id, table.shown, path, groups(prompt, group.moves), placeholder)


def _at(prompt: Prompt, path: str) -> Group:
    """The group at the end of a path. Raises Refused when there is none."""
    group = Group("", prompt.choices)
    for place in path.split(".")[:-1]:
        found = groups(prompt, group.moves) if len(group.moves) > FEW else ()
        if not place or int(place) >= len(found):
            raise Refused("This menu is out of date; choose on the newest board, which `/board` shows.")
        group = found[int(place)]
    return group


def _option(place: int, group: Group) -> discord.SelectOption:
    more = len(group.moves) - NAMED
    names = ", ".join(group.moves[:NAMED])
    description = f"{names} and {more} more" if more > 0 else names
    return discord.SelectOption(label=group.name, value=str(place), description=description)
