"""Members play vote games to the end in the page: against a computer player, and in secret between two servers.

Set PENCILBOX_VOTE_SCREENS to a folder to take the screens of docs/vote-game.md.
"""

import re
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.e2e.bot_in_process import bot_here
from tests.e2e.events.meeting import PushedClock, VotersFirst
from tests.e2e.page.test_cup import both, opened
from tests.e2e.page.test_match import WIDTHS, accept, chosen, named, press_a_cell
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

SCREENS = "PENCILBOX_VOTE_SCREENS"
LATER = timedelta(minutes=11)
"""The time after which a vote of ten minutes is over."""


def board(chat: Chat, words: str) -> Locator:
    """Return the newest board that says these words."""
    more = chat.page.get_by_role("button", name=re.compile("^(More|Review)$"))
    return chat.messages.filter(has=more).filter(has_text=words).last


async def begin(chat: Chat, game: str, opponent: str) -> None:
    """Start a vote game by the form of `/settings`."""
    await chat.command("/settings")
    events = chat.page.get_by_role("button", name="Events", exact=True).last
    if await events.is_enabled():  # It is not where the answer to an earlier command shows this page.
        await events.click()
    await chat.page.get_by_role("button", name="Start a vote game", exact=True).last.click()
    dialog = chat.page.get_by_role("dialog")
    for menu, option in (("Game", game), ("Opponent", opponent), ("How often", "Every 10 minutes")):
        await chosen(chat, dialog, menu, option)
    await dialog.get_by_role("button", name="Submit").click()


async def show(message: Locator) -> None:
    """Scroll to a message, even if it is being edited."""
    await expect(message).to_be_visible()
    await message.evaluate("it => it.scrollIntoView({block: 'end'})")


async def press(message: Locator, label: str) -> None:
    await message.get_by_role("button", name=label, exact=True).click()


def private(chat: Chat, words: str) -> Locator:
    """Return the newest message that only this member sees and that says these words."""
    return chat.messages.filter(has_text="Only you can see this").filter(has_text=words).last


async def told(chat: Chat, words: str) -> Locator:
    """Wait until only this member reads these words."""
    message = private(chat, words)
    await expect(message).to_be_visible()
    return message


async def ask(chat: Chat, message: Locator, label: str, words: str) -> Locator:
    """Press a button until only this member reads these words. Return the answer.

    As a member would, it presses again if the message changed at the moment of the press.
    """
    answer, changed = private(chat, words), message.filter(has_text="The message has no such component")
    for _ in range(3):
        await press(message, label)
        await expect(answer.or_(changed).first).to_be_visible()
        if await answer.is_visible():
            return answer
    raise AssertionError(f"{label} was refused three times, because the message changed.")


@pytest.mark.soak
async def test_members_play_vote_games_to_the_end_in_the_page(
    contract: Contract, tmp_path: Path, windows: Windows
) -> None:
    clock = PushedClock()
    async with (
        Sandbox(members=("Ada", "Grace"), servers=2, observe=contract) as local,
        bot_here(local.url, tmp_path, clock=clock, chance=VotersFirst()) as bot,
        AsyncExitStack() as stack,
    ):
        members = dict(zip(named(local.world), WIDTHS, strict=True))
        chats = await opened(stack, windows, local.url, members)
        await _secret(bot, clock, chats)
        await _against_computer(bot, clock, chats[:2])
        assert [chat.faults for chat in chats] == [[]] * 4


async def _over(bot: Pencilbox, clock: PushedClock) -> None:
    """Let the vote be over."""
    clock.later += LATER
    await bot.services.votes.round()
    bot.outbox.wake()


async def _secret(bot: Pencilbox, clock: PushedClock, chats: list[Chat]) -> None:
    """Volunteers of two servers lay their cards and search; one of each server looks on."""
    ada, grace, lise, marie = chats
    shots = partial(both, [grace, marie], variable=SCREENS)
    await begin(ada, "The Palindromic", "The members of another")
    await told(ada, "Send this code")
    await accept(ada, lise)
    for number, opener in enumerate(("Lay my cards", "Find palindromes")):
        for chat in (grace, marie):
            card = board(chat, "Who plays this part in secret?")
            await show(card)
            if chat is grace and not number:
                await shots("3-volunteers")
            await ask(chat, card, "Volunteer", "You volunteer.")
        for chat in (ada, lise):
            await expect(board(chat, "1 member has volunteered.")).to_be_visible()
        await _over(bot, clock)
        for chat in (ada, lise):
            await ask(chat, board(chat, "was drawn by lot"), opener, "A volunteer who is drawn by lot")
        for chat in (grace, marie):
            await expect(board(chat, "was drawn by lot and plays in secret")).to_be_visible()
            await show(board(chat, "was drawn by lot"))
        for chat in (grace, marie):
            card = board(chat, "was drawn by lot")
            if number:
                hand = await ask(chat, card, opener, "Press the first card")
                await press(await ask(chat, hand, "Done", "Really done?"), "Yes, done")
            else:
                hand = await ask(chat, card, opener, "You hold")
                await show(hand)
                await shots("4-hand") if chat is marie else None
                await ask(chat, hand, "Seal it", "is sealed")
        if not number:
            await expect(board(ada, "Who plays this part in secret?")).to_be_visible()
    for chat in chats:
        last = board(chat, "Drawn by lot to play in secret")
        await expect(last).to_be_visible(timeout=30_000)
        await show(last)
    await shots("5-end")


async def _against_computer(bot: Pencilbox, clock: PushedClock, chats: list[Chat]) -> None:
    """Both members vote for each move until the game is over."""
    shots = partial(both, [*chats], variable=SCREENS)
    await chats[1].page.set_viewport_size({"width": 400, "height": 820})
    await begin(chats[0], "The Amazon Skull Game", ".*level 1")
    await told(chats[0], "has begun: the members vote")
    for number in range(30):
        loaded = await bot.services.matches.load(2)
        if loaded.match.over:
            break
        for chat in chats:
            card = board(chat, "Vote for a move")
            await expect(card.locator(f"img[src*='skull-2-{loaded.plies}.png']")).to_be_attached()
            await press_a_cell(chat, card)
            await told(chat, "You vote for")
        if number == 1:
            for chat in chats:
                await show(board(chat, "Votes: "))
            await shots("1-votes")
        await _over(bot, clock)
        await bot.services.computer_turns.play(2)
        await bot.display.show(2)
    for chat in chats:
        last = board(chat, "Voters: ")
        await expect(last).to_be_visible(timeout=30_000)
        await show(last)
    await shots("2-end")
