"""Controls for a row of cards that a player lays in secret.

The cards are shown in a proposed order. The player seals the row, asks for another order, swaps two cards, or lays
cards from the left. The rest follows in the proposed order.
"""

import random
from dataclasses import replace
from typing import Any

import structlog
from discord import ButtonStyle, ui

from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.ui.components.message_parts import Rows
from bot.ui.interactions.buttons import Form, OpensForm
from bot.ui.interactions.reply import NOBODY, Context, Response
from bot.ui.moves.play import (
    MOST_CARDS,
    BoardTarget,
    Controls,
    MatchTarget,
    MoveButton,
    PartialButton,
    moves_name,
    private_message,
    prompt_of_kind,
    rows_of_cards,
)
from bot.ui.moves.words import words_controls
from bot.ui.posts.requests import DISCORD_ERRORS
from render.board.annotations.draft import with_row
from rules.core.game import Seat
from rules.core.notation import suits
from rules.core.prompt import RowPrompt, WordsPrompt

log = structlog.get_logger()

LONGEST_RUN = 4
"""The most cards of one colour that one button lays."""


def row_controls(
    prompt: RowPrompt,
    target: BoardTarget,
    loaded: LoadedMatch,
    seat: Seat,
    laid: str = "",
    rest: str | None = None,
) -> Controls:
    """Return the controls with the player's hand and the cards `laid` so far (like "RBB").

    `rest` is the proposed order of the cards that are left; None for a random one. Before any card is laid, a random
    order is offered by few buttons; with a given order, the player arranges the cards. The question of the prompt is
    asked once, with the first offer.
    """
    offered = not laid and rest is None
    left = {"R": prompt.reds - laid.count("R"), "B": prompt.blacks - laid.count("B")}
    if rest is None:
        rest = _shuffled(left)
    seal = SealButton(target, loaded.shown, loaded.match.play(seat, laid + rest).log[-1].text)
    if offered:
        rows = _offer_rows(prompt, target, loaded.shown, rest, seal)
    else:
        rows = _arranging_rows(prompt, target, loaded.shown, laid, rest, seal)
    order = _OFFERED if offered else _order(laid, rest)
    text = f"\nYou hold {prompt.reds} {suits('R')} and {prompt.blacks} {suits('B')}. {order}"
    observation = with_row(loaded.observe(seat), laid, rest)
    return Controls(loaded, seat, rows, prompt.ask if offered else "", text, observation)


def _offer_rows(prompt: RowPrompt, target: BoardTarget, plies: int, rest: str, seal: ui.Item[Any]) -> Rows:
    """Return the controls below a random order of all cards."""
    alike = 0 in (prompt.reds, prompt.blacks)
    arrange = OrderButton(target, plies, "same", "", rest, "Arrange", disabled=alike)
    shuffle = OrderButton(target, plies, "other", "", "", "Shuffle", disabled=alike)
    return [[seal, arrange, shuffle, TypeRowButton(target, plies)]]


def _arranging_rows(
    prompt: RowPrompt, target: BoardTarget, plies: int, laid: str, rest: str, seal: ui.Item[Any]
) -> Rows:
    """Return the controls by which the player lays cards from the left."""
    left = {"R": prompt.reds - laid.count("R"), "B": prompt.blacks - laid.count("B")}
    rows: Rows = [
        [
            OrderButton(
                target,
                plies,
                f"{card}{count}",
                laid + count * card,
                rest.replace(card, "", count),
                suits(count * card),
                disabled=left[card] < count,
            )
            for count in range(1, LONGEST_RUN + 1)
        ]
        for card in "RB"
    ]
    run = len(laid) - len(laid.rstrip(laid[-1:]))
    before, taken = laid[: len(laid) - run], laid[len(laid) - run :]
    swap = not 0 < prompt.reds < len(laid + rest)
    rows[0].append(OrderButton(target, plies, "back", before, taken + rest, "Take back", disabled=not laid))
    rows[1].append(OrderButton(target, plies, "other", laid, "", "Shuffle", disabled=0 in left.values()))
    swapping = SwapButton(target, plies, 0, laid, rest, "Swap two", disabled=swap)
    return [*rows, [seal, swapping, TypeRowButton(target, plies)]]


