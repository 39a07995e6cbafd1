"""Puzzles from the finished games of a server: the list of the newest, and the menu that opens one."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.app.moments.moments import moment_name
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response, Said
from bot.ui.kit.content.emoji import game_emoji, with_emoji
from bot.ui.kit.content.layout import card
from bot.ui.puzzles.buttons import SERVER_PUZZLES, PuzzleButton, show_puzzle
from bot.ui.puzzles.wording import challenge
from db.api.moments import StoredMoment
from rules.games import find

NONE = (
    "No finished game of this server has a puzzle yet. Games of two players are searched an hour after their end, "
    "those in direct messages never."
)


class ServerPuzzlesButton(PersistentItem[ui.Button[Any]], template=r"puzzles:server"):
    """Lists the puzzles from the games of the server for the member who presses it."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label=SERVER_PUZZLES, custom_id="puzzles:server"))

    async def answer(self, acting: Acting) -> Said:
        return await show_server_puzzles(acting)


class ServerPuzzleSelect(PersistentItem[ui.Select[Any]], template=r"puzzles:server:choose"):
    """Opens one of the puzzles from the games of the server."""

    def __init__(self, moments: Sequence[StoredMoment] = ()) -> None:
        options = [_option(moment) for moment in moments]
        super().__init__(ui.Select(custom_id="puzzles:server:choose", placeholder="Solve…", options=options))

    async def answer(self, acting: Acting) -> Response:
        return await show_puzzle(acting, self.item.values[0])


async def show_server_puzzles(acting: Acting) -> Said:
    """List the puzzles from the newest games of the server for this member. Raises Refused."""
    if acting.place.guild is None:
        raise Refused("In direct messages there are no such puzzles; ask for them in a server.")
    moments = await acting.services.puzzles.of_server(acting.place.guild)
    if not moments:
        return Said("", card(NONE))
    lines = [f"- {game_and_number(it)}: {line_of(it)}" for it in moments]
    row: ui.ActionRow[Any] = ui.ActionRow(ServerPuzzleSelect(moments))
    head = f"### {SERVER_PUZZLES}\n-# Positions of finished games, the newest first. Only you see this."
    return Said("", card(head, "\n".join(lines), row))


def game_and_number(moment: StoredMoment) -> str:
    """Return the game of a moment, such as `Alaric #17`."""
    return with_emoji(moment.game, f"{find(moment.game).sheet.title} #{moment.match}")


def line_of(moment: StoredMoment) -> str:
    """Say whose move it was and what was to be found, without the move."""
    player = f"{mention(moment.user)} {render.seat_mark(moment.seat)}"
    return f"{player}, move {moment.ply + 1}: {challenge(moment)}"


def moment_buttons(moments: Sequence[StoredMoment]) -> list[ui.Item[Any]]:
    """Return a row of buttons that open moments of one match; none if there are none."""
    if not moments:
        return []
    return [
        ui.ActionRow(*(PuzzleButton(moment_name(it), label=f"Puzzle: move {it.ply + 1}") for it in moments))
    ]


def _option(moment: StoredMoment) -> discord.SelectOption:
    return discord.SelectOption(
        label=f"#{moment.match}, move {moment.ply + 1}",
        value=moment_name(moment),
        description=f"{find(moment.game).sheet.title}: {challenge(moment)}"[:100],
        emoji=game_emoji(moment.game),
    )
