"""The checks of a soak find what is planted, and nothing where all is well."""

from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Sandbox
from tests.soak.checks import FEWEST, answers_came, memory_is_flat, rows_are_hidden
from tests.soak.hidden_rows import HiddenRows, Row
from tests.soak.timings import Waited, percentiles

ROW = "RBBRRBRBRRBB"


@pytest.fixture
async def local() -> AsyncIterator[Sandbox]:
    async with Sandbox(channels=("general", "lounge")) as running:
        yield running


def say(local: Sandbox, channel: str, text: str) -> None:
    """Let the bot post a message."""
    there, messages = local.channel(channel), local.services.messages
    draft = messages.draft_reader(there["id"]).read({"content": text})
    messages.send(there, local.world.bot, draft)


async def test_a_row_that_is_told_while_it_is_hidden_is_found(local: Sandbox) -> None:
    rows = HiddenRows(local)
    say(local, "general", f"before it is laid: {ROW}")
    rows.hide(17, Row(ROW, local.member("Ada")["id"], local.channel("general")["id"], rows.at))
    say(local, "lounge", f"another game: {ROW}")
    assert not list(rows_are_hidden(rows))
    rows.hide(18, Row(ROW, local.member("Ada")["id"], local.channel("general")["id"], rows.at))
    say(local, "general", f"`{ROW}`")
    rows.show(18)
    say(local, "general", f"all may see it now: {ROW}")
    (told,) = rows_are_hidden(rows)
    assert "match 18 was told to everybody" in told


def test_memory_that_grows_is_found() -> None:
    moves = range(0, 3 * FEWEST, 100)
    flat = [(at, 170 + min(at, FEWEST) / 100) for at in moves]
    growing = [(at, 170 + at / 100) for at in moves]
    assert not list(memory_is_flat({"bot-1": flat}))
    (found,) = memory_is_flat({"bot-1": flat, "bot-2": growing})
    assert "bot-2 grows by 10.0 MiB" in found


def test_presses_without_an_answer_count_where_nothing_was_disturbed() -> None:
    acknowledged = [Waited(at, at + 0.1) for at in range(100)]
    unanswered = [(float(at), "play:1:0:1") for at in (20, 21, 22)]
    assert not list(answers_came(acknowledged, unanswered, [(19, 30)], 0))
    assert list(answers_came(acknowledged, unanswered, [(30, 40)], 0))


def test_percentiles_are_those_of_what_was_pressed_since_then() -> None:
    waited = [Waited(at, at + at / 1000) for at in range(1, 101)]
    assert percentiles(waited) == pytest.approx((51, 96, 100))
    assert percentiles(waited, since=99) == pytest.approx((100, 100, 100))
    assert percentiles([]) == (0, 0, 0)
