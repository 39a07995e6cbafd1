"""An interaction is answered once: by an acknowledgement, or by the message that changes."""

import asyncio
from datetime import timedelta
from typing import Any, cast

import discord
import pytest

from bot.ui.kit.posts import first_answer
from bot.ui.kit.posts.first_answer import FRESH, Acknowledging, FirstAnswer


class Interaction:
    """The part of an interaction that a first answer needs. `did` lists the calls; the first raises `error`."""

    def __init__(self, age: timedelta = timedelta(0), error: Exception | None = None) -> None:
        self.created_at = discord.utils.utcnow() - age
        self.response = self
        self.error = error
        self.did: list[str] = []
        self.answered = asyncio.Event()

    async def defer(self, **_: Any) -> None:
        self._do("acknowledged")

    async def edit_message(self, **_: Any) -> None:
        self._do("changed")

    def _do(self, what: str) -> None:
        self.did.append(what)
        self.answered.set()
        if self.error is not None:
            raise self.error


def answer(interaction: Interaction) -> FirstAnswer:
    return FirstAnswer(cast(Any, interaction), Acknowledging(), thinking=False)


async def test_a_changed_message_is_the_answer() -> None:
    acting = Interaction()
    found = answer(acting)
    found.wait()
    assert await found.change_message(view=None)
    assert await found.acknowledge()
    assert not await found.change_message(view=None)
    assert acting.did == ["changed"]


async def test_whoever_waits_too_long_is_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_answer, "LONGEST_WAIT", 0)
    acting = Interaction()
    found = answer(acting)
    found.wait()
    await acting.answered.wait()
    assert not await found.change_message(view=None)
    assert acting.did == ["acknowledged"]


async def test_an_answer_that_may_have_arrived_is_not_tried_again() -> None:
    acting = Interaction(error=OSError())
    found = answer(acting)
    with pytest.raises(OSError):
        await found.change_message(view=None)
    assert await found.acknowledge()
    assert acting.did == ["changed"]


@pytest.mark.parametrize("age", [2 * FRESH, -2 * FRESH])
async def test_an_interaction_that_is_not_fresh_cannot_wait(age: timedelta) -> None:
    """The machine's clock may be wrong, in either direction."""
    assert not answer(Interaction(age)).may_wait
