"""A row of cards that a player lays in secret, card by card or typed as a whole, and confirms before it is sealed."""

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


async def row_question(acting: Acting, table: Table, seat: Seat, prompt: RowPrompt, row: str = "") -> Said:
    """Return the private message with the player's hand, the cards laid so far (`row`, like "RBB") and the buttons."""
    left = {"R": prompt.reds - row.count("R"), "B": prompt.blacks - row.count("B")}
    match, plies = table.id, table.shown
    items: list[ui.Item[Any]] = [
        LayCardButton(match, plies, "red", f"{row}R", f"♦ red ({left['R']})", disabled=not left["R"]),
        LayCardButton(match, plies, "black", f"{row}B", f"♣ black ({left['B']})", disabled=not left["B"]),
        LayCardButton(match, plies, "back", row[:-1], "Remove last card", disabled=not row),
        LayCardButton(match, plies, "clear", "", "Clear", disabled=not row),
    ]
    text = "Lay one card after the other with the buttons, or type the whole row."
    if any(left.values()):
        text = f"Your row so far: `{row}`" if row else text
    else:
        text = f"Seal this row? You cannot change it afterwards.\n`{row}`"
        items.append(SealButton(match, plies, table.match.play(seat, row).log[-1].text))
    items.append(TypeRowButton(match, plies))
    observation = render.with_row(table.match.observe(seat), row)
    return await private_board(acting, table, observation, f"**{table.name}**: {prompt.ask}\n{text}", *items)


class LayCardButton(
    PersistentItem[ui.Button[Any]],
    template=r"lay:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<way>red|black|back|clear):(?P<laid>[RB]{0,40})",
):
    """Changes the row that is laid so far to `laid`."""

    words = frozenset({"way", "laid"})

    def __init__(
        self, match: int, plies: int, way: str, laid: str, label: str = "Lay", *, disabled: bool = False
    ) -> None:
        self.match, self.plies, self.laid = match, plies, laid
        style = ButtonStyle.danger if way == "red" else ButtonStyle.secondary
        custom_id = f"lay:{match}:{plies}:{way}:{laid}"
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled, row=0))

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
        super().__init__(ui.Button(label="Seal it", style=ButtonStyle.success, custom_id=custom_id, row=1))

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
        super().__init__(ui.Button(label="Type the row", custom_id=f"row:{match}:{plies}", row=1))

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
