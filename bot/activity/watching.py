"""The matches that are open in the page: whoever watches one is told when it changes."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.services import Services
from db.values.proposals import Proposal
from db.values.votes import Volunteer, Vote

log = structlog.get_logger()

POLL = 1.0
"""Seconds after which a watched match is read again: other processes change it, and proposals and clocks change too."""

MOST_SHARED = 4
"""Messages that are kept for each watched match: boards in each theme, compressed or not."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A match with its proposals, and the votes or volunteers for its next move, as it was read last."""

    loaded: LoadedMatch = field(compare=False)
    stored: object
    proposals: tuple[Proposal, ...]
    votes: tuple[Vote, ...] = ()
    volunteers: tuple[Volunteer, ...] = ()


Told = Callable[[Standing], Awaitable[None]]


class _Watched:
    """One match, and the functions that are told of its changes."""

    def __init__(self, task: "asyncio.Task[None]") -> None:
        self.task = task
        self.told: dict[object, Told] = {}
        self.joined: set[object] = set()
        """Those who have begun to watch since the last reading, and may know an older state."""
        self.changed = asyncio.Event()
        self.shared: list[tuple[object, asyncio.Task[str | bytes]]] = []
        """The last drawings for several watchers, by their observations."""


class Watching:
    """Reads each watched match once for all who watch it."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._watched: dict[int, _Watched] = {}
        services.store.matches.when_put(self._put)

    async def standing(self, match: int) -> Standing:
        """Return how a match stands now. Raises Refused if there is none."""
        loaded = await self._services.matches.load(match)
        stored = replace(loaded.stored, post=None)
        if loaded.match.over:
            return Standing(loaded, stored, ())
        proposals = await self._services.proposals.on_board(loaded)
        votes = await self._services.votes.current(loaded)
        secret = loaded.team is not None and loaded.secret
        volunteers = await self._services.store.votes.volunteers(match) if secret else ()
        return Standing(loaded, stored, tuple(proposals), tuple(votes), tuple(volunteers))

    def watch(self, watcher: object, match: int, told: Told) -> None:
        """Tell a watcher how a match stands, then of every change of it, and of no other match."""
        self.leave(watcher)
        watched = self._watched.get(match)
        if watched is None:
            watched = self._watched[match] = _Watched(asyncio.create_task(self._follow(match)))
        watched.told[watcher] = told
        watched.joined.add(watcher)
        watched.changed.set()

    def leave(self, watcher: object) -> None:
        """Tell a watcher of nothing any more."""
        for match, watched in [*self._watched.items()]:
            watched.joined.discard(watcher)
            if watched.told.pop(watcher, None) is not None and not watched.told:
                watched.task.cancel()
                del self._watched[match]

    async def shared(
        self, match: int, seen: object, drawing: Coroutine[Any, Any, str | bytes]
    ) -> str | bytes:
        """Return what `drawing` returns. For all watchers who see the same of a match, it is run once."""
        watched = self._watched.get(match)
        if watched is None:
            return await drawing
        drawn = next((it for known, it in watched.shared if known == seen), None)
        if drawn is None:
            drawn = asyncio.create_task(drawing)
            watched.shared = [*watched.shared[1 - MOST_SHARED :], (seen, drawn)]
        else:
            drawing.close()
        return await asyncio.shield(drawn)

    async def end(self) -> None:
        """Stop."""
        tasks = [it.task for it in self._watched.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._watched.clear()

    def _put(self, match: int) -> None:
        if (watched := self._watched.get(match)) is not None:
            watched.changed.set()

    async def _follow(self, match: int) -> None:
        known: Standing | None = None
        while True:
            watched = self._watched[match]
            joined, watched.joined = watched.joined, set()
            try:
                now = await self.standing(match)  # which sets the event, too
            except Refused:
                return  # the server's data was deleted
            except Exception as error:
                # The database may be gone for a while.
                log.warning("activity.match_not_read", match=match, error=type(error).__name__)
                watched.joined |= joined
            else:
                watched.changed.clear()
                news = [it for key, it in watched.told.items() if now != known or key in joined]
                known = now
                await asyncio.gather(*(_tell(it, now) for it in news))
                if watched.joined:
                    continue
            # A match that is over changes only here, or by what is rare enough to wait for the next opening.
            ended = known is not None and known.loaded.match.over
            with suppress(TimeoutError):
                async with asyncio.timeout(None if ended else POLL):
                    await watched.changed.wait()


async def _tell(told: Told, now: Standing) -> None:
    """Tell one watcher. A failure, such as a socket that was just lost, affects no other."""
    try:
        await told(now)
    except Exception as error:
        log.info("activity.watcher_not_told", match=now.loaded.id, error=type(error).__name__)
