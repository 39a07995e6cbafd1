"""`/export` and `/import`: a match as a file, and a file as something to watch."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.records import LARGEST, about, exported, packed, too_large
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.reply import Said
from bot.ui.replay.film import Reel, film, step
from rules.core.match import Match
from rules.core.record import write

RECORD = "record.json"
"""The file that a shown record carries along: the buttons below it have nothing else to go by."""


async def export(acting: Acting, game: int | None) -> Said:
    """Give this member the record of a match, and beside it what a record leaves out."""
    user = acting.user
    table = await acting.services.matches.shown(user, acting.place, game)
    stem = f"{table.stored.setup.game}-{table.id}"
    files = [
        _file(f"{stem}.json", packed(exported(table))),
        _file(f"{stem}-about.json", packed(about(table, user))),
    ]
    words = (
        f"**{table.name}** as a record: `/import` shows it again, and `python -m rules` and `python -m render` "
        "read it. The second file says when it was played and how it ended; neither names anybody."
    )
    return Said(words, files=files)


async def import_record(acting: Acting, attachment: discord.Attachment) -> Said:
    """Show this member what a record holds. It is read, shown and forgotten."""
    if attachment.size > LARGEST:
        raise too_large(attachment.size)
    match = await acting.services.records.read(await attachment.read())
    theme = await acting.theme()
    return await film(reel_of(match), theme, acting.kit.film_worker)


def reel_of(match: Match) -> Reel:
    """A record as what can be watched."""

    def button(to: int, way: str, disabled: bool) -> RecordStepButton:
        return RecordStepButton(to, way, disabled=disabled)

    name = f"{match.game.sheet.title}, from a file"
    return Reel(name, f"{match.setup.game}-record", match, button, (RECORD, packed(write(match))))


class RecordStepButton(
    PersistentItem[ui.Button[Any]], template=r"record:(?P<at>[0-9]+):(?P<way>first|back|forward|last)"
):
    """Shows another position of the record that its message carries."""

    words = frozenset({"way"})

    def __init__(self, at: int, way: str, *, disabled: bool = False) -> None:
        self.at = at
        super().__init__(ui.Button(label=way.capitalize(), custom_id=f"record:{at}:{way}", disabled=disabled))

    async def answer(self, acting: Acting) -> None:
        match = await acting.services.records.read(await _carried(acting))
        theme = await acting.theme()
        await step(acting, reel_of(match), self.at, theme)


async def _carried(acting: Acting) -> bytes:
    """The record that the message of a button carries. Raises Refused."""
    message = acting.interaction.message
    for part in _walk(message.components if message else ()):
        if isinstance(part, discord.FileComponent) and part.name == RECORD:
            # Inside a container discord.py 2.7 gives media no connection of their own, so part.media.read() fails.
            content: bytes = await acting.interaction.client.http.get_from_cdn(part.media.url)
            return content
    raise Refused("The record of this message is gone; `/import` it again.")


def _walk(parts: Sequence[Any]) -> Iterator[Any]:
    for part in parts:
        yield part
        yield from _walk(getattr(part, "children", ()))


def _file(name: str, content: bytes) -> discord.File:
    return discord.File(io.BytesIO(content), filename=name)
