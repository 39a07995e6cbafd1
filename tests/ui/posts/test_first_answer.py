"""An interaction is answered once: by an acknowledgement, a private message, or the message that changes."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.ui.posts import answers
from bot.ui.posts.answers import ALREADY_ACKNOWLEDGED, FRESH, UNKNOWN_INTERACTION, Acknowledging, FirstAnswer


class Interaction:
    """The part of an interaction that a first answer needs. `did` lists the calls; the first ones raise `errors`."""

    def __init__(self, *errors: Exception, age: timedelta = timedelta(0)) -> None:
        self.created_at = discord.utils.utcnow() - age
        self.response = self
        self.resource = "sent"
        self.errors = [*errors]
        self.did: list[str] = []
        self.answered = asyncio.Event()

    async def defer(self, **_: Any) -> None:
        self._do("acknowledged")

    async def edit_message(self, **_: Any) -> None:
        self._do("changed")

    async def send_message(self, **_: Any) -> "Interaction":
        self._do("sent")
        return self

    async def original_response(self) -> str:
        return "original"

    def _do(self, what: str) -> None:
        self.did.append(what)
        self.answered.set()
        if self.errors:
            raise self.errors.pop(0)


def answer(interaction: Interaction, editing: Callable[[], None] | None = None) -> FirstAnswer:
    return FirstAnswer(cast(Any, interaction), Acknowledging(), thinking=False, editing=editing)


def refusal(status: int, code: int) -> discord.HTTPException:
    refused = cast(Any, SimpleNamespace(status=status, reason=""))
    return discord.HTTPException(refused, {"code": code, "message": ""})


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


async def test_a_changed_message_that_may_have_arrived_is_tried_twice() -> None:
    interaction = Interaction(OSError(), OSError())
    found = answer(interaction)
    assert not await found.change_message(view=None)
    assert await found.acknowledge()
    assert interaction.did == ["changed", "changed"]


async def test_a_private_message_is_the_answer_once() -> None:
    interaction = Interaction()
    found = answer(interaction)
    found.wait()
    assert cast(Any, await found.send([])) == "sent"
    assert await found.send([]) is None
    assert interaction.did == ["sent"]


@pytest.mark.parametrize("arrived", [False, True])
async def test_an_answer_whose_connection_breaks_is_given_again(arrived: bool) -> None:
    """If Discord then says that there is an answer, the first one had arrived."""
    errors = [OSError(), *([refusal(400, ALREADY_ACKNOWLEDGED)] if arrived else [])]
    found = [answer(Interaction(*errors)) for _ in range(3)]
    assert cast(Any, await found[0].send([])) == ("original" if arrived else "sent")
    assert await found[1].change_message(view=None)
    assert await found[2].acknowledge()
    assert not any(it.over for it in found)


@pytest.mark.parametrize(("status", "code", "other"), [(400, 50035, True), (404, UNKNOWN_INTERACTION, False)])
async def test_another_answer_follows_refused_content_but_none_a_late_one(
    status: int, code: int, other: bool
) -> None:
    for given in ("sent", "changed"):
        interaction = Interaction(refusal(status, code))
        found = answer(interaction)
        if given == "sent":
            with pytest.raises(discord.HTTPException):
                await found.send([])
        else:
            assert not await found.change_message(view=None)
        assert await found.acknowledge() is other
        assert interaction.did == [given, "acknowledged"][: 2 if other else 1]


async def test_a_message_that_is_edited_later_stays_the_original_response() -> None:
    interaction = Interaction()
    assert await answer(interaction, lambda: interaction.did.append("can be edited")).send([]) is None
    assert interaction.did == ["acknowledged", "can be edited"]


@pytest.mark.parametrize(("second_try", "by_another"), [(60.0, True), (0.0, False)])
async def test_an_interaction_that_is_answered_already_is_left_to_who_did_so(
    monkeypatch: pytest.MonkeyPatch, second_try: float, by_another: bool
) -> None:
    """If discord.py has tried twice, its own first try was the answer."""
    monkeypatch.setattr(answers, "SECOND_TRY", second_try)
    error = refusal(400, ALREADY_ACKNOWLEDGED)
    found = answer(Interaction(error))
    assert await found.acknowledge() is not by_another
    assert found.by_another is by_another
    changed = answer(Interaction(error))
    assert await changed.change_message(view=None) is not by_another
    sent = cast(Any, await answer(Interaction(error)).send([]))
    assert sent == (None if by_another else "original")


@pytest.mark.parametrize("age", [2 * FRESH, -2 * FRESH])
async def test_an_interaction_that_is_not_fresh_cannot_wait(age: timedelta) -> None:
    """The machine's clock may be wrong, in either direction."""
    assert not answer(Interaction(age=age)).may_wait
