"""The Palindromic Card Game in the page, in real Chromium: one member arranges by choosing, one by typing, on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep a picture of every step.
"""

import re
from hashlib import sha256

from playwright.async_api import Locator, expect

from tests.e2e.club import Club
from tests.e2e.page.test_whole_games import evening, pages
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

SUITS = {"R": "♦ red", "B": "♣ black"}
OPENED = re.compile(r"sealed: ([0-9a-f]{32}) begins the SHA-256 of ([0-9a-f]{32} arrange [RB]+)")


def board(chat: Chat) -> Locator:
    """The newest board that can be played on."""
    return chat.messages.filter(has=chat.page.get_by_role("button", name="Secret move", exact=True)).last


def mine(chat: Chat) -> Locator:
    """The newest message for this member alone."""
    return chat.messages.filter(has_text="Only you can see this").last


def suit(chat: Chat, card: str) -> Locator:
    return mine(chat).get_by_role("button", name=re.compile(f"^{SUITS[card]}"))


async def look(chat: Chat, words: str) -> None:
    before = await chat.messages.count()
    await board(chat).get_by_role("button", name="Secret move").click()
    await expect(chat.messages).to_have_count(before + 1)
    await expect(mine(chat)).to_contain_text(words)


async def press(chat: Chat, label: str, words: str) -> None:
    await mine(chat).get_by_role("button", name=label, exact=True).click()
    await expect(mine(chat)).to_contain_text(words)


async def hand(chat: Chat) -> dict[str, int]:
    """The number of cards of each suit in the hand."""
    labels = {card: await suit(chat, card).inner_text() for card in SUITS}
    return {card: int(re.sub("[^0-9]", "", label)) for card, label in labels.items()}


async def name(chat: Chat, text: str, words: str) -> None:
    await mine(chat).get_by_role("button", name="Enter finds").click()
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

        await look(ada, "Lay one card after the other")
        await table.look("hand")
        row, cards = "", await hand(ada)
        while any(cards.values()):
            card = "R" if cards["R"] >= cards["B"] else "B"
            await suit(ada, card).click()
            row += card
            cards[card] -= 1
            # The whole line: while the old message stands, its buttons still lay what came before.
            await expect(mine(ada)).to_contain_text(re.compile(rf"(so far: |afterwards\.\s*){row}(?![RB])"))
            await unseen(grace, "row so far", "lay:", *SUITS.values())
            if len(row) == 5:
                await press(ada, "Remove last card", f"so far: {row[:-1]} ")
                await expect(suit(ada, card)).to_have_attribute("data-key", re.compile(f":{row}$"))
                await suit(ada, card).click()
                await expect(mine(ada)).to_contain_text(f"so far: {row}")
                await table.look("choosing")
        await expect(mine(ada)).to_contain_text("You cannot change it afterwards")
        await table.look("chosen")
        await press(ada, "Seal it", "your row is sealed")
        await expect(board(grace)).to_contain_text("sealed:")
        await unseen(grace, row)
        await table.look("sealed")

        await look(grace, "Lay one card after the other")
        cards = await hand(grace)
        other = "B" * cards["B"] + "R" * cards["R"]
        await mine(grace).get_by_role("button", name="Type the row").click()
        await grace.page.get_by_role("textbox", name="Your row").fill(" ".join(other).lower())
        await table.look("typing")
        await grace.page.get_by_role("button", name="Submit").click()
        await expect(mine(grace)).to_contain_text(other)
        await unseen(ada, other)
        await table.look("typed")
        await press(grace, "Seal it", "your row is sealed")

        for chat in (ada, grace):
            await expect(board(chat)).to_contain_text("begins the SHA-256 of")
            proofs = OPENED.findall(await board(chat).inner_text())
            assert {text.split()[-1] for _, text in proofs} == {row, other}
            assert all(sha256(text.encode()).hexdigest().startswith(digest) for digest, text in proofs)
        await table.look("opened")

        await look(ada, "So far you have found none")
        await name(ada, "R RR RBR B RRRRRRRRRRRR", "new:")
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
            await expect(chat.messages.filter(has_text=re.compile(r"wins \d|share it"))).to_have_count(1)
        await table.look("over")
