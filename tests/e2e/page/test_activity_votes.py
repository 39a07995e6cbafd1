"""A vote game in the frame of the Activity: only the volunteer who was drawn sees the cards and lays them."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import expect
from sqlalchemy import update

from db.engine import open_store
from db.models import VoteGameRow
from tests.activity.pages import served
from tests.e2e.events.meeting import begin
from tests.e2e.messages import press, until
from tests.e2e.page.touching import Touching
from tests.e2e.panels import board_in
from tests.sandbox.page.windows import Windows


@pytest.mark.soak
async def test_only_the_drawn_volunteer_sees_the_cards(tmp_path: Path, windows: Windows) -> None:
    async with (
        served(tmp_path) as (url, _, _, ada, grace),
        windows.lend() as chat,
        windows.lend(width=400, height=800, has_touch=True) as other,
    ):
        terms = {"level": ["1"], "every": ["10"], "hour": ["after"], "shown": ["counts"]}
        await begin(ada, "Start a vote game", game=["palindromes"], **terms)
        board = await board_in(ada, ada.channel, 1)
        await press(grace, board.message, "Volunteer")
        await until(ada, board.message, "1 member has volunteered.")
        looker, drawn = Touching(chat, touch=False), Touching(other, touch=True)
        for member, page in ((ada, looker), (grace, drawn)):
            await page.open(f"{url}/?as={member.id}", board.match)
            await expect(page.frame.locator("#status")).to_contain_text("play in secret for the voters")
        async with open_store(None, tmp_path, prepared=True) as store, store.sessions.write() as session:
            now = datetime.now(UTC)
            await session.execute(update(VoteGameRow).values(first_at=now, due_at=now))
        hand = await drawn.ready()
        assert hand["entry"]["kind"] == "row"
        assert "your hand" in hand["svg"]
        await expect(looker.frame.locator(".card")).to_have_count(0)
        await drawn.play(random.Random(1))
        for page in (drawn, looker):
            await page.board(hand["ply"] + 1)
            await expect(page.frame.locator("#status")).to_contain_text("Volunteers who are drawn by lot")
        assert not any(it["mine"] or "your hand" in it["svg"] for it in looker.boards)
        assert drawn.refused == looker.refused == []
        assert chat.faults == other.faults == []
