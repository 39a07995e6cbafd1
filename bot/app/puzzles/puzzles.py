"""Puzzles: the one of a day, those of the archive, a member's attempts at them, and runs of several puzzles."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from math import exp
from typing import NamedTuple

from bot.app.errors import Refused
from bot.app.events.standing import award_puzzle_days
from bot.app.matches.exercise import Exercise, exercise_match
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.moments import Moments
from bot.app.review.fair_play import FairPlay
from bot.app.system import Chance, Clock
from db.rating_math import first_skill
from db.store import Store
from db.values.places import DiscordId, Place
from db.values.puzzles import Attempt, AttemptMovedOn, PuzzleRun, Solver, StoredMoment
from rules.core.game import Seat
from rules.core.match import Match
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import PUZZLED, by_hardness, in_turn, of_day, of_game, of_kind, stock

KEPT_BACK = timedelta(days=56)
"""The time for which the puzzles of the coming days are not in the archive."""


def hardnesses(game: str) -> list[int]:
    """Return how hard the puzzles of a game are, the easiest first."""
    return sorted({puzzle.difficulty for puzzle in of_game(game)})


def kinds(game: str | None, hard: int | None, today: date) -> Iterator[list[Puzzle]]:
    """Yield the puzzles of the archive by kind, one list for each game and hardness that fits.

    Those of the last days come first.
    """
    coming = _coming(today)
    for key in PUZZLED if game is None else (game,):
        for kind in by_hardness(key) if of_game(key) else ():
            following, *before = of_kind(key, kind, today)
            puzzles = (*before, following)
            fitting = [it for it in puzzles if it.name not in coming and hard in (None, it.difficulty)]
            if fitting:
                yield fitting


@lru_cache(maxsize=2)
def _coming(today: date) -> frozenset[str]:
    """Return the names of the puzzles of today and of the coming days."""
    return frozenset(of_day(today + timedelta(days=day)).name for day in range(KEPT_BACK.days))


REFUSAL = (
    "A game that is being played is close to this puzzle; try the puzzle again when that game has moved on."
)


class PuzzleGuard:
    """The comparison of a puzzle's positions with those of all running games, rated or not, in every server."""

    def __init__(self, fair_play: FairPlay) -> None:
        self._fair_play = fair_play

    async def check(self, puzzle: Puzzle) -> None:
        """Raise Refused if a running game stands at or close to a position from the puzzle's first to its last."""
        if await self.taken(puzzle):
            raise Refused(REFUSAL)

    async def taken(self, puzzle: Puzzle) -> bool:
        """Return True if a running game stands at or close to a position from the puzzle's first to its last."""
        if puzzle.cards:
            return await self._fair_play.faces(puzzle.match, puzzle.seat)
        whole = puzzle.after(puzzle.only_moves)
        return bool(await self._fair_play.near(whole, since=len(puzzle.moves), rated=False))


DAY = timedelta(days=1)


class DayStreak(NamedTuple):
    """A streak of days: the current one, up to today or yesterday, and the longest one."""

    now: int
    most: int


def streak(solved: Iterable[tuple[date, datetime]], today: date) -> DayStreak:
    """Return the streak of a member who has solved the puzzles of these days at these times.

    A day counts if its puzzle was solved by the end of the day, in UTC. The puzzle of today may still be open.
    """
    days = {day for day, at in solved if at.astimezone(UTC).date() <= day}
    most = max((_length(days, day) for day in days if day + DAY not in days), default=0)
    return DayStreak(_length(days, today if today in days else today - DAY), most)


def _length(days: set[date], last: date) -> int:
    """Return the number of days in a row that end with `last`."""
    length = 0
    while last - length * DAY in days:
        length += 1
    return length


LIKELY, SPREAD = 50, 3.0
"""The ratio of the likelihoods of the puzzles closest to a member's rating and of distant ones; and the distance, in
openskill's units, up to which a puzzle is close."""
MOVED_ON = "This puzzle has moved on; play on its newest message."
ENDED = "You have done this puzzle already; `/puzzle` shows how, and there you can try it again."


