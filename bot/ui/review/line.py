"""Lines from a position of a finished game: the member plays on, and the strongest computer player answers."""

import asyncio
import io
from typing import Any

import discord
from discord import ui

import render
from bot.app.errors import Refused
from bot.app.review.lines import Line
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import FormButton, PersistentItem
from bot.ui.kit.answers.forms import Form
from bot.ui.kit.answers.game_messages import game_of
from bot.ui.kit.answers.reply import Said, change
from bot.ui.kit.content.emoji import with_emoji
from bot.ui.kit.content.layout import card, gallery
from bot.ui.moves.play import how_to_write
from bot.ui.review.review import MomentButton
from bot.ui.review.wording import expectation
from rules.core.prompt import Prompt

MOST_TOLD = 12
"""Moves of a line that its message lists; earlier ones are on the board."""


class WhatIfButton(PersistentItem[ui.Button[Any]], template=r"whatif:(?P<match>[0-9]+):(?P<number>[0-9]+)"):
    """Begins a line at a moment of a review, in the message whose button was pressed."""

    def __init__(self, match: int, number: int) -> None:
        self.match, self.number = match, number
        super().__init__(ui.Button(label="What if", custom_id=f"whatif:{match}:{number}"))

    async def answer(self, acting: Acting) -> None:
        table = await acting.services.matches.shown(acting.user, acting.place, self.match)
        review = await acting.services.reviews.review(table)
        if not 1 <= self.number <= len(review.moments):
            raise Refused(
                f"The review of {table.name} no longer has this moment; open it again with `/review`."
            )
        await _show(acting, acting.services.lines.begin(acting.user, review, self.number - 1))


async def play_on(acting: Acting, message: discord.Message) -> Said:
    """Begin a line at the position that a message of this bot's shows, for this member alone."""
    found = game_of(acting, message)
    table = await acting.services.matches.shown(acting.user, acting.place, found.match)
    line = await acting.services.lines.begin_after(acting.user, table, found.moves)
    return await line_message(line, await acting.theme())


class LineMoveButton(FormButton, template=r"linemove:(?P<line>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens the form for a move in a line."""

    def __init__(self, line: int, plies: int) -> None:
        self.line, self.plies = line, plies
        style = discord.ButtonStyle.primary
        super().__init__(ui.Button(label="Type a move", style=style, custom_id=f"linemove:{line}:{plies}"))

    async def form(self, acting: Acting) -> Form:
        line = acting.services.lines.find(self.line, acting.user)
        prompt = line.match.observe(line.seat).prompt
        if prompt is None:
            raise Refused("This line is at its end; take a move back, or begin another.")
        return LineForm(line, self.plies, prompt)


class LineForm(Form):
    """A form with one line for a move."""

    def __init__(self, line: Line, plies: int, prompt: Prompt) -> None:
        super().__init__(f"What if, {line.name}")
        self.number, self.plies = line.number, plies
        self.text: ui.TextInput[Any] = ui.TextInput(
            placeholder=f"for example {prompt.example}", max_length=100, custom_id="move"
        )
        self.add_item(ui.Label(text="Your move", description=how_to_write(prompt), component=self.text))

    async def answer(self, acting: Acting) -> None:
        await _show(
            acting, await acting.services.lines.play(self.number, acting.user, self.plies, self.text.value)
        )


class BetterButton(PersistentItem[ui.Button[Any]], template=r"linebetter:(?P<line>[0-9]+)"):
    """Plays the better move of the review, at the beginning of a line."""

    def __init__(self, line: int, move: str = "") -> None:
        self.line = line
        super().__init__(ui.Button(label=f"Play {move}"[:80], custom_id=f"linebetter:{line}"))

    async def answer(self, acting: Acting) -> None:
        lines = acting.services.lines
        line = lines.find(self.line, acting.user)
        await _show(acting, await lines.play(self.line, acting.user, 0, line.better))


class LineBackButton(PersistentItem[ui.Button[Any]], template=r"lineback:(?P<line>[0-9]+):(?P<plies>[0-9]+)"):
    """Takes the member's last move in a line back, with everything after it."""

    def __init__(self, line: int, plies: int) -> None:
        self.line, self.plies = line, plies
        button = ui.Button[Any](label="Take back", custom_id=f"lineback:{line}:{plies}", disabled=plies == 0)
        super().__init__(button)

    async def answer(self, acting: Acting) -> None:
        await _show(acting, acting.services.lines.back(self.line, acting.user))


async def _show(acting: Acting, line: Line) -> None:
    await change(acting, await line_message(line, await acting.theme()))


async def line_message(line: Line, theme: str) -> Said:
    """Return the message of a line: its board, its moves, and what can be done."""
    seen = line.match.observe(None)
    advice = render.Advice(line.better) if line.better and line.plies == 0 else None
    png = await asyncio.to_thread(render.draw, seen, theme, advice=advice)
    alt = render.alt(seen, advice=advice)
    file = discord.File(io.BytesIO(png), filename=f"line-{line.number}-{line.plies}.png", description=alt)
    buttons: list[ui.Item[Any]] = []
    if not line.match.over:
        buttons += [BetterButton(line.number, line.better)] if advice else []
        buttons.append(LineMoveButton(line.number, line.plies))
    buttons.append(LineBackButton(line.number, line.plies))
    if line.moment is not None:
        buttons.append(MomentButton(line.game, line.moment + 1, "back"))
    titled = with_emoji(line.match.game.key, f"What if: {line.name}, from move {line.start + 1}")
    view = card(
        f"### {titled}\n-# A line and no game: only you see it, and it counts for nothing.",
        gallery(file.filename, alt),
        _told(line),
        ui.ActionRow(*buttons),
    )
    return Said("", view, file)


def _told(line: Line) -> str:
    """Return the moves of the line and its standing."""
    if line.plies == 0:
        mark = render.seat_mark(line.seat)
        return f"You are {mark}. What would you play{' instead' if line.better else ''}? I answer as well as I can."
    moves = line.match.log[line.start :]
    told = [
        f"{'you' if seat == line.seat else 'I'} **{text}**" if seat is not None else text
        for seat, text in moves[-MOST_TOLD:]
    ]
    text = ("… " if len(moves) > MOST_TOLD else "") + ", ".join(told) + "."
    winners = line.match.winners
    if winners is not None:
        share = line.seat in winners
        text += (
            " **"
            + ("You win." if share and len(winners) == 1 else "A draw." if share else "You lose.")
            + "**"
        )
    elif line.choice is not None:
        text += " " + expectation(line.choice.value, exact=line.choice.exact)
    return text.rstrip()
