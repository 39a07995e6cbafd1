"""Direct messages to members: a queue in the store, and a limit of new channels.

Discord quarantines bots that open many channels of direct messages in a short time. So messages to members to whom
this process has not written yet are sent one after the other. The store holds the pace, which all processes share. The
queue is processed by bot/ui/matches/direct_message_task.py.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import discord
import structlog

from bot.app.system import Clock
from bot.ui.posts.answers import DirectOutcome, Meter
from bot.ui.posts.clients import Clients
from bot.ui.posts.posting import Posting
from bot.ui.posts.requests import NotYet, is_temporary
from db.stores.posts import DirectMessageStore
from db.values.places import DiscordId
from db.values.posts import News, OpeningPace

log = structlog.get_logger()

SPAN, BURST = timedelta(seconds=5), 5
"""Time between two new channels, and the number of channels that may be opened at once after a pause."""
LONGEST_WAIT = timedelta(minutes=10)
"""The longest time for which a message waits for a new channel. After that, the member is mentioned instead."""
TURN_LASTS = timedelta(minutes=1)
"""Time after which a reserved time is reserved again, so that nothing is sent in one burst after an outage."""
PAUSES = {
    DirectOutcome.TOO_FAST: timedelta(minutes=5),
    DirectOutcome.QUARANTINED: timedelta(hours=6),
}
"""By outcome: the time for which no further channel is opened."""
LONGEST_PAUSE = max(PAUSES.values())
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


class Reserved(NotYet):
    """A message has to wait for a new channel. The end of the pause is reserved for opening this channel."""


def next_turn(
    pace: OpeningPace, now: datetime, held: datetime | None, longest: timedelta
) -> tuple[datetime | None, OpeningPace]:
    """Reserve the next time at which a channel may be opened. `held` is the time that is reserved already.

    Return that time and the pace after the reservation; None if it is later than `longest` from `now`. Times that are
    too late to have been stored by a correct clock count as past.
    """
    paused_until = pace.paused_until if pace.paused_until <= now + LONGEST_PAUSE else now
    if held is not None and held > max(paused_until, now - TURN_LASTS):
        return held, pace
    ahead = (BURST - 1) * SPAN
    free_at = pace.free_at if pace.free_at <= now + LONGEST_WAIT + ahead + SPAN else now
    free_at = max(now, free_at, paused_until + ahead)
    if free_at - ahead > now + longest:
        return None, pace
    return free_at - ahead, replace(pace, free_at=free_at + SPAN)


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
        self._turns: dict[DiscordId, datetime] = {}
        """By user: the time at which this process opens the channel, for one of the messages to the user."""
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
        self,
        user: DiscordId,
        text: str,
        once: str | None = None,
        *,
        turn: datetime | None = None,
        patient: bool = True,
    ) -> Sent:
        """Send a direct message. `once` is that of PostTarget.send, and `turn` the time that is reserved for it.

        Raises NotDelivered, NotYet if the message has to wait for a new channel, and DISCORD_ERRORS if it may succeed
        later. With `patient` False, a message that would have to wait is not delivered.
        """
        try:
            channel = self._channels.get(user) or await self._open(user, turn, patient=patient)
            sent = Sent(channel, await self._posting.direct(channel).send(content=text, once=once))
        except discord.HTTPException as error:
            self._channels.pop(user, None)
            if is_temporary(error):
                raise
            raise await self._refused(error) from error
        self._meter.direct_message(DirectOutcome.SENT)
        return sent

    async def _open(self, user: DiscordId, held: datetime | None, *, patient: bool) -> DiscordId:
        """Open the channel to a user, or raise as `send` does."""
        now = self._clock.now()
        self._turns = {it: at for it, at in self._turns.items() if at > now}
        if user in self._turns:
            raise NotYet(self._turns[user] - now)
        turn: datetime | None = None

        def reserve(pace: OpeningPace) -> OpeningPace:
            nonlocal turn
            turn, pace = next_turn(pace, now, held, LONGEST_WAIT if patient else timedelta())
            return pace

        await self._store.change_pace(reserve)
        if turn is None:
            self._meter.direct_message(DirectOutcome.PAUSED)
            raise NotDelivered(DirectOutcome.PAUSED)
        if turn > now:
            self._turns[user] = turn
            raise Reserved(turn - now)
        channel = (await self._clients.create_dm(user)).id
        self._channels[user] = channel
        if len(self._channels) > REMEMBERED:
            self._channels.popitem(last=False)
        return channel

    async def _refused(self, error: discord.HTTPException) -> Exception:
        """Count and log a refusal. Return the exception that tells what to do about the message."""
        outcome = CODES.get(error.code, DirectOutcome.REFUSED)
        self._meter.direct_message(outcome)
        pause = PAUSES.get(outcome)
        if pause is None:
            log.info("direct_message.refused", reason=outcome, code=error.code)
            return NotDelivered(outcome)
        until = self._clock.now() + pause
        await self._store.change_pace(lambda it: replace(it, paused_until=until))
        log.error("direct_messages.paused", reason=outcome, code=error.code, seconds=pause.total_seconds())
        return NotDelivered(outcome) if pause > LONGEST_WAIT else NotYet(pause)
