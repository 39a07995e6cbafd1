"""Offered draws and seats, and requested takebacks, more time and pauses on a board, and their buttons."""

from collections.abc import Awaitable
from contextlib import suppress
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.app.clocks.arithmetic import extension
from bot.app.clocks.time_controls import spell_span
from bot.app.computers import Answered
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import capital, mention, persona_name
from bot.app.proposals import LONGEST_PAUSE, PROPOSED, is_paused, reason_closed, still_to_agree
from bot.app.searches import NoChoice
from bot.ui.components.wording import player_label
from bot.ui.interactions.buttons import IdButton, MatchButton
from bot.ui.interactions.reply import Content, Context, delete_taken, dismiss, in_place
from bot.ui.moves.play import menu_name, proposed_name
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.challenges import Answer
from db.values.members import level_of
from db.values.proposals import Matter, Proposal
from rules.core.notation import joined


def proposal_line(loaded: LoadedMatch, proposal: Proposal) -> str:
    """Return the line about a proposal on a board."""
    sentence = capital(proposal_sentence(proposal, loaded))
    if proposal.answer is not Answer.OPEN:
        return f"-# {sentence.removesuffix('.')}: {_FATE[proposal.answer]}."
    agreed = joined([player_label(loaded, seat) for seat in proposal.agreed])
    names = ", ".join(mention(user) for user in still_to_agree(proposal, loaded))
    return f"**{sentence}**{f' {agreed} agreed.' if agreed else ''} {names}, do you agree?"


def proposal_row(proposal: Proposal) -> ui.ActionRow[Any]:
    """Return the buttons that answer an open proposal."""
    return ui.ActionRow(
        AgreeButton(proposal.id, label=_AGREE[proposal.matter]),
        DisagreeButton(proposal.id, label=_DISAGREE[proposal.matter]),
    )


_AGREE = {
    Matter.DRAW: "Accept the draw",
    Matter.TAKEBACK: "Allow the takeback",
    Matter.TIME: "Give more time",
    Matter.PAUSE: "Agree to the pause",
    Matter.SEAT: "Let the computer play on",
}
_DISAGREE = {
    Matter.DRAW: "Decline the draw",
    Matter.TAKEBACK: "Decline the takeback",
    Matter.TIME: "Decline more time",
    Matter.PAUSE: "Decline the pause",
    Matter.SEAT: "Go on without it",
}
_FATE = {
    Answer.ACCEPTED: "agreed",
    Answer.DECLINED: "declined",
    Answer.WITHDRAWN: "withdrawn",
    Answer.EXPIRED: "unanswered, as the game has moved on",
}


def proposal_sentence(proposal: Proposal, loaded: LoadedMatch) -> str:
    """Return the proposal as a sentence, such as "<@1> offers a draw"."""
    if proposal.matter is Matter.SEAT:
        return _seat_sentence(proposal, loaded)
    return f"{player_label(loaded, proposal.seat)} {_matter(proposal, loaded)}"


def _seat_sentence(proposal: Proposal, loaded: LoadedMatch) -> str:
    """Return the sentence that offers the seat of a player who has left to a computer player."""
    assert proposal.computer is not None
    player, who = player_label(loaded, proposal.seat), persona_name(proposal.computer)
    if proposal.answer is not Answer.OPEN:
        return f"{who} was offered the seat of {player}."
    casual = ", and the game is casual from then on" if loaded.stored.rated else ""
    return (
        f"{player} has left: {who}, level {level_of(proposal.computer)}, can play on in their place{casual}."
    )


def _matter(proposal: Proposal, loaded: LoadedMatch) -> str:
    if proposal.matter is Matter.DRAW:
        return "offers a draw." if proposal.answer is Answer.OPEN else "offered a draw."
    if proposal.matter is not Matter.TAKEBACK and proposal.answer is not Answer.OPEN:
        return f"{PROPOSED[proposal.matter]}."
    if proposal.matter is Matter.TIME:
        time_control = loaded.stored.time_control
        assert time_control is not None
        return f"asks for {spell_span(extension(time_control))} more on their clock."
    if proposal.matter is Matter.PAUSE:
        return f"asks for a pause: no clock runs until a player ends the pause, for {LONGEST_PAUSE.days} days at most."
    if proposal.answer is not Answer.OPEN:
        return "asked to take a move back."
    seen = loaded.match.seen(None)
    own = [index for index, (seat, _) in enumerate(seen) if seat == proposal.seat]
    if not own:
        return "asks to take a move back."
    after = " and what was played after it" if own[-1] + 1 < len(seen) else ""
    return f"asks to take back `{seen[own[-1]].text}`{after}."


