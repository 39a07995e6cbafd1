"""The message of a proposal and its two buttons: a draw offered, a move to be taken back."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.proposals import asked
from bot.ui.kit.buttons import Kept
from bot.ui.kit.mentions import who
from bot.ui.kit.reply import answer
from bot.ui.kit.services import desk_of, place_of
from db.api.challenges import Answer
from db.api.proposals import Matter, Proposal

Interaction = discord.Interaction[Any]


def notice(proposal: Proposal, table: Table) -> ui.LayoutView:
    """The proposal as a message; it carries the buttons while it is open."""
    lines = [f"### {table.name}", says(proposal, table)]
    if proposal.answer is Answer.OPEN:
        if proposal.agreed:
            lines.append(f"{' and '.join(who(table, seat) for seat in proposal.agreed)} agreed.")
        names = ", ".join(f"<@{user}>" for user in asked(proposal, table))
        lines.append(f"{names}, do you agree?")
        lines.append("-# This stands until the next move; whoever asked may withdraw it with **Decline**.")
    else:
        lines.append(f"-# {_FATE[proposal.answer]}")
    box: ui.Container[Any] = ui.Container(ui.TextDisplay("\n".join(lines)))
    if proposal.answer is Answer.OPEN:
        box.add_item(ui.ActionRow(AgreeButton(proposal.id), DisagreeButton(proposal.id)))
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


_FATE = {
    Answer.ACCEPTED: "agreed",
    Answer.DECLINED: "declined",
    Answer.WITHDRAWN: "withdrawn",
    Answer.EXPIRED: "unanswered: the game has moved on",
}


def says(proposal: Proposal, table: Table) -> str:
    """Who proposes what: `<@1> offers a draw.`"""
    return f"{who(table, proposal.seat)} {_matter(proposal, table)}"


def _matter(proposal: Proposal, table: Table) -> str:
    if proposal.matter is Matter.DRAW:
        return "offers a draw." if proposal.answer is Answer.OPEN else "offered a draw."
    if proposal.answer is not Answer.OPEN:
        return "asked to take a move back."
    seen = table.match.seen(None)
    own = [index for index, (seat, _) in enumerate(seen) if seat == proposal.seat]
    if not own:
        return "asks to take a move back."
    after = " and what was played after it" if own[-1] + 1 < len(seen) else ""
    return f"asks to take back `{seen[own[-1]].text}`{after}."


async def propose(interaction: Interaction, match: int | None, matter: Matter) -> None:
    """Propose something in a match, or (None) in the one that this member plays in this channel."""

    async def act() -> str | None:
        desk = desk_of(interaction)
        user = interaction.user.id
        chosen = match
        if chosen is None:
            chosen = (await desk.matches.pick(user, place_of(interaction).channel)).id
        made = await desk.proposals.propose(chosen, user, matter)
        await desk.announce(made)
        if made.answer is Answer.ACCEPTED:
            await desk.show(chosen)
            return None
        table = await desk.matches.table(chosen)
        return f"Asked in {table.name}; it stands until the next move."

    await answer(interaction, act)


class AgreeButton(Kept[ui.Button[Any]], template=r"agree:(?P<proposal>[0-9]+)"):
    """Agrees to a proposal: to this one and no other, whatever else is open."""

    def __init__(self, proposal: int) -> None:
        self.proposal = proposal
        style = discord.ButtonStyle.success
        super().__init__(ui.Button(label="Accept", style=style, custom_id=f"agree:{proposal}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk = desk_of(interaction)
            try:
                now = await desk.proposals.agree(self.proposal, interaction.user.id)
            except Refused:
                await _mend(interaction, self.proposal)
                raise
            await desk.announce(now)
            if now.answer is Answer.ACCEPTED:
                await desk.show(now.match)

        await answer(interaction, act)


class DisagreeButton(Kept[ui.Button[Any]], template=r"disagree:(?P<proposal>[0-9]+)"):
    """Declines a proposal, or withdraws one's own."""

    def __init__(self, proposal: int) -> None:
        self.proposal = proposal
        super().__init__(ui.Button(label="Decline", custom_id=f"disagree:{proposal}"))

    async def callback(self, interaction: Interaction) -> None:
        async def act() -> None:
            desk = desk_of(interaction)
            try:
                await desk.announce(await desk.proposals.refuse(self.proposal, interaction.user.id))
            except Refused:
                await _mend(interaction, self.proposal)
                raise

        await answer(interaction, act)


async def _mend(interaction: Interaction, proposal: int) -> None:
    """Mend a message that still offers what is closed: the bot may have been stopped before it could."""
    desk = desk_of(interaction)
    found = await desk.proposals.find(proposal)
    if found is not None and found.answer is not Answer.OPEN:
        await desk.announce(found)


class DrawButton(Kept[ui.Button[Any]], template=r"draw:(?P<match>[0-9]+)"):
    """Offers a draw."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Offer a draw", custom_id=f"draw:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        await propose(interaction, self.match, Matter.DRAW)


class TakebackButton(Kept[ui.Button[Any]], template=r"takeback:(?P<match>[0-9]+)"):
    """Asks to take one's last move back."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Take a move back", custom_id=f"takeback:{match}"))

    async def callback(self, interaction: Interaction) -> None:
        await propose(interaction, self.match, Matter.TAKEBACK)
