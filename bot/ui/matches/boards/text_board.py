"""The board as text, for screen readers and for everyone who prefers text."""

import render
from bot.app.matches.table import Table
from bot.app.mentions import mention
from bot.ui.components.layout import message
from bot.ui.interactions.reply import Said
from bot.ui.moves.choices import Choice, describe_moves
from bot.ui.moves.play import how_to_write
from bot.ui.seals import seal_lines
from db.values.places import DiscordId
from rules.core.game import Seat
from rules.core.prompt import Prompt

LONGEST = 4000
"""Characters of all texts in a message of components."""
LONGEST_POSITION = 1000
"""Characters that describe any position."""
SHORTEST_POSITION = 40
"""Characters below which a description of the position is left out."""
MOST_LISTED = 25
"""Legal moves that are listed; if there are more, their number is told."""
LONGEST_MOVES = 900
"""Characters for the legal moves with their effects; if these take more, the effects are left out."""


def show_text_board(table: Table, user: DiscordId) -> Said:
    """Return the board as text for one member, with everything that this member may know."""
    return Said("", message(board_text(table, table.seat_of(user))))


def board_text(table: Table, observer: Seat | None) -> str:
    """Return the name, the position in words as far as there is room, the prompts, the text board and the seals."""
    observation = table.match.observe(observer)
    prompts = _prompts(table, observer)
    board = "\n".join([f"```\n{render.text_board(observation)}\n```", *seal_lines(table)])
    room = LONGEST - len(board) - len(prompts) - len(table.name) - len("****\n\n\n")
    position = render.alt(observation, min(LONGEST_POSITION, room)) if room >= SHORTEST_POSITION else ""
    return "\n".join(part for part in (f"**{table.name}**", position, prompts, board) if part)


def _prompts(table: Table, observer: Seat | None) -> str:
    """Return a paragraph for each prompt of a player on turn that the observer may know; "" at the end."""
    seats = [seat for seat in table.match.to_move if seat is not None]
    if table.secret:
        seats = [seat for seat in seats if seat == observer]
    prompts = [(seat, table.match.observe(seat).prompt) for seat in seats]
    return "\n".join(_paragraph(table, seat, prompt, seat == observer) for seat, prompt in prompts if prompt)


def _paragraph(table: Table, seat: Seat, prompt: Prompt, own: bool) -> str:
    heading = "Your turn" if own else f"The turn of {mention(table.stored.users[seat])}"
    return f"**{heading}.** {prompt.ask} {_moves(table, seat, prompt)}"


def _moves(table: Table, seat: Seat, prompt: Prompt) -> str:
    number = len(prompt.choices)
    if not number:
        return f"Type it with `/move`, for example `{prompt.example}`."
    if number > MOST_LISTED:
        written = how_to_write(prompt)
        return f"{number} moves are legal, for example `{prompt.example}`. {written} `/move` suggests legal moves."
    choices = describe_moves(table.match, seat, prompt.choices)
    described = _listed([_described(choice) for choice in choices])
    listed = (
        described if len(described) <= LONGEST_MOVES else _listed([f"`{choice.text}`" for choice in choices])
    )
    return f"Legal moves: {listed}."


def _described(choice: Choice) -> str:
    return f"`{choice.text}` ({choice.effect})" if choice.effect else f"`{choice.text}`"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" or " if names[1:] else "") + names[-1]
