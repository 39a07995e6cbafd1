"""No puzzle gives a running game away: one with a position of a game that is being played is not shown to anybody."""

import asyncio
from collections.abc import Hashable, Sequence
from functools import lru_cache

from bot.app.errors import Refused
from bot.app.matches.positions import position
from bot.app.matches.table import Table
from bot.app.review.fair_play import FairPlay
from db.api.store import Store
from rules.core.match import Match, Ply, Setup
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.same import likeness

REFUSAL = (
    "A game that is still being played stands at a position of this puzzle or close to it, so the puzzle waits until "
    "that game has moved on."
)


class PuzzleGuard:
    """Compares the positions of puzzles with those of all running games, rated or not, in every server."""

    def __init__(self, store: Store, fair_play: FairPlay) -> None:
        self._store = store
        self._fair_play = fair_play

    async def check(self, puzzle: Puzzle) -> None:
        """Raise Refused if a running game stands at or close to a position from the puzzle's first to its last."""
        if await self.taken(puzzle):
            raise Refused(REFUSAL)

    async def taken(self, puzzle: Puzzle) -> bool:
        """True if a running game stands at or close to a position from the puzzle's first to its last."""
        running = await self._store.running(setup=puzzle.match.setup)
        if not running:
            return False
        whole, first = puzzle.after(puzzle.only_moves), len(puzzle.moves)
        near = await self._fair_play.near(whole, rated=None)
        if any(plies >= first for plies in near):
            return True
        return await asyncio.to_thread(_alike, whole, first, [Table.of(stored).match for stored in running])


def _alike(whole: Match, first: int, running: Sequence[Match]) -> bool:
    """True if a running game stands at a position of a puzzle, also on a rotated or mirrored board.

    This knows rotations by which moves cannot be written, which fair play does not.
    """
    stages = {_likeness(whole.setup, whole.log[:plies]) for plies in range(first, len(whole.log) + 1)}
    return any(_likeness(match.setup, match.log) in stages for match in running)


@lru_cache(maxsize=4096)
def _likeness(setup: Setup, log: tuple[Ply, ...]) -> Hashable:
    return likeness(position(setup, log))