class PuzzleExercise(Exercise):
    """A puzzle as one member plays it. Each of their moves is compared with the line, which answers it.

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
        entries = puzzle.reached(self.moves).log[len(start.log) :]
        super().__init__(store, clock, chance, start, puzzle.seat, attempt.user, entries)

    @property
    def tried(self) -> bool:
        return bool(self.made or self.refusal)

    def played(self, before: Match, after: Match) -> None:
        found = len(self.moves)
        self.made = after.log[-1].text
        self.moves = (*self.moves, self.made)
        if self.puzzle.cards:
            self.solved = self.puzzle.judged(self.moves, after)
            return
        right = before.play(self.seat, self.puzzle.answers[found])
        if after.state != right.state:
            self.solved = False
        elif found + 1 == self.puzzle.only_moves:
            self.solved = True
        else:
            self.enter(self.puzzle.after(found + 1).log[-1])

    def refused(self, refusal: IllegalMove) -> None:
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Standing:
    """A puzzle as a member sees it.

    `counts` is True for the first attempt. `moves` are the member's moves in the try that is shown; `solved` is None
    while it goes on. `made` is the move that was just made, and `reply` the answer to it. `days` are the days whose
    puzzle this was; `moment` is where it comes from, if that is a finished game of a server.
    """

    name: str
    puzzle: Puzzle
    attempt: Attempt
    loaded: LoadedMatch
    counts: bool
    moves: tuple[str, ...]
    solved: bool | None
    days: tuple[date, ...] = ()
    moment: StoredMoment | None = None
    made: str = ""
    reply: str = ""
    refusal: IllegalMove | None = None

    @property
    def seat(self) -> Seat:
        return self.puzzle.seat

    @property
    def found(self) -> int:
        """The number of right moves that were found in this try."""
        return self.puzzle.found(self.moves, failed=self.solved is False)

    def after(self, moves: Sequence[str]) -> LoadedMatch:
        """Return the position after moves of the member; without cards, after only moves."""
        return exercise_match(self.puzzle.reached(moves), self.seat, self.attempt.user)

    def at(self, plies: int) -> LoadedMatch:
        """Return the position after so many plies of the line."""
        match = self.puzzle.match
        for text in self.puzzle.line[:plies]:
            match = match.play(match.to_move[0], text)
        return exercise_match(match, self.seat, self.attempt.user)


@dataclass(frozen=True, slots=True)
class Record:
    """The results of a member at puzzles."""

    solver: Solver
    streak: DayStreak


class Puzzles:
    """The puzzles of days and of the archive. Methods raise Refused."""

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, fair_play: FairPlay, moments: Moments
    ) -> None:
        self._store = store
        self._moments = moments
        self._clock = clock
        self._chance = chance
        self.guard = PuzzleGuard(fair_play)

    @property
    def today(self) -> date:
        """The day whose puzzle is the newest, in UTC."""
        return self._clock.now().astimezone(UTC).date()

    async def of_day(self, day: date) -> Puzzle:
        """Return the puzzle of a day, today or earlier; later days have none.

        If the day has none yet, one that gives no running game away is chosen.
        """
        if day > self.today:
            raise Refused("There is no puzzle for that day yet; a new one appears every day at 00:00 UTC.")
        chosen = await self._store.puzzles.of_day(day)
        if chosen is None:
            first, *others = in_turn(day)
            for puzzle in (first, *others):
                if not await self.guard.taken(puzzle):
                    first = puzzle
                    break
            chosen = await self._store.puzzles.choose(day, first.name)
        return await self.find(chosen)

    async def find(self, name: str) -> Puzzle:
        puzzle = stock().get(name) or await self._moments.find(name)
        if puzzle is None:
            raise Refused("This puzzle is no longer there; `/puzzle` shows the one of today.")
        return puzzle

    async def of_server(self, guild: DiscordId) -> list[StoredMoment]:
        """Return the newest puzzles from a server's own games, without those that would give a running game away."""
        return await self._open_to_all(await self._moments.newest(guild))

    async def of_match(self, match: int) -> list[StoredMoment]:
        """Return the puzzles from a finished match in its order, without those that would give a running game away."""
        return await self._open_to_all(await self._store.moments.of_match(match))

    async def _open_to_all(self, moments: Sequence[StoredMoment]) -> list[StoredMoment]:
        return [it for it in moments if not await self.guard.taken(await self._moments.puzzle(it))]

    async def days(self, name: str) -> tuple[date, ...]:
        """Return the days up to today that had this puzzle, the last one first."""
        return tuple(day for day in await self._store.puzzles.days_of(name) if day <= self.today)

    async def choose(self, user: DiscordId, game: str | None, hard: int | None) -> str:
        """Return the name of a puzzle from the archive for a member.

        First comes one that they have begun, then one that they have not tried, of any game and hardness that fit.
        Where they chose no hardness, puzzles whose rating is close to theirs are more likely.
        """
        tried = await self._store.puzzles.attempted(user)
        fitting = list(kinds(game, hard, self.today))
        if not fitting:
            raise Refused("There is no such puzzle; choose another game or difficulty.")
        every = [puzzle for puzzles in fitting for puzzle in puzzles]
        begun = [puzzle for puzzle in every if puzzle.name in tried and tried[puzzle.name] is None]
        new = [[puzzle for puzzle in puzzles if puzzle.name not in tried] for puzzles in fitting]
        fresh = [puzzles for puzzles in new if puzzles]
        if fresh:
            weights = [1] * len(fresh) if hard is not None else await self._weights(user, fresh)
            mixed = fresh.pop(self._chance.pick(weights))
            begun += mixed
        for puzzle in (*begun, *(it for puzzles in fresh for it in puzzles), *every):
            if not await self.guard.taken(puzzle):
                return puzzle.name
        raise Refused(
            "All of these puzzles are close to games that are being played; choose another game or difficulty."
        )

    async def _weights(self, user: DiscordId, several: Sequence[Sequence[Puzzle]]) -> list[int]:
        """Return how likely each of several lists is: the likelier, the closer its first puzzle is to a member."""
        rating = (await self._store.puzzles.solver(user)).skill.mu
        ratings = await self.ratings([puzzles[0] for puzzles in several])
        away = [abs(ratings[it[0].name] - rating) for it in several]
        return [1 + round(LIKELY * exp((min(away) - it) / SPREAD)) for it in away]

    async def ratings(self, puzzles: Sequence[Puzzle]) -> dict[str, float]:
        """Return the mean skill of each puzzle by name: by the first attempts of members, or else by its difficulty."""
        known = await self._store.puzzles.skills([it.name for it in puzzles])
        return {it.name: known.get(it.name, first_skill(it.difficulty)).mu for it in puzzles}

    async def exercise(self, user: DiscordId, name: str, place: Place) -> PuzzleExercise:
        """Return a member's first attempt at a puzzle, or the later try that they have begun."""
        puzzle, attempt = await self._load(user, name, place)
        if attempt.ended is not None and attempt.again is None:
            raise Refused(ENDED)
        return PuzzleExercise(self._store, self._clock, self._chance, name, puzzle, attempt)

    async def open(self, user: DiscordId, name: str, place: Place) -> Standing:
        """Return the puzzle as the member left it. Only the first move begins an attempt."""
        puzzle, attempt = await self._load(user, name, place)
        exercise = PuzzleExercise(self._store, self._clock, self._chance, name, puzzle, attempt)
        standing = await self.standing(exercise)
        if attempt.ended is None or attempt.again is not None:
            return standing
        return replace(standing, counts=True, moves=attempt.moves, solved=attempt.solved)

    async def begin_again(self, user: DiscordId, name: str, place: Place) -> Standing:
        """Begin a later try at a puzzle, which does not count. The first attempt must have ended."""
        _, attempt = await self._load(user, name, place)
        if attempt.ended is not None:
            await self._store.puzzles.try_again(user, name, ())
        return await self.open(user, name, place)

    async def save(self, exercise: PuzzleExercise) -> Standing:
        """Store what was tried in a puzzle, and say what came of it."""
        if not exercise.made:
            return await self.standing(exercise)
        before, moves, solved = exercise.attempt, exercise.moves, exercise.solved
        if not exercise.counts:
            await self._store.puzzles.try_again(before.user, before.puzzle, moves if solved is None else None)
            return await self.standing(exercise)
        # The answer of a moment stands in the review of its game, and games can be played to order.
        rated = await self._moments.named(exercise.name) is None
        ended = None if solved is None else self._clock.now()
        after = replace(before, moves=moves, solved=solved, ended=ended)
        try:
            start = first_skill(exercise.puzzle.difficulty) if rated else None
            await self._store.puzzles.keep_attempt(before, after, start)
        except AttemptMovedOn:
            raise Refused(MOVED_ON) from None
        if solved and before.guild is not None:
            days = streak(await self._store.puzzles.solved_days(before.user), self.today).now
            await award_puzzle_days(
                self._store, before.user, before.guild, days, self.today, self._clock.now()
            )
        return replace(await self.standing(exercise), attempt=after)

    async def standing(self, exercise: PuzzleExercise) -> Standing:
        """Return the puzzle that a member is solving, as they see it."""
        going = exercise.made and exercise.solved is None
        return Standing(
            name=exercise.name,
            puzzle=exercise.puzzle,
            attempt=exercise.attempt,
            loaded=exercise.loaded_now,
            counts=exercise.counts,
            moves=exercise.moves,
            solved=exercise.solved,
            days=await self.days(exercise.name),
            moment=await self._moments.named(exercise.name),
            made=exercise.made,
            reply=exercise.match.log[-1].text if going and not exercise.puzzle.cards else "",
            refusal=exercise.refusal,
        )

    async def ended(self, user: DiscordId, name: str, place: Place) -> Standing:
        """Return the puzzle as it ended for the member, without their later tries."""
        puzzle, attempt = await self._load(user, name, place)
        if attempt.ended is None:
            raise Refused("You have not done this puzzle yet; find its moves first.")
        attempt = replace(attempt, again=None)
        exercise = PuzzleExercise(self._store, self._clock, self._chance, name, puzzle, attempt)
        standing = await self.standing(exercise)
        return replace(standing, counts=True, moves=attempt.moves, solved=attempt.solved)

    async def record(self, user: DiscordId) -> Record:
        """Return the results of a member."""
        days = await self._store.puzzles.solved_days(user)
        return Record(await self._store.puzzles.solver(user), streak(days, self.today))

    async def _load(self, user: DiscordId, name: str, place: Place) -> tuple[Puzzle, Attempt]:
        """Return a puzzle with the stored attempt or a new one. Raises Refused if it would give a running game away."""
        await self._moments.check_visible(name, user, place)
        puzzle = await self.find(name)
        await self.guard.check(puzzle)
        attempt = await self._store.puzzles.attempt(user, name)
        return puzzle, attempt or Attempt(user, name, self._clock.now(), guild=place.guild)


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
