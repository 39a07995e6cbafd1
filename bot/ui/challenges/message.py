"""The message of a challenge and its buttons."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.app.challenges.challenges import Challenges
from bot.app.errors import Refused
from bot.app.mentions import mention
from bot.ui.challenges.wording import challenge_text
from bot.ui.computers.play import PlayMeButton
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.layout import card, message
from bot.ui.kit.posting import Posting
from bot.ui.kit.reply import Said
from db.api.challenges import Answer, Challenge, Reply
from db.api.places import DiscordId

Result = TypeVar("Result")

_redrawing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""By challenge: its message is redrawn by one task at a time, so that the last one shows its newest state."""


def challenge_message(challenge: Challenge) -> ui.LayoutView:
    """Return the message of a challenge; its buttons answer it while it is open.

    One that expired offers a game against the computer.
    """
    return card(challenge_text(challenge), *_rows(challenge))


def _rows(challenge: Challenge) -> list[ui.ActionRow[Any]]:
    number = challenge.id
    if challenge.answer is Answer.EXPIRED:
        return [ui.ActionRow(PlayMeButton("Meanwhile, play me"))]
    if challenge.answer is not Answer.OPEN:
        return []
    if not challenge.public:
        return [ui.ActionRow(AcceptButton(number), RefuseButton(number))]
    if challenge.terms.most == 2:
        return [ui.ActionRow(AcceptButton(number), RefuseButton(number, "Withdraw"))]
    players = len(challenge.users(Reply.IN))
    return [
        ui.ActionRow(AcceptButton(number, "Join"), LeaveButton(number)),
        ui.ActionRow(
            StartButton(number, ready=players >= challenge.terms.fewest),
            RemovalsButton(number, anybody=players > 1),
            RefuseButton(number, "Close"),
        ),
    ]


class AcceptButton(PersistentItem[ui.Button[Any]], template=r"accept:(?P<challenge>[0-9]+)"):
    """Accepts a challenge, or joins a game that anybody may join."""

    def __init__(self, challenge: int, label: str = "Accept") -> None:
        self.challenge = challenge
        style = discord.ButtonStyle.success
        super().__init__(ui.Button(label=label, style=style, custom_id=f"accept:{challenge}"))

    async def answer(self, acting: Acting) -> None:
        await acting.kit.permission_alerts.check(acting.interaction, acting.place)
        accepting = acting.services.challenges.accept(self.challenge, acting.user)
        _, table = await with_redraw(acting, self.challenge, accepting)
        if table is not None:
            await acting.display.show(table.id)


class RefuseButton(PersistentItem[ui.Button[Any]], template=r"refuse:(?P<challenge>[0-9]+)"):
    """Declines a challenge; the challenger withdraws it."""

    def __init__(self, challenge: int, label: str = "Decline") -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label=label, custom_id=f"refuse:{challenge}"))

    async def answer(self, acting: Acting) -> None:
        refusing = acting.services.challenges.refuse(self.challenge, acting.user)
        await with_redraw(acting, self.challenge, refusing)


class LeaveButton(PersistentItem[ui.Button[Any]], template=r"leave:(?P<challenge>[0-9]+)"):
    """Leaves a game that has not begun."""

    def __init__(self, challenge: int) -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label="Leave", custom_id=f"leave:{challenge}"))

    async def answer(self, acting: Acting) -> None:
        leaving = acting.services.challenges.leave(self.challenge, acting.user)
        await with_redraw(acting, self.challenge, leaving)


class StartButton(PersistentItem[ui.Button[Any]], template=r"start:(?P<challenge>[0-9]+)"):
    """Starts the game with the members who have joined."""

    def __init__(self, challenge: int, *, ready: bool = True) -> None:
        self.challenge = challenge
        style = discord.ButtonStyle.primary
        super().__init__(
            ui.Button(label="Start", style=style, custom_id=f"start:{challenge}", disabled=not ready)
        )

    async def answer(self, acting: Acting) -> None:
        await acting.kit.permission_alerts.check(acting.interaction, acting.place)
        starting = acting.services.challenges.start(self.challenge, acting.user)
        table = await with_redraw(acting, self.challenge, starting)
        await acting.display.show(table.id)


class RemovalsButton(PersistentItem[ui.Button[Any]], template=r"removals:(?P<challenge>[0-9]+)"):
    """Shows the challenger privately the members who can be removed."""

    def __init__(self, challenge: int, *, anybody: bool = True) -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label="Remove…", custom_id=f"removals:{challenge}", disabled=not anybody))

    async def answer(self, acting: Acting) -> Said:
        challenges = acting.services.challenges
        checking = challenges.removable(self.challenge, acting.user)
        return Said("", removals(await with_redraw(acting, self.challenge, checking)))


class RemoveButton(PersistentItem[ui.Button[Any]], template=r"remove:(?P<challenge>[0-9]+):(?P<user>[0-9]+)"):
    """Removes one member from a game that has not begun."""

    def __init__(self, challenge: int, user: DiscordId) -> None:
        self.challenge, self.user = challenge, user
        style = discord.ButtonStyle.danger
        super().__init__(ui.Button(label="Remove", style=style, custom_id=f"remove:{challenge}:{user}"))

    async def answer(self, acting: Acting) -> None:
        challenges = acting.services.challenges
        after = await challenges.remove(self.challenge, acting.user, self.user)
        await redraw(acting.kit.posting, challenges, self.challenge)
        await acting.interaction.edit_original_response(view=removals(after))


def removals(challenge: Challenge) -> ui.LayoutView:
    """Return a message of the members who have joined, each with a button that removes them."""
    others = [user for user in challenge.users(Reply.IN) if user != challenge.challenger]
    head = "A member whom you remove cannot join again." if others else "Nobody else has joined."
    sections: list[ui.Item[Any]] = [
        ui.Section(ui.TextDisplay(mention(user)), accessory=RemoveButton(challenge.id, user))
        for user in others
    ]
    return message(head, *sections)


async def redraw(posting: Posting, challenges: Challenges, challenge: int) -> None:
    """Show the state of a challenge on its message, without an interaction with that message."""
    async with _redrawing.setdefault(challenge, asyncio.Lock()):
        found = await challenges.find(challenge)
        if found is not None and found.message is not None:
            await posting.at(found.place).edit(found.message, challenge_message(found))


async def with_redraw(acting: Acting, challenge: int, replying: Awaitable[Result]) -> Result:
    """Await a reply to a challenge, and show the challenge's state on its message.

    A refused reply redraws it too: the bot may have been stopped before it could.
    """
    try:
        result = await replying
    except Refused:
        await _redraw(acting, challenge)
        raise
    await _redraw(acting, challenge)
    return result


async def _redraw(acting: Acting, challenge: int) -> None:
    async with _redrawing.setdefault(challenge, asyncio.Lock()):
        found = await acting.services.challenges.find(challenge)
        if found is not None:
            await acting.interaction.edit_original_response(view=challenge_message(found))
