"""An interaction is answered once: by an acknowledgement, or by the message that changes."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.ui.posts import answers
from bot.ui.posts.answers import ALREADY_ACKNOWLEDGED, FRESH, Acknowledging, FirstAnswer


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
    interaction = Interaction()
    found = answer(interaction)
    found.wait()
    assert await found.change_message(view=None)
    assert await found.acknowledge()
    assert not await found.change_message(view=None)
    assert interaction.did == ["changed"]


async def test_whoever_waits_too_long_is_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "LONGEST_WAIT", 0)
    interaction = Interaction()
    found = answer(interaction)
    found.wait()
    await interaction.answered.wait()
    assert not await found.change_message(view=None)
    assert interaction.did == ["acknowledged"]


async def test_an_answer_that_may_have_arrived_is_not_tried_again() -> None:
    interaction = Interaction(error=OSError())
    found = answer(interaction)
    with pytest.raises(OSError):
        await found.change_message(view=None)
    assert await found.acknowledge()
    assert interaction.did == ["changed"]


@pytest.mark.parametrize(("second_try", "by_another"), [(60.0, True), (0.0, False)])
async def test_an_interaction_that_is_answered_already_is_left_to_who_did_so(
    monkeypatch: pytest.MonkeyPatch, second_try: float, by_another: bool
) -> None:
    """If discord.py has tried twice, its own first try was the answer."""
    monkeypatch.setattr(answers, "SECOND_TRY", second_try)
    refused = cast(Any, SimpleNamespace(status=400, reason="Bad Request"))
    error = discord.HTTPException(refused, {"code": ALREADY_ACKNOWLEDGED, "message": "already"})
    found = answer(Interaction(error=error))
    assert await found.acknowledge() is not by_another
    assert found.by_another is by_another


@pytest.mark.parametrize("age", [2 * FRESH, -2 * FRESH])
async def test_an_interaction_that_is_not_fresh_cannot_wait(age: timedelta) -> None:
    """The machine's clock may be wrong, in either direction."""
    assert not answer(Interaction(age)).may_wait
