"""Puzzle runs: a member solves puzzles one after the other, the easy ones first, for three minutes at most."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from bot.app.errors import Refused
from bot.app.matches.loaded import IllegalMove
from bot.app.puzzles.puzzles import MOVED_ON, PuzzleExercise, Puzzles, kinds
from bot.app.system import Chance, Clock
from db.rating_math import first_skill
from db.store import Store
from db.values.places import DiscordId, Place
from db.values.puzzles import Attempt, AttemptMovedOn, PuzzleRun
from rules.puzzles.puzzle import Puzzle

LASTS = timedelta(minutes=3)
MOST_MISTAKES = 3
_STEPS = ((4, 1), (9, 2), (13, 3))
"""Until so many puzzles of a run have ended, they are as hard as those with so many only moves; afterwards harder."""
_HARDEST = 4
_LONGEST = 6
"""Moves that are to be found in a puzzle of a run, at most; longer puzzles would take the time of several others."""
_STRIDE = 40
"""More puzzles than a run can have. Puzzles this far apart replace each other, so none comes twice in a run."""
NAMED = 3
"""Members whose best runs are shown."""


@dataclass(frozen=True, slots=True)
class RunStanding:
    """A run as its member sees it.

    `exercise` is the puzzle that is shown; None if the run is over. `before` is the run as it was before the last
    move, None if no move has been made. `best` is the member's best run of the week, this one included, and `server`
    are the best runs of the week in the server where it was begun. Both are empty while the run goes on.
    """

    run: PuzzleRun
    ends: datetime
    exercise: PuzzleExercise | None
    before: PuzzleRun | None = None
    best: int = 0
    server: tuple[tuple[DiscordId, int], ...] = ()

    @property
    def refusal(self) -> IllegalMove | None:
        """The refusal of the last move, if it was illegal."""
        return None if self.exercise is None else self.exercise.refusal


class PuzzleRuns:
    """The puzzle runs of members. Methods raise Refused.

    Runs change no puzzle rating. A move counts if it arrives before the run ends, by the clock of the bot.
    """

    def __init__(self, store: Store, clock: Clock, chance: Chance, puzzles: Puzzles) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._puzzles = puzzles

    async def begin(self, user: DiscordId, place: Place) -> RunStanding:
        """Begin a run. The clock runs from now on."""
        now = self._clock.now()
        first = await self._puzzle(user, now, 0)
        run = await self._store.puzzle_runs.begin(user, place.guild, now, first.name)
        return await self.standing(run)

    async def find(self, number: int, user: DiscordId) -> PuzzleRun:
        run = await self._store.puzzle_runs.get(number)
        if run is None or run.user != user:
            raise Refused(
                "This run belongs to another member or is no longer stored; begin your own with `/puzzle`."
            )
        return run

    def over(self, run: PuzzleRun) -> bool:
        """Return True if the time of a run is over, or if it has too many mistakes."""
        return run.mistakes >= MOST_MISTAKES or self._clock.now() >= run.begun + LASTS

    async def exercise(self, run: PuzzleRun) -> PuzzleExercise:
        """Return the puzzle of a run that goes on, with the moves that the member has found in it."""
        puzzle = await self._puzzles.find(run.puzzle)
        attempt = Attempt(run.user, run.puzzle, run.begun, run.moves)
        return PuzzleExercise(self._store, self._clock, self._chance, run.puzzle, puzzle, attempt)

    async def save(self, run: PuzzleRun, exercise: PuzzleExercise) -> RunStanding:
        """Store a move in the puzzle of a run, and go to the next puzzle if that one has ended.

        A move that was made in a puzzle or position that the run has left is refused: two presses at once count once.
        """
        if (exercise.name, exercise.attempt.moves) != (run.puzzle, run.moves):
            raise Refused(MOVED_ON)
        if not exercise.made:
            return replace(await self.standing(run), exercise=exercise)
        after = replace(run, moves=exercise.moves)
        if exercise.solved is not None:
            after = replace(
                run,
                moves=(),
                solved=run.solved + exercise.solved,
                mistakes=run.mistakes + (not exercise.solved),
            )
            puzzle = await self._puzzle(run.user, run.begun, after.solved + after.mistakes)
            after = replace(after, puzzle=puzzle.name)
        try:
            await self._store.puzzle_runs.keep(run, after)
        except AttemptMovedOn:
            raise Refused(MOVED_ON) from None
        return replace(await self.standing(after), before=run)

    async def standing(self, run: PuzzleRun) -> RunStanding:
        """Return a run as its member sees it."""
        ends = run.begun + LASTS
        if not self.over(run):
            return RunStanding(run, ends, await self.exercise(run))
        best = await self._store.puzzle_runs.best_of(run.user, self._monday())
        server = () if run.guild is None else await self.best(run.guild)
        return RunStanding(run, ends, None, best=best, server=server)

    async def best(self, guild: DiscordId) -> tuple[tuple[DiscordId, int], ...]:
        """Return the members of a server with the best runs of this week, and how many puzzles each has solved."""
        return tuple(await self._store.puzzle_runs.best(guild, self._monday(), NAMED))

    def _monday(self) -> datetime:
        """Return the beginning of this week, in UTC."""
        today = self._clock.now().astimezone(UTC).date()
        return datetime.combine(today - timedelta(days=today.weekday()), time(), UTC)

    async def _puzzle(self, user: DiscordId, begun: datetime, number: int) -> Puzzle:
        """Return a puzzle of a run by its number, counted from 0: one to win that gives no running game away."""
        hard = next((hard for until, hard in _STEPS if number < until), _HARDEST)
        every = [
            it
            for kind in kinds(None, None, self._puzzles.today)
            for it in kind
            if it.value == 1 and it.only_moves <= _LONGEST
        ]
        ratings = await self._puzzles.ratings(every)
        fitting = [it for it in every if _level(ratings[it.name]) == hard]
        # The same order every time within a run, so that only the number of the next puzzle is to be known.
        random.Random(f"{user} {begun.timestamp()}").shuffle(fitting)  # noqa: S311 - for play, not for secrets
        for puzzle in fitting[number % _STRIDE :: _STRIDE]:
            if not await self._puzzles.guard.taken(puzzle):
                return puzzle
        raise Refused("All puzzles for this run are close to games that are being played; try again later.")


def _level(rating: float) -> int:
    """Return the number of only moves whose puzzles have about this rating before anybody has tried them."""
    return min(range(1, _HARDEST + 1), key=lambda only_moves: abs(first_skill(only_moves).mu - rating))
