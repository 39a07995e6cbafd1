"""The message of a puzzle, and the button that leads to it."""

from typing import Any

import discord
from discord import ButtonStyle, ui

import render
from bot.app.puzzles.puzzles import Standing
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response, Said, change
from bot.ui.kit.content.layout import Part, card
from bot.ui.kit.content.pictures import board_picture, picture_of, rejection_picture
from bot.ui.moves.alone import pieces, wrap
from bot.ui.moves.entering import move_rows
from bot.ui.moves.typed import TypeButton
from bot.ui.puzzles.wording import heading, record_line

NAME = r"[a-z][a-z0-9]*-[0-9a-z-]{1,24}"
"""The names of puzzles, as a regular expression."""

LABELS = {"open": "Solve it", "here": "Back to the board", "again": "Try it again"}
"""The labels of the button, by way."""

SERVER_PUZZLES = "From this server's games"


class PuzzleButton(
    PersistentItem[ui.Button[Any]], template=rf"puzzle:(?P<name>{NAME}):(?P<way>open|here|again)"
):
    """Shows a puzzle to this member alone: with `open` in a new message, otherwise in the same one.

    `again` begins a later try, which does not count.
    """

    words = frozenset({"name", "way"})

    def __init__(self, name: str, way: str = "open", *, label: str = "") -> None:
        self.name, self.way = name, way
        style = ButtonStyle.primary if way == "open" else ButtonStyle.secondary
        super().__init__(ui.Button(label=label or LABELS[way], style=style, custom_id=f"puzzle:{name}:{way}"))

    async def answer(self, acting: Acting) -> Response:
        puzzles = acting.services.puzzles
        if self.way == "open":
            return await show_puzzle(acting, self.name)
        begin = puzzles.begin_again if self.way == "again" else puzzles.open
        await change(acting, await puzzle_message(acting, await begin(acting.user, self.name, acting.place)))
        return None


async def show_puzzle(acting: Acting, name: str) -> Said:
    """Show a puzzle as this member left it. Raises Refused."""
    return await puzzle_message(acting, await acting.services.puzzles.open(acting.user, name, acting.place))


def server_puzzles(acting: Acting) -> list[ui.Item[Any]]:
    """Return the button that lists the puzzles from the games of the server; none in direct messages."""
    if acting.place.guild is None:
        return []
    # bot.ui.puzzles.moments answers it; that module leads back here.
    return [ui.Button(label=SERVER_PUZZLES, custom_id="puzzles:server")]


def prefix(name: str) -> str:
    """Return what stands before the custom ids of the controls of a match in a puzzle."""
    return f"solve:{name}:"


async def puzzle_message(acting: Acting, standing: Standing, note: str = "") -> Said:
    """Return the message of a puzzle with its position, and the controls for a move while it goes on.

    `note` is a sentence below what is asked.
    """
    table, seat = standing.table, standing.seat
    theme = await acting.theme()
    if standing.solved is not None:
        return await _ended(acting, standing, theme)
    picture = None if standing.refusal is None else await rejection_picture(standing.refusal, theme)
    prompt = table.match.observe(seat).prompt
    assert prompt is not None
    said = Said(
        note, card(*move_rows(prompt, table, seat)), picture or await board_picture(table, theme, seat)
    )
    return framed(standing, said)


def framed(standing: Standing, said: Said, *, board: bool = False) -> Said:
    """Return an answer to a control of a match as part of the puzzle; `board` adds the way back to its position."""
    table = standing.table
    found = pieces(said, prefix(standing.name), table, standing.seat)
    ways: list[ui.Item[Any]] = [PuzzleButton(standing.name, "here")] if board else []
    row: ui.ActionRow[Any] = ui.ActionRow(*ways, TypeButton(table.id, table.shown))
    wrap([row], prefix(standing.name))
    shown: list[Part] = [heading(standing), *found.texts, *found.pictures, *found.rows, row]
    return Said("", card(*shown), said.file)


async def _ended(acting: Acting, standing: Standing, theme: str) -> Said:
    """Return the message of a puzzle that was solved or not."""
    picture = await _last_picture(standing, theme)
    record = await acting.services.puzzles.record(acting.user)
    shown = Said("", file=picture)
    found = pieces(shown, prefix(standing.name), standing.table, standing.seat)
    row: ui.ActionRow[Any] = ui.ActionRow(PuzzleButton(standing.name, "again"), *server_puzzles(acting))
    return Said("", card(heading(standing), *found.pictures, record_line(record), row), picture)


async def _last_picture(standing: Standing, theme: str) -> discord.File:
    """Return the position after the last only move, or the one in which another move was played, with both marked."""
    puzzle, found = standing.puzzle, standing.found
    if standing.solved:
        return await board_picture(standing.at(len(puzzle.line)), theme, standing.seat)
    table = standing.at(2 * found)
    advice = render.Advice(puzzle.line[2 * found], standing.moves[-1])
    return await picture_of(table, table.match.observe(standing.seat), theme, advice=advice)
