"""The position of a step as the only match there is, so that moves are entered and judged in it as in any match."""

from dataclasses import dataclass

from bot.app.matches.solo import SoloMatch
from bot.app.matches.table import IllegalMove
from bot.app.system import Chance, Clock
from db.api.lessons import Progress
from db.api.store import Store
from rules.core.match import Match, Ply
from rules.lessons import Lesson, Step
from rules.lessons.steps import Verdict


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that was tried in a step: what is said about it, and the referee's refusal if it was illegal."""

    text: str
    verdict: Verdict
    refusal: IllegalMove | None = None


class StepMatch(SoloMatch):
    """One member in one step. What is played is told in `attempts`."""

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
        """The computer player whose turn it is plays this move. Return what is said about the position after it."""
        before, seat = self.match, self.match.to_move[0]
        self.enter(Ply(seat, text))
        return self.step.judge(self.seat, before, self.match)


def _entry(stored: str) -> Ply:
    seat, _, text = stored.partition(": ")
    return Ply(int(seat), text)
