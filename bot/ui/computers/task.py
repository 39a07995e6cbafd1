"""The turns of computer players while the bot runs: after each board, after a restart, and again after a failure."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from bot.app.computers.thinker import NoChoice
from bot.app.computers.turns import waiting
from bot.app.errors import Refused
from bot.app.matches.table import Table
from bot.app.services import Services
from bot.app.tasks.request_ids import own_context
from bot.ui.kit.posts.posting import Posting

log = structlog.get_logger()

MOMENT = 1.0
"""Seconds for which a board waits for a computer player's answer, so that one board shows both moves."""
PATIENCE = 10.0
"""The same where the bot can only answer a member, and so could not show the answer later."""
LOOK = 30.0
"""Seconds between two looks for computer players that failed to move and may try again."""
SEARCH_ALL = 20
"""Every so many looks, and at the first, all running matches are looked through."""
LONGEST_PAUSE = 600.0
"""The longest pause, in seconds, after a computer player has failed to move several times."""


class ComputerTask:
    """The background task of computer players: it lets them move, at most one at a time in each match.

    `show` posts the board of a match.
    """

    def __init__(
        self,
        services: Services,
        posting: Posting,
        show: Callable[[int], Awaitable[None]],
    ) -> None:
        self._services = services
        self._posting = posting
        self._show = show
        self._thinking: dict[int, asyncio.Task[bool]] = {}
        self._late: set[int] = set()
        """Matches whose board was shown before the computer player had moved."""
        self._showing: set[asyncio.Task[None]] = set()
        self._failures: dict[int, tuple[int, float]] = {}
        """By match: how often a computer player failed to move there, and when it may try again."""
        self._looks = 0

    async def move(self, table: Table) -> Table:
        """Let the computer players of a match move, and wait a moment for them. Return the match as it then stands.

        If they need longer, the board is shown again once they have moved.
        """
        self._services.computer_turns.moved_on(table)
        if waiting(table) is None:
            return table
        task = self._start(table.id)
        patience = MOMENT if self._posting.reaches(table.stored.place) else PATIENCE
        done, _ = await asyncio.wait({task}, timeout=patience)
        if not done:
            self._late.add(table.id)
            return table
        after = await self._services.matches.table(table.id)
        if waiting(after) is not None and not task.cancelled() and task.exception() is None:
            # A member moved just when the task had seen that nobody was waiting for it.
            self._late.add(table.id)
            self._start(table.id)
        return after

    async def stop(self) -> None:
        """Give up all searches; they are taken up again when the bot starts."""
        tasks: list[asyncio.Task[Any]] = [*self._thinking.values(), *self._showing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def look_at_all(self) -> None:
        """Look through all matches in the next round: they are others than before."""
        self._looks = 0

    async def round(self) -> float:
        """Move where that failed before; now and then take up everything that a stopped process or a failure left.

        Return the seconds to the next round.
        """
        matches = list(self._failures)
        if self._looks % SEARCH_ALL == 0:
            await self._take_up()
            matches = await self._services.computer_turns.pending()
        self._looks += 1
        now = asyncio.get_running_loop().time()
        for match in matches:
            if match not in self._thinking and self._failures.get(match, (0, 0.0))[1] <= now:
                self._late.add(match)
                self._start(match)
        return LOOK

    async def _take_up(self) -> None:
        """Begin matches that were agreed on, and answer proposals."""
        for challenge in await self._services.challenges.agreed():
            try:
                await self._show((await self._services.challenges.begin(challenge)).id)
            except Refused:
                log.info("a game that was agreed on cannot begin", challenge=challenge)
        for proposal in await self._services.computer_answers.open():
            try:
                answered = await self._services.computer_answers.answer(proposal)
            except NoChoice:
                continue
            await self._show(answered.proposal.match)

    def _start(self, match: int) -> asyncio.Task[bool]:
        """Return the task in which the computer players of a match move."""
        running = self._thinking.get(match)
        if running is not None:
            return running
        # A context of its own: a search outlives the interaction during which it began.
        task = asyncio.create_task(self._services.computer_turns.play(match), context=own_context())
        self._thinking[match] = task
        task.add_done_callback(lambda done: self._done(match, done))
        return task

    def _done(self, match: int, task: asyncio.Task[bool]) -> None:
        del self._thinking[match]
        late = match in self._late
        self._late.discard(match)
        if task.cancelled():
            return
        error = task.exception()
        if error is None or isinstance(error, Refused):
            self._failures.pop(match, None)
        else:
            times = self._failures.get(match, (0, 0.0))[0] + 1
            pause = min(LONGEST_PAUSE, LOOK * 2 ** (times - 1))
            self._failures[match] = times, asyncio.get_running_loop().time() + pause
            log.error(
                "a computer player could not move", match=match, error=type(error).__name__, pause=pause
            )
        if late:
            showing = asyncio.create_task(self._show_late(match), context=own_context())
            self._showing.add(showing)
            showing.add_done_callback(self._showing.discard)

    async def _show_late(self, match: int) -> None:
        try:
            await self._show(match)
        except Exception as error:
            # The next sweep shows what is not shown.
            log.warning("a computer player's move is not shown yet", match=match, error=type(error).__name__)
