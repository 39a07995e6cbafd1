"""`/review`: the chart of a finished game, its key moments one by one, and lines that a member plays from them."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands, ui

import render
from bot.app.errors import Refused
from bot.app.mentions import capital
from bot.app.review.reviews import Line, Review
from bot.ui import autocomplete
from bot.ui.components.message_parts import (
    card,
    chart_file,
    gallery,
    position_picture,
    seat_token,
    with_emoji,
)
from bot.ui.components.wording import player_label, result
from bot.ui.evaluations import expectation, swing
from bot.ui.explorer import ExploreButton, ExploreGameButton
from bot.ui.interactions.buttons import Form, FormButton, IdButton, MatchButton
from bot.ui.interactions.checks import game_of
from bot.ui.interactions.reply import Content, Context, Interaction, Response, change, pictured, respond
from bot.ui.interactions.show import ShowButton, show_rows
from bot.ui.interactions.waiting import Waiting
from bot.ui.moves.play import Target, TypeForm
from bot.ui.puzzles.buttons import moment_buttons
from render.board.phrases import counted
from render.charts.outlook import Expected, Mark, OutlookChart, draw_outlook, outlook_alt
from rules.players.review import NODES, Judged

MOST_TOLD = 12
"""Moves of a line that its message lists; earlier ones are on the board."""
OVERVIEW = 0
"""The number of the overview; the moments count from 1."""
IN_A_ROW = 3
"""Buttons for moments that a phone shows in a row without breaking a word."""


async def show_review(context: Context, game: int | None) -> Content:
    """Review a finished game for this member, and show the progress of the search."""
    reviews = context.services.reviews
    loaded = await reviews.pick(context.user, context.place, game)

    def progress(done: int, total: int) -> str:
        if not total:
            return f"Reviewing **{loaded.name}**."
        return f"Reviewing **{loaded.name}**: {done} of {total} positions."

    async with Waiting(context).telling(progress) as tell:
        async for done, total in reviews.progress(context.user, loaded):
            tell(done, total)
        return await _overview(context, await reviews.review(loaded))


class ReviewButton(MatchButton, word="review", label="Review"):
    """Reviews a finished game for the member who presses it."""

    async def answer(self, context: Context) -> Response:
        return await show_review(context, self.match)


MOMENT_LABELS = {"open": "Moment", "back": "Back", "forward": "Forward", "overview": "Overview"}


class MomentButton(IdButton, word="moment", label=MOMENT_LABELS):
    """Shows a moment of a review, or its overview, in the same message."""

    match: int
    number: int
    action: str

    async def answer(self, context: Context) -> None:
        loaded = await context.services.matches.shown(context.user, context.place, self.match)
        review = await context.services.reviews.review(loaded)
        content = (
            await moment(context, review, self.number) if self.number else await _overview(context, review)
        )
        await change(context, content)


async def _overview(context: Context, review: Review) -> Content:
    """Return the chart of the whole game and the list of its moments."""
    buttons = [
        MomentButton(review.loaded.id, number, "open", label=f"Moment {number}")
        for number in range(1, len(review.moments) + 1)
    ]
    rows: list[ui.Item[Any]] = [
        ui.ActionRow(*buttons[at : at + IN_A_ROW]) for at in range(0, len(buttons), IN_A_ROW)
    ]
    rows += moment_buttons(await context.services.puzzles.of_match(review.loaded.id))
    rows += await show_rows(context, ShowReviewButton(review.loaded.id, OVERVIEW))
    return await _overview_with(review, await context.theme(), rows)


async def _overview_with(review: Review, theme: str, rows: Sequence[ui.Item[Any]]) -> Content:
    loaded = review.loaded
    chart = _chart(review)
    strip = await chart_file(f"review-{loaded.id}.png", outlook_alt(chart), draw_outlook, chart, theme)
    lines = [_line(review, number, move) for number, move in enumerate(review.moments, 1)]
    remarks = [f"- {capital(player_label(loaded, seat))} {did}." for seat, did in review.remarks]
    heading = f"### {with_emoji(loaded.match.game.key, f'Review of {loaded.name}')}\n{result(loaded)}"
    told = "\n".join([*(lines or ["No move clearly gave anything away."]), *remarks])
    return pictured(heading, strip, told, *rows, "\n".join(_notes(review)))


async def moment(context: Context, review: Review, number: int) -> Content:
    """Return a moment: the board with the move that was played and the better move, which is a spoiler."""
    _check_number(review, number)
    loaded, count = review.loaded, len(review.moments)
    buttons: list[ui.Item[Any]] = [
        MomentButton(loaded.id, OVERVIEW, "overview"),
        MomentButton(loaded.id, max(1, number - 1), "back", disabled=number == 1),
        MomentButton(loaded.id, min(count, number + 1), "forward", disabled=number == count),
        *(
            []
            if review.hidden
            else [
                WhatIfButton(loaded.id, number),
                ExploreGameButton(loaded.id, review.moments[number - 1].ply),
            ]
        ),
    ]
    show = await show_rows(context, ShowReviewButton(loaded.id, number))
    return await _moment_with(review, number, await context.theme(), [ui.ActionRow(*buttons), *show])


async def _moment_with(review: Review, number: int, theme: str, rows: Sequence[ui.Item[Any]]) -> Content:
    board = await _board(review, number, theme)
    title = f"{review.loaded.name}, moment {number} of {len(review.moments)}"
    view = card(
        f"### {with_emoji(review.loaded.match.game.key, title)}",
        f"{_line(review, number, review.moments[number - 1])}\n-# Press the picture to see the better move.",
        gallery(board.filename, board.description or "", spoiler=True),
        *rows,
    )
    return Content("", view, board)


def _check_number(review: Review, number: int) -> None:
    """Raise Refused if the review has no moment of this number."""
    if not 1 <= number <= len(review.moments):
        raise Refused(
            f"The review of {review.loaded.name} no longer has this moment; open it again with `/review`."
        )


class ShowReviewButton(ShowButton, word="show-review"):
    """Shows a moment of a review to the channel, or the overview for 0. The better moves are spoilers."""

    match: int
    number: int

    async def public(self, context: Context, theme: str) -> Content:
        loaded = await context.services.matches.shown(context.user, context.place, self.match)
        review = await context.services.reviews.review(loaded)
        rows: list[ui.ActionRow[Any]] = [ui.ActionRow(ReviewButton(loaded.id))]
        if self.number == OVERVIEW:
            return await _overview_with(review, theme, rows)
        _check_number(review, self.number)
        return await _moment_with(review, self.number, theme, rows)


def _line(review: Review, number: int, move: Judged) -> str:
    player = player_label(review.loaded, move.seat)
    played = f"**{number}.** Move {move.ply + 1}, {player} played `{move.move}`"
    return f"{played}. ||`{move.better}`|| was better: `{move.move}` {swing(move)}."


def _notes(review: Review) -> list[str]:
    """Return notes on the accuracy of the figures."""
    notes = []
    if review.moments:
        notes.append("The better moves are hidden: press a grey box to see what is in it.")
    if review.hidden:
        notes.append("The review knows all moves, also those that were hidden during the game.")
    if review.withheld:
        notes.append("Some positions are left out, because a running rated game is close to them.")
    if unseen := sum(it is None for it in review.outlooks) if not review.withheld else 0:
        were = "position near the start was" if unseen == 1 else "positions near the start were"
        notes.append(f"{unseen} {were} not searched, because that would take too long.")
    if any(not move.exact for move in review.moments):
        notes.append(
            f"Estimates are based on {NODES:,} trial games from each position. ± is their margin of error."
        )
    return [f"-# {note}" for note in notes]


def _chart(review: Review) -> OutlookChart:
    count = len(review.moments)
    return OutlookChart(
        title=review.loaded.name,
        about=counted(count, "moment") if count else "no clear mistake",
        expected=tuple(None if it is None else Expected(it.shares, it.exact) for it in review.outlooks),
        marks=tuple(Mark(move.ply, move.seat) for move in review.moments),
    )


async def _board(review: Review, number: int, theme: str) -> discord.File:
    """Return the board of a moment, before the move, with the move that was played and the better one marked.

    If moves were hidden, it is the last board, which shows all moves.
    """
    move = review.moments[number - 1]
    seen = review.stages[-1 if review.hidden else move.ply].observe(None)
    advice = render.Advice(move.better, move.move)
    return await position_picture(seen, theme, f"moment-{review.loaded.id}-{number}.png", advice=advice)


class WhatIfButton(IdButton, word="whatif", label="Try other moves", style=discord.ButtonStyle.primary):
    """Begins a line at a moment of a review, in the message whose button was pressed."""

    match: int
    number: int

    async def answer(self, context: Context) -> None:
        loaded = await context.services.matches.shown(context.user, context.place, self.match)
        review = await context.services.reviews.review(loaded)
        _check_number(review, self.number)
        await _show(context, context.services.lines.begin(context.user, review, self.number - 1))


async def play_on(context: Context, message: discord.Message) -> Content:
    """Begin a line at the position that a message of this bot shows, for this member alone."""
    found = game_of(context, message)
    loaded = await context.services.matches.shown(context.user, context.place, found.match)
    line = await context.services.lines.begin_after(context.user, loaded, found.moves)
    return await line_message(line, await context.theme())


class LineTarget(Target):
    """A line that a member plays from a position of a finished game."""

    def __init__(self, line: int) -> None:
        self.line = line

    async def play(self, context: Context, text: str, plies: int) -> None:
        await _show(context, await context.services.lines.play(self.line, context.user, plies, text))


class LineMoveButton(FormButton, word="linemove", label="Type a move", style=discord.ButtonStyle.primary):
    """Opens the form for a move in a line."""

    line: int
    plies: int

    async def form(self, context: Context) -> Form:
        line = context.services.lines.find(self.line, context.user)
        prompt = line.match.observe(line.seat).prompt
        if prompt is None:
            raise Refused("This line has ended; take a move back, or begin another line.")
        return TypeForm(f"What if, {line.name}", LineTarget(self.line), self.plies, prompt)


class BetterButton(IdButton, word="linebetter", label="Play"):
    """Plays the better move of the review, at the beginning of a line."""

    line: int

    async def answer(self, context: Context) -> None:
        line = context.services.lines.find(self.line, context.user)
        await LineTarget(self.line).play(context, line.better, 0)


class LineBackButton(IdButton, word="lineback", label="Take back"):
    """Takes the member's last move in a line back, with everything after it."""

    line: int
    plies: int

    async def answer(self, context: Context) -> None:
        await _show(context, context.services.lines.back(self.line, context.user))


