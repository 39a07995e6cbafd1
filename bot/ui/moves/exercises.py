"""Moves in an exercise: a step of a lesson, a puzzle, or a position that a player foresees."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Generic, Self, TypeVar

from bot.app.errors import Refused
from bot.app.matches.exercise import NUMBER, Exercise
from bot.app.matches.loaded import IllegalMove
from bot.app.matches.matches import Matches
from bot.ui.interactions.reply import Content, Context, change
from bot.ui.moves.play import EXERCISES, BoardTarget, Controls
from rules.core.errors import RuleError

Solved = TypeVar("Solved", bound=Exercise)


class ExerciseTarget(BoardTarget, Generic[Solved]):
    """An exercise of one member: a lesson, a puzzle or a foreseen position. Its message shows the result of each move.

    Subclasses are registered by the first word of their prefix.
    """

    match = NUMBER

    def __init_subclass__(cls, *, word: str) -> None:
        super().__init_subclass__()
        EXERCISES[word] = cls.named

    @classmethod
    @abstractmethod
    def named(cls, *words: str) -> Self:
        """Return the exercise for the other words of its prefix."""

    @abstractmethod
    async def matches(self, context: Context) -> Solved: ...

    @abstractmethod
    async def judged(self, context: Context, exercise: Solved) -> Content:
        """Return the message after a move was made, legal or not."""

    @abstractmethod
    async def asked(self, context: Context, exercise: Solved, controls: Controls) -> Content:
        """Return the message with the controls after a press, such as the moves from a cell."""

    @abstractmethod
    async def unchanged(self, context: Context, exercise: Solved, refusal: str) -> Content:
        """Return the message with the position as it was, and the sentence of a refusal."""

    async def play(self, context: Context, text: str, plies: int) -> None:
        async def playing(context: Context, matches: Matches) -> None:
            await matches.play(self.match, context.user, text, plies)

        await self.enter(context, playing)

    async def enter(
        self, context: Context, entering: Callable[[Context, Matches], Awaitable[Controls | None]]
    ) -> None:
        """Run a control, and change the message to the result."""
        exercise = await self.matches(context)
        controls, refused = None, ""
        try:
            controls = await entering(context, exercise)
        except IllegalMove:
            pass  # The exercise has recorded the illegal move.
        except (Refused, RuleError) as refusal:
            refused = str(refusal)
        if exercise.tried:
            content = await self.judged(context, exercise)
        elif controls is not None:
            content = await self.asked(context, exercise, controls)
        else:
            content = await self.unchanged(context, exercise, refused)
        await change(context, content)
