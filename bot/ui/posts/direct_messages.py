"""Direct messages to members: a queue in the store, and a limit of new channels.

Discord quarantines bots that open many channels of direct messages in a short time. So messages to members to whom
this process has not written yet are sent one after the other. The queue is processed by
bot/ui/matches/direct_message_task.py.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord
import structlog

from bot.app.system import Clock
from bot.ui.posts.answers import DirectOutcome, Meter
from bot.ui.posts.clients import Clients
from bot.ui.posts.posting import Posting
from bot.ui.posts.requests import NotYet, Pace, is_temporary
from db.stores.posts import DirectMessageStore
from db.values.places import DiscordId
from db.values.posts import News

log = structlog.get_logger()

SPAN, BURST = timedelta(seconds=5), 5
"""Time between two new channels, and the number of channels that may be opened at once after a pause."""
LONGEST_WAIT = timedelta(minutes=10)
"""The longest time for which a message waits for a new channel. After that, the member is mentioned instead."""
PAUSES = {
    DirectOutcome.TOO_FAST: timedelta(minutes=5),
    DirectOutcome.QUARANTINED: timedelta(hours=6),
}
"""By outcome: the time for which no further channel is opened."""
CODES = {
    50007: DirectOutcome.CLOSED,
    50278: DirectOutcome.NO_SHARED_SERVER,
    40003: DirectOutcome.TOO_FAST,
    20026: DirectOutcome.QUARANTINED,
}
"""By error code of Discord: the outcome of a direct message."""
REMEMBERED = 10_000
"""Channels of direct messages that are remembered."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent, and its channel."""

    channel: DiscordId
    message: DiscordId


class NotDelivered(Exception):
    """A direct message was refused by Discord, or cannot be sent at present."""

    def __init__(self, outcome: DirectOutcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class DirectMessages:
    """Queues and sends direct messages."""

    def __init__(
        self, clients: Clients, posting: Posting, store: DirectMessageStore, clock: Clock, meter: Meter
    ) -> None:
        self._clients = clients
        self._posting = posting
        self._store = store
        self._clock = clock
        self._meter = meter
        self._pace = Pace(SPAN, BURST)
        self._paused_until: datetime | None = None
        self._channels: OrderedDict[DiscordId, DiscordId] = OrderedDict()
        """By user: the channel of direct messages, as far as this process has opened it."""
        self.queued = asyncio.Event()
        """Set when a message was queued."""

    async def queue(self, users: Collection[DiscordId], guild: DiscordId | None, news: News) -> None:
        """Queue a direct message to each of `users` about a match or a challenge of a server."""
        if users:
            await self._store.queue(users, guild, news, self._clock.now())
            self.queued.set()

    async def send(
        self, user: DiscordId, text: str, once: str | None = None, *, patient: bool = True
    ) -> Sent:
        """Send a direct message. `once` is that of PostTarget.send.

        Raises NotDelivered, NotYet if the message has to wait for a new channel, and DISCORD_ERRORS if it may succeed
        later. With `patient` False, a message that would have to wait is not delivered.
        """
        try:
            channel = self._channels.get(user) or await self._open(user, patient=patient)
            sent = Sent(channel, await self._posting.direct(channel).send(content=text, once=once))
        except discord.HTTPException as error:
            self._channels.pop(user, None)
            if is_temporary(error):
                raise
            raise self._refused(user, error) from error
        self._meter.direct_message(DirectOutcome.SENT)
        return sent

    async def _open(self, user: DiscordId, *, patient: bool) -> DiscordId:
        """Open the channel to a user, or raise as `send` does."""
        now = self._clock.now()
        paused = timedelta() if self._paused_until is None else self._paused_until - now
        longest = LONGEST_WAIT if patient else timedelta()
        if max(paused, self._pace.expected(user, now)) > longest:
            self._meter.direct_message(DirectOutcome.PAUSED)
            raise NotDelivered(DirectOutcome.PAUSED)
        if (wait := max(paused, self._pace.wait(user, now))) > timedelta():
            raise NotYet(wait)
        channel = (await self._clients.create_dm(user)).id
        self._channels[user] = channel
        if len(self._channels) > REMEMBERED:
            self._channels.popitem(last=False)
        return channel

    def _refused(self, user: DiscordId, error: discord.HTTPException) -> Exception:
        """Count and log a refusal. Return the exception that tells what to do about the message."""
        outcome = CODES.get(error.code, DirectOutcome.REFUSED)
        self._meter.direct_message(outcome)
        pause = PAUSES.get(outcome)
        if pause is None:
            log.info("direct_message.refused", reason=outcome, code=error.code)
            return NotDelivered(outcome)
        self._paused_until = self._clock.now() + pause
        log.error("direct_messages.paused", reason=outcome, code=error.code, seconds=pause.total_seconds())
        return NotDelivered(outcome) if pause > LONGEST_WAIT else NotYet(pause)
