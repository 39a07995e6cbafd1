"""Answers to interactions: the first answer, the answers that are under way, and counts of their outcomes.

Discord waits three seconds for the first answer. It is an acknowledgement or, if the interaction may wait for it, the
answer itself, which saves a request: the changed message whose button was pressed, or a private message.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from enum import StrEnum
from functools import partial
from time import monotonic
from typing import Any, TypeVar, cast

import aiohttp
import discord
import structlog

from bot.app.errors import Refused
from bot.app.tasks.background import Locks, set_within
from db.values.failures import StoreFailed
from db.values.places import DiscordId


class Kind(StrEnum):
    """The kinds of interactions."""

    COMMAND = "command"
    COMPLETION = "completion"
    BUTTON = "button"
    MENU = "menu"
    FORM = "form"


class Outcome(StrEnum):
    """The ways in which interactions end."""

    ANSWERED = "answered"
    REFUSED = "refused"
    """The member was told why it is not possible."""
    TURNED_AWAY = "turned away"
    """Too many answers to the member were under way."""
    FAILED = "failed"
    """An error of ours or of Discord."""
    LATE = "late"
    """Discord accepted no answer any more."""


class DirectOutcome(StrEnum):
    """The outcomes of attempts to send a direct message."""

    SENT = "sent"
    CLOSED = "closed"
    """The member accepts no direct messages from the bot (50007)."""
    NO_SHARED_SERVER = "no shared server"
    """The member shares no server with the bot (50278)."""
    TOO_FAST = "too fast"
    """The bot opens direct messages too fast (40003)."""
    QUARANTINED = "quarantined"
    """Discord has quarantined the bot as a suspected spammer, so it cannot open direct messages (20026)."""
    PAUSED = "paused"
    """Not sent, because Discord refused earlier messages or too many messages are queued."""
    REFUSED = "refused"
    """Refused with another code."""


class Meter:
    """The meter of a bot without monitoring, which counts nothing."""

    requests: aiohttp.TraceConfig | None = None
    """The tracing of requests to Discord."""

    def interaction_ended(self, interaction: discord.Interaction[Any], outcome: Outcome) -> None:
        """Count an interaction that has just ended."""

    def direct_message(self, outcome: DirectOutcome) -> None:
        """Count an attempt to send a direct message."""


def kind_of(interaction: discord.Interaction[Any]) -> Kind:
    match interaction.type:
        case discord.InteractionType.autocomplete:
            return Kind.COMPLETION
        case discord.InteractionType.modal_submit:
            return Kind.FORM
        case discord.InteractionType.component:
            data = cast("dict[str, Any]", interaction.data)
            return Kind.BUTTON if data["component_type"] == discord.ComponentType.button.value else Kind.MENU
    return Kind.COMMAND


def age(created: int) -> float:
    """Return the seconds since an id of Discord was created, by the clock of this machine; at least 0."""
    return max(0.0, (discord.utils.utcnow() - discord.utils.snowflake_time(created)).total_seconds())


T = TypeVar("T")

log = structlog.get_logger()

ALREADY_ACKNOWLEDGED = 40060
"""Discord's code for an interaction that has an answer already.

Either discord.py has tried twice, and the first try had arrived; or Discord has sent the interaction twice.
"""
UNKNOWN_INTERACTION = 10062
"""Discord's code for an answer that comes too late."""
TOO_LATE = "Discord did not wait for me, so I have done nothing. Please try again."
SECOND_TRY = 1.0
"""Seconds that discord.py waits at least before a second try."""
FRESH = timedelta(seconds=0.5)
"""The age up to which an interaction may wait for its answer."""
LONGEST_WAIT = 1.5
"""Seconds that an interaction may wait. After that, it is acknowledged, and the answer comes later."""
MOST_WAITING = 30
"""The most answers at once up to which an interaction may wait: what one process gives in LONGEST_WAIT or less."""

LONGEST_WORK = 2.0
"""Seconds after which work for a first answer is given up, so that there is time to send another answer."""


