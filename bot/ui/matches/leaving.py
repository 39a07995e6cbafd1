"""Giving up a game, after one question."""

from typing import Any

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.ui.kit.buttons import Kept
from bot.ui.kit.reply import Said, answer
from bot.ui.kit.services import desk_of, place_of

log = structlog.get_logger()


async def end_game(interaction: discord.Interaction[Any], game: int, reason: str) -> None:
    """End a game of this server, or take its result back, for a stated reason, if this member moderates there."""

    async def act() -> str:
        held = interaction.permissions
        if not (held.manage_messages or held.manage_guild):
            raise Refused("Ending games is for moderators (the permission Manage Messages or Manage Server).")
        desk = desk_of(interaction)
        table = await desk.matches.break_off(game, place_of(interaction), reason)
        log.info("match broken off", match=game)
        await desk.show(game)
        return f"You ended {table.name}; its board gives your reason."

    await answer(interaction, act)


Interaction = discord.Interaction[Any]


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


async def ask_to_resign(interaction: Interaction, match: int | None) -> None:
    """Ask this member alone whether to resign a match, or (None) the one they play in this channel."""

    async def act() -> Said:
        matches = desk_of(interaction).matches
        chosen = match
        if chosen is None:
            chosen = (await matches.pick(interaction.user.id, place_of(interaction).channel)).id
        table, _ = await matches.playing(chosen, interaction.user.id)
        sure: ui.View = ui.View(timeout=None)
        sure.add_item(ReallyResignButton(table.id))
        return Said(f"Do you really want to resign {table.name}?", sure)

    await answer(interaction, act)
