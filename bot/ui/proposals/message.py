"""Offered draws and requested takebacks on a board, and their buttons."""

from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any

import discord
from discord import ui

from bot.app.computers.answers import Answered
from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.mentions import capital, mention
from bot.app.proposals import stands, still_to_agree
from bot.app.searches import NoChoice
from bot.ui.components.wording import player_label
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Response
from bot.ui.posts.posting import DISCORD_ERRORS
from db.values.challenges import Answer
from db.values.proposals import Matter, Proposal


def proposal_lines(table: Table, proposals: Sequence[Proposal]) -> list[str]:
    """Return the lines that tell of proposals on a board."""
    return [_line(table, proposal) for proposal in proposals]


def _line(table: Table, proposal: Proposal) -> str:
    sentence = capital(proposal_sentence(proposal, table))
    if proposal.answer is not Answer.OPEN:
        return f"-# {sentence.removesuffix('.')}: {_FATE[proposal.answer]}."
    agreed = " and ".join(player_label(table, seat) for seat in proposal.agreed)
    names = ", ".join(mention(user) for user in still_to_agree(proposal, table))
    return f"**{sentence}**{f' {agreed} agreed.' if agreed else ''} {names}, do you agree?"


def proposal_rows(proposals: Sequence[Proposal]) -> list[ui.ActionRow[Any]]:
    """Return the buttons that answer open proposals."""
    open_ = [proposal for proposal in proposals if proposal.answer is Answer.OPEN]
    return [
        ui.ActionRow(AgreeButton(it.id, _AGREE[it.matter]), DisagreeButton(it.id, _DISAGREE[it.matter]))
        for it in open_
    ]


_AGREE = {Matter.DRAW: "Accept the draw", Matter.TAKEBACK: "Allow the takeback"}
_DISAGREE = {Matter.DRAW: "Decline the draw", Matter.TAKEBACK: "Decline the takeback"}
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
    await acting.display.show(chosen)
    if made.answer is Answer.ACCEPTED:
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

    def __init__(self, proposal: int, label: str = "Accept") -> None:
        self.proposal = proposal
        style = discord.ButtonStyle.success
        super().__init__(ui.Button(label=label, style=style, custom_id=f"agree:{proposal}"))

    async def answer(self, acting: Acting) -> None:
        await _reply(acting, self.proposal, acting.services.proposals.agree(self.proposal, acting.user))


class DisagreeButton(PersistentItem[ui.Button[Any]], template=r"disagree:(?P<proposal>[0-9]+)"):
    """Declines a proposal; the player who made it withdraws it."""

    def __init__(self, proposal: int, label: str = "Decline") -> None:
        self.proposal = proposal
        super().__init__(ui.Button(label=label, custom_id=f"disagree:{proposal}"))

    async def answer(self, acting: Acting) -> None:
        await _reply(acting, self.proposal, acting.services.proposals.refuse(self.proposal, acting.user))


async def _reply(acting: Acting, proposal: int, replying: Awaitable[Proposal]) -> None:
    """Await a reply to a proposal, and show the board, which may be out of date if the reply is refused."""
    try:
        match = (await replying).match
    except Refused:
        found = await acting.services.proposals.find(proposal)
        if found is not None:
            with suppress(Refused, *DISCORD_ERRORS):  # The outbox shows it later.
                await acting.display.show(found.match)
        raise
    await acting.display.show(match)


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
