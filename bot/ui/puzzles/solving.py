"""A control of a match that is used in a puzzle: the move is compared with the line, and nothing is played anywhere."""

from typing import Any

from discord import ui

from bot.app.puzzles.puzzle_match import PuzzleMatch
from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import Said
from bot.ui.moves.solo import SoloButton
from bot.ui.puzzles.buttons import NAME, framed, prefix, puzzle_message


class SolveButton(SoloButton[PuzzleMatch], template=rf"solve:(?P<name>{NAME}):(?P<inner>[a-z]+:.{{1,60}})"):
    """The button of a match with the custom id `inner`, in a puzzle."""

    words = frozenset({"name", "inner"})
    broken = "This button no longer works; `/puzzle` shows the puzzle of today."

    def __init__(self, name: str, inner: str) -> None:
        self.name, self.inner = name, inner
        super().__init__(ui.Button[Any](label="Solve", custom_id=prefix(name) + inner))

    async def solo_match(self, acting: Acting) -> PuzzleMatch:
        return await acting.services.puzzles.puzzle_match(acting.user, self.name, acting.place)

    async def judged(self, acting: Acting, solo: PuzzleMatch) -> Said:
        return await puzzle_message(acting, await acting.services.puzzles.settle(solo))

    async def asked(self, acting: Acting, solo: PuzzleMatch, said: Said) -> Said:
        return framed(await acting.services.puzzles.standing(solo), said, board=True)

    async def unchanged(self, acting: Acting, solo: PuzzleMatch, refusal: str) -> Said:
        return await puzzle_message(acting, await acting.services.puzzles.standing(solo), refusal)
