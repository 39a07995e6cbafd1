"""A film that cannot be made after its progress was told: the answer takes the place of the note."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Sandbox
from bot.ui.components.film_worker import FilmWorker
from bot.ui.interactions import waiting
from bot.ui.interactions.reply import BROKEN
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import message_with, text_of
from tests.e2e.play import by_button, challenge


@pytest.mark.soak
async def test_the_answer_replaces_the_note(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "FIRST", 0)
    noted = asyncio.Event()

    async def fails(*_: Any, **__: Any) -> bytes:
        await noted.wait()
        raise RuntimeError("no memory is left")

    monkeypatch.setattr(FilmWorker, "film", fails)
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path),
        players(local.url, local.world) as (ada, grace, _),
    ):
        panel = await challenge(ada, grace, "alaric", "4")
        mover = ada if panel.turn == ada.id else grace
        await by_button(mover, panel, "1")
        await ada.command("replay", number=panel.match)
        note = await message_with(ada, "Drawing the animation")
        noted.set()
        answer = await message_with(ada, BROKEN)
        assert answer["id"] == note["id"]
        assert text_of(answer).strip().startswith(BROKEN)
