"""Ending a game early: players resign after one question, moderators end a game that then has no winner."""

from typing import Any

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.ui.components.layout import items_below
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Response, Said

log = structlog.get_logger()


async def ask_to_resign(acting: Acting, match: int | None) -> Said:
    """Ask this member to confirm that they resign a match; None means the one that they play in this channel."""
    matches = acting.services.matches
    chosen = await matches.pick(acting.user, acting.place, match)
    table, _ = await matches.playing(chosen, acting.user)
    return Said(f"Do you really want to resign {table.name}?", items_below(ReallyResignButton(table.id)))


class ResignButton(PersistentItem[ui.Button[Any]], template=r"resign:(?P<match>[0-9]+)"):
    """Asks the player to confirm that they resign."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.secondary
        super().__init__(ui.Button(label="Resign", style=style, custom_id=f"resign:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await ask_to_resign(acting, self.match)


class ReallyResignButton(PersistentItem[ui.Button[Any]], template=r"really-resign:(?P<match>[0-9]+)"):
    """Resigns."""

    def __init__(self, match: int) -> None:
        self.match = match
        style = discord.ButtonStyle.danger
        super().__init__(ui.Button(label="Yes, resign", style=style, custom_id=f"really-resign:{match}"))

    async def answer(self, acting: Acting) -> None:
        table = await acting.services.matches.resign(self.match, acting.user)
        await acting.interaction.edit_original_response(content=f"You resigned {table.name}.", view=None)
        await acting.display.show(self.match)


async def end_game(acting: Acting, game: int, reason: str) -> str:
    """End a game of this server without a winner, or take its result back, if this member is a moderator."""
    held = acting.interaction.permissions
    if not (held.manage_messages or held.manage_guild):
        raise Refused("Only moderators can end games (the permission Manage Messages or Manage Server).")
    table = await acting.services.matches.break_off(game, acting.place, reason)
    log.info("match broken off", match=game)
    if table.voided:
        await acting.display.announce_reverted(game)
    await acting.display.show(game)
    ended = f"You ended {table.name}; its board shows your reason."
    if table.stored.rated and table.match.winners and await acting.services.ratings.recomputing():
        return f"{ended} Ratings that depend on its result follow shortly."
    return ended
