"""The display of matches, proposals and challenges: their three posters together."""

from typing import Any

import discord

from bot.app.matches.table import Table
from bot.app.services import Services
from bot.ui.challenges.challenge_poster import ChallengePoster
from bot.ui.kit.answers.acting import place_of
from bot.ui.kit.posts.clients import Clients
from bot.ui.kit.services import Kit
from bot.ui.matches.posts.board_poster import BoardPoster
from bot.ui.proposals.proposal_poster import ProposalPoster
from db.api.challenges import Challenge
from db.api.proposals import Proposal


class BotDisplay:
    """The bot's Display (see bot.ui.kit.services)."""

    def __init__(self, clients: Clients, services: Services, kit: Kit) -> None:
        self._services = services
        self._posting = kit.posting
        self.challenges = ChallengePoster(services, kit)
        self.proposals = ProposalPoster(services, kit)
        self.boards = BoardPoster(clients, services, kit, self.proposals)

    async def show(self, match: int, known: Table | None = None, *, again: bool = False) -> None:
        await self.boards.show(match, known, again=again)

    async def refresh(self, match: int) -> None:
        await self.boards.refresh(match)

    async def announce(self, proposal: Proposal) -> None:
        await self.proposals.announce(proposal)

    async def invite(self, challenge: int) -> None:
        await self.challenges.post(challenge)

    async def invite_again(self, challenge: Challenge) -> None:
        await self.challenges.post_again(challenge)

    async def deliver(self, interaction: discord.Interaction[Any]) -> None:
        place = place_of(interaction)
        if not self._posting.reaches(place) and self._services.ownership.shows(place.guild):
            await self.challenges.deliver(place)
            for match, _ in await self._services.matches.running(place):
                await self.proposals.deliver(match)
            await self.boards.deliver(place)
        if interaction.message is not None:
            await self.boards.shrink_used(place, interaction.message)

    async def catch_up(self) -> None:
        """Show everything that is not shown yet, after a restart or when Discord could not be reached."""
        await self.challenges.catch_up()
        await self.proposals.catch_up()
        await self.boards.catch_up()

    async def permissions_changed(self) -> None:
        """Show everything that could not be shown: a permission may have been granted."""
        await self.challenges.permissions_changed()
        await self.proposals.permissions_changed()
        await self.boards.permissions_changed()
