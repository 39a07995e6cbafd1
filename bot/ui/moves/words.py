"""Words that a player enters in secret, many at once, until they say that they are done."""

import re
from collections.abc import Iterable
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.app.errors import Refused
from bot.app.matches.matches import IllegalMove
from bot.app.matches.table import Table
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import Form, FormButton, PersistentItem
from bot.ui.kit.pictures import visible_rejection
from bot.ui.kit.reply import Said, change
from bot.ui.moves.secret import private_board, prompt_of_kind
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.prompt import WordsPrompt

MOST_WORDS = 40
"""Words that are read from one form."""
ROOM = 800
"""Characters for the words that do not count, of the 2,000 characters of a message."""


async def words_question(
    acting: Acting,
    table: Table,
    seat: Seat,
    prompt: WordsPrompt,
    results: Iterable[str] = (),
    refusal: IllegalMove | None = None,
) -> Said:
    """Return the private message with the words found so far and the buttons.

    `results` are lines about the words just entered; `refusal` is the one of them that the picture marks.
    """
    match, plies = table.id, table.shown
    lines = [f"**{table.name}**: {prompt.ask}", *results, _so_far(prompt)]
    items = NameWordsButton(match, plies), StopButton(match, plies, 0, prompt.stop.capitalize())
    rejected = None if refusal is None else visible_rejection(refusal)
    return await private_board(
        acting, table, table.match.observe(seat), "\n".join(lines), *items, rejected=rejected
    )


def _so_far(prompt: WordsPrompt) -> str:
    named = " ".join(f"`{word}`" for word in prompt.given)
    return f"So far you have found {len(prompt.given)}: {named}" if named else "So far you have found none."


class NameWordsButton(FormButton, template=r"name:(?P<match>[0-9]+):(?P<plies>[0-9]+)"):
    """Opens the form for words."""

    def __init__(self, match: int, plies: int) -> None:
        self.match, self.plies = match, plies
        custom_id = f"name:{match}:{plies}"
        super().__init__(ui.Button(label="Enter finds", style=ButtonStyle.primary, custom_id=custom_id))

    async def form(self, acting: Acting) -> Form:
        table, _, prompt = await prompt_of_kind(acting, self.match, self.plies, WordsPrompt)
        return WordsForm(table, prompt)


class WordsForm(Form):
    """A form for many words."""

    def __init__(self, table: Table, prompt: WordsPrompt) -> None:
        super().__init__(title="Enter what you have found", custom_id=f"words:{table.id}")
        self.match, self.plies = table.id, table.shown
        example = prompt.example.split()[-1]
        self.text: ui.TextInput[Any] = ui.TextInput(
            style=discord.TextStyle.paragraph,
            placeholder=f"for example {example}",
            max_length=1000,
            custom_id="words",
        )
        hint = "Separate them by spaces or lines. A word that does not count costs nothing."
        self.add_item(ui.Label(text="One or many", description=hint, component=self.text))

    async def answer(self, acting: Acting) -> None:
        results, refusal = await self._play(acting)
        table, seat, prompt = await prompt_of_kind(acting, self.match, self.plies, WordsPrompt)
        await change(acting, await words_question(acting, table, seat, prompt, results, refusal))

    async def _play(self, acting: Acting) -> tuple[list[str], IllegalMove | None]:
        """Play the typed words. Returns lines with the results, and the illegal word if it is the only one."""
        words = [word for word in re.split(r"[\s,;]+", self.text.value) if word]
        new, faults, illegal = [], [], []
        for word in words[:MOST_WORDS]:
            try:
                table = await acting.services.matches.play(self.match, acting.user, word)
            except (Refused, RuleError) as refusal:
                faults.append(f"- {refusal}")
                illegal += [refusal] if isinstance(refusal, IllegalMove) else []
            else:
                new.append(f"`{table.match.log[-1].text.split()[-1]}`")
        results = [f"**{len(new)} new:** {' '.join(new)}"] if new else ["None of these counts."]
        results += _shortened(faults)
        if len(words) > MOST_WORDS:
            results.append(f"Only the first {MOST_WORDS} words were read; please enter the others again.")
        return results, illegal[0] if len(illegal) == 1 else None


def _shortened(lines: list[str]) -> list[str]:
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
        super().__init__(ui.Button(label=label, style=style, custom_id=f"stop:{match}:{plies}:{sure}"))

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
        await acting.display.show(self.match)
        text = f"**{table.name}**: you are done. Only you see this.\n{_so_far(prompt)}"
        observation = table.match.observe(seat)
        await change(acting, await private_board(acting, table, observation, text))
