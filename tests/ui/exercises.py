"""A member alone with a private message, without Discord: the real services, store and pictures."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import discord
from discord import ui

from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Content, Context
from bot.ui.moves.parts import Part, divide
from bot.ui.moves.play import BoardTarget
from bot.ui.posts.answers import Acknowledging, FirstAnswer, PrivateAnswers
from rules.core.match import Match
from rules.core.prompt import Prompt, RowPrompt, WordsPrompt
from tests.app.conftest import ADA, HERE, Host
from tests.ui.test_messages import assert_fits
from tests.ui.words import words


@dataclass
class LoneMember:
    """A member and the messages that they have seen; the last one is there."""

    host: Host
    user: int = ADA
    seen: list[Content] = field(default_factory=list)
    answers: PrivateAnswers = field(default_factory=PrivateAnswers)

    @property
    def context(self) -> Context:
        context = SimpleNamespace(dm_channel=False)
        response = SimpleNamespace(edit_message=self._see)
        interaction: Any = SimpleNamespace(message=SimpleNamespace(id=1), context=context, response=response)
        first_answer = FirstAnswer(interaction, Acknowledging(), thinking=False)
        ui_services: Any = SimpleNamespace(private_answers=self.answers)
        return Context(
            interaction, self.host.services, ui_services, cast(Any, None), self.user, HERE, first_answer
        )

    async def _see(
        self, *, content: str, view: ui.LayoutView, attachments: list[discord.File], **_: Any
    ) -> None:
        self.seen.append(Content(content or "", view, attachments[0] if attachments else None))

    @property
    def text(self) -> str:
        view = self.seen[-1].view
        assert isinstance(view, ui.LayoutView)
        return words(view)

    @property
    def buttons(self) -> dict[str, ui.Button[Any]]:
        """The buttons that can be pressed, by custom id."""
        found = (part.item if isinstance(part, PersistentItem) else part for part in self._parts())
        return {
            part.custom_id or "": part for part in found if isinstance(part, ui.Button) and not part.disabled
        }

    def _parts(self) -> Iterator[ui.Item[Any]]:
        view = self.seen[-1].view
        assert isinstance(view, ui.LayoutView)
        return view.walk_children()

    def check(self) -> None:
        """Check the message against the limits of Discord, and that the bot knows all of its buttons."""
        view = self.seen[-1].view
        assert isinstance(view, ui.LayoutView)
        assert_fits(view)
        assert all(row.children for row in self._parts() if isinstance(row, ui.ActionRow))
        for custom_id in self.buttons:
            assert PersistentItem.find(custom_id), custom_id
        assert self.seen[-1].file is not None

    async def press(self, custom_id: str) -> None:
        """Press a button that is there."""
        assert custom_id in self.buttons, f"{custom_id} is none of {list(self.buttons)}"
        await self.use(item(custom_id))
        self.check()

    async def use(self, item: PersistentItem[Any]) -> None:
        """Use a button, also one that is not there."""
        response = await item.answer(self.context)
        if isinstance(response, Content):
            self.seen.append(response)

    async def enter(self, match: Match, target: BoardTarget, seat: int, text: str) -> None:
        """Enter a move by the buttons that are there, in as many taps as it takes."""
        prompt, start = match.observe(seat).prompt, target.prefix
        assert prompt is not None
        shown = len(match.seen(None))
        if isinstance(prompt, RowPrompt):
            await self.press(next(it for it in self.buttons if it.startswith(f"{start}seal:")))
        elif isinstance(prompt, WordsPrompt) and text != prompt.stop:
            name = text.split()[-1]
            first = prompt.row.index(name) + 1
            await self.press(f"{start}point:0:{shown}:{first}:0")
            await self.press(f"{start}point:0:{shown}:{first}:{first + len(name) - 1}")
        elif isinstance(prompt, WordsPrompt):
            await self.press(f"{start}stop:0:{shown}:0")
            if (sure := f"{start}stop:0:{shown}:1") in self.buttons:
                await self.press(sure)
        else:
            here = f"{start}play:0:{shown}:{text}"
            others = f"{start}among:0:{shown}:"
            if here not in self.buttons:
                if others in self.buttons:
                    await self.press(others)
                for path in _paths(prompt, text):
                    await self.press(f"{others}{path}")
            await self.press(here)


def item(custom_id: str) -> PersistentItem[Any]:
    """Return the button with this custom id."""
    found = PersistentItem.find(custom_id)
    assert found is not None, custom_id
    return found


def _paths(prompt: Prompt, move: str) -> Iterator[str]:
    """Yield the path of each part in which a move lies, from the largest on."""
    part, path = Part("", prompt.choices), ""
    while parts := [it for row in divide(prompt, part) for it in row]:
        index = next(index for index, it in enumerate(parts) if move in it.moves)
        part, path = parts[index], f"{path}{index}."
        yield path
