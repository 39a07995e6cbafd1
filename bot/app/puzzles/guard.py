"""No puzzle gives a running game away: one with a position of a game that is being played is not shown to anybody."""

from bot.app.errors import Refused
from bot.app.review.fair_play import FairPlay
from rules.puzzles.puzzle import Puzzle

REFUSAL = (
    "A game that is still being played stands at a position of this puzzle or close to it, so the puzzle waits until "
    "that game has moved on."
)


class PuzzleGuard:
    """Compares the positions of puzzles with those of all running games, rated or not, in every server."""

    def __init__(self, fair_play: FairPlay) -> None:
        self._fair_play = fair_play

    async def check(self, puzzle: Puzzle) -> None:
        """Raise Refused if a running game stands at or close to a position from the puzzle's first to its last."""
        if await self.taken(puzzle):
            raise Refused(REFUSAL)

    async def taken(self, puzzle: Puzzle) -> bool:
        """True if a running game stands at or close to a position from the puzzle's first to its last."""
        whole = puzzle.after(puzzle.only_moves)
        return bool(await self._fair_play.near(whole, since=len(puzzle.moves), rated=False))
