"""Puzzles: begun, gone on with, tried again, pressed twice at once; only the first attempt counts."""

import asyncio
from dataclasses import replace

from hypothesis import strategies as st

from bot.app.puzzles.puzzles import Standing
from db.values.places import DiscordId, Place
from db.values.puzzles import Attempt
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import of_game
from tests.app.conftest import Host
from tests.app.stateful.base import served
from tests.app.stateful.challenges import ChallengeRules
from tests.app.stateful.strategies import members, places

PUZZLES = tuple(
    next(puzzle for puzzle in of_game(game) if puzzle.only_moves == count)
    for game, count in (("alaric", 2), ("alaric", 3), ("polygons", 1))
)
"""Of sizes at which nobody plays here."""

ACTS = ("right", "right", "right", "wrong", "twice", "again", "stale", "look")


class PuzzleRules(ChallengeRules):
    """Members solve puzzles."""

    @served(
        user=members,
        place=places,
        puzzle=st.sampled_from(PUZZLES),
        acts=st.lists(st.sampled_from(ACTS), min_size=2, max_size=6),
    )
    def solve(self, user: DiscordId, place: Place, puzzle: Puzzle, acts: list[str]) -> None:
        for act in acts:
            known = self.choices.attempts.get((user, puzzle.name))
            closed = known is not None and known.ended is not None and known.again is None
            match act:
                case "again":
                    self.run(self.host.services.puzzles.begin_again(user, puzzle.name, place))
                    if known is not None and known.ended is not None:
                        self.choices.attempts[user, puzzle.name] = replace(known, again=())
                case "look":
                    self.attempt(
                        lambda: self.host.services.puzzles.ended(user, puzzle.name, place),
                        may=known is not None and known.ended is not None,
                    )
                case _ if closed:
                    self.attempt(
                        lambda: self.host.services.puzzles.exercise(user, puzzle.name, place), may=False
                    )
                case "twice" if known is None or known.ended is None:
                    self.press_twice(user, place, puzzle, known)
                case _:
                    self.play_in_puzzle(user, place, puzzle, act, known)
            assert self.run(self.other.store.puzzles.attempt(user, puzzle.name)) == self.choices.attempts.get(
                (user, puzzle.name)
            )
        self.check_solver(user)

    def play_in_puzzle(
        self, user: DiscordId, place: Place, puzzle: Puzzle, act: str, known: Attempt | None
    ) -> None:
        """Play the right move or another one, or press a button of an older board."""
        found = len(_moves(known))
        right = puzzle.line[2 * found]
        text = right if act != "wrong" else _wrong(puzzle, found)
        plies = len(puzzle.moves) + 2 * found - (act == "stale")
        puzzles = self.host.services.puzzles
        exercise = self.run(puzzles.exercise(user, puzzle.name, place))
        if self.attempt(lambda: exercise.play(0, user, text, plies), may=act != "stale") is not None:
            self.note(self.run(puzzles.save(exercise)), known, place)

    def press_twice(self, user: DiscordId, place: Place, puzzle: Puzzle, known: Attempt | None) -> None:
        """Two processes are told of two presses at the same moment, of which one counts."""
        found = len(_moves(known))

        async def press(host: Host, text: str) -> Standing:
            exercise = await host.services.puzzles.exercise(user, puzzle.name, place)
            await exercise.play(0, user, text, len(puzzle.moves) + 2 * found)
            return await host.services.puzzles.save(exercise)

        async def both() -> list[Standing]:
            texts = (puzzle.line[2 * found], _wrong(puzzle, found))
            presses = (self.told(press(host, text)) for host, text in zip(self.hosts, texts, strict=True))
            return [standing for standing in await asyncio.gather(*presses) if standing is not None]

        (done,) = self.run(both())
        self.note(done, known, place)

    def note(self, standing: Standing, known: Attempt | None, place: Place) -> None:
        """Note what a member was told of their attempt."""
        now = self.clock.now()
        before = known or Attempt(standing.attempt.user, standing.name, now, guild=place.guild)
        if before.ended is None:
            ended = None if standing.solved is None else now
            after = replace(before, moves=standing.moves, solved=standing.solved, ended=ended)
        else:
            after = replace(before, again=standing.moves if standing.solved is None else None)
        self.choices.attempts[before.user, before.puzzle] = after

    def check_solver(self, user: DiscordId) -> None:
        """The skill of a member counts each first attempt once."""
        ended = [it for it in self.choices.attempts.values() if it.user == user and it.ended is not None]
        solver = self.run(self.other.store.puzzles.solver(user))
        assert (solver.ended, solver.solved) == (len(ended), sum(bool(it.solved) for it in ended))


def _moves(known: Attempt | None) -> tuple[str, ...]:
    """Return the moves of the try that goes on."""
    if known is None:
        return ()
    return known.moves if known.ended is None else known.again or ()


def _wrong(puzzle: Puzzle, found: int) -> str:
    right = puzzle.line[2 * found]
    return next(text for text in puzzle.after(found).legal() or () if text != right)
