"""The controls under a board: buttons for a handful of moves, a select for a few, typing for many."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.entry.desk import desk_of, place_of
from bot.entry.item import Kept
from bot.entry.reply import Said, answer, refuse
from rules.core.prompt import Prompt

HANDFUL = 5
"""Moves that still fit into one row of buttons."""

FEW = 25
"""Options that a select may hold."""

Interaction = discord.Interaction[Any]


def controls(prompt: Prompt, match: int, plies: int) -> list[ui.ActionRow[Any]]:
    """Rows that ask for what `prompt` asks, on the board of `match` as it stands after `plies` plies."""
    rows: list[ui.ActionRow[Any]] = []
    if 0 < len(prompt.choices) <= HANDFUL:
        rows.append(ui.ActionRow(*(PlayButton(match, plies, text) for text in prompt.choices)))
    elif HANDFUL < len(prompt.choices) <= FEW:
        rows.append(ui.ActionRow(PlaySelect(match, plies, prompt)))
    rows.append(ui.ActionRow(TypeButton(match, plies), ResignButton(match)))
    return rows


class PlayButton(
    Kept[ui.Button[Any]], template=r"play:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<text>.{1,60})"
):
    """Plays one move."""

    words = frozenset({"text"})

    def __init__(self, match: int, plies: int, text: str, label: str | None = None) -> None:
        self.match, self.plies, self.text = match, plies, text
        custom_id = f"play:{match}:{plies}:{text}"
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label=label or text, style=style, custom_id=custom_id))

    async def callback(self, interaction: Interaction) -> None:
        await play(interaction, self.match, self.plies, self.text)


class PlaySelect(Kept[ui.Select[Any]], template=r"pick:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Plays the move that is chosen."""

    def __init__(self, match: int, plies: int, prompt: Prompt | None = None) -> None:
        self.match, self.plies = match, plies
        options = [discord.SelectOption(label=text) for text in (prompt.choices if prompt else ())]
        placeholder = prompt.ask if prompt else None
        custom_id = f"pick:{match}:{plies}"
        super().__init__(ui.Select(custom_id=custom_id, placeholder=placeholder, options=options))

    async def callback(self, interaction: Interaction) -> None:
        await play(interaction, self.match, self.plies, self.item.values[0])


class TypeButton(Kept[ui.Button[Any]], template=r"type:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Asks for a move to be typed."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        super().__init__(ui.Button(label="Type a move", custom_id=f"type:{match}:{plies}"))

    async def callback(self, interaction: Interaction) -> None:
        try:
            table, _, prompt = await desk_of(interaction).matches.asked(
                self.match, interaction.user.id, self.plies
            )
        except Refused as refusal:
            await refuse(interaction, refusal)
        else:
            await interaction.response.send_modal(TypeModal(table.name, self.match, self.plies, prompt))


class TypeModal(ui.Modal):
    """One line to type a move into."""

    def __init__(self, title: str, match: int, plies: int, prompt: Prompt) -> None:
        super().__init__(title=title[:45], custom_id=f"typed:{match}:{plies}")
        self.match, self.plies = match, plies
        self.line: ui.TextInput[Any] = ui.TextInput(
            placeholder=f"for example {prompt.example}", max_length=100, custom_id="move"
        )
        self.add_item(ui.Label(text="Your move", description=prompt.ask, component=self.line))

    async def on_submit(self, interaction: Interaction) -> None:
        await play(interaction, self.match, self.plies, self.line.value)


class ResignButton(Kept[ui.Button[Any]], template=r"resign:(?P<match>[0-9]+)"):
    """Asks whether one really wants to resign."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.secondary
        super().__init__(ui.Button(label="Resign", style=style, custom_id=f"resign:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        await ask_to_resign(interaction, self.match)


class ReallyResignButton(Kept[ui.Button[Any]], template=r"really-resign:(?P<match>[0-9]+)"):
    """Resigns."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.danger
        super().__init__(ui.Button(label="Yes, resign", style=style, custom_id=f"really-resign:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk = desk_of(interaction)
            table = await desk.matches.resign(self.match, interaction.user.id)
            await interaction.edit_original_response(content=f"You resigned {table.name}.", view=None)
            await desk.show(self.match)

        await answer(interaction, act)


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


async def ask_to_resign(interaction: Interaction, match: int | None) -> None:
    """Ask this member alone whether to resign a match, or (None) the one they play in this channel."""

    async def act() -> Said:
        matches = desk_of(interaction).matches
        chosen = match
        if chosen is None:
            chosen = (await matches.pick(interaction.user.id, place_of(interaction).channel)).id
        table = await matches.resignable(chosen, interaction.user.id)
        sure: ui.View = ui.View(timeout=None)
        sure.add_item(ReallyResignButton(table.id))
        return Said(f"Do you really want to resign {table.name}?", sure)

    await answer(interaction, act)
