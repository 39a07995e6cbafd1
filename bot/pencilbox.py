"""The bot in one process: the clients of its shards, the services, and the background tasks."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from bot.app.moments import SEARCH_INTERVAL_S, MomentTask
from bot.app.services import Services
from bot.app.standings import POLL_S
from bot.app.tasks.background import BackgroundTask, set_within
from bot.client import ShardClient
from bot.health import touch_alive_file
from bot.notifications import NotificationListener
from bot.startup.system import give_back
from bot.ui.components.message_parts import EMOJIS, load_emojis
from bot.ui.events.posts import EventPublisher
from bot.ui.events.titles import RoleTask
from bot.ui.matches.boards import BotDisplay
from bot.ui.matches.copies import CopyPublisher
from bot.ui.matches.direct_message_task import DirectMessageTask
from bot.ui.matches.reminder_tasks import ClockTask, ForgottenTask, ResumptionTask
from bot.ui.members.setup import SetupQuestions
from bot.ui.posts.answers import Meter
from bot.ui.posts.clients import Clients
from bot.ui.posts.direct_messages import DirectMessages
from bot.ui.posts.member_names import MemberNames, is_deleted
from bot.ui.posts.outbox import Outbox
from bot.ui.posts.outbox_task import OutboxTask
from bot.ui.posts.permissions import PermissionAlerts, sees
from bot.ui.posts.posting import Posting
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.posts.turn_notices import TurnNotices
from bot.ui.puzzles.posts import DailyPublisher, WeeklyPublisher
from bot.ui.services import Links, TouchedMatches, UiServices
from bot.ui.standings.leaderboard import PodiumPublisher
from db.processes.notifications import Notification, Subject
from db.values.places import DIRECT, DiscordId, Place, Shards

log = structlog.get_logger()

SWEEP, BEAT, ACTIVITY = 15.0, 10.0, 60.0
"""Seconds between two rounds of a background task."""
LEAGUES = 600.0
"""Seconds between two searches for leagues that are to be opened: `/settings` opens the first ones at once."""
REGISTER_AGAIN = 600.0
"""Seconds after which commands that Discord refused are sent again."""
FINISH = 5.0
"""Seconds for running answers when the bot stops. Docker waits for ten."""
LONGEST_ANSWER = 15 * 60.0
"""Seconds for running answers when a shard moves to another process. Discord accepts no answer later."""


class Pencilbox:
    """The bot of this process, which serves the servers of its shards.

    It starts without a shard. `own` sets the shards of this process, and `ready` marks a shard as connected. The
    background tasks work for the connected shards, and run at once when these change.
    """

    def __init__(
        self,
        services: Services,
        data_dir: Path,
        moments_percent: int = 0,
        admin_server: DiscordId | None = None,
        meter: Meter | None = None,
        links: Links | None = None,
        note: str | None = None,
        *,
        touched_matches: TouchedMatches | None = None,
    ) -> None:
        """Create the bot.

        The search of finished games uses at most `moments_percent` of the time of one core; 0 disables the search.
        `admin_server` is the server with `/admin`. `meter` counts interactions; None counts nothing. `links` are the
        addresses of the operator's pages. With a `note`, an empty server gets the first message with this note. With
        `touched_matches`, boards have a button that opens the Activity.
        """
        services.ownership.owned = services.ownership.served = Shards.some(1, ())
        self.services = services
        self.admin_server, self.note = admin_server, note
        self.page_refusals = Counter[str]()
        """What the server of the Activity has refused, by reason."""
        self.clients = Clients()
        posting = Posting(self.clients, services.ownership)
        meter = meter or Meter()
        direct = DirectMessages(self.clients, posting, services.store.direct_messages, services.clock, meter)
        alerts = PermissionAlerts(self.clients, services.alerts, services.preferences, direct)
        self.outbox = Outbox(self.clients, services, posting, alerts)
        self.ui_services = UiServices(
            posting,
            self.outbox,
            alerts,
            TurnNotices(posting, services.preferences, direct),
            MemberNames(self.clients, services.preferences),
            direct,
            meter=meter,
            clients=self.clients,
            links=links or Links(),
            touched_matches=touched_matches,
            remarks=(SetupQuestions().due,),
        )
        services.volunteers.sees = self._sees
        self.display = BotDisplay(self.clients, services, self.ui_services)
        self.outbox_task = OutboxTask(self.clients, services, self.outbox)
        for publisher in (
            DailyPublisher(self.outbox, services, self.ui_services),
            WeeklyPublisher(self.outbox, services, self.ui_services),
            PodiumPublisher(self.outbox, services, self.ui_services),
            EventPublisher(self.outbox, services, self.ui_services),
            CopyPublisher(self.outbox, services, self.ui_services),
        ):
            self.outbox.add(publisher)
        self._listener = NotificationListener(services, self.display)
        self._clock_task = ClockTask(services, self.ui_services, self.display.boards)
        self._moment_task = MomentTask(services.moments, moments_percent)
        self._direct_message_task = DirectMessageTask(services, self.ui_services, self.display.boards)
        # Each work has its own task, so that a failed or slow task does not stop the others.
        works: dict[str, Callable[[], Awaitable[float]]] = {
            "administration": self._administer,
            "challenges": self._every(SWEEP, services.challenges.expire),
            "events": self._every(SWEEP, services.events.round),
            "leagues": self._open_leagues,
            "roles": RoleTask(services, self.clients).round,
            "votes": self._every(SWEEP, services.votes.round),
            "volunteers": self._every(ACTIVITY, services.votes.replace_absent),
            "posts": self.outbox_task.round,
            "direct messages": self._direct_message_task.round,
            "daily puzzles": self._every(SWEEP, services.daily_puzzles.add_due),
            "weekly posts": self._every(SWEEP, services.weekly_posts.add_due),
            "podiums": self._every(SWEEP, services.leaderboards.add_due_podiums),
            "leaderboards": self._every(SWEEP, services.leaderboard_cleanup.sweep, leading=True),
            "departures": self._delete_departed,
            "digests": self._every(SWEEP, services.digests.queue_due, leading=True),
            "activity": self._every(ACTIVITY, services.retention.store_activity),
            "retention": self._delete_inactive,
            "accounts": self._every(
                SWEEP,
                partial(services.retention.delete_accounts, partial(is_deleted, self.clients)),
                leading=True,
            ),
            "clocks": self._clock_task.round,
            "computers": self.display.boards.automatic.round,
            "forgotten games": ForgottenTask(services, self.ui_services, self.display.boards).round,
            "resumptions": ResumptionTask(services, self.ui_services, self.display.boards).round,
            "ratings": self._recompute_ratings,
            "commands": self._register_commands,
            EMOJIS: partial(load_emojis, self.clients, lambda: services.ownership.leads, services.rounds),
        }
        if moments_percent:
            works["moments"] = self._search
        self.background = [BackgroundTask(name, work, sleep=self._pause) for name, work in works.items()]
        self.stands_by = False
        """Return True if this process has no shard and waits until another process gives one up."""
        self._running: list[asyncio.Task[None]] = []
        self._closing: set[asyncio.Task[None]] = set()
        self._data_dir = data_dir
        self._ready: set[int] = set()
        self._uncompared: dict[int, ShardClient] = {}
        """By shard that has connected: its client, whose servers are still to be compared with the stored ones."""
        self._changed = asyncio.Event()

    def own(self, shards: Shards) -> None:
        ownership = self.services.ownership
        before = ownership.owned
        # Other processes may have written there.
        self.services.store.matches.forget(
            lambda it: shards.contains(it.place.guild) and not before.contains(it.place.guild)
        )
        ownership.owned = shards
        self._serve()

    def ready(self, client: ShardClient) -> None:
        """Serve a shard, which has just connected."""
        self._ready.add(client.shard)
        self._uncompared[client.shard] = client
        self._serve()

    def unready(self, shard: int) -> None:
        """Stop serving a shard, which has disconnected."""
        self._ready.discard(shard)
        self._uncompared.pop(shard, None)
        self._serve()

    def _serve(self) -> None:
        """Update the served shards, and run the background tasks at once if the shards have changed."""
        ownership = self.services.ownership
        served = Shards.some(ownership.owned.count, self._ready & ownership.owned.numbers)
        if served == ownership.served:
            return
        ownership.served = served
        self.display.boards.automatic.search_all()
        self.services.matches.move_log.ticked.set()
        self.outbox.wake()
        self._changed.set()
        self._changed = asyncio.Event()

    def begin(self) -> None:
        """Start the background tasks, which wait until a shard is served."""
        works = [self._when_served(task.run()) for task in self.background]
        works.append(BackgroundTask("beat", self._beat).run())
        self._running = [asyncio.create_task(work) for work in works]

    async def _when_served(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            while not self.services.ownership.served.numbers:
                await self._changed.wait()
        except asyncio.CancelledError:
            work.close()
            raise
        await work

    async def _pause(self, seconds: float) -> None:
        """Wait for some seconds, or until the served shards change."""
        await set_within(self._changed, seconds)

    async def end(self) -> None:
        """Stop the background tasks, and wait for running answers."""
        for task in self._running:
            task.cancel()
        # The tasks close their database connections first. aiosqlite would wait for ever if cancelled twice.
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._listener.end()
        await self.finish_answers()
        await self.display.boards.automatic.stop()

    def receive(self, notification: Notification) -> None:
        """Act on a notification of another process."""
        touched = self.ui_services.touched_matches
        if notification.subject is Subject.TOUCHED and touched is not None:
            touched.remember(notification.id, notification.about)
        self._listener.receive(notification)

    async def finish_answers(self) -> None:
        """Wait for running answers, for FINISH seconds at most."""
        await self.ui_services.running_answers.finish(FINISH)

    async def finish_posts(self) -> None:
        """Wait for posts that are being published, for FINISH seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH):
                await self.outbox.finish()

    def close_after_answers(self, client: ShardClient) -> None:
        """Close the client of a shard that was given up after the running answers, which use its HTTP session."""
        closing = asyncio.create_task(self._close_after_answers(client))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _close_after_answers(self, client: ShardClient) -> None:
        try:
            await self.ui_services.running_answers.finish(LONGEST_ANSWER)
        finally:
            await client.close()

    async def close_clients(self) -> None:
        """Close the clients of shards that were given up. Running answers get a few more seconds."""
        if self._closing:
            _, late = await asyncio.wait(self._closing, timeout=FINISH)
            for closing in late:
                closing.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _every(
        self, pause: float, work: Callable[[], Awaitable[object]], *, leading: bool = False
    ) -> Callable[[], Awaitable[float]]:
        """Return a round of `work` with its pause, after which the outbox is woken if the work has done anything.

        With `leading`, only the process that leads does the work.
        """

        async def one_round() -> float:
            if (self.services.ownership.leads or not leading) and await work():
                self.outbox.wake()
            return pause

        return one_round

    async def _register_commands(self) -> float:
        """Register the commands again if Discord refused them at the login."""
        client = self.clients.of(DIRECT)
        if isinstance(client, ShardClient):
            await client.register_commands()
        return REGISTER_AGAIN

    async def _sees(self, user: DiscordId, place: Place) -> bool:
        """Return False if Discord says that a member is not in a server any more, or does not see a place there."""
        try:
            return await sees(self.clients, user, place)
        except DISCORD_ERRORS:
            return True

    async def _administer(self) -> float:
        """Reload the bans and the announcement, and end the games of banned members and servers."""
        await self.services.administration.refresh()
        await self.services.administration.end_games(self.services.ownership.served)
        return SWEEP

    async def _open_leagues(self) -> float:
        """Open the next month of the leagues that are due; the outbox posts their cards."""
        await self.services.leagues.round()
        self.outbox.wake()
        return LEAGUES

    async def _delete_departed(self) -> float:
        """Record which servers the bot has joined and left while it was offline, and delete data of the latter."""
        departures, served = self.services.departures, self.services.ownership.served
        clients = {shard: it for shard, it in self._uncompared.items() if shard in served.numbers}
        present = {shard: {guild.id for guild in client.guilds} for shard, client in clients.items()}
        for shard in await departures.compare_shards(present, served.count):
            if self._uncompared.get(shard) is clients[shard]:
                del self._uncompared[shard]
        await departures.sweep(self.clients.guilds(), served)
        return SWEEP

    async def _delete_inactive(self) -> float:
        """Delete the data of inactive servers and, if this process leads, of inactive members."""
        ownership, retention = self.services.ownership, self.services.retention
        await retention.delete_servers(ownership.served)
        if ownership.leads and await retention.delete_members():
            self.outbox.wake()
        return SWEEP

    async def _search(self) -> float:
        """Search a finished game for moments if this process leads."""
        return await self._moment_task.round() if self.services.ownership.leads else SEARCH_INTERVAL_S

    async def _recompute_ratings(self) -> float:
        """Recompute some ratings after a reverted result if this process leads, and wait for the next one."""
        if not self.services.ownership.leads:
            return POLL_S
        reverted = self.services.matches.reverted
        reverted.clear()
        await set_within(reverted, await self.services.ratings.recompute())
        return 0.0

    async def _beat(self) -> float:
        """Record that the process is healthy: all its shards are connected."""
        ownership = self.services.ownership
        give_back()
        if ownership.owned.numbers <= ownership.served.numbers & self.clients.connected:
            touch_alive_file(self._data_dir)
        return BEAT
