"""`/games`: what waits for a member, their other games, and the games in the channel.

A challenge that concerns the member has buttons that withdraw it and show it again, wherever its message is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from discord import app_commands, ui
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.matches.listed import Listed
from bot.app.matches.loaded import LoadedMatch
from bot.app.members.agenda import WATCHED, Agenda, Due, agenda
from bot.app.votes import Ballot
from bot.ui.challenges.message import tell_declined
from bot.ui.challenges.offers import OfferAgainButton, TakeOfferButton, is_seen
from bot.ui.challenges.posting import LATER
from bot.ui.challenges.wording import linked_title, standing_line, summary
from bot.ui.components.message_parts import Part, card
from bot.ui.components.wording import announcement_lines, linked_name, with_opponents
from bot.ui.events.wording import event_line
from bot.ui.history import NOTHING, HistoryButton
from bot.ui.interactions.buttons import IdButton, MatchButton, Page
from bot.ui.interactions.reply import Content, Context, Interaction, change, respond
from bot.ui.matches.board_actions import STOP, FollowingButton
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.proposals import proposal_sentence
from db.values.administration import Announcement
from db.values.challenges import Challenge, Reply
from db.values.places import DiscordId
from db.values.proposals import Proposal

SHOWN = 9
"""Lines on one page: even with the longest names they fit into the 4,000 characters of a message."""
MOST_BUTTONS = 5
"""Lines with buttons on one page, which then fits into the 40 components of a message."""


class Line(NamedTuple):
    """A line of the list, its heading, and what its buttons act on.

    That is a challenge, a match that the member follows, or the number of a private match.
    """

    heading: str
    text: str
    subject: Challenge | LoadedMatch | int | None = None


async def show_games(context: Context) -> Content:
    """Show this member their games and challenges."""
    announced = context.services.administration.announcement
    return Content("", overview(await _agenda(context), announced=announced))


def overview(found: Agenda, number: int = 0, announced: Announcement | None = None) -> ui.LayoutView:
    """Return a page of the list, counted from 0; a number that is too high gives the last page.

    `announced` is the announcement of the owner.
    """
    lines = list(_lines(found))
    pages = _pages(lines)
    number = min(number, len(pages) - 1)
    parts: list[Part] = [*announcement_lines(announced)]
    for heading, below in groupby(pages[number], key=lambda line: line.heading):
        texts = [f"**{heading}**"]
        for line in below:
            texts.append(f"- {line.text}")
            if line.subject is not None:
                parts += ["\n".join(texts), _row(line.subject, found.user, number)]
                texts = []
        parts.append("\n".join(texts))
    if not lines:
        parts.append("Nothing is being played. Start a game with `/play` or `/challenge`.")
    if len(pages) > 1:
        parts.append(f"-# page {number + 1} of {len(pages)}")
        back = GamesButton(max(number - 1, 0), "back", disabled=number == 0)
        more = GamesButton(number + 1, "more", disabled=number == len(pages) - 1)
        parts.append(ui.ActionRow(back, more))
    finished = HistoryButton(NOTHING, 0, 0, NOTHING, label="Finished games")
    return card(*parts, ui.ActionRow(finished))


def _pages(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines page by page; at least one page."""
    pages: list[list[Line]] = [[]]
    for line in lines:
        buttons = sum(it.subject is not None for it in pages[-1])
        if len(pages[-1]) == SHOWN or (line.subject is not None and buttons == MOST_BUTTONS):
            pages.append([])
        pages[-1].append(line)
    return pages


class ShowBoardButton(MatchButton, word="show-board", label="Show the board"):
    """Shows the board of a private game again."""

    async def answer(self, context: Context) -> None:
        loaded, _ = await context.services.matches.playing(self.match, context.user)
        await context.display.show(loaded.id, again=loaded.stored.private)


def _row(subject: Challenge | LoadedMatch | int, user: DiscordId, page: int) -> ui.ActionRow[Any]:
    """Return the buttons of a line."""
    if isinstance(subject, int):
        return ui.ActionRow(ShowBoardButton(subject))
    if isinstance(subject, LoadedMatch):
        return ui.ActionRow(FollowingButton(subject.id, STOP))
    challenge = subject
    if challenge.standing is not None and challenge.challenger != user:
        return ui.ActionRow(TakeOfferButton(challenge.id))
    if challenge.challenger == user:
        label = "Withdraw"
    else:
        label = "Decline" if challenge.reply_of(user) is Reply.ASKED or not challenge.public else "Leave"
    again = "Show it again" if challenge.message is not None else "Show it"
    resting = challenge.standing is not None and challenge.standing.rests
    return ui.ActionRow(
        OfferAgainButton(challenge.id) if resting else ListedShowButton(challenge.id, page, label=again),
        ListedDropButton(challenge.id, page, label=label),
    )


