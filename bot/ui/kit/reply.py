"""Answering an interaction: acknowledge first, act second, and tell refusals to the one who asked alone."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import structlog

from bot.app.errors import Refused
from bot.app.matches.matches import IllegalMove
from bot.ui.kit.pictures import correction
from bot.ui.kit.services import desk_of, place_of
from rules.core.errors import RuleError

log = structlog.get_logger()

ALREADY_ACKNOWLEDGED = 40060
"""Discord's code when a retried acknowledgement finds that the first one had arrived after all."""

BROKEN = "Something went wrong on my side. What was stored is safe; try again in a moment."

NOBODY = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class Said:
    """Words for one member alone, with buttons if there are any."""

    text: str
    view: discord.ui.View | discord.ui.LayoutView | None = None
    file: discord.File | None = None
    files: Sequence[discord.File] = ()

    @property
    def attached(self) -> list[discord.File]:
        """All files, in the order in which they are shown."""
        return [*([self.file] if self.file else []), *self.files]


Act = Callable[[], Awaitable[Said | str | None]]


async def answer(interaction: discord.Interaction[Any], act: Act) -> None:
    """Acknowledge, run `act`, and tell what it answers (or why it was refused) to this member alone; an illegal move is
    shown, too.

    When Discord refuses the acknowledgement nothing is done: the member was told that it failed.
    """
    desk_of(interaction).underway.begin()
    if not await _acknowledged(interaction):
        return
    try:
        said = await _done(interaction, act)
    except Exception:
        # The database is away, or we are wrong somewhere: whoever waits for an answer gets one.
        log.exception("interaction failed")
        said = BROKEN
    try:
        await _say(interaction, said)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.warning("answer not delivered", error=type(error).__name__)


async def refuse(interaction: discord.Interaction[Any], refusal: Refused | RuleError) -> None:
    """Tell a refusal to this member alone, where nothing has been acknowledged yet."""

    async def act() -> str:
        return str(refusal)

    await answer(interaction, act)


def private(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was pressed or chosen is in a message that only this member sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def change(interaction: discord.Interaction[Any], said: Said) -> None:
    """Make the message whose button or form was used another one; without a view its buttons are gone."""
    await interaction.edit_original_response(
        content=said.text, view=said.view, attachments=said.attached, allowed_mentions=NOBODY
    )


async def dismiss(interaction: discord.Interaction[Any]) -> None:
    """Take away a private message that has been used, once it is answered."""
    if not private(interaction):
        return
    try:
        await interaction.delete_original_response()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("private message left as it was", error=type(error).__name__)


async def _done(interaction: discord.Interaction[Any], act: Act) -> Said | str | None:
    """What `act` answers or why it was refused, once everything that has come of it was shown."""
    desk = desk_of(interaction)
    with desk.outlets.through(interaction, thinking=_is_command(interaction)):
        said: Said | str | None
        try:
            said = await _corrected(interaction, act)
        except (Refused, RuleError) as refusal:
            said = str(refusal)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("discord did not take it", error=type(error).__name__, detail=str(error))
            said = "Discord did not take all of that; what you did counts if it was legal. `/board` shows the game."
        await desk.deliver(interaction)
    return said


async def _corrected(interaction: discord.Interaction[Any], act: Act) -> Said | str | None:
    """What `act` answers; an illegal move is answered with the picture that marks it."""
    try:
        return await act()
    except IllegalMove as refusal:
        theme = await desk_of(interaction).theme(place_of(interaction), interaction.user.id)
        return Said(str(refusal), file=await correction(refusal, theme))


async def _acknowledged(interaction: discord.Interaction[Any]) -> bool:
    try:
        await interaction.response.defer(ephemeral=True, thinking=_is_command(interaction))
    except discord.HTTPException as error:
        if error.code == ALREADY_ACKNOWLEDGED:
            return True
        log.warning("interaction lost", code=error.code)
        return False
    except (aiohttp.ClientError, OSError) as error:
        # It may have arrived. Acting is safe: whatever is done counts once, and the board will show it.
        log.warning("acknowledgement perhaps lost", error=type(error).__name__)
    return True


async def _say(interaction: discord.Interaction[Any], said: Said | str | None) -> None:
    if said is None:
        if _is_command(interaction):
            await interaction.delete_original_response()
        return
    words = Said(said) if isinstance(said, str) else said
    content = words.text or discord.utils.MISSING
    view: Any = words.view or discord.utils.MISSING
    if _is_command(interaction):
        files = words.attached or discord.utils.MISSING
        await interaction.edit_original_response(
            content=content, view=view, attachments=files, allowed_mentions=NOBODY
        )
    else:
        files = words.attached or discord.utils.MISSING
        await interaction.followup.send(
            content=content, view=view, files=files, ephemeral=True, allowed_mentions=NOBODY
        )


def _is_command(interaction: discord.Interaction[Any]) -> bool:
    if interaction.type is discord.InteractionType.application_command:
        return True
    # A modal opened by a command has no message to update, so it is answered like the command itself.
    return interaction.type is discord.InteractionType.modal_submit and interaction.message is None
