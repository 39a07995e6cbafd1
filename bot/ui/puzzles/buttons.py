"""The message of a puzzle, and what can be pressed in it beside moves."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.app.puzzles.archive import hardness, hardnesses
from bot.app.puzzles.puzzles import Standing
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response, Said, change
from bot.ui.kit.answers.show import ShowButton, show_rows
from bot.ui.kit.content.emoji import game_option
from bot.ui.kit.content.layout import Part, card, gallery
from bot.ui.kit.content.pictures import board_picture, rejection_picture
from bot.ui.moves.entering import move_rows
from bot.ui.moves.play import TypeButton
from bot.ui.moves.solo import pieces, wrap
from bot.ui.puzzles.pictures import last_picture, line_picture
from bot.ui.puzzles.wording import DIFFICULTIES, heading, line_text, record_line, shared_line
from rules.games import find
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.recipes import RECIPES

NAME = r"[a-z][a-z0-9]*-[0-9a-z-]{1,24}"
"""The names of puzzles, as a regular expression."""

ANY = "-"
"""The value of the option that leaves a menu of the archive open."""

LABELS = {"open": "Solve it", "here": "Back to the board", "again": "Try it again", "result": "Result"}
"""The labels of the button, by way."""

SERVER_PUZZLES = "From this server's games"

LINE_LABELS = {"open": "Show the moves", "back": "Back", "next": "Next"}
"""The labels of the button for the line, by way."""


class PuzzleButton(
    PersistentItem[ui.Button[Any]], template=rf"puzzle:(?P<name>{NAME}):(?P<way>{'|'.join(LABELS)})"
):
    """Shows a puzzle to this member alone: with `open` in a new message, otherwise in the same one.

    `again` begins a later try, which does not count, and `result` shows how the first attempt ended.
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
        find = {"again": puzzles.begin_again, "result": puzzles.ended}.get(self.way, puzzles.open)
        await change(acting, await puzzle_message(acting, await find(acting.user, self.name, acting.place)))
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
    return framed(standing, said, () if standing.moves else others(acting, standing.puzzle))


def framed(standing: Standing, said: Said, below: Sequence[Part] = (), *, board: bool = False) -> Said:
    """Return an answer to a control of a match as part of the puzzle, with further parts below it.

    `board` adds the way back to its position.
    """
    table = standing.table
    found = pieces(said, prefix(standing.name), table, standing.seat)
    ways: list[ui.Item[Any]] = [PuzzleButton(standing.name, "here")] if board else []
    row: ui.ActionRow[Any] = ui.ActionRow(*ways, TypeButton(table.id, table.shown))
    wrap([row], prefix(standing.name))
    shown: list[Part] = [heading(standing), *found.texts, *found.pictures, *found.rows, row, *below]
    return Said("", card(*shown), said.file)


async def _ended(acting: Acting, standing: Standing, theme: str) -> Said:
    """Return the message of a puzzle that was solved or not."""
    name, picture = standing.name, await last_picture(standing, theme)
    record = await acting.services.puzzles.record(acting.user)
    row: ui.ActionRow[Any] = ui.ActionRow(PuzzleLineButton(name), PuzzleButton(name, "again"))
    view = card(
        heading(standing),
        _gallery(picture),
        record_line(record),
        row,
        *await show_rows(acting, ShowPuzzleButton(name)),
        *others(acting, standing.puzzle, like_it=True),
    )
    return Said("", view, picture)


def _gallery(picture: discord.File, *, spoiler: bool = False) -> ui.MediaGallery[Any]:
    return gallery(picture.filename, picture.description or "", spoiler=spoiler)


class PuzzleLineButton(
    PersistentItem[ui.Button[Any]],
    template=rf"puzzle-line:(?P<name>{NAME}):(?P<plies>[0-9]{{1,2}}):(?P<way>open|back|next)",
):
    """Shows the line of a puzzle that the member has done, after so many plies, in the same message."""

    words = frozenset({"name", "way"})

    def __init__(self, name: str, plies: int = 0, way: str = "open", *, disabled: bool = False) -> None:
        self.name, self.plies, self.way = name, plies, way
        custom_id = f"puzzle-line:{name}:{plies}:{way}"
        super().__init__(ui.Button(label=LINE_LABELS[way], custom_id=custom_id, disabled=disabled))

    async def answer(self, acting: Acting) -> None:
        standing = await acting.services.puzzles.ended(acting.user, self.name, acting.place)
        await change(acting, await _line_page(acting, standing, min(self.plies, len(standing.puzzle.line))))


