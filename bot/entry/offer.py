"""The message of a challenge and its buttons."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.paces import spell_pace
from bot.app.replies import mentions
from bot.entry.desk import desk_of
from bot.entry.item import Kept
from bot.entry.reply import answer
from db.values import Answer, Challenge, Order, Reply
from rules.core.sizes import spell
from rules.games import find

Interaction = discord.Interaction[Any]
Result = TypeVar("Result")

ORDERS = {
    Order.LOT: "seats drawn by lot",
    Order.FIRST: "the challenger begins",
    Order.LAST: "the challenger goes last",
    Order.LISTED: "seats in the order named",
}

_redrawing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""One redrawing of a challenge at a time, so that the last one shows how it stands."""


def offer(challenge: Challenge) -> ui.LayoutView:
    """The challenge as a message; it carries the buttons while it is open."""
    game = find(challenge.terms.game)
    words = [f"### {game.sheet.title}", f"{summary(challenge)}.", game.sheet.pitch, *_standing(challenge)]
    words.append(f"-# {_terms(challenge)} · {_fate(challenge)}")
    box: ui.Container[Any] = ui.Container()
    box.add_item(ui.TextDisplay("\n".join(words)))
    if challenge.answer is Answer.OPEN:
        box.add_item(ui.ActionRow(AcceptButton(challenge.id), RefuseButton(challenge.id)))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def summary(challenge: Challenge) -> str:
    """Who wants to play whom: `<@1> challenges <@2> and <@3>`, or asks them for a rematch."""
    if challenge.rematch_of is not None:
        return f"<@{challenge.challenger}> asks {mentions(challenge.others)} for a rematch of #{challenge.rematch_of}"
    return f"<@{challenge.challenger}> challenges {mentions(challenge.others)}"


def called(challenge: Challenge) -> discord.AllowedMentions:
    """A challenge calls those who are asked."""
    users = [discord.Object(user) for user in challenge.users(Reply.ASKED)]
    return discord.AllowedMentions(everyone=False, roles=False, users=users)


def _standing(challenge: Challenge) -> list[str]:
    """Where several who are asked stand."""
    asked, accepted = challenge.users(Reply.ASKED), challenge.users(Reply.IN)
    if challenge.answer is not Answer.OPEN or len(challenge.others) < 2:
        return []
    others = tuple(user for user in accepted if user != challenge.challenger)
    said = f"Accepted by {mentions(others)}; waiting" if others else "Waiting"
    return [f"{said} for {mentions(asked)}. The game begins when all have accepted."]


def _terms(challenge: Challenge) -> str:
    terms = challenge.terms
    order = ORDERS[terms.order] if challenge.rematch_of is None else "everybody one seat further"
    if terms.order is Order.LOT and terms.most == 2:
        order = "who begins is drawn by lot"
    clock = f" · {spell_pace(terms.pace)}" if terms.pace else ""
    return f"{spell(find(terms.game), dict(terms.options))} · {order}{clock}"


def _fate(challenge: Challenge) -> str:
    if challenge.answer is Answer.DECLINED:
        return f"declined by {mentions(challenge.users(Reply.DECLINED))}"
    if challenge.answer is not Answer.OPEN:
        return challenge.answer.value
    expiry = discord.utils.format_dt(challenge.expires_at, "R")
    return f"expires {expiry} · <@{challenge.challenger}> may withdraw it with the same button"


class AcceptButton(Kept[ui.Button[Any]], template=r"accept:(?P<challenge>[0-9]+)"):
    """Accepts a challenge."""

    def __init__(self, challenge: int) -> None:
        self.challenge = challenge
        style = discord.ButtonStyle.success
        super().__init__(ui.Button(label="Accept", style=style, custom_id=f"accept:{challenge}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk = desk_of(interaction)
            accepting = desk.challenges.accept(self.challenge, interaction.user.id)
            _, table = await settled(interaction, self.challenge, accepting)
            if table is not None:
                await desk.show(table.id)

        await answer(interaction, act)


class RefuseButton(Kept[ui.Button[Any]], template=r"refuse:(?P<challenge>[0-9]+)"):
    """Declines a challenge, or withdraws one's own."""

    def __init__(self, challenge: int) -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label="Decline", custom_id=f"refuse:{challenge}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            refusing = desk_of(interaction).challenges.refuse(self.challenge, interaction.user.id)
            await settled(interaction, self.challenge, refusing)

        await answer(interaction, act)


async def settled(interaction: Interaction, challenge: int, replying: Awaitable[Result]) -> Result:
    """Reply to a challenge, and show on its message how it stands then.

    A refused reply redraws it too: the bot may have been stopped before it could.
    """
    try:
        result = await replying
    except Refused:
        await _redraw(interaction, challenge)
        raise
    await _redraw(interaction, challenge)
    return result


async def _redraw(interaction: Interaction, challenge: int) -> None:
    async with _redrawing.setdefault(challenge, asyncio.Lock()):
        found = await desk_of(interaction).challenges.find(challenge)
        if found is not None:
            await interaction.edit_original_response(view=offer(found))
