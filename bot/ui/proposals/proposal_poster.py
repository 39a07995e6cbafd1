"""Posting proposals, and removing the buttons of those that are answered."""

import discord
import structlog

from bot.app.errors import Refused
from bot.app.proposals import still_to_agree
from bot.app.services import Services
from bot.app.tasks.locks import Locks
from bot.ui.kit.posts.posting import DISCORD_ERRORS
from bot.ui.kit.posts.refused_posts import RefusedPosts
from bot.ui.kit.services import Kit
from bot.ui.proposals.message import proposal_message, proposal_sentence
from db.api.challenges import Answer
from db.api.members.members import Notice
from db.api.places import Place
from db.api.proposals import Proposal

log = structlog.get_logger()


class ProposalPoster:
    """The messages of proposals. One task at a time posts those of a match, so that none is posted twice."""

    def __init__(self, services: Services, kit: Kit) -> None:
        self._store = services.store
        self._ownership = services.ownership
        self._matches = services.matches
        self._proposals = services.proposals
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts
        self._turn_notices = kit.turn_notices
        self._locks = Locks()
        self._refused = RefusedPosts(kit.permission_alerts, pictures=False)

    async def announce(self, proposal: Proposal) -> None:
        """Post a proposal that has no message yet, or show its state on its message.

        Raises Refused when the bot may not post there, and Discord's errors when it cannot be reached.
        """
        # Another interaction may have posted a new proposal meanwhile. An edit would change nothing but take away the
        # highlight of those whom it calls.
        new = proposal.message is None and proposal.answer is Answer.OPEN and not proposal.agreed
        await self._show(proposal, update=not new)

    async def settle(self, match: int) -> None:
        """Close the proposals that a later move of the match has overtaken."""
        for proposal in await self._proposals.settle(match):
            await self.announce(proposal)

    async def permissions_changed(self) -> None:
        """Post what could not be posted before: a permission may have been granted."""
        if self._refused:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Do for all matches what was left undone when the bot was stopped or Discord could not be reached."""
        waiting = await self._proposals.open()
        for match in {proposal.match for proposal in waiting}:
            await self.settle(match)
        for proposal in waiting:
            if proposal.message is None and not await self._still_impossible(proposal):
                await self._try(proposal)

    async def deliver(self, match: int) -> None:
        """Use the interaction that is being answered to post what could not be posted in a match before."""
        for proposal in await self._proposals.open_in(match):
            if proposal.message is None:
                await self._try(proposal)

    async def _show(self, proposal: Proposal, *, update: bool) -> None:
        async with self._locks.of(proposal.match):
            found = await self._proposals.find(proposal.id)
            assert found is not None
            table = await self._matches.table(proposal.match)
            if not self._ownership.shows(table.stored.place.guild):
                return  # Its owner hears of every change, and shows it.
            if found.message is None and found.answer is Answer.OPEN:
                await self._post(found)
            elif found.message is not None and update:
                await self._update(found)

    async def _try(self, proposal: Proposal) -> None:
        """Post a proposal unless that has been done by now. Errors are logged."""
        try:
            await self._show(proposal, update=False)
        except Refused:
            log.warning("proposal cannot be shown", proposal=proposal.id, match=proposal.match)
        except DISCORD_ERRORS as error:
            log.warning("proposal not shown yet", proposal=proposal.id, error=type(error).__name__)

    async def _still_impossible(self, proposal: Proposal) -> bool:
        """True if a proposal could not be posted, and the same permissions are still missing."""
        if not self._refused:
            return False
        table = await self._matches.table(proposal.match)
        return self._refused.still(proposal.id, table.stored.place)

    async def _post(self, proposal: Proposal) -> None:
        table = await self._matches.table(proposal.match)
        place = table.stored.place
        channel = self._posting.at(place)
        if not channel.open:
            return
        users = await self._turn_notices.by_notice(still_to_agree(proposal, table), table)
        once = f"proposal {proposal.id} {proposal.made_at}"
        try:
            message = await channel.send(
                view=proposal_message(proposal, table), notify=users[Notice.PING], once=once
            )
        except discord.Forbidden:
            self._refused.add(proposal.id, place)
            missing = await self._permission_alerts.report(place, pictures=False)
            raise Refused(f"I may not post in <#{place.channel}>: {missing}.") from None
        except discord.NotFound:
            self._refused.add(proposal.id, place)
            raise Refused(
                f"The channel of {table.name} no longer exists, so nobody can be asked there."
            ) from None
        self._refused.remove(proposal.id)
        await self._store.show_proposal(proposal.id, place.channel, message)
        text = f"**{table.name}**: {proposal_sentence(proposal, table)}"
        await self._turn_notices.tell(users[Notice.DIRECT], text, place, message)

    async def _update(self, proposal: Proposal) -> None:
        assert proposal.channel is not None
        assert proposal.message is not None
        table = await self._matches.table(proposal.match)
        channel = self._posting.at(Place(table.stored.place.guild, proposal.channel))
        await channel.edit(proposal.message, proposal_message(proposal, table))
