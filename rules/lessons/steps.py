"""The steps of a lesson: a position, one thing to do in it, and what is said about each move that is tried."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match
from rules.lessons.goals import Goal
from rules.lessons.scene import Scene


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do in a position: `ask` says what, and `hint` is a move that does it.

    `done` is the sentence about a move that reaches the goal, `miss` the one about a legal move that does not, and
    `wrong` has another sentence for some of the first moves that do not. `tempting` are illegal moves that are offered
    as well. With `against` True the strongest computer player answers, until the game is over or a wrong move is
    played.
    """

    heading: str
    ask: str
    scene: Scene
    goal: Goal
    hint: str
    done: str
    miss: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)
    tempting: tuple[str, ...] = ()
    against: bool = False

    def seat(self, start: Match) -> Seat:
        """Return the seat of the learner in the position of this step."""
        if self.scene.seat is not None:
            return self.scene.seat
        (seat, *_) = start.to_move
        assert seat is not None
        return seat

    def judge(self, seat: Seat, before: Match, after: Match) -> "Verdict":
        """Return what is said about the last move of `after`, which the learner or the computer played in `before`."""
        if self.goal.reached(seat, before, after):
            return Verdict(True, self.done)
        text = after.log[-1].text
        if len(before.log) == self.scene.plies and text in self.wrong:
            return Verdict(False, self.wrong[text])
        if self.against and not after.over:
            return Verdict(False, "", goes_on=True)
        return Verdict(False, self.miss)

    def judge_refusal(self, refusal: Illegal) -> "Verdict":
        """Return what is said about an illegal move."""
        if self.goal.refused(refusal):
            return Verdict(True, f"{refusal} {self.done}".strip())
        return Verdict(False, str(refusal))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a move: one or two sentences, and True if it reaches the goal.

    With `goes_on` True the game of this step goes on; otherwise a move that does not reach the goal is taken back.
    """

    reached: bool
    sentence: str
    goes_on: bool = False
