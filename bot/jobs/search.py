"""Searches by workers, and by this process as long as there is none; questions and answers are JSON."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict

import structlog

from bot.app.searches import Found, NoChoice, Purpose, Searches, Unsearched
from bot.search.bestmove import choice_in, moments_in, worths_in
from bot.startup.config import Config, ConfigError
from db.address import Server, address
from db.jobs.queue import SearchQueue, search_queue
from db.jobs.schema import MOMENTS, MOVES
from rules.core.game import Seat
from rules.core.match import Match
from rules.core.record import read_match, write
from rules.games import find
from rules.players.explore import Worth
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.puzzles.moments import written

NOTHING = "{}"
"""The answer of a search that found nothing."""


def move_question(match: Match, seat: Seat, budget: Budget, seed: int, purpose: Purpose) -> str:
    about = {"seat": seat, "budget": asdict(budget), "seed": seed, "purpose": int(purpose)}
    return json.dumps({"record": write(match), "move": about})


def worths_question(match: Match) -> str:
    return json.dumps({"record": write(match), "every": True})


def moments_question(match: Match) -> str:
    return json.dumps({"record": write(match)})


async def answer(question: str, search: Searches) -> str:
    """Return the answer of this search to a question, as JSON that bot.search.bestmove reads."""
    asked = json.loads(question)
    match = read_match(find(asked["record"]["game"]), asked["record"])
    about = asked.get("move")
    try:
        if asked.get("every"):
            return json.dumps({"moves": [asdict(it) for it in await search.worths(match)]})
        if about is None:
            found = await search.moments(match)
            return json.dumps({"moments": [written(it) for it in found.moments], "seconds": found.seconds})
        choice = await search.choose(
            match, about["seat"], Budget(**about["budget"]), about["seed"], Purpose(about["purpose"])
        )
    except (NoChoice, Unsearched):
        return NOTHING
    return json.dumps(asdict(choice))


log = structlog.get_logger()


class WorkersFirst:
    """Searches by the workers, and in this process if no worker answers."""

    def __init__(self, queue: SearchQueue, here: Searches) -> None:
        self.queue = queue
        self._here = here
        self._alone = False
        """True since a search had to be carried out here."""

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        """Return a move for `seat`; see bot.app.searches.Thinker. Raises NoChoice."""
        question = move_question(match, seat, budget, seed, purpose)
        answer = self._noted(await self.queue.ask(question, MOVES, int(purpose)))
        if answer is None:
            return await self._here.choose(match, seat, budget, seed, purpose)
        return choice_in(json.loads(answer))

    async def worths(self, match: Match) -> tuple[Worth, ...]:
        """Return the worth of each legal move; see bot.app.searches.MoveJudge. Raises NoChoice."""
        answer = self._noted(await self.queue.ask(worths_question(match), MOVES, int(Purpose.HINT)))
        found = None if answer is None else json.loads(answer)
        if found is None or "moves" not in found:
            # Without moves, a worker of an earlier version may have answered, which does not know this question.
            return await self._here.worths(match)
        return worths_in(found)

    async def moments(self, match: Match) -> Found:
        """Return the moments of a finished match; see bot.app.searches.MomentFinder. Raises Unsearched."""
        answer = self._noted(await self.queue.ask(moments_question(match), MOMENTS, 0))
        if answer is None:
            return await self._here.moments(match)
        return moments_in(match, json.loads(answer))

    def _noted(self, answer: str | None) -> str | None:
        """Log a change: from answers of workers to none, or back."""
        alone = answer is None
        if alone and not self._alone:
            log.warning(
                "workers.unavailable",
                remedy="this process searches itself; start a worker with python -m bot worker",
            )
        elif self._alone and not alone:
            log.info("workers.available")
        self._alone = alone
        return answer


@asynccontextmanager
async def workers_first(config: Config, here: Searches) -> AsyncIterator[WorkersFirst]:
    """Open the queue to the workers. Raises ConfigError and StoreUnavailable."""
    place = address(config.database, config.data_dir)
    if not isinstance(place, Server):
        raise ConfigError(
            "PENCILBOX_SEARCH=workers needs PostgreSQL: let DATABASE_URL name one, or leave PENCILBOX_SEARCH out."
        )
    async with search_queue(place) as queue:
        yield WorkersFirst(queue, here)