def swap_controls(
    prompt: RowPrompt, target: BoardTarget, loaded: LoadedMatch, seat: Seat, laid: str, rest: str, red: int
) -> Controls:
    """Return the controls with the whole row and a button for each card that may change places.

    These are the red cards, or the black ones if the `red` card is chosen, which is counted from 1.
    """
    plies, row = loaded.shown, laid + rest
    red = red if row[red - 1 : red] == "R" else 0
    colour = "B" if red else "R"
    places = [place for place, card in enumerate(row, 1) if card == colour]
    shown = places[:MOST_CARDS]
    buttons: list[ui.Item[Any]] = []
    for place in shown:
        new = _swapped(row, red, place) if red else row
        kept, other = new[: len(laid)], new[len(laid) :]
        label = f"{suits(colour)} {place}"
        buttons.append(
            SwapButton(target, plies, 0 if red else place, kept, other, label, style=_style(colour))
        )
    rows = rows_of_cards(buttons)
    if red:
        rows.append([SwapButton(target, plies, 0, laid, rest, "Back")])
    else:
        seal = SealButton(target, plies, loaded.match.play(seat, row).log[-1].text)
        rows.append([OrderButton(target, plies, "same", laid, rest, "Back"), seal])
    asked = (
        f"Which {suits('B')} takes the place of {suits('R')} {red}?"
        if red
        else f"Which {suits('R')} do you want to swap?"
    )
    if len(places) > MOST_CARDS:
        asked += f" To change cards after {shown[-1]}, type the row."
    observation = with_row(loaded.observe(seat), laid, rest, red)
    return Controls(loaded, seat, rows, text=f"\n{asked}", observation=observation)


def _swapped(row: str, one: int, other: int) -> str:
    """Return a row in which two cards, counted from 1, have changed places."""
    cards = list(row)
    cards[one - 1], cards[other - 1] = cards[other - 1], cards[one - 1]
    return "".join(cards)


def _style(card: str) -> ButtonStyle:
    return ButtonStyle.danger if card == "R" else ButtonStyle.secondary


_OFFERED = "**Seal it** lays them as shown. Press **Arrange** to begin a row of your own."
"""The actions on a random order of all cards."""


def _order(laid: str, rest: str) -> str:
    """Return what the player can do: before the first card, and then with the cards laid so far."""
    if not rest:
        return f"Your row: {suits(laid)}. **Seal it** lays it face down."
    if laid:
        return f"You have laid {suits(laid)}; {suits(rest)} would follow. **Seal it** lays all in this order."
    return f"**Seal it** lays them as shown; {suits('R')} and {suits('B')} begin a row of your own."


def _shuffled(left: dict[str, int]) -> str:
    """Return the cards in a random order that nobody can guess."""
    cards = "".join(card * count for card, count in left.items())
    return "".join(random.SystemRandom().sample(cards, len(cards)))


_LAID = r"(?P<laid>[RB]{0,40})\.(?P<rest>[RB]{0,40})"


class OrderButton(PartialButton, word="order", values=f"(?P<action>[RB][0-9]|back|other|same):{_LAID}"):
    """Changes the cards laid so far to `laid`, and proposes an order of the `rest`: a new one if `action` is other."""

    def __init__(
        self,
        target: BoardTarget,
        plies: int,
        action: str,
        laid: str,
        rest: str,
        label: str = "Lay",
        *,
        disabled: bool = False,
    ) -> None:
        self.target, self.plies, self.laid = target, plies, laid
        self.rest = None if action == "other" else rest
        style = _style(action[:1])
        custom_id = target.custom_id("order", plies, action, f"{laid}.{rest}")
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await prompt_of_kind(context, matches, self.target, self.plies, RowPrompt)
        return row_controls(prompt, self.target, loaded, seat, self.laid, self.rest)


class SwapButton(PartialButton, word="swap", values=rf"(?P<red>[0-9]{{1,2}}):{_LAID}"):
    """Shows the row `laid` + `rest`, and asks which black card changes places with the `red` card.

    If `red` is 0, it asks for the red card.
    """

    def __init__(
        self,
        target: BoardTarget,
        plies: int,
        red: int,
        laid: str,
        rest: str,
        label: str = "Swap two",
        *,
        style: ButtonStyle = ButtonStyle.secondary,
        disabled: bool = False,
    ) -> None:
        self.target, self.plies, self.red, self.laid, self.rest = target, plies, red, laid, rest
        custom_id = target.custom_id("swap", plies, red, f"{laid}.{rest}")
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await prompt_of_kind(context, matches, self.target, self.plies, RowPrompt)
        return swap_controls(prompt, self.target, loaded, seat, self.laid, self.rest, self.red)