async def _line_page(acting: Acting, standing: Standing, plies: int) -> Said:
    """Return the position after so many plies of the line, with the next only move marked."""
    name, last = standing.name, len(standing.puzzle.line)
    picture = await line_picture(standing, plies, await acting.theme())
    buttons: list[ui.Item[Any]] = [
        PuzzleLineButton(name, max(plies - 1, 0), "back", disabled=plies == 0),
        PuzzleLineButton(name, min(plies + 1, last), "next", disabled=plies == last),
        PuzzleButton(name, "result"),
    ]
    return Said("", card(line_text(standing, plies), _gallery(picture), ui.ActionRow(*buttons)), picture)


class AnotherButton(
    PersistentItem[ui.Button[Any]], template=r"puzzle-next:(?P<game>[a-z][a-z0-9]*):(?P<hard>[1-9])"
):
    """Shows the next puzzle of a game from the archive that is as hard, in the same message."""

    words = frozenset({"game"})

    def __init__(self, game: str, hard: int) -> None:
        self.game, self.hard = game, hard
        super().__init__(ui.Button(label="Another like this", custom_id=f"puzzle-next:{game}:{hard}"))

    async def answer(self, acting: Acting) -> None:
        await _show_other(acting, self.game, self.hard)


class ArchiveSelect(
    PersistentItem[ui.Select[Any]],
    template=r"puzzles:(?P<game>[a-z][a-z0-9]*):(?P<hard>[1-9]):(?P<what>game|difficulty)",
):
    """Shows a puzzle from the archive of the chosen game or difficulty; the other of the two stays as it is."""

    words = frozenset({"game", "what"})

    def __init__(self, game: str, hard: int, what: str) -> None:
        self.game, self.hard, self.what = game, hard, what
        options = _games(game) if what == "game" else _difficulties(game, hard)
        super().__init__(ui.Select(custom_id=f"puzzles:{game}:{hard}:{what}", options=options))

    async def answer(self, acting: Acting) -> None:
        chosen = self.item.values[0]
        if self.what == "game":
            hard = self.hard if chosen == ANY or self.hard in hardnesses(chosen) else None
            await _show_other(acting, None if chosen == ANY else chosen, hard)
        else:
            await _show_other(acting, self.game, None if chosen == ANY else int(chosen))


async def _show_other(acting: Acting, game: str | None, hard: int | None) -> None:
    await change(
        acting, await show_puzzle(acting, await acting.services.puzzles.choose(acting.user, game, hard))
    )


def others(acting: Acting, puzzle: Puzzle, *, like_it: bool = False) -> list[Part]:
    """Return what leads to other puzzles: the menus of the archive, and in a server the list of its own.

    `like_it` adds the button that goes on with the same game and difficulty, after a puzzle that was done.
    """
    menus: list[ui.ActionRow[Any]] = []
    buttons: list[ui.Item[Any]] = []
    if puzzle.game in RECIPES:
        hard = hardness(puzzle)
        menus += [ui.ActionRow(ArchiveSelect(puzzle.game, hard, what)) for what in ("game", "difficulty")]
        buttons += [AnotherButton(puzzle.game, hard)] if like_it else []
    buttons += server_puzzles(acting)
    return ["-# Another puzzle:", *menus, *([ui.ActionRow(*buttons)] if buttons else [])]


def _games(game: str) -> list[discord.SelectOption]:
    options = [discord.SelectOption(label="Any game", value=ANY)]
    for key in RECIPES:
        option = game_option(find(key))
        option.default = key == game
        options.append(option)
    return options


def _difficulties(game: str, hard: int) -> list[discord.SelectOption]:
    options = [discord.SelectOption(label="Any difficulty", value=ANY)]
    options += [
        discord.SelectOption(label=DIFFICULTIES[its], value=str(its), default=its == hard)
        for its in hardnesses(game)
    ]
    return options


class ShowPuzzleButton(ShowButton, template=rf"show-puzzle:(?P<name>{NAME})"):
    """Shows how this member did a puzzle to the channel; its position is hidden from those who want to do it first."""

    words = frozenset({"name"})

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"show-puzzle:{name}")

    async def public(self, acting: Acting, theme: str) -> Said:
        puzzles = acting.services.puzzles
        standing = await puzzles.ended(acting.user, self.name, acting.place)
        picture = await board_picture(standing.at(0), theme, standing.seat)
        text = shared_line(standing, await puzzles.record(acting.user), puzzles.today)
        button: ui.ActionRow[Any] = ui.ActionRow(PuzzleButton(self.name))
        return Said("", card(text, _gallery(picture, spoiler=True), button), picture)