async def _show(context: Context, line: Line) -> None:
    await change(context, await line_message(line, await context.theme()))


async def line_message(line: Line, theme: str) -> Content:
    """Return the message of a line: its board, its moves, and its buttons."""
    seen = line.match.observe(None)
    advice = render.Advice(line.better) if line.better and line.plies == 0 else None
    file = await position_picture(seen, theme, f"line-{line.number}-{line.plies}.png", advice=advice)
    buttons: list[ui.Item[Any]] = []
    if not line.match.over:
        buttons += [BetterButton(line.number, label=f"Play {line.better}"[:80])] if advice else []
        buttons.append(LineMoveButton(line.number, line.plies))
    buttons.append(LineBackButton(line.number, line.plies, disabled=line.plies == 0))
    if line.moment is not None:
        buttons.append(MomentButton(line.game, line.moment + 1, "back"))
    buttons.append(ExploreButton(f"line:{line.number}"))
    titled = with_emoji(line.match.game.key, f"What if: {line.name}, from move {line.start + 1}")
    heading = f"### {titled}\n-# You only try this out: nobody else sees it, and it does not count."
    return pictured(heading, file, _told(line), ui.ActionRow(*buttons))


def _told(line: Line) -> str:
    """Return the moves of the line and its result or expected result."""
    if line.plies == 0:
        mark = seat_token(line.seat)
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


@app_commands.command(description="Look at the moments that decided a finished game; only you see it.")
@app_commands.describe(number="the number of the game (default: your last one)")
@app_commands.autocomplete(number=autocomplete.my_finished_games)
async def review(interaction: Interaction, number: int | None = None) -> None:
    await respond(interaction, show_review, number)


@app_commands.context_menu(name="Play on from here")
async def play_on_menu(interaction: Interaction, message: discord.Message) -> None:
    await respond(interaction, play_on, message)
