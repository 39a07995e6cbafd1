"""Lessons: one module for each game, named by its key, which holds its `LESSON`.

A lesson is data: pages to look at and steps to do, each a position as moves and some sentences.
`tests/rules/test_lessons.py` plays every page, `test_lesson_steps.py` every step.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from rules.core.errors import Illegal
from rules.core.match import Match
from rules.games import find
from rules.lessons.scene import Scene
from rules.lessons.steps import Step

__all__ = ["Lesson", "Page", "Scene", "Step", "lesson_of"]

SECONDS = 30
"""Seconds that a move is taken to cost when the length of a game is told in minutes."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a lesson: a heading, a sentence or two, and a position.

    `refused` is a move that the rules refuse there by the rule of this name, or "". `end` is True if the game is over.
    """

    heading: str
    text: str
    scene: Scene
    refused: str = ""
    rule: str = ""
    end: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of a game. `how` says in one line how it is played; `in_play` shows it on its standard size.

    `lengths` are typical numbers of moves by named size: about the medians of games of the computer player of level 2
    against itself, six or twenty of them. `pages` are to be looked at, `steps` to be done.
    """

    key: str
    how: str
    lengths: Mapping[str, int]
    in_play: Scene
    pages: tuple[Page, ...]
    steps: tuple[Step, ...] = ()

    def match(self, scene: Scene) -> Match:
        """Return the match of a position. Raises RuleError."""
        return scene.match(self.key)

    def refusal(self, page: Page) -> Illegal:
        """Return the refusal of the page's refused move. Raises ValueError if the move is legal."""
        match = self.match(page.scene)
        try:
            match.play(match.to_move[0], page.refused)
        except Illegal as illegal:
            return illegal
        raise ValueError(f"{page.refused} is legal in {self.key} after {page.scene.moves}.")

    def minutes(self, options: Mapping[str, int]) -> int | None:
        """Return the length of a game in minutes on one of the named sizes, or None on any other size."""
        moves = self.moves(options)
        return None if moves is None else max(1, round(moves * SECONDS / 60))

    def moves(self, options: Mapping[str, int]) -> int | None:
        """Return the typical number of moves on one of the named sizes, or None on any other size."""
        sizes = find(self.key).sizes
        return next((self.lengths[name] for name, size in sizes.items() if dict(size) == dict(options)), None)


@cache
def lesson_of(key: str) -> Lesson | None:
    """Return the lesson of a game, or None if it has none yet."""
    name = f"{__name__}.{key}"
    if find_spec(name) is None:
        return None
    lesson = import_module(name).LESSON
    assert isinstance(lesson, Lesson)
    return lesson
