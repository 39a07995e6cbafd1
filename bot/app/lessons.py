"""Lessons: the progress of members, the verdict on a move, and the replies of computer players."""

from dataclasses import dataclass, replace

from bot.app.errors import Refused
from bot.app.matches.exercise import Exercise, entered
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.mentions import capital
from bot.app.searches import NoChoice, Thinker
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.matches import Search
from db.values.places import DiscordId, Place
from db.values.puzzles import Progress
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import Match, Ply
from rules.games import GAMES, find
from rules.lessons import Lesson, Step, Verdict, lesson_of
from rules.players.levels import STRONGEST

RECENT = 100
"""The member's last games that are looked at."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that was tried in a step: what is said about it, and the referee's refusal if it was illegal."""

    text: str
    verdict: Verdict
    refusal: IllegalMove | None = None


class StepExercise(Exercise):
    """A step of a lesson, as one member does it. Every move is judged in `attempts`."""

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, lesson: Lesson, progress: Progress
    ) -> None:
        self.lesson, self.progress = lesson, progress
        self.step: Step = lesson.steps[progress.step]
        self.attempts: list[Attempt] = []
        start = lesson.match(self.step.scene)
        entries = map(_entry, progress.moves)
        super().__init__(store, clock, chance, start, self.step.seat(start), progress.user, entries)

    @property
    def tried(self) -> bool:
        return bool(self.attempts)

    @property
    def moves(self) -> tuple[str, ...]:
        """Return the moves of this step as they are stored."""
        return tuple(f"{seat}: {text}" for seat, text in self.entries)

    def played(self, before: Match, after: Match) -> None:
        self.attempts.append(Attempt(after.log[-1].text, self.step.judge(self.seat, before, after)))

    def refused(self, refusal: IllegalMove) -> None:
        self.attempts.append(Attempt(refusal.move, self.step.judge_refusal(refusal), refusal))

    def reply(self, text: str) -> Verdict:
        """Play a move for the computer player on turn. Return the verdict on the position after it."""
        before, seat = self.match, self.match.to_move[0]
        self.enter(Ply(seat, text))
        return self.step.judge(self.seat, before, self.match)


@dataclass(frozen=True, slots=True)
class Standing:
    """A step as a member sees it: its position, the sentence about the last move, and the refusal to be marked.

    `reached` is True if the step is done, and `replies` are the moves by which the computer player answered.
    """

    lesson: Lesson
    number: int
    loaded: LoadedMatch
    seat: Seat
    said: str = ""
    reached: bool = False
    refusal: IllegalMove | None = None
    replies: tuple[str, ...] = ()

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    @property
    def last(self) -> bool:
        """Return True if no step follows."""
        return self.number == len(self.lesson.steps) - 1


class Lessons:
    """The lessons of members. Methods raise Refused if a game has no lesson, and BadSetup if there is no such game."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, thinker: Thinker) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._thinker = thinker

    async def progress(self, user: DiscordId) -> dict[str, Progress]:
        """Return the progress of `user` in each lesson, by the key of the game."""
        begun = {found.game: found for found in await self._store.lessons.all_progress(user)}
        return {key: begun.get(key, Progress(user, key)) for key in taught()}

    async def done(self, user: DiscordId) -> int:
        """Return the number of lessons that `user` has completed."""
        return sum(found.done for found in (await self.progress(user)).values())

    async def tried(self, user: DiscordId, place: Place) -> set[str]:
        """Return the keys of the games that `user` has played lately near `place`, or whose lesson they have begun."""
        begun = {found.game for found in await self._store.lessons.all_progress(user)}
        played = await self._store.history.last(Search.near(place, None, user), RECENT)
        return begun | {match.game for match in played}

    async def exercise(self, user: DiscordId, game: str, step: int | None = None) -> StepExercise:
        """Return the position of `user` in a lesson, or the start of `step` if that is not the current one."""
        lesson = _lesson(game)
        progress = await self._store.lessons.progress(user, game)
        number = progress.step if step is None else step
        if number >= len(lesson.steps):
            number = 0 if step is None else len(lesson.steps) - 1
        if number != progress.step:
            progress = replace(progress, step=number, moves=())
        try:
            return StepExercise(self._store, self._clock, self._chance, lesson, progress)
        except RuleError:
            # An earlier version of this step had another position.
            progress = replace(progress, moves=())
            return StepExercise(self._store, self._clock, self._chance, lesson, progress)

    async def go(self, user: DiscordId, game: str, step: int | None = None) -> Standing:
        """Go to a step, counted from 0, or on where `user` left. The last move that they played there stands."""
        exercise = await self.exercise(user, game, step)
        await self._store.lessons.keep(replace(exercise.progress, moves=exercise.moves))
        return standing_of(exercise)

    async def save(self, exercise: StepExercise) -> Standing:
        """Store what was tried in a step, let the computer player answer, and say what it was worth."""
        attempt = next((it for it in exercise.attempts if it.verdict.reached), exercise.attempts[-1])
        verdict, replies = attempt.verdict, []
        while verdict.goes_on and exercise.seat not in exercise.match.to_move:
            text = await self._best(exercise.match)
            verdict = exercise.reply(text)
            replies.append(text)
        progress = exercise.progress
        if verdict.reached:
            done = progress.done or exercise.progress.step == len(exercise.lesson.steps) - 1
            await self._store.lessons.keep(replace(progress, step=progress.step + 1, moves=(), done=done))
        else:
            if attempt.refusal is None and not verdict.goes_on:
                exercise.begin_again()
            await self._store.lessons.keep(replace(progress, moves=exercise.moves))
        return replace(
            standing_of(exercise),
            said=verdict.sentence,
            reached=verdict.reached,
            refusal=attempt.refusal,
            replies=tuple(replies),
        )

    async def hint(self, user: DiscordId, game: str, step: int) -> Standing:
        """Return the step with a move that reaches its goal."""
        exercise = await self.exercise(user, game, step)
        hint = exercise.step.hint if not exercise.moves else await self._best(exercise.match)
        return replace(
            standing_of(exercise),
            said=f"{capital(entered(exercise.match.observe(exercise.seat).prompt, hint))}.",
        )

    async def _best(self, match: Match) -> str:
        """Return the strongest computer player's move for the first seat on turn. Raises Refused if none is found."""
        seat = match.to_move[0]
        assert seat is not None
        try:
            return (await self._thinker.choose(match, seat, STRONGEST)).move
        except NoChoice:
            raise Refused("The computer player has found no move; please try again.") from None


def standing_of(exercise: StepExercise) -> Standing:
    """Return what a member sees of the step in which they are."""
    return Standing(exercise.lesson, exercise.progress.step, exercise.loaded_now, exercise.seat)


def taught() -> list[str]:
    """Return the keys of the games that have a lesson with steps."""
    return [game.key for game in GAMES if (lesson := lesson_of(game.key)) is not None and lesson.steps]


def _lesson(game: str) -> Lesson:
    lesson = lesson_of(game)
    if lesson is None or not lesson.steps:
        raise Refused(f"{find(game).sheet.title} has no lesson yet; `/rules` explains it.")
    return lesson


def _entry(stored: str) -> Ply:
    seat, _, text = stored.partition(": ")
    return Ply(int(seat), text)
