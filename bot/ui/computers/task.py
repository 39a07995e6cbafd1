"""The turns of computer players while the bot runs: after each board, after a restart, and again after a failure."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import structlog

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
MOST_AT_ONCE = 100
"""Number of matches in which computer players think at once, above which a round begins no more."""
MOST_S = 600.0
"""Seconds after which the turns of computer players in a match count as failed: searches wait for each other."""
TURNS, AGREED, ANSWERS = "computers", "agreed", "computer-answers"
"""Names of the tasks whose items are matches, challenges and proposals."""


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
        self._rounds = services.rounds
        self._posting = posting
        self._show = show
        self._thinking: dict[int, asyncio.Task[bool]] = {}
        self._late: set[int] = set()
        """Matches whose board was shown before the computer player had moved."""
        self._showing: set[asyncio.Task[None]] = set()
        self._looks = 0
        self._unseen: AsyncIterator[int] | None = None
        """Matches that are still to be looked through; None if there are no more."""

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
        if waiting(after) is not None and not task.cancelled() and task.result():
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
        for match in await self._rounds.due(TURNS):
            self._take_turn(int(match))
        if self._looks % SEARCH_ALL == 0:
            self._unseen = self._services.computer_turns.pending()
            await self._take_up()
        elif await self._rounds.due(AGREED) or await self._rounds.due(ANSWERS):
            await self._take_up()
        self._looks += 1
        waiting_for_retry = set(await self._rounds.waiting(TURNS))
        while self._unseen is not None and len(self._thinking) < MOST_AT_ONCE:
            found = await anext(self._unseen, None)
            if found is None:
                self._unseen = None
            elif str(found) not in waiting_for_retry:
                self._take_turn(found)
        return LOOK

    async def _take_up(self) -> None:
        """Begin matches that were agreed on, and answer proposals."""
        agreed = await self._services.challenges.agreed(await self._rounds.limit(AGREED))
        await self._rounds.each(AGREED, agreed, self._begin)
        proposals = await self._services.store.proposals_to_computers(await self._rounds.limit(ANSWERS))
        await self._rounds.each(ANSWERS, proposals, self._answer, seconds=MOST_S)

    async def _begin(self, challenge: int) -> None:
        try:
            table = await self._services.challenges.begin(challenge)
        except Refused:
            log.info("a game that was agreed on cannot begin", challenge=challenge)
        else:
            await self._show_late(table.id)

    async def _answer(self, number: int) -> None:
        proposal = await self._services.proposals.find(number)
        if proposal is not None:
            await self._services.computer_answers.answer(proposal)
            await self._show_late(proposal.match)

    def _take_turn(self, match: int) -> None:
        """Let the computer players of a match move, and then show it."""
        if match not in self._thinking:
            self._late.add(match)
            self._start(match)

    def _start(self, match: int) -> asyncio.Task[bool]:
        """Return the task in which the computer players of a match move. Its result is False if they could not."""
        running = self._thinking.get(match)
        if running is not None:
            return running
        # A context of its own: a search outlives the interaction during which it began.
        task = asyncio.create_task(self._play(match), context=own_context())
        self._thinking[match] = task
        task.add_done_callback(lambda done: self._done(match, done))
        return task

    async def _play(self, match: int) -> bool:
        refused = False

        async def play() -> None:
            nonlocal refused
            try:
                await self._services.computer_turns.play(match)
            except Refused:
                refused = True

        return await self._rounds.attempt(TURNS, match, play(), seconds=MOST_S) is None and not refused

    def _done(self, match: int, task: asyncio.Task[bool]) -> None:
        del self._thinking[match]
        late = match in self._late
        self._late.discard(match)
        if late and not task.cancelled():
            showing = asyncio.create_task(self._show_late(match), context=own_context())
            self._showing.add(showing)
            showing.add_done_callback(self._showing.discard)

    async def _show_late(self, match: int) -> None:
        try:
            await self._show(match)
        except Exception as error:
            # The task that posts boards shows it.
            log.warning("a computer player's move is not shown yet", match=match, error=type(error).__name__)
