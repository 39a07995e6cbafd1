"""A member who waits for a film is told how far it is, and the note is gone when the film is there."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.app.errors import Refused
from bot.ui.interactions import waiting
from bot.ui.interactions.reply import Context
from bot.ui.interactions.waiting import Waiting
from bot.ui.posts.answers import Acknowledging, FirstAnswer
from bot.ui.replay import progress
from tests.ui.words import words


class Interaction:
    """The part of an interaction that a note needs. `did` lists the calls, with the words that were shown."""

    def __init__(self, kind: discord.InteractionType) -> None:
        self.type = kind
        self.message = None
        self.extras: dict[str, bool] = {}
        self.did: list[str] = []
        self.followup = SimpleNamespace(send=self._send)
        self.response = SimpleNamespace(defer=self._defer)

    async def _defer(self, **_: Any) -> None:
        self.did.append("acknowledged")

    async def edit_original_response(self, view: Any, **_: Any) -> None:
        self.did.append(f"answer: {words(view)}")

    async def _send(self, view: Any, **_: Any) -> SimpleNamespace:
        self.did.append(f"note: {words(view)}")
        return SimpleNamespace(edit=self._edit, delete=self._delete)

    async def _edit(self, view: Any) -> None:
        self.did.append(f"note: {words(view)}")

    async def _delete(self) -> None:
        self.did.append("deleted")


def told(interaction: Interaction) -> AbstractAsyncContextManager[Callable[[int, int], None]]:
    """A context that tells the progress of a film."""
    first_answer = FirstAnswer(cast(Any, interaction), Acknowledging(), thinking=False)
    context = SimpleNamespace(interaction=interaction, first_answer=first_answer)
    return Waiting(cast(Context, context)).telling(progress)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST", 0)
    monkeypatch.setattr(waiting, "AGAIN", 0)


async def make_film(interaction: Interaction) -> None:
    """Wait for a film of 150 positions until it was told that 60 of them are drawn."""
    async with told(interaction) as drawn:
        while len(interaction.did) < 2:
            await asyncio.sleep(0)
        drawn(60, 150)
        while "60" not in interaction.did[-1]:
            await asyncio.sleep(0)


async def test_the_answer_to_a_command_says_how_far_the_film_is() -> None:
    command = Interaction(discord.InteractionType.application_command)
    await make_film(command)
    assert command.did[:2] == ["acknowledged", "answer: Drawing the animation."]
    assert command.did[-1] == "answer: Drawing the animation: 60 of 150 positions."


async def test_a_note_beside_the_answer_to_a_button_is_deleted() -> None:
    button = Interaction(discord.InteractionType.component)
    await make_film(button)
    assert button.did[:2] == ["acknowledged", "note: Drawing the animation."]
    assert button.did[-2:] == ["note: Drawing the animation: 60 of 150 positions.", "deleted"]


async def test_a_film_that_is_refused_leaves_no_note() -> None:
    button = Interaction(discord.InteractionType.component)
    with pytest.raises(Refused):
        async with told(button):
            while not button.did:
                await asyncio.sleep(0)
            raise Refused("No film.")
    assert button.did[-1] == "deleted"


async def test_a_film_that_is_there_at_once_is_not_talked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST", 60)
    command = Interaction(discord.InteractionType.application_command)
    async with told(command) as drawn:
        drawn(1, 2)
    assert command.did == []
