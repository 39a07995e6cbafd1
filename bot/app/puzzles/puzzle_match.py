"""A puzzle as one member plays it: each of their moves is compared with the line, and answered by it."""

from bot.app.matches.solo import SoloMatch
from bot.app.matches.table import IllegalMove
from bot.app.system import Chance, Clock
from db.api.puzzles import Attempt
from db.api.store import Store
from rules.core.match import Match
from rules.puzzles.puzzle import Puzzle


class PuzzleMatch(SoloMatch):
    """One member in one puzzle, after the moves that they have found in their first attempt or in a later try.

    `moves` grow with what is played here. `solved` is None while the line goes on.
    """

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, name: str, puzzle: Puzzle, attempt: Attempt
    ) -> None:
        self.name, self.puzzle, self.attempt = name, puzzle, attempt
        self.counts = attempt.ended is None
        self.moves = attempt.moves if self.counts else attempt.again or ()
        self.solved: bool | None = None
        self.refusal: IllegalMove | None = None
        self.made = ""
        start = puzzle.match
        entries = puzzle.after(len(self.moves)).log[len(start.log) :]
        super().__init__(store, clock, chance, start, puzzle.seat, attempt.user, entries)

    @property
    def tried(self) -> bool:
        return bool(self.made or self.refusal)

    def played(self, before: Match, after: Match) -> None:
        found = len(self.moves)
        right = before.play(self.seat, self.puzzle.line[2 * found])
        self.made = after.log[-1].text
        self.moves = (*self.moves, self.made)
        if after.state != right.state:
            self.solved = False
        elif found + 1 == self.puzzle.only_moves:
            self.solved = True
        else:
            self.enter(self.puzzle.after(found + 1).log[-1])

    def refused(self, refusal: IllegalMove) -> None:
        self.refusal = refusal
