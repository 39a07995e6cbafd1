"""The controls by which a move is entered, for each kind of prompt: rows under a board, or a private message."""

from functools import singledispatch
from typing import Any

from discord import ui

from bot.app.matches.table import Table
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import Said
from bot.ui.moves.buttons.arrows import arrow_rows, arrows_fit
from bot.ui.moves.buttons.legal_moves import ON_BOARD, button_rows
from bot.ui.moves.buttons.part_buttons import part_rows
from bot.ui.moves.secret.card_row import row_question
from bot.ui.moves.secret.words import words_question
from rules.core.game import Seat
from rules.core.prompt import Prompt, RowPrompt, StepPrompt, WordsPrompt

Rows = list[ui.ActionRow[Any]]


@singledispatch
def move_rows(prompt: Prompt, table: Table, seat: Seat) -> Rows:
    """Return rows with a button for each legal move, or for parts of them if they are many."""
    if len(prompt.choices) <= ON_BOARD:
        return button_rows(prompt, table, seat, prompt.choices)
    return part_rows(prompt, table, seat)


@move_rows.register
def _steps(prompt: StepPrompt, table: Table, seat: Seat) -> Rows:
    """Return rows of arrows, or buttons and parts as for other moves if the arrows do not fit."""
    if arrows_fit(prompt):
        return arrow_rows(prompt, table, seat)
    return move_rows.dispatch(Prompt)(prompt, table, seat)


@singledispatch
async def private_question(prompt: Prompt, acting: Acting, table: Table, seat: Seat) -> Said:
    """Return the message that asks a player for a secret move."""
    raise LookupError(f"{type(prompt).__name__} has no secret controls.")


@private_question.register
async def _row(prompt: RowPrompt, acting: Acting, table: Table, seat: Seat) -> Said:
    return await row_question(acting, table, seat, prompt)


@private_question.register
async def _words(prompt: WordsPrompt, acting: Acting, table: Table, seat: Seat) -> Said:
    return await words_question(acting, table, seat, prompt)
