"""Controls for the words in a row of cards that a player names in secret.

The player chooses the first and the last card of a word, or types many words at once. The search ends when the player
stops, or has named too many wrong words.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

import render
from bot.app.errors import Refused
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.matches.matches import Matches
from bot.ui.components.message_parts import visible_rejection
from bot.ui.interactions.buttons import Form, OpensForm
from bot.ui.interactions.reply import Context, Response
from bot.ui.moves.play import (
    MOST_CARDS,
    BoardTarget,
    Controls,
    MoveButton,
    PartialButton,
    prompt_of_kind,
    rows_of_cards,
)
from render import RejectedMove
from render.board.annotations.draft import with_first
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.notation import suits
from rules.core.prompt import WordsPrompt

MOST_WORDS = 40
"""Words that are read from one form."""
ROOM = 500
"""The most characters for words that do not count, of the 2,000 characters of a message."""


def words_controls(
    prompt: WordsPrompt,
    target: BoardTarget,
    loaded: LoadedMatch,
    seat: Seat,
    results: Iterable[str] = (),
    rejected: RejectedMove | None = None,
    first: int = 0,
    new: int = 0,
) -> Controls:
    """Return the controls with the words found so far.

    `results` are lines about the words just named, which replace the question of the prompt; they list `new` words
    that were found. `rejected` is the word that the picture marks. `first` is the first card of a word whose last card
    is asked for, counted from 1; 0 if the first card is asked for.
    """
    plies = loaded.shown
    ends = [place for place, card in enumerate(prompt.row, 1) if card == "R" and place >= first]
    asked = (
        f"Your palindrome begins at card {first}. Press its last card."
        if first
        else "Press the first card of a palindrome."
    )
    if len(ends) > MOST_CARDS:
        asked += f" Type those that {'end' if first else 'begin'} after card {ends[MOST_CARDS - 1]}."
    named = {*prompt.given, *prompt.wrong}
    cards = {
        place: _all_named(prompt, first or place, place if first else 0, named) for place in ends[:MOST_CARDS]
    }
    if any(cards.values()):
        asked += f"\n-# Pale buttons: you have named {'it' if first else 'all that begin there'}; each one counts once."
    rows = rows_of_cards(
        [
            PointButton(target, plies, first or place, place if first else 0, disabled=disabled)
            for place, disabled in cards.items()
        ]
    )
    back = [PointButton(target, plies, 0, 0)] if first else []
    stop = StopButton(target, plies, 0, prompt.stop.capitalize())
    rows.append([*back, NameWordsButton(target, plies), stop])
    observation = loaded.observe(seat)
    if first:
        observation = with_first(observation, first)
    lines = [*results]
    progress = "".join(f"\n{line}" for line in (*lines, *_so_far(prompt, new)))
    ask = prompt.ask if not lines and not first else ""
    return Controls(loaded, seat, rows, ask, f"\n{asked}", observation, rejected, progress=progress)


def _all_named(prompt: WordsPrompt, first: int, last: int, named: set[str]) -> bool:
    """Return True if the word between two cards has been named. If `last` is 0, all words from `first` on count."""
    ends = (
        [last]
        if last
        else [place for place in range(first, len(prompt.row) + 1) if prompt.row[place - 1] == "R"]
    )
    return all(prompt.row[first - 1 : end] in named for end in ends)


def _so_far(prompt: WordsPrompt, new: int) -> list[str]:
    """Return lines with the words found, the wrong words, and the number of wrong words that are left.

    The words found are left out if all of them are `new`, since another line lists these.
    """
    found = f"You have found {len(prompt.given)}: {_listed(prompt.given)}." if len(prompt.given) > new else ""
    if prompt.left is None:
        return list(filter(None, [found or ("" if new else "You have found none yet.")]))
    wrong = f" Wrong so far: {_listed(prompt.wrong)}." if prompt.wrong else ""
    if prompt.left == 1:
        limit = "Your next wrong guess ends your search."
    else:
        limit = f"Your search ends after {prompt.left} {'more ' if wrong else ''}wrong guesses."
    return list(filter(None, [found, f"{limit}{wrong}"]))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(suits, words))


class PointButton(PartialButton, word="point", values=r"(?P<first>[0-9]{1,2}):(?P<last>[0-9]{1,2})"):
    """Chooses the `first` card of a word while `last` is 0; otherwise names the word between both cards.

    If both are 0, it returns to the choice of the first card.
    """

    def __init__(
        self,
        target: BoardTarget,
        plies: int,
        first: int,
        last: int,
        label: str = "Back",
        *,
        disabled: bool = False,
    ) -> None:
        self.target, self.plies, self.first, self.last = target, plies, first, last
        if first:
            label = f"{suits('R')} {first}"
        if last:
            label = f"{first}–{last}" if last > first else f"{first} alone"
        style = ButtonStyle.primary if last else ButtonStyle.danger if first else ButtonStyle.secondary
        custom_id = target.custom_id("point", plies, first, last)
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id, disabled=disabled))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        if self.last:
            return await name_words(context, matches, self.target, [f"{self.first}-{self.last}"])
        loaded, seat, prompt = await prompt_of_kind(context, matches, self.target, self.plies, WordsPrompt)
        return words_controls(prompt, self.target, loaded, seat, first=self.first)


async def name_words(
    context: Context, matches: Matches, target: BoardTarget, words: Sequence[str]
) -> Controls:
    """Name words one after the other, and return the controls with the results."""
    new, faults = [], []
    marked: list[RejectedMove] = []
    after: tuple[LoadedMatch, Seat, WordsPrompt] | None = None
    for word in words[:MOST_WORDS]:
        try:
            loaded = await matches.play(target.match, context.user, word)
        except IllegalMove as refusal:
            faults.append(str(refusal))
            marked += [found] if (found := visible_rejection(refusal)) else []
            continue
        except (Refused, RuleError) as refusal:
            faults.append(str(refusal))
            continue
        seat = loaded.moved_by(context.user)
        assert seat is not None
        observation = loaded.observe(seat)
        name = loaded.match.log[-1].text.split()[-1]
        prompt = observation.prompt
        if isinstance(prompt, WordsPrompt):
            after = loaded, seat, prompt
        if isinstance(prompt, WordsPrompt) and name in prompt.given:
            new.append(name)
        else:
            if prompt is None:
                text = "\n".join([f" {end_of_search(name)} Only you see this.", *_results(new, faults)])
                return Controls(loaded, seat, [], text=text, played=True, farewell=text)
            faults.append(f"{_fault(name)}.")
            shown = render.visible_part(observation, RejectedMove(f"find {name}", (name,)))
            marked += [shown] if shown else []
    results = _results(new, faults)
    if len(words) > MOST_WORDS:
        results.append(f"Only the first {MOST_WORDS} words were read; please enter the others again.")
    loaded, own, asked = after or await prompt_of_kind(context, matches, target, None, WordsPrompt)
    rejected = marked[0] if len(faults) == len(marked) == 1 else None
    return words_controls(asked, target, loaded, own, results, rejected, new=len(new))


def _fault(name: str) -> str:
    """Return why a word does not count, without the full stop."""
    why = "reads differently backwards" if name != name[::-1] else "is not in your opponent's row"
    return f"{suits(name)} {why}"


def end_of_search(name: str) -> str:
    """Return sentences about the wrong word that ended a search."""
    return f"{_fault(name)}. It was your last guess, so your search is over."


def _results(new: Sequence[str], faults: Sequence[str]) -> list[str]:
    """Return lines about the words just named: one for all that count, and one for each that does not count."""
    if len(faults) == 1 and not new:
        return [*faults]
    found = [f"**{len(new)} new:** {_listed(new)}"] if new else ["None of these counts."] if faults else []
    return [*found, *_shortened([f"- {fault}" for fault in faults])]


class NameWordsButton(OpensForm, MoveButton, word="name"):
    """Opens the form for words."""

    def __init__(self, target: BoardTarget, plies: int) -> None:
        self.target, self.plies = target, plies
        custom_id = target.custom_id("name", plies)
        super().__init__(ui.Button(label="Type palindromes", style=ButtonStyle.primary, custom_id=custom_id))

    async def form(self, context: Context) -> Form:
        matches = await self.target.matches(context)
        _, _, prompt = await prompt_of_kind(context, matches, self.target, self.plies, WordsPrompt)
        return WordsForm(self.target, prompt)


class WordsForm(Form):
    """A form for many words."""

    def __init__(self, target: BoardTarget, prompt: WordsPrompt) -> None:
        super().__init__("Type palindromes")
        self.target = target
        example = prompt.example.split()[-1]
        text = ui.TextInput[Any](
            style=discord.TextStyle.paragraph,
            placeholder=f"for example {example}",
            max_length=1000,
            custom_id="words",
        )
        cost = "Wrong ones cost nothing." if prompt.left is None else f"Wrong guesses left: {prompt.left}."
        hint = f"R for {suits('R')} and B for {suits('B')}, or first and last card like 1-4. {cost}"
        self.text = self.ask("One, or several with commas", text, hint)

    async def answer(self, context: Context) -> Response:
        return await self.target.enter(context, self.enter)

    async def enter(self, context: Context, matches: Matches) -> Controls:
        joined = re.sub(r"\s*[-–—]\s*", "-", self.text.value)
        words = [word for word in re.split(r"[\s,;]+", joined) if word]
        return await name_words(context, matches, self.target, words)


def _shortened(lines: Sequence[str]) -> list[str]:
    """Return as many lines as fit, and a line with the number of the remaining lines."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(line) > ROOM:
            return [*kept, f"- and {len(lines) - len(kept)} more that do not count"]
        kept.append(line)
    return kept


