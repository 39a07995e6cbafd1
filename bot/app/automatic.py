"""Moves and answers that no member makes now: conditional moves, those of computer players, and what was agreed.

They follow each entry of a match that is stored here. A background task repeats what failed, and what a stopped process
left. Chance and forced moves are played before (bot.app.matches.matches).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import structlog

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.services import Services
from bot.app.tasks.background import own_context

log = structlog.get_logger()

INTERVAL_S = 30.0
"""Seconds between two rounds."""
SEARCH_ALL = 20
"""Every so many looks, and at the first, all running matches are looked through."""
MOST_AT_ONCE = 100
"""Number of matches in which computer players think at once, above which a round begins no more."""
MOST_S = 600.0
"""Seconds after which the turns of computer players in a match count as failed: searches wait for each other."""
TURNS, AGREED, ANSWERS, CONDITIONAL = "computers", "agreed", "computer-answers", "conditional-moves"
"""Names of the tasks whose items are matches, challenges, proposals, and matches again."""


class AutomaticMoves:
    """The loop that lets computer players move, at most one at a time in each match, and carries out what was agreed.

    `show` displays a match. It is called when computer players have moved after the display stopped waiting for them.
    """

    def __init__(self, services: Services, show: Callable[[int], Awaitable[None]]) -> None:
        self._services = services
        self._rounds = services.rounds
        self._show = show
        self._thinking: dict[int, asyncio.Task[bool]] = {}
        self._again: set[int] = set()
        """Matches in which somebody else moved while computer players were thinking."""
        self._late: set[int] = set()
        """Matches that were displayed before the computer players had moved."""
        self._showing: set[asyncio.Task[None]] = set()
        self._rounds_done = 0
        self._unseen: AsyncIterator[int] | None = None
        """Matches that are still to be looked through; None if there are no more."""
        services.matches.followed = self.follow

    async def follow(self, loaded: LoadedMatch) -> LoadedMatch:
        """Carry out or close the proposals of a match that has changed, play conditional moves, and let computers move.

        Return the match after the proposals and conditional moves. The computer players move in a task.
        """
        if loaded.stored.context.proposals:
            # The last player whose consent was missing may have left: then the proposal is carried out.
            await self._services.proposals.close_decided(loaded.id)
            loaded = await self._services.matches.newest(loaded.id, loaded)
        if loaded.stored.context.variations:
            loaded = await self._services.conditional_moves.settle(loaded)
        if self.thinks(loaded.id):
            self._services.computer_turns.moved_on(loaded)
        if loaded.computer_on_turn is not None and self._services.ownership.shows(loaded.stored.place.guild):
            self._start(loaded.id)
        return loaded

    def thinks(self, match: int) -> bool:
        """Return True while computer players of a match are thinking."""
        return match in self._thinking

    async def wait(self, match: int, seconds: float) -> None:
        """Wait until the computer players of a match have moved, at most this long.

        If they need longer, the match is displayed again after their moves.
        """
        if match in self._thinking:
            await asyncio.wait({self._thinking[match]}, timeout=seconds)
        if match in self._thinking:
            self._late.add(match)

    async def stop(self) -> None:
        """Give up all searches; they are taken up again when the bot starts."""
        tasks: list[asyncio.Task[Any]] = [*self._thinking.values(), *self._showing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def search_all(self) -> None:
        """Search all matches in the next round, because other shards are served now."""
        self._rounds_done = 0

    async def round(self) -> float:
        """Move where that failed before; now and then take up everything that a stopped process or a failure left.

        Return the seconds to the next round.
        """
        for match in await self._rounds.due(TURNS):
            self._take_turn(int(match))
        if self._rounds_done % SEARCH_ALL == 0:
            self._unseen = self._services.computer_turns.pending()
            await self._take_up()
        elif any([await self._rounds.due(task) for task in (AGREED, ANSWERS, CONDITIONAL)]):
            await self._take_up()
        self._rounds_done += 1
        waiting_for_retry = set(await self._rounds.waiting(TURNS))
        while self._unseen is not None and len(self._thinking) < MOST_AT_ONCE:
            found = await anext(self._unseen, None)
            if found is None:
                self._unseen = None
            elif str(found) not in waiting_for_retry:
                self._take_turn(found)
        return INTERVAL_S

    async def _take_up(self) -> None:
        """Begin matches that were agreed on, answer proposals, and play conditional moves."""
        agreed = await self._services.store.challenges.agreed(await self._rounds.limit(AGREED))
        await self._rounds.each(AGREED, agreed, self._begin)
        proposals = await self._services.store.proposals.unanswered_by_computers(
            await self._rounds.limit(ANSWERS)
        )
        await self._rounds.each(ANSWERS, proposals, self._answer, seconds=MOST_S)
        behind = await self._services.store.variations.behind(await self._rounds.limit(CONDITIONAL))
        await self._rounds.each(CONDITIONAL, behind, self._settle)

    async def _begin(self, challenge: int) -> None:
        try:
            loaded = await self._services.challenges.begin(challenge)
        except Refused:
            log.info("challenge.cannot_begin", challenge=challenge)
        else:
            await self._show_late(loaded.id)

    async def _answer(self, number: int) -> None:
        proposal = await self._services.store.proposals.get(number)
        if proposal is not None:
            await self._services.computer_answers.answer(proposal)
            await self._show_late(proposal.match)

    async def _settle(self, match: int) -> None:
        """Play the conditional moves of a match, and show it."""
        await self._services.matches.resume(match)
        await self._show_late(match)

    def _take_turn(self, match: int) -> None:
        """Let the computer players of a match move, and then show it."""
        if match not in self._thinking:
            self._late.add(match)
            self._start(match)

    def _start(self, match: int) -> None:
        """Let the computer players of a match move, in a task whose result is False if they could not."""
        thinking = self._thinking.get(match)
        if thinking is None:
            # A context of its own: a search outlives the interaction during which it began.
            self._thinking[match] = asyncio.create_task(self._play(match), context=own_context())
            self._thinking[match].add_done_callback(lambda done: self._done(match, done))
        elif thinking is not asyncio.current_task():
            self._again.add(match)

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
        again, late = match in self._again, match in self._late
        self._again.discard(match)
        if again and not task.cancelled() and task.result():
            self._start(match)
            return
        self._late.discard(match)
        if late and not task.cancelled():
            showing = asyncio.create_task(self._show_late(match), context=own_context())
            self._showing.add(showing)
            showing.add_done_callback(self._showing.discard)

    async def _show_late(self, match: int) -> None:
        try:
            await self._show(match)
        except Exception as error:
            # The outbox publishes it later.
            log.warning("match.display_delayed", match=match, error=type(error).__name__)