class Acknowledging:
    """The acknowledgements that are being sent to Discord.

    If many interactions arrive at once, all of them are acknowledged before commands are run, because each must be
    acknowledged within three seconds.
    """

    def __init__(self) -> None:
        self._count = 0
        self._none = asyncio.Event()
        self._none.set()
        self._answering: dict[DiscordId, FirstAnswer] = {}
        """The first answer to each interaction that is being answered, given or not."""

    @contextmanager
    def answering(self, interaction: DiscordId, first_answer: "FirstAnswer") -> Iterator[bool]:
        """Hold an interaction until the context ends. Yield False if it is held: Discord has sent it twice.

        While its first answer waits for a changed message, Discord would accept the answer to the second one.
        """
        if interaction in self._answering:
            yield False
            return
        self._answering[interaction] = first_answer
        try:
            yield True
        finally:
            del self._answering[interaction]

    async def acknowledge_use(self, message: DiscordId) -> None:
        """Acknowledge the interactions with a message that is about to be deleted: Discord refuses it afterwards."""
        for first_answer in [*self._answering.values()]:
            if first_answer.is_on(message):
                await first_answer.acknowledge()

    @property
    def answers(self) -> int:
        """Return the number of interactions that are being answered."""
        return len(self._answering)

    @contextmanager
    def underway(self) -> Iterator[None]:
        """Count an acknowledgement until the context ends."""
        self._count += 1
        self._none.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._none.set()

    async def others(self) -> None:
        """Wait until no acknowledgement is being sent, for LONGEST_WAIT at most."""
        await set_within(self._none, LONGEST_WAIT)


class FirstAnswer:
    """The first answer to an interaction, which is given once.

    It is an acknowledgement, the changed message whose button was pressed, or a private message.
    """

    def __init__(
        self,
        interaction: discord.Interaction[Any],
        all_underway: Acknowledging,
        *,
        thinking: bool,
        editing: Callable[[], None] | None = None,
    ) -> None:
        """Create the first answer. With `thinking`, an acknowledgement announces a private answer.

        With `editing`, the message that was used may be edited by the interaction later. Discord allows that only after
        the first answer, of which `editing` is told, and only if that is no other message.
        """
        self._all_underway = all_underway
        self._interaction = interaction
        self._thinking = thinking
        self._editing = editing
        self.at_once = False
        """True if the effects of the interaction do not wait for an acknowledgement."""
        self._giving = asyncio.Lock()
        self._given = False
        self.by_another = False
        """True if Discord has sent this interaction twice, and it is answered where it arrived first."""
        self.late = False
        """True if Discord accepted no answer any more."""
        self._timer: asyncio.TimerHandle | None = None
        self._acknowledging: asyncio.Task[bool] | None = None

    def is_on(self, message: DiscordId) -> bool:
        """Return True if a component of this message was used."""
        return self._interaction.message is not None and self._interaction.message.id == message

    @property
    def over(self) -> bool:
        """Return True if the interaction is answered elsewhere, or if Discord accepts no answer any more."""
        return self.late or self.by_another

    @property
    def may_wait(self) -> bool:
        """Return True if the interaction is so new, and answers so few, that its answer may come later."""
        age = abs(discord.utils.utcnow() - self._interaction.created_at)
        return age < FRESH and self._all_underway.answers <= MOST_WAITING

    def wait(self) -> None:
        """Delay the acknowledgement, so that the answer itself can be the first answer."""
        self._timer = asyncio.get_running_loop().call_later(LONGEST_WAIT, self.begin)

    def begin(self) -> None:
        """Begin to acknowledge the interaction, unless it has its first answer, without waiting for Discord."""
        if not self._given and self._acknowledging is None:
            self._acknowledging = asyncio.create_task(self.acknowledge())

    async def before_effects(self) -> None:
        """Acknowledge the interaction, unless its effects do not wait. Raises Refused if Discord takes no answer."""
        if not self.at_once and not await self.acknowledge():
            raise Refused(TOO_LATE)

    async def acknowledge(self) -> bool:
        """Acknowledge the interaction, unless it has its first answer.

        Return False if Discord accepts no answer, or if the interaction is answered elsewhere.
        """
        async with self._giving:
            if not self._begin():
                return not self.over
            try:
                with self._all_underway.underway():
                    await self._give(partial(self._response.defer, ephemeral=True, thinking=self._thinking))
            except discord.HTTPException as error:
                self.late = self._given = True
                log.warning("interaction.lost", code=error.code)
            except discord.RateLimited:
                self.late = True
                log.warning("interaction.lost", code=429)
            except (aiohttp.ClientError, OSError) as error:
                # The acknowledgement may have arrived. Going on is safe: a move counts once.
                log.warning("acknowledgement.possibly_lost", error=type(error).__name__)
            return not self.over

    async def change_message(self, **parts: Any) -> bool:
        """Answer by changing the message whose button was pressed. Return False if it has to be changed otherwise.

        `parts` are arguments of discord.py's edit.
        """
        async with self._giving:
            if self._thinking or not self._begin():
                return False
            try:
                await self._give(
                    partial(self._response.edit_message, **parts), files=parts.get("attachments", ())
                )
            except discord.HTTPException as error:
                log.info("message.not_changed_by_response", code=error.code)
                return False
            except (discord.RateLimited, aiohttp.ClientError, OSError) as error:
                log.info("message.not_changed_by_response", error=type(error).__name__)
                return False
            return not self.by_another

    async def send(self, files: Sequence[discord.File], **parts: Any) -> "SentAnswer | None":
        """Answer by a private message. Return None if it has to be sent otherwise, or is not needed: see `by_another`.

        `parts` are arguments of discord.py's send. Raises DISCORD_ERRORS.
        """
        if self._editing is not None:
            await self.acknowledge()
        async with self._giving:
            if not self._begin():
                return None
            sending = partial(self._response.send_message, files=files, ephemeral=True, **parts)
            made = await self._give(sending, files=files)
            if made is not None:
                return cast(SentAnswer, made.resource)
            return None if self.by_another else await self._interaction.original_response()

    @property
    def _response(self) -> discord.InteractionResponse[Any]:
        return self._interaction.response

    async def _give(
        self, request: Callable[[], Awaitable[T]], *, files: Sequence[discord.File] = ()
    ) -> T | None:
        """Make the request of an answer, and again if its connection breaks. Return its result.

        Return None if Discord refuses it because there is an answer: that of the first try, or one `by_another`.
        Raises DISCORD_ERRORS.
        """
        began, made = monotonic(), None
        try:
            try:
                made = await request()
            except (aiohttp.ClientError, OSError):
                # If it has arrived, Discord refuses the second try.
                began -= SECOND_TRY
                for file in files:
                    file.reset()
                made = await request()
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                self.late = error.code == UNKNOWN_INTERACTION
                # If Discord refused the content of an answer, another answer is possible.
                self._given = self.late or error.status not in (400, 403, 404)
                raise
            self.by_another = monotonic() - began < SECOND_TRY
        if self._editing is not None:
            self._editing()
        return made

    def _begin(self) -> bool:
        """Return True for the first call. A failed answer is not repeated if it may have arrived."""
        if self._timer is not None:
            self._timer.cancel()
        first, self._given = not self._given, True
        return first