class ListedDropButton(IdButton, word="listed-drop", label="Withdraw"):
    """Withdraws a challenge of the list, declines it, or leaves the game that the member had joined."""

    challenge: int
    page: Page

    async def answer(self, context: Context) -> None:
        dropped = await context.services.challenges.drop(self.challenge, context.user)
        await context.display.invite(self.challenge)
        await tell_declined(context, dropped)
        await change(context, await _page(context, self.page))


class ListedShowButton(IdButton, word="listed-show", label="Show it again"):
    """Posts a challenge of the list again, at the end of its channel. Its old message is deleted."""

    challenge: int
    page: Page

    async def answer(self, context: Context) -> str | None:
        offer = await context.services.challenges.concerning(self.challenge, context.user)
        # The same press cannot show the challenge twice; another page of the list can.
        press = f"challenge {offer.id} {offer.message}"
        context.services.showing.begin(context.user, press)
        try:
            await context.display.invite(offer.id, again=True)
        except Refused:
            context.services.showing.failed(context.user, press)
            raise
        except DISCORD_ERRORS:
            return LATER
        finally:
            await change(context, await _page(context, self.page))
        return None


class GamesButton(IdButton, word="games", label={"back": "Back", "more": "More"}):
    """Shows another page of the list."""

    page: Page
    action: str

    async def answer(self, context: Context) -> None:
        await change(context, await _page(context, self.page))


async def _page(context: Context, number: int) -> Content:
    return Content("", overview(await _agenda(context), number))


async def _agenda(context: Context) -> Agenda:
    services = context.services
    found = await agenda(
        services.matches, services.challenges, services.proposals, context.user, context.place
    )
    offers = tuple(it for it in found.offers if is_seen(context, it.place))
    events = await services.store.events.of_member(context.user)
    return replace(
        found,
        offers=offers,
        followed=await services.followers.of(context.user),
        events=tuple(events),
        ballots=tuple(await services.votes.ballots(context.user)),
    )


def _lines(found: Agenda) -> Iterator[Line]:
    user = found.user
    parts = (
        ("Waiting for you", [(_due(due, user), _private(due.loaded)) for due in found.due]),
        ("Offers and requests to answer", [(_proposal(*proposed), None) for proposed in found.proposed]),
        ("Waiting for your vote", [(_ballot(it), None) for it in found.ballots if _is_due(it)]),
        ("Challenges to answer", [(_challenge(it), it) for it in found.asked]),
        (
            "Waiting for others",
            [(with_opponents(loaded, user), _private(loaded)) for loaded in found.waiting],
        ),
        ("Your vote games", [(_ballot(it), None) for it in found.ballots if not _is_due(it)]),
        ("Your events", [(event_line(it, user), None) for it in found.events]),
        ("Challenges that wait for others", [(_challenge(it), it) for it in found.sent]),
        ("Your standing offers", [(standing_line(it, own=True), it) for it in found.offering]),
        ("Play at once", [(standing_line(it), it) for it in found.offers]),
        ("Open to join here", [(_challenge(it), None) for it in found.joinable]),
        ("Games that you follow", [(with_opponents(it, user), it) for it in found.followed]),
        ("Also played here", [(with_opponents(loaded, user), None) for loaded in found.watching]),
        (
            "Archived, until you play on",
            [(with_opponents(loaded, user), _private(loaded)) for loaded in found.archived],
        ),
    )
    for heading, texts in parts:
        for text, subject in texts:
            more = " or more" if heading == "Also played here" and len(texts) == WATCHED else ""
            yield Line(f"{heading} ({len(texts)}{more})", text, subject)


def _private(loaded: Listed) -> int | None:
    """Return the number of a match if only its member sees it."""
    return None if loaded.stored.place.viewer is None else loaded.id


def _due(due: Due, user: DiscordId) -> str:
    ends = f", your time ends {format_dt(due.until, 'R')}" if due.until else ""
    return f"{with_opponents(due.loaded, user)} · your turn came {format_dt(due.since, 'R')}{ends}"


def _is_due(ballot: Ballot) -> bool:
    return ballot.ends_at is not None and ballot.move is None


def _ballot(ballot: Ballot) -> str:
    name = linked_name(ballot.loaded)
    if ballot.ends_at is None:
        return f"{name} · the other side is to move"
    voted = "" if ballot.move is None else f"you have voted for `{ballot.move}`, "
    return f"{name} · {voted}the vote ends {format_dt(ballot.ends_at, 'R')}"


def _proposal(proposal: Proposal, loaded: LoadedMatch) -> str:
    return f"{linked_name(loaded)}: {proposal_sentence(proposal, loaded)}"


def _challenge(challenge: Challenge) -> str:
    expiry = format_dt(challenge.expires_at, "R")
    return f"{linked_title(challenge)}: {summary(challenge)}, expires {expiry}"


@app_commands.command(description="List your games and challenges, and the games in this channel.")
async def games(interaction: Interaction) -> None:
    await respond(interaction, show_games)
