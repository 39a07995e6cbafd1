"""Stretches of a row that a player names in secret, by pointing at the first and the last card or by typing many at
once, until they say that they are done or have named too many wrong ones."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

import render
from bot.app.errors import Refused
from bot.app.matches.table import IllegalMove, Table
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import FormButton, PersistentItem
from bot.ui.kit.answers.forms import Form
from bot.ui.kit.answers.reply import Said, change
from bot.ui.kit.content.pictures import visible_rejection
from bot.ui.moves.secret.private_board import MOST_CARDS, private_board, prompt_of_kind, rows_of_cards
from render import RejectedMove
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.prompt import WordsPrompt

MOST_WORDS = 40
"""Words that are read from one form."""
ROOM = 500
"""Characters for the words that do not count, of the 2,000 characters of a message."""


async def words_question(
    acting: Acting,
    table: Table,
    seat: Seat,
    prompt: WordsPrompt,
    results: Iterable[str] = (),
    rejected: RejectedMove | None = None,
    first: int = 0,
) -> Said:
    """Return the private message with the words found so far and the buttons.

    `results` are lines about the words just named, `rejected` is the one of them that the picture marks. `first` is the
    first card of a stretch whose last card is asked for, counted from 1; 0 if the first is asked for.
    """
    match, plies = table.id, table.shown
    ends = [place for place, card in enumerate(prompt.row, 1) if card == "R" and place >= first]
    asked = f"Point at its last card; it begins at card {first}." if first else "Point at its first card."
    if len(ends) > MOST_CARDS:
        asked += f" Stretches that {'end' if first else 'begin'} after card {ends[MOST_CARDS - 1]} are typed."
    lines = [f"**{table.name}**: {prompt.ask}", *results, *_so_far(prompt), asked]
    named = {*prompt.given, *prompt.wrong}
    shown = ends[:MOST_CARDS]
    buttons: list[ui.Item[Any]] = [
        PointButton(
            match,
            plies,
            first or place,
            place if first else 0,
            disabled=_all_named(prompt, first or place, place if first else 0, named),
            row=row,
        )
        for row, place in zip(rows_of_cards(len(shown)), shown, strict=True)
    ]
    back = [PointButton(match, plies, 0, 0, row=4)] if first else []
    items = (
        *buttons,
        *back,
        NameWordsButton(match, plies),
        StopButton(match, plies, 0, prompt.stop.capitalize()),
    )
    observation = table.match.observe(seat)
    if first:
        observation = render.with_first(observation, first)
    return await private_board(acting, table, observation, "\n".join(lines), *items, rejected=rejected)


def _all_named(prompt: WordsPrompt, first: int, last: int, named: set[str]) -> bool:
    """True if the stretch between two cards has been named, or all from the first one on if `last` is 0."""
    ends = (
        [last]
        if last
        else [place for place in range(first, len(prompt.row) + 1) if prompt.row[place - 1] == "R"]
    )
    return all(prompt.row[first - 1 : end] in named for end in ends)


def _so_far(prompt: WordsPrompt) -> list[str]:
    """Return lines with what has been found, and with the wrong names and how many may still follow."""
    named = " ".join(f"`{word}`" for word in prompt.given)
    found = f"So far you have found {len(prompt.given)}: {named}" if named else "So far you have found none."
    if prompt.left is None:
        return [found]
    wrong = " ".join(f"`{word}`" for word in prompt.wrong)
    many = f"Wrong names: {len(prompt.wrong)} of {len(prompt.wrong) + prompt.left}"
    return [found, f"{many}{f' ({wrong})' if wrong else ''}; the last one ends your search."]


class PointButton(
    PersistentItem[ui.Button[Any]],
    template=r"point:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<first>[0-9]{1,2}):(?P<last>[0-9]{1,2})",
):
    """Chooses the `first` card of a stretch, while `last` is 0; then names the stretch from it to the last. Without any
    it goes back to the choice of the first."""

    def __init__(
        self, match: int, plies: int, first: int, last: int, *, disabled: bool = False, row: int | None = None
    ) -> None:
        self.match, self.plies, self.first, self.last = match, plies, first, last
        label = f"♦ {first}" if first else "Back"
        if last:
            label = f"{first}–{last}" if last > first else f"{first} alone"
        style = ButtonStyle.primary if last else ButtonStyle.danger if first else ButtonStyle.secondary
        custom_id = f"point:{match}:{plies}:{first}:{last}"
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled, row=row))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, WordsPrompt)
        if self.last:
            await name_words(acting, self.match, [f"{self.first}-{self.last}"])
        else:
            await change(acting, await words_question(acting, table, seat, prompt, first=self.first))


async def name_words(acting: Acting, match: int, words: Sequence[str]) -> None:
    """Name words one after the other, and change the private message to one with the results."""
    new, faults = [], []
    marked: list[RejectedMove] = []
    for word in words[:MOST_WORDS]:
        try:
            table = await acting.services.matches.play(match, acting.user, word)
        except IllegalMove as refusal:
            faults.append(f"- {refusal}")
            marked += [found] if (found := visible_rejection(refusal)) else []
            continue
        except (Refused, RuleError) as refusal:
            faults.append(f"- {refusal}")
            continue
        seat = table.seat_of(acting.user)
        observation = table.match.observe(seat)
        name = table.match.log[-1].text.split()[-1]
        prompt = observation.prompt
        if isinstance(prompt, WordsPrompt) and name in prompt.given:
            new.append(f"`{name}`")
        else:
            reason = "no palindrome" if name != name[::-1] else "not in the other row"
            if prompt is None:
                await _ended(
                    acting, table, new, faults, f"- `{name}` is {reason}; it was your last wrong name."
                )
                return
            faults.append(f"- `{name}` is {reason}.")
            shown = render.visible_part(observation, RejectedMove(f"find {name}", (name,)))
            marked += [shown] if shown else []
    results = _results(new, faults)
    if len(words) > MOST_WORDS:
        results.append(f"Only the first {MOST_WORDS} words were read; please enter the others again.")
    table = await acting.services.matches.table(match)
    table, own, asked = await prompt_of_kind(acting, match, table.shown, WordsPrompt)
    rejected = marked[0] if len(faults) == len(marked) == 1 else None
    await change(acting, await words_question(acting, table, own, asked, results, rejected))


def _results(new: Sequence[str], faults: Sequence[str]) -> list[str]:
    """Return lines about the words just named: those that count, and a line for each that does not."""
    found = [f"**{len(new)} new:** {' '.join(new)}"] if new else []
    if len(faults) > 1 and not new:
        found = ["None of these counts."]
    return [*found, *_shortened(faults)]


async def _ended(acting: Acting, table: Table, new: Sequence[str], faults: Sequence[str], last: str) -> None:
    """Show the board on which this member has finished, and tell them why."""
    await acting.display.show(table.id, table)
    text = "\n".join(
        [f"**{table.name}**: your search is over. Only you see this.", *_results(new, faults), last]
    )
    observation = table.match.observe(table.seat_of(acting.user))
    await change(acting, await private_board(acting, table, observation, text))


class NameWordsButton(FormButton, template=r"name:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens the form for words."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        custom_id = f"name:{match}:{plies}"
        super().__init__(ui.Button(label="Type finds", style=ButtonStyle.primary, custom_id=custom_id, row=4))

    async def form(self, acting: Acting) -> Form:
        table, _, prompt = await prompt_of_kind(acting, self.match, self.plies, WordsPrompt)
        return WordsForm(table, prompt)


class WordsForm(Form):
    """A form for many words."""

    def __init__(self, table: Table, prompt: WordsPrompt) -> None:
        super().__init__("Enter what you have found")
        self.match, self.plies = table.id, table.shown
        example = prompt.example.split()[-1]
        self.text: ui.TextInput[Any] = ui.TextInput(
            style=discord.TextStyle.paragraph,
            placeholder=f"for example {example}",
            max_length=1000,
            custom_id="words",
        )
        cost = "Wrong ones cost nothing." if prompt.left is None else f"Wrong names left: {prompt.left}."
        hint = f"Letters, or cards like 1-4, with spaces between. {cost}"
        self.add_item(ui.Label(text="One or many", description=hint, component=self.text))

    async def answer(self, acting: Acting) -> None:
        joined = re.sub(r"\s*[-–—]\s*", "-", self.text.value)
        await name_words(acting, self.match, [word for word in re.split(r"[\s,;]+", joined) if word])


def _shortened(lines: Sequence[str]) -> list[str]:
    """Return as many lines as there is room for, and a line with the number of the others."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(line) > ROOM:
            return [*kept, f"- and {len(lines) - len(kept)} more that do not count"]
        kept.append(line)
    return kept


