"""`/end`: a moderator ends a game that should not go on."""

from typing import Any

import discord
import structlog

from bot.app.errors import Refused
from bot.entry.desk import desk_of, place_of
from bot.entry.reply import answer

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
