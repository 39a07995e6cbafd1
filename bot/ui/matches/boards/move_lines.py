"""The line to which a board shrinks once it has been played on: the moves that were made on it."""

from collections.abc import Iterator

from discord import ui

import render
from bot.app.matches.seals import SHOWN_DIGITS, seals
from bot.app.matches.table import Table
from bot.app.matches.takebacks import back
from bot.ui.kit.content.layout import message
from bot.ui.kit.content.mentions import player_label
from rules.core.match import LEAVING, Observation

MOST_MOVES = 12
"""The most moves that one line tells."""


def move_line(table: Table, plies: int, until: int, link: str) -> ui.LayoutView:
    """Return what remains of a board that showed `plies` entries and was replaced by one that shows `until`.

    `link` is the address of the newest board. The line tells no more than everybody may know.
    """
    moves = list(_moves(table, plies, until))
    left_out = ["…"] if len(moves) > MOST_MOVES else []
    game = f"[{table.name}]({link})"
    told = [*moves[:MOST_MOVES], *left_out, game] if moves else [f"The board of {game} stands below."]
    return message(f"-# {' · '.join(told)}")


def _moves(table: Table, plies: int, until: int) -> Iterator[str]:
    """Yield each entry that everybody may know of, like `12. @Ada c4`."""
    before = table.back_to(plies)
    for number in range(plies + 1, until + 1):
        then = table.back_to(number)
        if then.shown > before.shown:
            yield _move(then, then.match.observe(None))
        before = then


def _move(table: Table, observation: Observation) -> str:
    """Return the last entry of a match, which everybody may know of."""
    entry = table.stored.log[-1]
    if back(entry) is not None:
        return f"taken back to {f'move {observation.plies}' if observation.plies else 'the start'}"
    number, last = observation.plies, len(table.match.log) - 1
    if entry.text in LEAVING:
        return (
            f"{player_label(table, entry.seat)} {'resigned' if entry.text == 'resign' else 'ran out of time'}"
        )
    if last in table.match.secrets:
        deed = f"sealed a move{_seal(table)}" if last in table.match.sealed else "finished"
        return f"{number}. {player_label(table, entry.seat)} {deed}"
    if entry.seat is None:
        return f"{number}. {render.caption(observation)}"
    return f"{number}. {player_label(table, entry.seat)} {entry.text}"


def _seal(table: Table) -> str:
    """Return the digits that were shown of the newest seal: a board that shrinks does not unsay them."""
    made = seals(table)
    return f" `{made[-1].digest[:SHOWN_DIGITS]}`" if made else ""
