"""Lessons: one module for each game, named by its key, which holds its `LESSON`.

A lesson is data: pages to look at and steps to do, each a position as moves and some sentences.
`tests/rules/test_lessons.py` plays every page, `test_lesson_steps.py` every step.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.lessons.goals import Goal


@dataclass(frozen=True, slots=True)
class Scene:
    """A position.

    `moves` are separated by commas, each played by the first seat on turn or by the one that it names, as `1: done`
    does; `seat` is the seat that sees it, or None for everybody.
    """

    moves: str
    options: Mapping[str, int] = field(default_factory=dict)
    players: int = 2
    seat: Seat | None = None

    @property
    def plies(self) -> int:
        """The number of moves."""
        return len(self.moves.split(",")) if self.moves else 0

    def match(self, key: str) -> Match:
        """Return the match of this position in the game with this key. Raises RuleError."""
        game = find(key)
        match = Match.start(game, self.options or game.sizes["standard"], self.players)
        for entry in self.moves.split(",") if self.moves else ():
            named, colon, text = entry.strip().rpartition(": ")
            match = match.play(int(named) if colon else match.to_move[0], text)
        return match


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
    against itself, as `python -m rules lesson` prints them. `pages` are to be looked at, `steps` to be done. `small` is
    a position for a picture of some 70 pixels; None if that of `in_play` is simple enough.
    """

    key: str
    how: str
    lengths: Mapping[str, int]
    in_play: Scene
    pages: tuple[Page, ...]
    steps: tuple[Step, ...] = ()
    small: Scene | None = None

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
