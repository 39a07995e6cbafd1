"""Posting proposals, and taking the buttons off those that are answered."""

import asyncio
from collections import defaultdict

import discord
import structlog

from bot.app.errors import Refused
from bot.app.proposals import still_to_agree
from bot.app.services import Services
from bot.ui.kit.posting import DISCORD_ERRORS
from bot.ui.kit.services import Kit
from bot.ui.proposals.message import proposal_message, proposal_sentence
from db.api.challenges import Answer
from db.api.members import Notice
from db.api.places import Place
from db.api.proposals import Proposal

log = structlog.get_logger()


class ProposalPoster:
    """The messages of proposals. A match's are posted by one task at a time, so that none is posted twice."""

    def __init__(self, services: Services, kit: Kit) -> None:
        self._store = services.store
        self._matches = services.matches
        self._proposals = services.proposals
        self._posting = kit.posting
        self._permission_alerts = kit.permission_alerts
        self._turn_notices = kit.turn_notices
        self._busy: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._barred: dict[int, str] = {}
        """By proposal that could not be posted, what was known to be missing then."""

    async def announce(self, proposal: Proposal) -> None:
        """Post a proposal that has no message yet, or show on its message how it stands.

        Raises Refused when the bot may not post there, and Discord's errors when it is away.
        """
        await self._show(proposal, mend=True)

    async def settle(self, match: int) -> None:
        """Close what the match has moved past."""
        for proposal in await self._proposals.settle(match):
            await self.announce(proposal)

    async def permissions_changed(self) -> None:
        """Something may have been granted: post what could not be posted."""
        if self._barred:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Do for all matches what was left undone when the bot was stopped, or Discord was away."""
        waiting = await self._proposals.open()
        for match in {proposal.match for proposal in waiting}:
            await self.settle(match)
        for proposal in waiting:
            if proposal.message is None and not await self._in_vain(proposal):
                await self._try(proposal)

    async def deliver(self, match: int) -> None:
        """Show with the interaction that is being answered what could not be shown in a match before."""
        for proposal in await self._proposals.open_in(match):
            if proposal.message is None:
                await self._try(proposal)

    async def _show(self, proposal: Proposal, *, mend: bool) -> None:
        lock = self._busy[proposal.match]
        async with lock:
            found = await self._proposals.find(proposal.id)
            assert found is not None
            if found.message is None and found.answer is Answer.OPEN:
                await self._post(found)
            elif found.message is not None and mend:
                await self._mend(found)
        if not lock.locked():
            self._busy.pop(proposal.match, None)

    async def _try(self, proposal: Proposal) -> None:
        """Post a proposal, unless somebody has done so by now."""
        try:
            await self._show(proposal, mend=False)
        except Refused:
            log.warning("proposal cannot be shown", proposal=proposal.id, match=proposal.match)
        except DISCORD_ERRORS as error:
            log.warning("proposal not shown yet", proposal=proposal.id, error=type(error).__name__)

    async def _in_vain(self, proposal: Proposal) -> bool:
        """Whether it could not be posted, and what was missing then still is."""
        lacked = self._barred.get(proposal.id)
        if lacked is None:
            return False
        table = await self._matches.table(proposal.match)
        return lacked == self._permission_alerts.missing_at(table.stored.place, pictures=False)

    async def _post(self, proposal: Proposal) -> None:
        table = await self._matches.table(proposal.match)
        place = table.stored.place
        outlet = self._posting.at(place)
        if not outlet.open:
            return
        called = await self._turn_notices.by_notice(still_to_agree(proposal, table))
        once = f"proposal {proposal.id} {proposal.made_at}"
        try:
            message = await outlet.send(
                view=proposal_message(proposal, table), notify=called[Notice.PING], once=once
            )
        except discord.Forbidden:
            self._barred[proposal.id] = self._permission_alerts.missing_at(place, pictures=False)
            missing = await self._permission_alerts.report(place, pictures=False)
            raise Refused(f"I may not post in <#{place.channel}>: {missing}.") from None
        except discord.NotFound:
            self._barred[proposal.id] = self._permission_alerts.missing_at(place, pictures=False)
            raise Refused(f"The channel of {table.name} is gone, so nobody can be asked there.") from None
        self._barred.pop(proposal.id, None)
        await self._store.show_proposal(proposal.id, place.channel, message)
        news = f"**{table.name}**: {proposal_sentence(proposal, table)}"
        await self._turn_notices.tell(called[Notice.DIRECT], news, place, message)

    async def _mend(self, proposal: Proposal) -> None:
        assert proposal.channel is not None
        assert proposal.message is not None
        table = await self._matches.table(proposal.match)
        outlet = self._posting.at(Place(table.stored.place.guild, proposal.channel))
        await outlet.edit(proposal.message, proposal_message(proposal, table))
