"""A row of cards that a player lays in secret. The hand is shown in a proposed order at once; the player seals it so,
takes another order, lets two cards change places, or lays cards from the left, and then the rest follows in the
proposed order."""

import random
from typing import Any

from discord import ButtonStyle, ui

import render
from bot.app.matches.table import Table
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import FormButton, PersistentItem
from bot.ui.kit.answers.forms import Form
from bot.ui.kit.answers.reply import Said, change
from bot.ui.moves.secret.private_board import MOST_CARDS, private_board, prompt_of_kind, rows_of_cards
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
        SwapButton(
            match, plies, 0, laid, rest, "Swap two", row=3, disabled=not 0 < prompt.reds < len(laid + rest)
        ),
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


async def swap_question(
    acting: Acting, table: Table, seat: Seat, prompt: RowPrompt, laid: str, rest: str, red: int
) -> Said:
    """Return the private message with the whole row and a button for each card that may change places: the red ones,
    or the black ones if the `red` one is chosen, which is counted from 1."""
    match, plies, row = table.id, table.shown, laid + rest
    red = red if row[red - 1 : red] == "R" else 0
    colour = "B" if red else "R"
    places = [place for place, card in enumerate(row, 1) if card == colour]
    shown = places[:MOST_CARDS]
    items: list[ui.Item[Any]] = []
    for button_row, place in zip(rows_of_cards(len(shown)), shown, strict=True):
        new = _swapped(row, red, place) if red else row
        button = SwapButton(
            match,
            plies,
            0 if red else place,
            new[: len(laid)],
            new[len(laid) :],
            f"{_SUITS[colour]} {place}",
            row=button_row,
            style=_style(colour),
        )
        items.append(button)
    if red:
        items.append(SwapButton(match, plies, 0, laid, rest, "Back", row=4))
    else:
        items.append(OrderButton(match, plies, "same", laid, rest, "Back", row=4))
        items.append(SealButton(match, plies, table.match.play(seat, row).log[-1].text))
    asked = f"Which black card changes places with card {red}?" if red else "Which red card changes places?"
    if len(places) > MOST_CARDS:
        asked += f" Rows that change cards after {shown[-1]} are typed."
    observation = render.with_row(table.match.observe(seat), laid, rest, red)
    text = f"**{table.name}**: {prompt.ask}\n{asked} Your row: `{row}`"
    return await private_board(acting, table, observation, text, *items)


def _swapped(row: str, one: int, other: int) -> str:
    """Return a row in which two cards, counted from 1, have changed places."""
    cards = list(row)
    cards[one - 1], cards[other - 1] = cards[other - 1], cards[one - 1]
    return "".join(cards)


def _style(card: str) -> ButtonStyle:
    return ButtonStyle.danger if card == "R" else ButtonStyle.secondary


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
        r"order:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<way>[RB][0-9]|back|other|same)"
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
        style = _style(way[:1])
        custom_id = f"order:{match}:{plies}:{way}:{laid}.{rest}"
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled, row=row))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        await change(acting, await row_question(acting, table, seat, prompt, self.laid, self.rest))


class SwapButton(
    PersistentItem[ui.Button[Any]],
    template=(
        r"swap:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<red>[0-9]{1,2}):(?P<laid>[RB]{0,40})\.(?P<rest>[RB]{0,40})"
    ),
):
    """Shows the row `laid` + `rest`, and asks with which black card the `red` one changes places; 0 for which red one
    that is to be."""

    words = frozenset({"laid", "rest"})

    def __init__(
        self,
        match: int,
        plies: int,
        red: int,
        laid: str,
        rest: str,
        label: str = "Swap two",
        *,
        row: int = 3,
        style: ButtonStyle = ButtonStyle.secondary,
        disabled: bool = False,
    ) -> None:
        self.match, self.plies, self.red, self.laid, self.rest = match, plies, red, laid, rest
        custom_id = f"swap:{match}:{plies}:{red}:{laid}.{rest}"
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled, row=row))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        await change(acting, await swap_question(acting, table, seat, prompt, self.laid, self.rest, self.red))


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
        super().__init__(ui.Button(label="Seal it", style=ButtonStyle.success, custom_id=custom_id, row=4))

    async def answer(self, acting: Acting) -> None:
        user = acting.user
        table = await acting.services.matches.play(self.match, user, self.text, self.plies)
        await acting.display.show(self.match, table)
        observation = table.match.observe(table.seat_of(user))
        text = f"**{table.name}**: your row is sealed. Only you see this.\n`{self.text}`"
        await change(acting, await private_board(acting, table, observation, text))


class TypeRowButton(FormButton, template=r"row:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens the form for a whole row."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        super().__init__(ui.Button(label="Type the row", custom_id=f"row:{match}:{plies}", row=3))

    async def form(self, acting: Acting) -> Form:
        table, _, prompt = await prompt_of_kind(acting, self.match, self.plies, RowPrompt)
        return RowForm(table, prompt)


class RowForm(Form):
    """A form with one line for a row. The typed row is shown in the private message before it is sealed."""

    def __init__(self, table: Table, prompt: RowPrompt) -> None:
        super().__init__("Lay your row")
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