class StopButton(PartialButton, word="stop", values=r"(?P<sure>[01])"):
    """Asks the player to confirm the end of the search, or ends it if `sure` is 1."""

    def __init__(self, target: BoardTarget, plies: int, sure: int, label: str = "Done") -> None:
        self.target, self.plies, self.sure = target, plies, sure
        style = ButtonStyle.danger if sure else ButtonStyle.secondary
        custom_id = target.custom_id("stop", plies, sure)
        super().__init__(ui.Button(label=label, style=style, custom_id=custom_id))

    async def enter(self, context: Context, matches: Matches) -> Controls:
        target, plies = self.target, self.plies
        loaded, seat, prompt = await prompt_of_kind(context, matches, target, plies, WordsPrompt)
        if not self.sure:
            go_on = PointButton(target, plies, 0, 0, "Go on")
            sure = StopButton(target, plies, 1, f"Yes, {prompt.stop}")
            found = f"{len(prompt.given)}: {_listed(prompt.given)}" if prompt.given else "none"
            text = f" You have found {found}. After this you cannot find any more. Really {prompt.stop}?"
            return Controls(loaded, seat, [[go_on, NameWordsButton(target, plies), sure]], text=text)
        loaded = await matches.play(target.match, context.user, prompt.stop)
        found = f"{len(prompt.given)}: {_listed(prompt.given)}" if prompt.given else "none"
        text = f" You are done, and have found {found}. Only you see this."
        return Controls(loaded, seat, [], text=text, played=True)