class StopButton(
    PersistentItem[ui.Button[Any]], template=r"stop:(?P<match>[0-9]+):(?P<plies>[0-9]+):(?P<sure>[01])"
):
    """Ends the search. A player who has found nothing must confirm it with a second button, whose `sure` is 1."""

    def __init__(self, match: int, plies: int, sure: int, label: str = "Done") -> None:
        self.match, self.plies, self.sure = match, plies, sure
        style = ButtonStyle.danger if sure else ButtonStyle.secondary
        super().__init__(ui.Button(label=label, style=style, custom_id=f"stop:{match}:{plies}:{sure}", row=4))

    async def answer(self, acting: Acting) -> None:
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, WordsPrompt)
        if not prompt.given and not self.sure:
            text = f"**{table.name}**: you have found none, and you cannot enter any later. Really {prompt.stop}?"
            sure = StopButton(self.match, self.plies, 1, f"Yes, {prompt.stop}")
            items = NameWordsButton(self.match, self.plies), sure
            observation = table.match.observe(seat)
            await change(acting, await private_board(acting, table, observation, text, *items))
            return
        table = await acting.services.matches.play(self.match, acting.user, prompt.stop)
        await acting.display.show(self.match, table)
        text = f"**{table.name}**: you are done. Only you see this.\n{_so_far(prompt)[0]}"
        observation = table.match.observe(seat)
        await change(acting, await private_board(acting, table, observation, text))
