"""Lessons and puzzles in the page: positions that a member plays alone."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.activity import messages
from bot.app.lessons import Standing as StepStanding
from bot.app.lessons import StepExercise
from bot.app.matches.exercise import NUMBER, Exercise
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.puzzles.puzzles import PuzzleExercise
from bot.app.puzzles.puzzles import Standing as PuzzleStanding
from bot.app.services import Services
from bot.ui import lessons
from bot.ui.puzzles import wording
from bot.ui.puzzles.buttons import in_line, last_position
from db.values.places import DiscordId, Place
from render.board.annotations.advice import Advice
from render.board.seats import seat_mark

Solved = TypeVar("Solved", bound=Exercise)
Standing = TypeVar("Standing", StepStanding, PuzzleStanding)
Action = tuple[str, messages.Exercise]


@dataclass(frozen=True, slots=True)
class Shown:
    """An exercise as its member sees it.

    `said` is the task and the verdict on the last move. `asked` is True if a move is to be made. `actions` are labels
    of buttons, with the message that each of them sends.
    """

    again: messages.Exercise
    heading: str
    said: str
    loaded: LoadedMatch
    asked: bool
    actions: Sequence[Action]
    refusal: IllegalMove | None = None
    advice: Advice | None = None

    def spelled(self) -> dict[str, Any]:
        """Return what the page shows of an exercise beside its board."""
        title, *about = plain(self.heading).split("\n")
        return {
            "title": title,
            "status": "\n".join((*about, plain(self.said))),
            "exercise": self.again.model_dump(),
            "links": [[label, action.model_dump()] for label, action in self.actions],
        }


class OpenExercise(ABC, Generic[Solved, Standing]):
    """The exercise that a page shows."""

    def __init__(self, services: Services, user: DiscordId, place: Place, asked: messages.Exercise) -> None:
        self.services, self.user, self.place, self.asked = services, user, place, asked

    async def play(self, text: str, plies: int) -> Shown:
        """Make a move and judge it. Raises Refused and RuleError if it cannot be read."""
        exercise = await self.exercise()
        with suppress(IllegalMove):  # the exercise has recorded it
            await exercise.play(NUMBER, self.user, text, plies)
        return self.shown(await self.save(exercise))

    async def go(self) -> Shown:
        """Do what the page asks for."""
        return self.shown(await self.standing())

    @abstractmethod
    async def standing(self) -> Standing: ...

    @abstractmethod
    async def exercise(self) -> Solved: ...

    @abstractmethod
    async def save(self, exercise: Solved) -> Standing: ...

    @abstractmethod
    def shown(self, standing: Standing) -> Shown: ...

    def to(self, **changes: Any) -> messages.Exercise:
        """Return the message that asks for another part of this exercise."""
        return self.asked.model_copy(update={"action": "open", **changes})


class OpenStep(OpenExercise[StepExercise, StepStanding]):
    """A step of a lesson."""

    async def standing(self) -> StepStanding:
        if self.asked.action == "hint" and self.asked.step is not None:
            return await self.services.lessons.hint(self.user, self.asked.name, self.asked.step)
        return await self.services.lessons.go(self.user, self.asked.name, self.asked.step)

    async def exercise(self) -> StepExercise:
        return await self.services.lessons.exercise(self.user, self.asked.name, self.asked.step)

    async def save(self, exercise: StepExercise) -> StepStanding:
        return await self.services.lessons.save(exercise)

    def shown(self, standing: StepStanding) -> Shown:
        number = standing.number
        self.asked = here = self.to(step=number)
        actions: list[Action] = []
        if not standing.reached:
            actions.append(("Hint", self.to(action="hint")))
        if number:
            actions.append(("Previous step", self.to(step=number - 1)))
        if not standing.last:
            actions.append(("Next" if standing.reached else "Skip", self.to(step=number + 1)))
        elif standing.reached:
            actions.append(("Go through it again", self.to(step=0)))
        return Shown(
            here,
            lessons.heading(standing),
            lessons.task(standing),
            standing.loaded,
            not standing.reached,
            actions,
            standing.refusal,
        )


class OpenPuzzle(OpenExercise[PuzzleExercise, PuzzleStanding]):
    """A puzzle."""

    async def standing(self) -> PuzzleStanding:
        puzzles = self.services.puzzles
        opening = {"again": puzzles.begin_again, "line": puzzles.ended}.get(self.asked.action, puzzles.open)
        return await opening(self.user, self.asked.name, self.place)

    async def exercise(self) -> PuzzleExercise:
        return await self.services.puzzles.exercise(self.user, self.asked.name, self.place)

    async def save(self, exercise: PuzzleExercise) -> PuzzleStanding:
        return await self.services.puzzles.save(exercise)

    def shown(self, standing: PuzzleStanding) -> Shown:
        if self.asked.action == "line":
            return self._line(standing, min(self.asked.step or 0, len(standing.puzzle.line)))
        self.asked = here = self.to(step=None)
        ended = standing.solved is not None
        loaded, advice = last_position(standing) if ended else (standing.loaded, None)
        again: list[Action] = []
        if ended:
            line = self.to(action="line", step=0)
            again = [("Try it again", self.to(action="again")), ("Show the moves", line)]
        return Shown(
            here,
            wording.heading(standing),
            wording.verdict(standing),
            loaded,
            not ended,
            again,
            standing.refusal,
            advice,
        )

    def _line(self, standing: PuzzleStanding, plies: int) -> Shown:
        """Return the position after so many plies of the line of a completed puzzle."""
        loaded, advice = in_line(standing, plies)
        actions = [("Try it again", self.to(action="again", step=None))]
        if plies:
            actions.append(("Back", self.to(action="line", step=plies - 1)))
        if plies < len(standing.puzzle.line):
            actions.append(("Next", self.to(action="line", step=plies + 1)))
        text = wording.line_text(standing, plies)
        return Shown(
            self.asked, wording.line_heading(standing, plies), text, loaded, False, actions, None, advice
        )


def open_exercise(
    services: Services, user: DiscordId, place: Place, asked: messages.Exercise
) -> OpenStep | OpenPuzzle:
    """Return the exercise that a page asks for."""
    return (OpenStep if asked.kind == "lesson" else OpenPuzzle)(services, user, place, asked)


_SEAT = re.compile(r"<a?:\w*seat_(\d):\d+>")
_MARKUP = re.compile(r"<a?:\w+:\d+>|[*`]|^(?:### |-# |> )", re.MULTILINE)


def plain(text: str) -> str:
    """Return the text of a message without Discord's markup and emojis; marks of seats are characters."""
    text = _SEAT.sub(lambda it: seat_mark(int(it[1]) - 1), text)
    return "\n".join(" ".join(line.split()) for line in _MARKUP.sub("", text).split("\n"))