class LayCardButton(
    PartialButton, word="lay", values=r"(?P<action>red|black|back|clear):(?P<laid>[RB]{0,40})"
):
    """Changes the cards laid so far to `laid`. Only messages of version 0.1 have such buttons."""

    def __init__(self, target: BoardTarget, plies: int, action: str, laid: str) -> None:
        self.target, self.plies, self.laid = target, plies, laid
        super().__init__(ui.Button(label="Lay", custom_id=target.custom_id("lay", plies, action, laid)))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await prompt_of_kind(context, matches, self.target, self.plies, RowPrompt)
        return row_controls(prompt, self.target, loaded, seat, self.laid)


class SealButton(PartialButton, word="seal", values=r"(?P<text>.{1,60})"):
    """Plays the row of cards."""

    def __init__(self, target: BoardTarget, plies: int, text: str) -> None:
        self.target, self.plies, self.text = target, plies, text
        custom_id = target.custom_id("seal", plies, text)
        super().__init__(ui.Button(label="Seal it", style=ButtonStyle.success, custom_id=custom_id))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded = await matches.play(self.target.match, context.user, self.text, self.plies)
        seat = loaded.moved_by(context.user)
        assert seat is not None
        text = f"your row is sealed: {suits(self.text.split()[-1])}"
        prompt = loaded.observe(seat).prompt
        # In a vote game another volunteer is drawn for the search.
        if isinstance(prompt, WordsPrompt) and loaded.team is None:
            await self._show_searches(context, loaded, seat)
            search = words_controls(prompt, self.target, loaded, seat)
            ask = f"{text}. Both rows are laid, and you see your opponent's.\n{search.ask}"
            return replace(search, ask=ask, played=True)
        later = (
            ""
            if self.target.prefix or loaded.team is not None
            else "\nThe search begins when your opponent has laid their cards, too."
        )
        return Controls(loaded, seat, [], text=f" {text}. Only you see this.{later}", played=True)

    async def _show_searches(self, context: Context, loaded: LoadedMatch, seat: Seat) -> None:
        """Turn the messages of rows that others have sealed into their searches, while Discord accepts that."""
        if not isinstance(self.target, MatchTarget):
            return
        for other, user in enumerate(loaded.stored.users):
            sent = context.ui_services.private_answers.newest(user, moves_name(loaded))
            prompt = loaded.observe(other).prompt
            if other == seat or sent is None or not isinstance(prompt, WordsPrompt):
                continue
            theme = await context.services.preferences.theme(context.place, user)
            content = await private_message(words_controls(prompt, self.target, loaded, other), theme)
            parts: Any = {"content": content.text, "view": content.view, "attachments": content.attached}
            async with context.ui_services.private_answers.changing(sent.id, content.version) as newer:
                try:
                    if newer:
                        await sent.edit(**parts, allowed_mentions=NOBODY)
                except DISCORD_ERRORS as error:
                    log.info("private_message.edit_failed", error=type(error).__name__)


class TypeRowButton(OpensForm, MoveButton, word="row"):
    """Opens the form for a whole row."""

    def __init__(self, target: BoardTarget, plies: int) -> None:
        self.target, self.plies = target, plies
        super().__init__(ui.Button(label="Type the row", custom_id=target.custom_id("row", plies)))

    async def form(self, context: Context) -> Form:
        matches = await self.target.matches(context)
        loaded, _, prompt = await prompt_of_kind(context, matches, self.target, self.plies, RowPrompt)
        return RowForm(self.target, loaded.shown, prompt)


class RowForm(Form):
    """A form with one line for a row. The typed row is shown in the private message before it is sealed."""

    def __init__(self, target: BoardTarget, plies: int, prompt: RowPrompt) -> None:
        super().__init__("Lay your row")
        self.target, self.plies = target, plies
        line = ui.TextInput[Any](placeholder="R B B R ...", min_length=1, max_length=100, custom_id="row")
        red, black = f"{prompt.reds} times R for {suits('R')}", f"{prompt.blacks} times B for {suits('B')}"
        self.line = self.ask("Your row", line, f"{red} and {black}, from left to right")

    async def answer(self, context: Context) -> Response:
        return await self.target.enter(context, self.enter)

    async def enter(self, context: Context, matches: Matches) -> Controls:
        loaded, seat, prompt = await prompt_of_kind(context, matches, self.target, self.plies, RowPrompt)
        move = await matches.would_play(self.target.match, context.user, self.line.value)
        # The row is the last word of such a move.
        return row_controls(prompt, self.target, loaded, seat, move.split()[-1])
