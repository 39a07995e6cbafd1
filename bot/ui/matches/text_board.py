"""The board in letters, for screen readers and for whoever prefers them."""

import render
from bot.app.matches.table import Table
from bot.ui.kit.layout import message
from bot.ui.kit.reply import Said
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.two_menus import MENU_LIMIT
from bot.ui.moves.typed import how_to_write
from bot.ui.rules import seal_lines
from db.api.places import DiscordId
from rules.core.game import Seat
from rules.core.prompt import Prompt

ROOM = 900
"""Characters for the moves with what they do; where that takes more they are only named."""


def question(table: Table, observer: Seat | None) -> str:
    """What the players on turn are asked, one paragraph each, as far as the observer may know it; "" at the end."""
    asked = [seat for seat in table.match.to_move if seat is not None]
    if table.secret:
        asked = [seat for seat in asked if seat == observer]
    prompts = [(seat, table.match.observe(seat).prompt) for seat in asked]
    return "\n".join(_paragraph(table, seat, prompt, seat == observer) for seat, prompt in prompts if prompt)


def _paragraph(table: Table, seat: Seat, prompt: Prompt, own: bool) -> str:
    whose = "Your turn" if own else f"The turn of <@{table.stored.users[seat]}>"
    return f"**{whose}.** {prompt.ask} {_moves(table, seat, prompt)}"


def _moves(table: Table, seat: Seat, prompt: Prompt) -> str:
    number = len(prompt.choices)
    if not number:
        return f"Type it with `/move`, for example `{prompt.example}`."
    if number > MENU_LIMIT:
        return f"{number} moves are legal, for example `{prompt.example}`. {how_to_write(prompt)} `/move` offers them."
    choices = describe_moves(table.match, seat, prompt.choices)
    told = _listed([_told(choice) for choice in choices])
    named = told if len(told) <= ROOM else _listed([f"`{choice.text}`" for choice in choices])
    return f"Legal: {named}."


def _told(choice: Choice) -> str:
    return f"`{choice.text}` ({choice.does})" if choice.does else f"`{choice.text}`"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" or " if names[1:] else "") + names[-1]


LONGEST = 4000
"""Characters of all texts in a message of components."""
WORDS = 1000
"""Characters in which any position can be told."""
FEWEST_WORDS = 40
"""Characters below which words are not worth beginning."""


def show_text_board(table: Table, user: DiscordId) -> Said:
    """The board in letters for one member, with what only they may know."""
    return Said("", message(board_text(table, table.seat_of(user))))


def board_text(table: Table, observer: Seat | None) -> str:
    """The position in as many words as fit, what is asked, the position as a drawing in letters, and the seals."""
    seen = table.match.observe(observer)
    asked = question(table, observer)
    board = "\n".join([f"```\n{render.text_board(seen)}\n```", *seal_lines(table)])
    room = LONGEST - len(board) - len(asked) - len(table.name) - len("****\n\n\n")
    words = render.alt(seen, min(WORDS, room)) if room >= FEWEST_WORDS else ""
    return "\n".join(part for part in (f"**{table.name}**", words, asked, board) if part)
