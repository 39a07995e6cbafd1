"""The background tasks that write to the players of a match: of clocks, of forgotten matches, and after a pause."""

from collections.abc import Awaitable, Callable, Sequence

import structlog

from bot.app.errors import Refused
from bot.app.matches.forgotten import END
from bot.app.matches.forgotten import TASK as FORGOTTEN
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.timekeeper import REMINDERS, reminder_key
from bot.app.services import Services
from bot.app.tasks.rounds import TryLater
from bot.ui.components.wording import linked_name
from bot.ui.matches.boards import BoardPublisher
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.posts.turn_notices import running_out, waiting_since
from bot.ui.services import UiServices
from db.values.clocks import Reminder, Resumption
from db.values.matches import ForgottenMatch
from db.values.members import Notice, is_person
from db.values.places import DiscordId, Shards
from db.values.posts import Companion, News, Occasion, PostKind
from rules.core.game import Seat

log = structlog.get_logger()

TIMEOUTS, RESUMPTIONS = "timeouts", "resumptions"
"""Names of the tasks whose items are matches that were decided on time, or in which a pause or an absence has ended."""
FORGOTTEN_PAUSE, RESUMPTIONS_PAUSE = 600.0, 30.0
"""Seconds between two rounds."""


class _ReminderTask:
    """The base of the tasks. After a restart between a message and its record, it is sent again with the same nonce."""

    def __init__(self, services: Services, ui_services: UiServices, boards: BoardPublisher) -> None:
        self._services, self._ui_services = services, ui_services
        self._store = services.store
        self._rounds = services.rounds
        self._boards = boards

    async def _tell(self, match: int, tell: Callable[[LoadedMatch], Awaitable[None]]) -> bool:
        """Write to the players of a match. Return False if the match was deleted. Raises TryLater."""
        try:
            loaded = await self._services.matches.load(match)
        except Refused:
            return False
        try:
            await tell(loaded)
        except DISCORD_ERRORS as error:
            raise TryLater from error
        return True

    async def _write(
        self,
        loaded: LoadedMatch,
        seats: Sequence[Seat],
        sentence: str,
        about: str = "",
        occasion: Occasion = Occasion.REMINDER,
    ) -> None:
        """Remind players by a sentence. The messages are deleted after their moves."""
        outbox, notices = self._boards.outbox, self._ui_services.turn_notices
        shared = await self._services.server_matches.guests(loaded)
        guests = frozenset[DiscordId]() if shared is None else shared[1]
        async with outbox.lock(PostKind.BOARD, loaded.id):
            sent: list[Companion] = []
            for seat in seats:
                if loaded.stored.users[seat] not in guests:
                    sent += await notices.remind(loaded, seat, sentence, about, occasion)
                    continue
                # This player does not see the server.
                user, news = loaded.stored.users[seat], News(occasion, loaded.id, loaded.plies)
                if (await self._services.preferences.member(user)).notice is not Notice.NONE:
                    await notices.write([user], loaded.stored.place.guild, news)
            post = await outbox.store.posts.get(PostKind.BOARD, loaded.id)
            if post is not None and sent:
                await outbox.store.posts.keep(post.beside(sent))


class ClockTask(_ReminderTask):
    """Decides matches on time and reminds members while the bot is connected."""

    async def round(self) -> float:
        """Decide, remind and wait until a clock ends or changes. Return the seconds to wait besides: none."""
        served = self._services.ownership.served
        connected = served.numbers & self._ui_services.clients.connected
        clocks = self._services.matches.move_log.shard_clocks
        if clocks.note_only_connected(connected) and connected != served.numbers:
            log.warning("clocks.paused", shards=sorted(served.numbers - connected))
        if connected:
            await self._round(Shards(served.count, connected))
        await self._services.timekeeper.wait()
        return 0.0

    async def _round(self, connected: Shards) -> None:
        found = await self._services.timekeeper.round(connected)
        if found.put_off:
            log.info("clock.time_given_back", matches=sorted(found.put_off))
        if found.decided:
            log.info("match.decided_on_time", matches=found.decided)
        if found.put_off or found.decided:
            self._boards.outbox.wake()
        # A match is decided once, so the rounds after it return it no more.
        failed = map(int, await self._rounds.due(TIMEOUTS))
        await self._rounds.each(TIMEOUTS, [*found.decided, *failed], self._boards.show_unreached)
        await self._rounds.each(REMINDERS, found.reminders, self._remind, key=reminder_key)

    async def _remind(self, reminder: Reminder) -> None:
        """Send a reminder, unless the clock has been put off, and record it."""

        async def tell(loaded: LoadedMatch) -> None:
            clock = loaded.stored.clocks[reminder.seat]
            if clock is not None and clock.deadline == reminder.deadline:
                # The message's name does not contain the deadline, which a restart extends.
                await self._write(loaded, [reminder.seat], running_out(loaded, reminder.deadline))

        if await self._tell(reminder.match, tell):
            await self._store.clocks.reminded(reminder)


class ForgottenTask(_ReminderTask):
    """Reminds the players of forgotten matches, warns them, and ends these at last."""

    async def round(self) -> float:
        """Handle the matches that have reached a stage. Return the seconds to wait."""
        due = await self._services.forgotten.due()
        await self._rounds.each(FORGOTTEN, due, self._handle, key=lambda it: it.match)
        return FORGOTTEN_PAUSE

    async def _handle(self, forgotten: ForgottenMatch) -> None:
        if forgotten.stage == END:
            if await self._services.forgotten.end(forgotten):
                log.info("match.forgotten", match=forgotten.match)
                self._boards.outbox.wake()
                await self._boards.show_unreached(forgotten.match)
            return

        async def tell(loaded: LoadedMatch) -> None:
            if loaded.plies == forgotten.plies and not loaded.match.over:
                sentence = waiting_since(loaded, forgotten.since, self._services.clock.now())
                seats = [loaded.stored.users.index(user) for user in loaded.waiting_for if is_person(user)]
                await self._write(loaded, seats, sentence, f" {forgotten.stage}")

        if await self._tell(forgotten.match, tell):
            await self._services.forgotten.told(forgotten)


class ResumptionTask(_ReminderTask):
    """Tells the players on turn that a pause or an absence has ended, and has the boards drawn without its date."""

    async def round(self) -> float:
        """Handle the pauses and absences that have ended. Return the seconds to wait."""
        now = self._services.clock.now()
        due = await self._store.clocks.resumptions(now, await self._rounds.limit(RESUMPTIONS))
        await self._rounds.each(RESUMPTIONS, due, self._handle, key=lambda it: it.match)
        if due:
            self._boards.outbox.wake()
        return RESUMPTIONS_PAUSE

    async def _handle(self, resumption: Resumption) -> None:
        """Notify the players and record it."""

        async def tell(loaded: LoadedMatch) -> None:
            now, name = self._services.clock.now(), linked_name(loaded)
            for user in loaded.waiting_for:
                seat, paused = loaded.stored.users.index(user), loaded.stored.paused_until
                ends = [it for it in (paused, loaded.stored.absent_until(seat)) if it is not None]
                if not is_person(user) or not ends or not resumption.at <= max(ends) <= now:
                    continue
                if paused == max(ends):
                    sentence = f"The pause of {name} is over, and it is your turn."
                else:
                    sentence = f"Your absence is over, and it is your turn in {name}."
                await self._write(loaded, [seat], sentence, f" {resumption.at}", Occasion.TURN)

        if await self._tell(resumption.match, tell):
            await self._store.clocks.resumed(resumption, self._services.clock.now())