async def in_time(doing: Coroutine[Any, Any, T]) -> T:
    """Return the result of work that reads the store. Raises StoreFailed after LONGEST_WORK seconds."""
    # The task is not cancelled: if the database hangs, that would take as long as the work itself.
    task = asyncio.create_task(doing)
    done, _ = await asyncio.wait({task}, timeout=LONGEST_WORK)
    if not done:
        task.add_done_callback(_take_error)
        raise StoreFailed("no answer in time")
    return task.result()


def _take_error(task: "asyncio.Task[Any]") -> None:
    """Retrieve the error of an abandoned task, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


SentAnswer = discord.WebhookMessage | discord.InteractionMessage
"""A private answer, which can be changed and deleted while Discord accepts the token of its interaction."""
TOKEN_LIFETIME = timedelta(minutes=15)
"""The time for which Discord accepts the token of an interaction."""

MOST_REPLACED = 2000
"""The private answers that are remembered, so that later ones can replace them."""


class PrivateAnswers:
    """The newest private answer of each name to each member, and the interactions that made challenges.

    An answer is the newest if it answers the member's latest interaction, not if it arrives last. Discord accepts
    further private answers to an interaction for 15 minutes.
    """

    def __init__(self) -> None:
        self._sent: dict[tuple[DiscordId, str], tuple[DiscordId, SentAnswer | None]] = {}
        """By member and name: an interaction and its answer; None if the interaction has outdated all earlier ones."""
        self._challenges: dict[int, discord.Interaction[Any]] = {}
        self._changing: Locks[DiscordId] = Locks()
        self._versions: dict[DiscordId, tuple[int, ...]] = {}
        """By message: the latest version of its content."""

    @asynccontextmanager
    async def changing(self, message: DiscordId, version: tuple[int, ...] = ()) -> AsyncIterator[bool]:
        """Hold a message while it is changed, since changes are to arrive in the order in which they began.

        Yield False if the message shows a later version already. Content without a version replaces any other.
        """
        async with self._changing.of(message):
            if version:
                newest = max(version, self._versions.pop(message, ()))
                self._versions[message] = newest
                if len(self._versions) > MOST_REPLACED:
                    del self._versions[next(iter(self._versions))]
            yield not version or version == newest

    def note_challenge(self, challenge: int, interaction: discord.Interaction[Any]) -> None:
        """Remember the interaction with which a challenge was made."""
        self._challenges[challenge] = interaction
        if len(self._challenges) > MOST_REPLACED:
            del self._challenges[next(iter(self._challenges))]

    def to_challenger(self, challenge: int) -> discord.Interaction[Any] | None:
        """Return the interaction with which a challenge was made, or None if it cannot be answered any more."""
        interaction = self._challenges.pop(challenge, None)
        return None if interaction is None or interaction.is_expired() else interaction

    def note(
        self, user: DiscordId, name: str, interaction: DiscordId, sent: SentAnswer | None
    ) -> SentAnswer | None:
        """Remember the answer of this name to an interaction, and return the answer that is outdated now.

        This is the answer before; or `sent`, if a later interaction has an answer. With None for `sent`, answers to
        earlier interactions that are still to come are outdated, too. Return None if there is no answer to delete.
        """
        before = self._sent.get((user, name))
        if before is not None and before[0] > interaction:
            return sent
        outdated = self._forget(user, name)
        self._sent[user, name] = interaction, sent
        if len(self._sent) > MOST_REPLACED:
            del self._sent[next(iter(self._sent))]
        return outdated

    def take(self, user: DiscordId, name: str, interaction: DiscordId) -> SentAnswer | None:
        """Forget and return the newest answer of this name to a member.

        Return None if there is none, if it answers a later interaction, or if Discord no longer accepts its deletion.
        """
        before = self._sent.get((user, name))
        return None if before is None or before[0] > interaction else self._forget(user, name)

    def _forget(self, user: DiscordId, name: str) -> SentAnswer | None:
        _, sent = self._sent.pop((user, name), (0, None))
        expired = sent is not None and discord.utils.utcnow() - sent.created_at > TOKEN_LIFETIME
        return None if expired else sent

    def newest(self, user: DiscordId, name: str) -> SentAnswer | None:
        """Return the newest answer of this name to a member, or None if it is unknown."""
        return self._sent.get((user, name), (0, None))[1]

    def forget(self, message: DiscordId) -> None:
        """Forget the answer with this message id, which no longer exists."""
        for key in [key for key, (_, sent) in self._sent.items() if sent is not None and sent.id == message]:
            del self._sent[key]


MOST_ANSWERS = 50
"""The most running answers to one member. A member who waits for each answer has one or two, so only members who press
faster than the bot can answer reach the limit. Then other members wait about a second for them."""


class RunningAnswers:
    """The tasks that answer interactions. The bot finishes them before it stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._by_member: Counter[DiscordId] = Counter()

    def admit(self, user: DiscordId) -> bool:
        """Count the current task as an answer to a member. Return False if the member has too many running answers."""
        if self._by_member[user] >= MOST_ANSWERS:
            return False
        self.add_current()
        task = asyncio.current_task()
        assert task is not None
        self._by_member[user] += 1
        task.add_done_callback(lambda _: self._ended(user))
        return True

    def others(self, user: DiscordId) -> bool:
        """Return True if a member has another running answer besides the one of the current task."""
        return self._by_member[user] > 1

    def _ended(self, user: DiscordId) -> None:
        self._by_member[user] -= 1
        if not self._by_member[user]:
            del self._by_member[user]

    def add_current(self) -> None:
        """Count the current task as a running answer until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Wait until all answers have ended, for `seconds` at most."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
