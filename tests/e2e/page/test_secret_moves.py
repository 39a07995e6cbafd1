"""The Palindromic Card Game in the page, in real Chromium: one member arranges by pointing, one by typing, on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep a picture of every step.
"""

import re
from hashlib import sha256

from playwright.async_api import Locator, expect

from tests.e2e.club import Club
from tests.e2e.page.test_whole_games import evening, pages
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

SUITS = {"R": "♦", "B": "♣"}
OPENED = re.compile(r"sealed ([0-9a-f]{64})\s+which is the SHA-256 of ([0-9a-f]{32} arrange [RB]+)")


def board(chat: Chat) -> Locator:
    """The newest board that can be played on."""
    return chat.messages.filter(has=chat.page.get_by_role("button", name="Secret move", exact=True)).last


def mine(chat: Chat) -> Locator:
    """The newest message for this member alone."""
    return chat.messages.filter(has_text="Only you can see this").last


async def look(chat: Chat, words: str) -> None:
    before = await chat.messages.count()
    await board(chat).get_by_role("button", name="Secret move").click()
    await expect(chat.messages).to_have_count(before + 1)
    await expect(mine(chat)).to_contain_text(words)


async def press(chat: Chat, label: str, words: str) -> None:
    await mine(chat).get_by_role("button", name=label, exact=True).click()
    await expect(mine(chat)).to_contain_text(words)


async def order(chat: Chat) -> list[str]:
    """The rows that the member's own message names."""
    return re.findall("[RB]{8,}", await mine(chat).inner_text())


async def name(chat: Chat, text: str, words: str) -> None:
    await mine(chat).get_by_role("button", name="Type finds").click()
    await chat.page.get_by_role("textbox", name="One or many").fill(text)
    await chat.page.get_by_role("button", name="Submit").click()
    await expect(mine(chat)).to_contain_text(words)


async def unseen(chat: Chat, *secrets: str) -> None:
    """Nothing of this is anywhere in the window: not in a text, an alt text, an address or an id."""
    content = await chat.page.content()
    assert [secret for secret in secrets if secret in content] == []


async def test_two_members_play_in_secret(club: Club, windows: Windows) -> None:
    async with evening(windows, pages(club)) as table:
        ada, grace = table.chats["Ada"], table.chats["Grace"]
        await table.challenge("The Palindromic Card Game", "quick", plies=1)

        # A row takes two taps as it is proposed; each tap on cards lays up to four of a colour before the rest.
        await look(ada, "all in this order:")
        await table.look("hand")
        row = (await order(ada))[0]
        await press(ada, SUITS[row[0]], f"laid {row[0]}; the rest follows")
        await unseen(grace, "the rest follows", "order:", "♦")
        await press(ada, "Take back", "all in this order:")
        run = len(row) - len(row.lstrip(row[0]))
        laid = row[: min(run, 4)]
        await press(
            ada, SUITS[row[0]] * len(laid), f"laid {laid}; the rest follows in this order: {row[len(laid) :]}"
        )
        await table.look("chosen")

        # Two cards change places by two taps, as often as one likes.
        red, black = row.index("R") + 1, row.index("B") + 1
        low, high = sorted((red, black))
        swapped = row[: low - 1] + row[high - 1] + row[low : high - 1] + row[low - 1] + row[high:]
        await press(ada, "Swap two", "Which red card changes places?")
        await press(ada, f"♦ {red}", f"Which black card changes places with card {red}?")
        await table.look("swapping")
        await press(ada, f"♣ {black}", f"Which red card changes places? Your row: {swapped}")
        await unseen(grace, swapped, "changes places")
        await press(ada, f"♦ {black}", f"Which black card changes places with card {black}?")
        await press(ada, f"♣ {red}", f"Which red card changes places? Your row: {row}")
        await press(ada, "Back", f"laid {laid}; the rest follows in this order: {row[len(laid) :]}")
        await press(ada, "Seal it", "your row is sealed")
        await expect(mine(ada)).to_contain_text(f"arrange {row}")
        await expect(board(grace)).to_contain_text("sealed:")
        await unseen(grace, row)
        await table.look("sealed")

        await look(grace, "all in this order:")
        other = "".join(sorted((await order(grace))[0]))
        await mine(grace).get_by_role("button", name="Type the row").click()
        await grace.page.get_by_role("textbox", name="Your row").fill(" ".join(other).lower())
        await table.look("typing")
        await grace.page.get_by_role("button", name="Submit").click()
        await expect(mine(grace)).to_contain_text(other)
        await unseen(ada, other)
        await table.look("typed")
        await press(grace, "Seal it", "your row is sealed")

        for chat in (ada, grace):
            await expect(board(chat)).to_contain_text(
                re.compile(r"sealed: .\s[0-9a-f]{16} · .\s[0-9a-f]{16}")
            )
            shown = re.findall("[0-9a-f]{16}", await board(chat).inner_text())
            await board(chat).get_by_role("button", name="More", exact=True).click()
            await mine(chat).get_by_role("button", name="Proof").click()
            await expect(mine(chat)).to_contain_text("which is the SHA-256 of")
            await expect(mine(chat).locator(".context")).to_contain_text("The Palindromic Card Game #")
            await expect(mine(chat).locator(".context")).not_to_contain_text("*")
            proofs = OPENED.findall(await mine(chat).inner_text())
            assert {text.split()[-1] for _, text in proofs} == {row, other}
            assert [sha256(text.encode()).hexdigest() for _, text in proofs] == [
                digest for digest, _ in proofs
            ]
            assert shown == [digest[:16] for digest, _ in proofs]
        await table.look("opened")

        await look(ada, "So far you have found none")
        await table.look("pointing")
        red = other.index("R") + 1
        await press(ada, f"♦ {red}", f"it begins at card {red}")
        await table.look("pointed")
        await press(ada, f"{red} alone", "1 new: R")
        await name(ada, "R RR B RRRRRRRRRRRR", "Wrong names: 1 of 3")
        await expect(mine(ada)).to_contain_text("B does not begin and end with red")
        await table.look("found")
        await unseen(grace, "new:", "you have found", "find ")
        await press(ada, "Done", "you are done")
        await expect(board(grace)).to_contain_text("has finished")
        await look(grace, "So far you have found none")
        await press(grace, "Done", "Really done?")
        await table.look("asked")
        await press(grace, "Yes, done", "you are done")
        for chat in (ada, grace):
            await expect(chat.messages.filter(has_text=re.compile(r"(beat|drew) .*\d"))).to_have_count(1)
        await table.look("over")
