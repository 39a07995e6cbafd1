"""What the frame of the Activity offers beside the board, in real Chromium; and a game by keyboard alone."""

import asyncio
import random
import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from tests.activity.pages import served
from tests.e2e.messages import choose, open_preferences
from tests.e2e.page.test_activity import MOST_MOVES, begun
from tests.e2e.page.touching import Touching
from tests.e2e.play import accept, ask
from tests.sandbox.page.windows import Windows


@pytest.mark.soak
@pytest.mark.parametrize("game", ["skull", "maze"])
async def test_a_game_is_played_by_keyboard(address: str, windows: Windows, game: str) -> None:
    """Every place is reached by arrow keys and named in words; the keyboard stays at the board after a move."""
    async with windows.lend() as chat:
        member, chance = Touching(chat, touch=False), random.Random(1)
        await member.open(*await begun(address, game))
        board, keys, shown = await member.ready(), chat.page.keyboard, member.frame.locator("#board")
        await member.frame.locator("#list").focus()
        await keys.press("Tab")
        for _ in range(MOST_MOVES):
            if board["over"]:
                break
            await expect(shown).to_have_attribute("data-ply", str(board["ply"]))
            await expect(shown).to_be_focused()
            await expect(shown).not_to_have_attribute("aria-label", re.compile("."))  # of the board before
            moves = {it["move"] for it in board["entry"]["places"]}
            lines = all(len(it["points"]) > 1 for it in board["entry"]["places"])
            for tap in range(2 if lines else 1):
                for _ in range(chance.randint(1, 4)):
                    await keys.press(chance.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
                label = await shown.get_attribute("aria-label")
                if lines and tap == 0 and label not in moves:
                    assert label in {f"from {end}" for move in moves for end in move.split("-")}
                await keys.press("Enter")
            assert label in moves, (label, moves)
            if await member.frame.locator("#entry button:focus").count():
                await keys.press("Enter")  # the first of several lines with the same ends
            await member.played(board)
            board = await member.ready()
        await expect(member.frame.locator("#status")).to_contain_text(re.compile("won|share"))
        await expect(member.frame.locator("#words")).to_have_text(board["alt"])
        assert member.refused == []
        assert chat.faults == []


@pytest.mark.soak
async def test_hint_offers_confirmation_and_next_game(tmp_path: Path, windows: Windows) -> None:
    """Ada has the same game open in two windows; Grace answers in hers."""
    async with (
        served(tmp_path) as (url, _, _, ada, grace),
        windows.lend() as chat,
        windows.lend(width=400, accept_downloads=False) as twin,
        windows.lend(width=400) as other,
    ):
        for preference, value in (("confirm", "on"), ("theme", "paper")):
            await choose(ada, await open_preferences(ada, "Play"), f"prefer:{preference}", value)
        for game in ("alaric", "skull"):
            asked = await ask(ada, [grace], game, "quick", games="casual", order="first", clock="24h")
            match = (await accept(grace, asked["id"])).match
        await twin.page.add_init_script("{ const now = Date.now; Date.now = () => now() + 3.6e6; }")
        members = [Touching(it, touch=False) for it in (chat, twin, other)]
        for member, user in zip(members, (ada, ada, grace), strict=True):
            await member.open(f"{url}/?as={user.id}", match)
        first, second, third = members
        board = await first.ready()
        # The clock of who is on turn runs, also where that of the machine is an hour fast.
        for member in members:
            clocks = member.frame.locator("#clocks")
            await expect(clocks).to_have_text(re.compile(r"^Ada 23:5\d:\d\d ⏱Grace 1 d 0:00:00$"))
            await expect(clocks).not_to_have_text(await clocks.inner_text())

        def button(member: Touching, name: str) -> Locator:
            return member.frame.get_by_role("button", name=name, exact=True)

        await button(first, "Hint").click()
        await expect(first.frame.locator("#said")).to_contain_text("Hint: ")
        await expect(first.frame.locator("html")).to_have_class("paper")
        await first.look("2-hint")
        # A move is asked for again, and counts once although it is pressed in both windows.
        for member in (first, second):
            await member.play(random.Random(2))
            await expect(button(member, "Play it")).to_be_focused()
        pressed = [await button(member, "Play it").element_handle() for member in (first, second)]
        await asyncio.gather(*(it.evaluate("it => it.click()") for it in pressed))
        after = [await member.board(board["ply"] + 1) for member in members]
        assert [it["ply"] for it in after] == [board["ply"] + 1] * 3
        for matter, reply in (("Offer a draw", "Decline"), ("Take back", "Accept")):
            await button(first, matter).click()
            await expect(button(second, "Withdraw")).to_be_visible()
            await expect(third.frame.locator("#offers")).to_contain_text(
                re.compile(r"^Ada (offers|asks)[\w\s]+\.")
            )
            await third.look("4-offer")
            await button(third, reply).click()
            await expect(second.frame.locator("#offers")).to_be_empty()
        await expect(first.frame.locator("#board")).to_have_class("mine")
        await first.play(random.Random(2))
        await button(first, "Play it").click()
        await first.frame.get_by_role("button", name="Next: Alaric #").click()
        await expect(first.frame.locator("#title")).to_contain_text("Alaric")
        assert (await first.ready())["mine"]
        assert [it.faults for it in (chat, twin, other)] == [[]] * 3
