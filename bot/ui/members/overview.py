"""`/games`: what waits for a member, their other games, and the games in the channel."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from discord import ui
from discord.utils import format_dt

from bot.app.matches.listed import Listed
from bot.app.matches.table import Table
from bot.app.members.agenda import Agenda, Due, agenda
from bot.app.mentions import against, mention
from bot.ui.challenges.wording import game_title, summary
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.buttons import PersistentItem
from bot.ui.kit.answers.reply import Said
from bot.ui.kit.content.layout import Part, card
from bot.ui.kit.content.mentions import board_link, message_link
from bot.ui.proposals.message import proposal_sentence
from db.api.challenges import Challenge
from db.api.places import DiscordId, Place
from db.api.proposals import Proposal

SHOWN = 9
"""Lines on one page: even with the longest names they fit into the 4,000 characters of a message."""


class Line(NamedTuple):
    """A line of the list, and its heading."""

    heading: str
    text: str


async def show_games(acting: Acting) -> Said:
    """Show this member their games and challenges."""
    return Said("", overview(await _agenda(acting)))


def overview(found: Agenda, number: int = 0) -> ui.LayoutView:
    """Return a page of the list, counted from 0; a number that is too high gives the last page."""
    lines = list(_lines(found))
    pages = [lines[start : start + SHOWN] for start in range(0, len(lines), SHOWN)] or [[]]
    number = min(number, len(pages) - 1)
    parts: list[Part] = []
    for heading, below in groupby(pages[number], key=lambda line: line.heading):
        texts = [f"**{heading}**", *(f"- {line.text}" for line in below)]
        parts.append("\n".join(texts))
    if not lines:
        parts.append("No games yet. Start one with `/challenge` or `/lobby`.")
    if len(pages) > 1:
        parts.append(f"-# page {number + 1} of {len(pages)}")
        back = GamesButton(max(number - 1, 0), "back", disabled=number == 0)
        more = GamesButton(number + 1, "more", disabled=number == len(pages) - 1)
        parts.append(ui.ActionRow(back, more))
    return card(*parts)


class GamesButton(PersistentItem[ui.Button[Any]], template=r"games:(?P<page>[0-9]{1,6}):(?P<way>back|more)"):
    """Shows another page of the list."""

    words = frozenset({"way"})

    def __init__(self, page: int, way: str, *, disabled: bool = False) -> None:
        self.page = page
        super().__init__(
            ui.Button(label=way.capitalize(), custom_id=f"games:{page}:{way}", disabled=disabled)
        )

    async def answer(self, acting: Acting) -> None:
        view = overview(await _agenda(acting), self.page)
        await acting.interaction.edit_original_response(view=view)


async def _agenda(acting: Acting) -> Agenda:
    place = acting.place
    return await agenda(
        acting.services.matches, acting.services.challenges, acting.services.proposals, acting.user, place
    )


def _lines(found: Agenda) -> Iterator[Line]:
    user = found.user
    parts = (
        ("Waiting for you", [_due(due, user) for due in found.due]),
        ("Draws and takebacks to answer", [_proposal(*proposed) for proposed in found.proposed]),
        ("Challenges to answer", [_challenge(challenge) for challenge in found.asked]),
        ("Waiting for others", [_game(table, user) for table in found.waiting]),
        ("Challenges that wait for others", [_challenge(challenge) for challenge in found.sent]),
        ("Open to join here", [_challenge(challenge) for challenge in found.joinable]),
        ("Also played here", [_game(table, user) for table in found.watching]),
    )
    for heading, texts in parts:
        for text in texts:
            yield Line(f"{heading} ({len(texts)})", text)


def _due(due: Due, user: DiscordId) -> str:
    ends = f", until {format_dt(due.until, 'R')}" if due.until else ""
    return f"{_game(due.table, user)} · since {format_dt(due.since, 'R')}{ends}"


def _game(table: Listed, user: DiscordId) -> str:
    others = [other for other in table.stored.users if other != user]
    players = against(others)
    if len(others) < len(table.stored.users):
        players = f"against {' and '.join(mention(other) for other in others)}"
    panel = table.stored.panel
    name = table.name if panel is None else f"[{table.name}]({board_link(table.stored.place, panel)})"
    return f"{name}, {players}"


def _proposal(proposal: Proposal, table: Table) -> str:
    name = table.name
    if proposal.channel is not None and proposal.message is not None:
        name = (
            f"[{name}]({message_link(Place(table.stored.place.guild, proposal.channel), proposal.message)})"
        )
    return f"{name}: {proposal_sentence(proposal, table)}"


def _challenge(challenge: Challenge) -> str:
    title = game_title(challenge.terms)
    if challenge.message is not None:
        title = f"[{title}]({message_link(challenge.place, challenge.message)})"
    return f"{title}: {summary(challenge)}, expires {format_dt(challenge.expires_at, 'R')}"
