"""Notifications of other processes: what they changed is read again, and displayed where they could not display it."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

from bot.app.errors import Refused
from bot.app.services import Services
from bot.ui.matches.boards import BotDisplay
from bot.ui.posts.requests import DISCORD_ERRORS
from db.processes.notifications import Notification, Subject

log = structlog.get_logger()


class NotificationListener:
    """Acts on the notifications of other processes. The next sweep does what fails or was not notified.

    A member can act in a match of another server, such as by a command in direct messages. The process that receives
    the interaction stores what the member did. The process that owns the match's server is notified, and displays it.
    """

    def __init__(self, services: Services, display: BotDisplay) -> None:
        self._services = services
        self._display = display
        self._showing: dict[Notification, asyncio.Task[None]] = {}

    def receive(self, notification: Notification) -> None:
        self._forget(notification)
        if notification.subject is Subject.ADMINISTRATION:
            self._begin(notification, self._refresh)
            return
        shows = {
            Subject.MATCH: self._show_match,
            Subject.CHALLENGE: self._show_challenge,
        }
        show = shows.get(notification.subject)
        if show is not None and notification.shard in self._services.ownership.served.numbers:
            self._begin(notification, show)

    def _begin(self, notification: Notification, show: Callable[[int], Awaitable[None]]) -> None:
        # Nothing is shown in a server that has just been banned, so bans are read first.
        earlier = {self._showing.get(it) for it in (notification, Notification(Subject.ADMINISTRATION, 0))}
        first = {it for it in earlier if it is not None}
        showing = self._showing[notification] = asyncio.create_task(self._show(show, notification.id, first))
        showing.add_done_callback(lambda done: self._shown(notification, done))

    @property
    def showing(self) -> bool:
        """Return True if a display is running."""
        return bool(self._showing)

    async def end(self) -> None:
        """Cancel all displays."""
        tasks = list(self._showing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, notification: Notification) -> None:
        store = self._services.store
        match notification.subject:
            case Subject.MATCH:
                store.matches.forget(lambda it: it.id == notification.id)
            case Subject.MEMBER:
                store.matches.forget(lambda it: notification.id in it.users)
            case Subject.SERVER:
                store.matches.forget(lambda it: it.place.guild == notification.id)

    async def _show(
        self, show: Callable[[int], Awaitable[None]], number: int, first: Collection[asyncio.Task[None]]
    ) -> None:
        """Display something after the tasks in `first` have ended."""
        if first:
            await asyncio.wait(first)
        try:
            await show(number)
        except (Refused, *DISCORD_ERRORS) as error:
            log.warning("notification.display_delayed", error=type(error).__name__)
        except Exception as error:
            # The error's text may quote a hidden move.
            log.error("notification.display_failed", error=type(error).__name__)

    def _shown(self, notification: Notification, done: asyncio.Task[None]) -> None:
        if self._showing.get(notification) is done:
            del self._showing[notification]

    async def _refresh(self, _: int) -> None:
        """Read the bans and the announcement again. The process that bans also ends the games."""
        await self._services.administration.refresh()

    async def _show_match(self, match: int) -> None:
        self._services.matches.move_log.ticked.set()
        stored = await self._services.store.matches.load(match)
        guild = None if stored is None else stored.place.guild
        # Where the bot can only respond, the responding process has displayed the match.
        if guild is not None and self._services.ownership.shows(guild):
            loaded = await self._services.matches.resume(match)
            await self._display.show(match, loaded)

    async def _show_challenge(self, challenge: int) -> None:
        await self._display.invite(challenge)
