"""`/privacy`: what is kept of a member, as a file for them, or gone for good."""

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.members.privacy import Forgotten
from bot.app.records import packed
from bot.ui.challenges.message import redraw
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.posting import DISCORD_ERRORS
from bot.ui.kit.reply import Said

log = structlog.get_logger()

MENDED = 20
"""Boards of finished games, and answered challenges, on which a former member is named no more; older ones stay."""

KEPT = (
    "### What is kept of you\n"
    "To host games: the Discord ids of players, servers, channels and messages; moves with their times; results,"
    " ratings and achievements. And what you chose with `/preferences` and `/block`. No names, and nothing that you"
    " write in Discord.\n"
    "It stays until you delete it here."
)


async def show_privacy(acting: Acting) -> Said:
    """Tell this member what is kept of them, and let them have it, or have it deleted."""
    view: ui.View = ui.View(timeout=None)
    view.add_item(ExportButton())
    view.add_item(DeleteButton())
    return Said(KEPT, view)


class ExportButton(PersistentItem[ui.Button[Any]], template="privacy:export"):
    """Hands out all that is kept of who presses it."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Export my data", custom_id="privacy:export"))

    async def answer(self, acting: Acting) -> Said:
        exported = await acting.services.privacy.export(acting.user)
        file = discord.File(io.BytesIO(packed(exported)), filename="pencilbox-data.json")
        return Said("All that is kept of you, table by table. Your own hidden moves are in it.", file=file)


class DeleteButton(PersistentItem[ui.Button[Any]], template="privacy:delete"):
    """Asks whether one really wants to be forgotten, and says what that means."""

    def __init__(self) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(ui.Button(label="Delete my data…", style=style, custom_id="privacy:delete"))

    async def answer(self, acting: Acting) -> Said:
        sure: ui.View = ui.View(timeout=None)
        sure.add_item(ReallyDeleteButton())
        matches, challenges = await acting.services.privacy.entangled(acting.user)
        return Said(question(matches, challenges), sure)


class ReallyDeleteButton(PersistentItem[ui.Button[Any]], template="privacy:really-delete"):
    """Deletes all that is kept of who presses it."""

    def __init__(self) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(
            ui.Button(label="Yes, delete it all", style=style, custom_id="privacy:really-delete")
        )

    async def answer(self, acting: Acting) -> None:
        forgotten = await acting.services.privacy.forget(acting.user)
        async with _courtesy():
            await acting.interaction.edit_original_response(content=GONE, view=None)
        await mend(acting, forgotten)


GONE = (
    "All that was kept of you is deleted. Older messages in Discord may still name you: they belong to Discord, and the"
    " bot cannot find them any more. If you play again, you start anew."
)


def question(matches: int, challenges: int) -> str:
    """What is asked before all is deleted of a member in so many running matches and open challenges."""
    left = []
    if matches:
        left.append(f"{matches} running game{'s' if matches > 1 else ''}")
    if challenges:
        left.append(f"{challenges} open challenge{'s' if challenges > 1 else ''}")
    leave = f"- You leave {' and '.join(left)}: games are given up, challenges called off.\n" if left else ""
    return (
        f"**Delete all that is kept of you?** It cannot be brought back.\n{leave}"
        "- Your preferences go, and every block that you are part of, also of others against you.\n"
        "- Finished games stay for those who played them, with **a former member** in your place.\n"
        "- Your results leave the leaderboards."
    )


async def mend(acting: Acting, forgotten: Forgotten) -> None:
    """Show what a member has left, and take their name from the newest of what they took part in before."""
    for match in forgotten.matches_left:
        async with _courtesy():
            await acting.display.show(match)
            # The regular round may have shown it already, between leaving and deleting, with the name on it.
            await acting.display.refresh(match)
    for challenge in (*forgotten.challenges_left, *forgotten.challenges[:MENDED]):
        await redraw(acting.kit.posting, acting.services.challenges, challenge)
    for match in forgotten.matches[:MENDED]:
        async with _courtesy():
            await acting.display.refresh(match)


@asynccontextmanager
async def _courtesy() -> AsyncIterator[None]:
    """All is deleted already: what Discord does not take now, the bot shows later, or not at all."""
    try:
        yield
    except (Refused, *DISCORD_ERRORS) as error:
        log.info("message left as it was", error=type(error).__name__)
