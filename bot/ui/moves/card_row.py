"""A row of cards that a player lays in secret. The hand is shown in a proposed order at once; the player seals it so,
takes another order, or lays cards from the left, and then the rest follows in the proposed order."""

import random
from typing import Any

from discord import ButtonStyle, ui

import render
from bot.app.matches.table import Table
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import Form, FormButton, PersistentItem
from bot.ui.kit.reply import Said, change
from bot.ui.moves.secret import private_board, prompt_of_kind
from rules.core.game import Seat
from rules.core.prompt import RowPrompt

LONGEST_RUN = 4
"""The most cards of one colour that one button lays."""

_SUITS = {"R": "♦", "B": "♣"}


async def row_question(
    acting: Acting, table: Table, seat: Seat, prompt: RowPrompt, laid: str = "", rest: str | None = None
) -> Said:
    """Return the private message with the player's hand, the cards `laid` so far (like "RBB") and the buttons.

    `rest` is the proposed order of the cards that are left; None for another one, by chance.
    """
    left = {"R": prompt.reds - laid.count("R"), "B": prompt.blacks - laid.count("B")}
    if rest is None:
        rest = _shuffled(left)
    match, plies = table.id, table.shown
    items: list[ui.Item[Any]] = [
        OrderButton(
            match,
            plies,
            f"{card}{count}",
            laid + count * card,
            rest.replace(card, "", count),
            count * suit,
            row=row,
            disabled=left[card] < count,
        )
        for row, (card, suit) in enumerate(_SUITS.items())
        for count in range(1, LONGEST_RUN + 1)
    ]
    run = len(laid) - len(laid.rstrip(laid[-1:]))
    items += [
        OrderButton(
            match,
            plies,
            "back",
            laid[: len(laid) - run],
            laid[len(laid) - run :] + rest,
            "Take back",
            disabled=not laid,
        ),
        OrderButton(match, plies, "other", laid, "", "Another order", disabled=0 in left.values()),
        TypeRowButton(match, plies),
        SealButton(match, plies, table.match.play(seat, laid + rest).log[-1].text),
    ]
    lines = [
        f"**{table.name}**: {prompt.ask}",
        f"You hold {prompt.reds} red and {prompt.blacks} black cards. {_explained(laid, rest)}",
        "**Seal it** lays this row; you cannot change it afterwards.",
    ]
    observation = render.with_row(table.match.observe(seat), laid, rest)
    return await private_board(acting, table, observation, "\n".join(lines), *items)


def _explained(laid: str, rest: str) -> str:
    """Return sentences about the cards laid so far and the rest."""
    if not rest:
        return f"Your row: `{laid}`"
    if laid:
        return f"You have laid `{laid}`; the rest follows in this order: `{rest}`"
    return f"Lay them one after the other with ♦ and ♣, or all in this order: `{rest}`"


def _shuffled(left: dict[str, int]) -> str:
    """Return the cards in an order by chance, which nobody else can guess."""
    cards = "".join(card * count for card, count in left.items())
    return "".join(random.SystemRandom().sample(cards, len(cards)))


class OrderButton(
    PersistentItem[ui.Button[Any]],
    template=(
        r"order:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<way>[RB][0-9]|back|other)"
        r":(?P<laid>[RB]{0,40})\.(?P<rest>[RB]{0,40})"
    ),
):
    """Changes the cards laid so far to `laid`, and proposes the order of the `rest`; another one if `way` is other."""

    words = frozenset({"way", "laid", "rest"})

    def __init__(
        self,
        match: int,
        plies: int,
        way: str,
        laid: str,
        rest: str,
        label: str = "Lay",
        *,
        row: int = 2,
        disabled: bool = False,
    ) -> None:
        self.match, self.plies, self.laid = match, plies, laid
        self.rest = None if way == "other" else rest
        style = ButtonStyle.danger if way.startswith("R") else ButtonStyle.secondary
        custom_id = f"order:{match}:{plies}:{way}:{laid}.{rest}"
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled, row=row))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        await change(acting, await row_question(acting, table, seat, prompt, self.laid, self.rest))


class LayCardButton(
    PersistentItem[ui.Button[Any]],
    template=r"lay:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<way>red|black|back|clear):(?P<laid>[RB]{0,40})",
):
    """Changes the row that is laid so far to `laid`, in messages of earlier versions."""

    words = frozenset({"way", "laid"})

    def __init__(self, match: int, plies: int, way: str, laid: str) -> None:
        self.match, self.plies, self.laid = match, plies, laid
        super().__init__(ui.Button(label="Lay", custom_id=f"lay:{match}:{plies}:{way}:{laid}"))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        await change(acting, await row_question(acting, table, seat, prompt, self.laid))


class SealButton(
    PersistentItem[ui.Button[Any]], template=r"seal:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<text>.{1,60})"
):
    """Plays the row."""

    words = frozenset({"text"})

    def __init__(self, match: int, plies: int, text: str) -> None:
        self.match, self.plies, self.text = match, plies, text
        custom_id = f"seal:{match}:{plies}:{text}"
        super().__init__(ui.Button(label="Seal it", style=ButtonStyle.success, custom_id=custom_id, row=3))

    async def answer(self, acting: Acting) -> None:
        user = acting.user
        table = await acting.services.matches.play(self.match, user, self.text, self.plies)
        await acting.display.show(self.match)
        observation = table.match.observe(table.seat_of(user))
        text = f"**{table.name}**: your row is sealed. Only you see this.\n`{self.text}`"
        await change(acting, await private_board(acting, table, observation, text))


class TypeRowButton(FormButton, template=r"row:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens the form for a whole row."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        super().__init__(ui.Button(label="Type the row", custom_id=f"row:{match}:{plies}", row=2))

    async def form(self, acting: Acting) -> Form:
        table, _, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        return RowForm(table, prompt)


class RowForm(Form):
    """A form with one line for a row. The typed row is shown in the private message before it is sealed."""

    def __init__(self, table: Table, prompt: RowPrompt) -> None:
        super().__init__(title="Lay your row", custom_id=f"row:{table.id}")
        self.match, self.plies = table.id, table.shown
        self.line: ui.TextInput[Any] = ui.TextInput(
            placeholder="R B B R ...", min_length=1, max_length=100, custom_id="row"
        )
        hint = f"{prompt.reds} times R and {prompt.blacks} times B, from left to right"
        self.add_item(ui.Label(text="Your row", description=hint, component=self.line))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        move = await acting.services.matches.would_play(self.match, acting.user, self.line.value)
        # The row is the last word of such a move.
        row = move.split()[-1]
        await change(acting, await row_question(acting, table, seat, prompt, row))
