"""The message of a challenge and its two buttons."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.entry.desk import desk_of
from bot.entry.item import Kept
from bot.entry.reply import answer
from db.values import Answer, Challenge
from rules.core.sizes import spell
from rules.games import find

Interaction = discord.Interaction[Any]


def offer(challenge: Challenge) -> ui.LayoutView:
    """The challenge as a message; it carries the buttons while it is open."""
    game = find(challenge.setup.game)
    terms = spell(game, dict(challenge.setup.options))
    box: ui.Container[Any] = ui.Container()
    box.add_item(
        ui.TextDisplay(
            f"### {game.sheet.title}\n<@{challenge.challenger}> challenges <@{challenge.opponent}>.\n"
            f"{game.sheet.pitch}\n-# {terms} · who begins is drawn by lot · {_fate(challenge)}"
        )
    )
    if challenge.answer is Answer.OPEN:
        box.add_item(ui.ActionRow(AcceptButton(challenge.id), RefuseButton(challenge.id)))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def called(challenge: Challenge) -> discord.AllowedMentions:
    """A challenge calls the one who is challenged."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(challenge.opponent)])


def _fate(challenge: Challenge) -> str:
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
            try:
                accepted, table = await desk.challenges.accept(self.challenge, interaction.user.id)
            except Refused:
                await _refresh(interaction, self.challenge)
                raise
            await interaction.edit_original_response(view=offer(accepted))
            await desk.show(table.id)

        await answer(interaction, act)


class RefuseButton(Kept[ui.Button[Any]], template=r"refuse:(?P<challenge>[0-9]+)"):
    """Declines a challenge, or withdraws one's own."""

    def __init__(self, challenge: int) -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label="Decline", custom_id=f"refuse:{challenge}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            try:
                closed = await desk_of(interaction).challenges.refuse(self.challenge, interaction.user.id)
            except Refused:
                await _refresh(interaction, self.challenge)
                raise
            await interaction.edit_original_response(view=offer(closed))

        await answer(interaction, act)


async def _refresh(interaction: Interaction, challenge: int) -> None:
    """Mend a message that still offers what is closed: the bot may have been stopped before it could."""
    found = await desk_of(interaction).challenges.find(challenge)
    if found is not None and found.answer is not Answer.OPEN:
        await interaction.edit_original_response(view=offer(found))
