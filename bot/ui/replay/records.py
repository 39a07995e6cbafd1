"""`/export` and `/import`: a match as a file, and the replay of a file."""

import io
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.replay import LARGEST, about, exported, packed, too_large
from bot.ui.components.layout import walk
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said
from bot.ui.interactions.waiting import Waiting
from bot.ui.replay.animation import STEPS, ReplaySource, animation, step, step_label
from bot.ui.replay.replay import watched
from rules.core.match import Match
from rules.core.record import write

RECORD = "record.json"
"""The file in the message of an imported record; the buttons of the message read it again."""


async def export(acting: Acting, game: int | None) -> Said:
    """Give this member the record of a match, and a second file with its times and its end."""
    table = await watched(acting, game)
    stem = f"{table.stored.setup.game}-{table.id}"
    files = [
        _file(f"{stem}.json", packed(exported(table))),
        _file(f"{stem}-about.json", packed(about(table, acting.user))),
    ]
    words = (
        f"**{table.name}** as a file: `/import` shows the game again, in any server. The second file says when it was"
        " played and how it ended. Neither names anybody."
    )
    return Said(words, files=files)


async def import_record(acting: Acting, attachment: discord.Attachment) -> Said:
    """Show this member the game in a record file. Nothing of it is stored."""
    if attachment.size > LARGEST:
        raise too_large(attachment.size)
    match = await acting.services.records.read(await attachment.read())
    theme = await acting.theme()
    return await animation(source_of(match), theme, acting.ui_services.film_worker, Waiting(acting))


def source_of(match: Match) -> ReplaySource:
    """Return a record as the source of a replay."""

    def button(to: int, way: str, disabled: bool) -> RecordStepButton:
        return RecordStepButton(to, way, disabled=disabled)

    name = f"{match.game.sheet.title}, from a file"
    return ReplaySource(name, f"{match.setup.game}-record", match, button, (RECORD, packed(write(match))))


class RecordStepButton(PersistentItem[ui.Button[Any]], template=rf"record:(?P<at>[0-9]+):(?P<way>{STEPS})"):
    """Shows another position of the record in its message, or its animation."""

    words = frozenset({"way"})

    def __init__(self, at: int, way: str, *, disabled: bool = False) -> None:
        self.at, self.way = at, way
        super().__init__(ui.Button(label=step_label(way), custom_id=f"record:{at}:{way}", disabled=disabled))

    async def answer(self, acting: Acting) -> None:
        match = await acting.services.records.read(await _attached_record(acting))
        await step(acting, source_of(match), self.at, self.way)


async def _attached_record(acting: Acting) -> bytes:
    """Return the record in the message of a button. Raises Refused."""
    message = acting.interaction.message
    for component in walk(message.components if message else ()):
        if isinstance(component, discord.FileComponent) and component.name == RECORD:
            # component.media.read() fails: discord.py 2.7 gives media inside a container no connection.
            content: bytes = await acting.interaction.client.http.get_from_cdn(component.media.url)
            return content
    raise Refused("The record in this message no longer exists; `/import` it again.")


def _file(name: str, content: bytes) -> discord.File:
    return discord.File(io.BytesIO(content), filename=name)