async def _propose(context: Context, match: int, matter: Matter) -> Content | None:
    """Propose something in a match. The menu from which it was chosen then says so."""
    made = await context.services.proposals.propose(match, context.user, matter)
    answered = await _answered(context, made)
    made = answered.proposal
    if made.answer is Answer.OPEN:
        await _note_statement(context, match)
    await context.display.show(match)
    if made.answer is Answer.ACCEPTED:
        await dismiss(context)
        await _delete_statement(context, made)
        return None
    if made.answer is not Answer.OPEN:
        return await in_place(context, Content(" ".join(answered.said) or reason_closed(made)))
    loaded = await context.services.matches.load(match)
    did = PROPOSED[matter]
    return await in_place(context, Content(f"You {did} in {loaded.name}. It stays open until the next move."))


async def _answered(context: Context, made: Proposal) -> Answered:
    """Return a proposal after the computer players have answered. After a failure, they answer later."""
    try:
        return await context.services.computer_answers.answer(made)
    except NoChoice:
        return Answered(made, ())


class AgreeButton(IdButton, word="agree", label="Accept", style=discord.ButtonStyle.success):
    """Agrees to a proposal."""

    proposal: int

    async def answer(self, context: Context) -> None:
        await _reply(context, self.proposal, context.services.proposals.agree(self.proposal, context.user))


class DisagreeButton(IdButton, word="disagree", label="Decline"):
    """Declines a proposal; the player who made it withdraws it."""

    proposal: int

    async def answer(self, context: Context) -> None:
        await _reply(context, self.proposal, context.services.proposals.refuse(self.proposal, context.user))


async def _reply(context: Context, proposal: int, replying: Awaitable[Proposal]) -> None:
    """Await a reply to a proposal, and show the board, which may be out of date if the reply is refused."""
    try:
        replied = await replying
    except Refused:
        found = await context.services.store.proposals.get(proposal)
        if found is not None:
            with suppress(Refused, *DISCORD_ERRORS):  # The outbox shows it later.
                await context.display.show(found.match)
        raise
    await context.display.show(replied.match)
    await _delete_statement(context, replied)


async def _note_statement(context: Context, match: int) -> None:
    """Remember the menu that was used as the private answer that tells of an open proposal."""
    answers, used = context.ui_services.private_answers, context.interaction.message
    menu = answers.newest(context.user, menu_name(match))
    if menu is not None and used is not None and menu.id == used.id:
        answers.forget(menu.id)
        outdated = answers.note(context.user, proposed_name(match), context.interaction.id, menu)
        await delete_taken([] if outdated is None else [outdated])


async def _delete_statement(context: Context, proposal: Proposal) -> None:
    """Delete the private answer that says that a proposal is open, if it no longer is."""
    if proposal.answer is Answer.OPEN:
        return
    loaded = await context.services.matches.load(proposal.match)
    asker = loaded.stored.users[proposal.seat]
    name, this = proposed_name(proposal.match), context.interaction.id
    sent = context.ui_services.private_answers.take(asker, name, this)
    await delete_taken([] if sent is None else [sent])


class DrawButton(MatchButton, word="draw", label="Offer a draw"):
    """Offers a draw."""

    async def answer(self, context: Context) -> Content | None:
        return await _propose(context, self.match, Matter.DRAW)


class TakebackButton(MatchButton, word="takeback", label="Take a move back"):
    """Asks to take back the last move of the player who presses it."""

    async def answer(self, context: Context) -> Content | None:
        return await _propose(context, self.match, Matter.TAKEBACK)


class MoreTimeButton(MatchButton, word="more-time", label="Ask for more time"):
    """Asks for more time on the clock of the player who presses it."""

    async def answer(self, context: Context) -> Content | None:
        return await _propose(context, self.match, Matter.TIME)


class PauseButton(MatchButton, word="pause", label="Ask for a pause"):
    """Asks for a pause."""

    async def answer(self, context: Context) -> Content | None:
        return await _propose(context, self.match, Matter.PAUSE)


class EndPauseButton(MatchButton, word="end-pause", label="End the pause"):
    """Ends a pause."""

    async def answer(self, context: Context) -> Content | None:
        await context.services.proposals.end_pause(self.match, context.user)
        await context.display.show(self.match)
        loaded = await context.services.matches.load(self.match)
        return await in_place(
            context, Content(f"You ended the pause of {loaded.name}; its clocks run again.")
        )


def clock_buttons(loaded: LoadedMatch, now: datetime) -> list[ui.Item[Any]]:
    """Return the buttons about the clocks of a running match for one of its players."""
    if loaded.stored.time_control is None:
        return []
    pause = EndPauseButton(loaded.id) if is_paused(loaded, now) else PauseButton(loaded.id)
    return [MoreTimeButton(loaded.id), pause]
