"""Posting proposals, and taking the buttons off those that are answered."""

import asyncio
from collections import defaultdict

import aiohttp
import discord
import structlog

from bot.app.errors import Refused
from bot.app.matches import Matches
from bot.app.ports import Store
from bot.app.proposals import Proposals, asked
from bot.entry.caller import Caller, mentioning
from bot.entry.managers import Managers
from bot.entry.proposals import notice, says
from db.values import Answer, Notice, Proposal

log = structlog.get_logger()

Away = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What Discord raises when it does not take a message."""


class Notices:
    """The messages of proposals. A match's are posted by one task at a time, so that none is posted twice."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        matches: Matches,
        proposals: Proposals,
        managers: Managers,
        caller: Caller,
    ) -> None:
        self._client = client
        self._store = store
        self._matches = matches
        self._proposals = proposals
        self._managers = managers
        self._caller = caller
        self._busy: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._barred: set[int] = set()

    async def announce(self, proposal: Proposal) -> None:
        """Post a proposal that has no message yet, or show on its message how it stands.

        Raises Refused when the bot may not post there, and Discord's errors when it is away.
        """
        lock = self._busy[proposal.match]
        async with lock:
            found = await self._proposals.find(proposal.id)
            assert found is not None
            if found.message is not None:
                await self._mend(found)
            elif found.answer is Answer.OPEN:
                await self._post(found)
        if not lock.locked():
            self._busy.pop(proposal.match, None)

    async def settle(self, match: int) -> None:
        """Close what the match has moved past."""
        for proposal in await self._proposals.settle(match):
            await self.announce(proposal)

    async def catch_up(self) -> None:
        """Do for all matches what was left undone when the bot was stopped, or Discord was away."""
        waiting = await self._proposals.open()
        for match in {proposal.match for proposal in waiting}:
            await self.settle(match)
        for proposal in waiting:
            if proposal.message is None and proposal.id not in self._barred:
                await self._try(proposal)

    async def _try(self, proposal: Proposal) -> None:
        try:
            await self.announce(proposal)
        except Refused:
            # Tried once per run: only somebody at that server can mend it.
            self._barred.add(proposal.id)
            log.warning("proposal cannot be shown", proposal=proposal.id, match=proposal.match)
        except Away as error:
            log.warning("proposal not shown yet", proposal=proposal.id, error=type(error).__name__)

    async def _post(self, proposal: Proposal) -> None:
        table = await self._matches.table(proposal.match)
        place = table.stored.place
        channel = self._client.get_partial_messageable(place.channel, guild_id=place.guild)
        called = await self._caller.ways(asked(proposal, table))
        try:
            message = await channel.send(
                view=notice(proposal, table), allowed_mentions=mentioning(called[Notice.PING])
            )
        except discord.Forbidden:
            missing = await self._managers.tell(place, pictures=False)
            raise Refused(f"I may not post in <#{place.channel}>: {missing}.") from None
        except discord.NotFound:
            raise Refused(f"The channel of {table.name} is gone, so nobody can be asked there.") from None
        await self._store.show_proposal(proposal.id, place.channel, message.id)
        news = f"**{table.name}**: {says(proposal, table)}"
        await self._caller.tell(called[Notice.DIRECT], news, place, message.id)

    async def _mend(self, proposal: Proposal) -> None:
        """Only a courtesy: what is answered cannot be answered again."""
        assert proposal.channel is not None
        assert proposal.message is not None
        table = await self._matches.table(proposal.match)
        message = self._client.get_partial_messageable(proposal.channel).get_partial_message(proposal.message)
        try:
            await message.edit(view=notice(proposal, table), allowed_mentions=discord.AllowedMentions.none())
        except Away as error:
            log.info("proposal left as it was", proposal=proposal.id, error=type(error).__name__)
