"""The message of an offered draw or a requested takeback, and its buttons."""

from typing import Any

import discord
from discord import ui

from bot.app.computers.answers import Answered
from bot.app.computers.thinker import NoChoice
from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.mentions import mention
from bot.app.proposals import stands, still_to_agree
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Response
from bot.ui.kit.content.layout import card
from bot.ui.kit.content.mentions import player_label
from db.api.challenges import Answer
from db.api.proposals import Matter, Proposal


def proposal_message(proposal: Proposal, table: Table) -> ui.LayoutView:
    """Return the message of a proposal; it has buttons while the proposal is open."""
    lines = [f"### {table.name}", proposal_sentence(proposal, table)]
    if proposal.answer is Answer.OPEN:
        if proposal.agreed:
            lines.append(f"{' and '.join(player_label(table, seat) for seat in proposal.agreed)} agreed.")
        names = ", ".join(mention(user) for user in still_to_agree(proposal, table))
        lines.append(f"{names}, do you agree?")
        lines.append("-# Open until the next move. The player who asked can withdraw it with **Decline**.")
    else:
        lines.append(f"-# {_FATE[proposal.answer]}")
    if proposal.answer is not Answer.OPEN:
        return card("\n".join(lines))
    return card("\n".join(lines), ui.ActionRow(AgreeButton(proposal.id), DisagreeButton(proposal.id)))


_FATE = {
    Answer.ACCEPTED: "agreed",
    Answer.DECLINED: "declined",
    Answer.WITHDRAWN: "withdrawn",
    Answer.EXPIRED: "unanswered: the game has moved on",
}


def proposal_sentence(proposal: Proposal, table: Table) -> str:
    """Return the proposal as a sentence: `<@1> offers a draw.`"""
    return f"{player_label(table, proposal.seat)} {_matter(proposal, table)}"


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


async def propose(acting: Acting, match: int | None, matter: Matter) -> str | None:
    """Propose a draw or a takeback in a match; None means the one that this member plays in this channel."""
    user = acting.user
    chosen = await acting.services.matches.pick(user, acting.place, match)
    made = await acting.services.proposals.propose(chosen, user, matter)
    answered = await _answered(acting, made)
    made = answered.proposal
    if made.answer is Answer.OPEN or made.message is not None:
        await acting.display.announce(made)
    if made.answer is Answer.ACCEPTED:
        await acting.display.show(chosen)
        return None
    if made.answer is not Answer.OPEN:
        return " ".join(answered.said) or stands(made)
    table = await acting.services.matches.table(chosen)
    return f"Asked in {table.name}; this stays open until the next move."


async def _answered(acting: Acting, made: Proposal) -> Answered:
    """Return a proposal after the computer players have answered; one that finds no answer answers later."""
    try:
        return await acting.services.computer_answers.answer(made)
    except NoChoice:
        return Answered(made, ())


class AgreeButton(PersistentItem[ui.Button[Any]], template=r"agree:(?P<proposal>[0-9]+)"):
    """Agrees to this proposal, whatever else is open."""

    def __init__(self, proposal: int) -> None:
        self.proposal = proposal
        style = discord.ButtonStyle.success
        super().__init__(ui.Button(label="Accept", style=style, custom_id=f"agree:{proposal}"))

    async def answer(self, acting: Acting) -> None:
        try:
            now = await acting.services.proposals.agree(self.proposal, acting.user)
        except Refused:
            await _update_closed(acting, self.proposal)
            raise
        await acting.display.announce(now)
        if now.answer is Answer.ACCEPTED:
            await acting.display.show(now.match)


class DisagreeButton(PersistentItem[ui.Button[Any]], template=r"disagree:(?P<proposal>[0-9]+)"):
    """Declines a proposal; the player who made it withdraws it."""

    def __init__(self, proposal: int) -> None:
        self.proposal = proposal
        super().__init__(ui.Button(label="Decline", custom_id=f"disagree:{proposal}"))

    async def answer(self, acting: Acting) -> None:
        try:
            await acting.display.announce(await acting.services.proposals.refuse(self.proposal, acting.user))
        except Refused:
            await _update_closed(acting, self.proposal)
            raise


async def _update_closed(acting: Acting, proposal: int) -> None:
    """Update the message of a closed proposal that still has buttons: the bot may have been stopped before."""
    found = await acting.services.proposals.find(proposal)
    if found is not None and found.answer is not Answer.OPEN:
        await acting.display.announce(found)


class DrawButton(PersistentItem[ui.Button[Any]], template=r"draw:(?P<match>[0-9]+)"):
    """Offers a draw."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Offer a draw", custom_id=f"draw:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await propose(acting, self.match, Matter.DRAW)


class TakebackButton(PersistentItem[ui.Button[Any]], template=r"takeback:(?P<match>[0-9]+)"):
    """Asks to take back the last move of the player who presses it."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Take a move back", custom_id=f"takeback:{match}"))

    async def answer(self, acting: Acting) -> Response:
        return await propose(acting, self.match, Matter.TAKEBACK)
