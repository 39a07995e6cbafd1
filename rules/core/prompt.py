"""The kinds of moves that a player can be asked for. A game names the kind, and the bot knows how to ask for it."""

from dataclasses import dataclass, field

from rules.core.notation import Cell


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to the seat on turn, whose answer is none of the kinds below.

    `ask` is one short sentence, `example` a text that would be read (a legal one where that gives nothing away),
    `choices` the canonical texts of all legal moves in board order, empty where they are secret. `green` is one
    sentence about the moves that win points or give none away, for buttons that mark these moves by a colour. Members
    also read `ask` as the explanation of how the answer is written; every other kind has a sentence of its own for
    that.
    """

    ask: str
    example: str
    choices: tuple[str, ...]
    green: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class CellPrompt(Prompt):
    """Name a cell, which the game calls its `noun`. `spread` are those of many cells that are offered first."""

    noun: str = "cell"
    spread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A move from `origin` to the cell that lies a `way` of so many columns rightwards and rows upwards from it.

    Each number of `way` is -1, 0 or 1. The cell may lie off the board, where pieces may leave it.
    """

    origin: Cell
    way: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class StepPrompt(Prompt):
    """Go one step further from one of a few places; `steps` are the choices, in their order.

    `how` says in at most 100 characters how a step is written; "" if it is written as the cell that it leads to.
    """

    steps: tuple[Step, ...]
    how: str = ""


@dataclass(frozen=True, slots=True)
class NumberPrompt(Prompt):
    """Name a numbered place, or several at once: `3`, `3-4`."""


@dataclass(frozen=True, slots=True)
class SegmentPrompt(Prompt):
    """Name a line by the places it leads through, from start to end: `c4-f7`, or `c4-c7-f7` where it `bends`.

    Where lines are many, their start is asked for first if places have a column and a row; numbered places are listed
    in their order. Where lines run from one side of the board to another, `sides` holds the name of each side and the
    places on it. `cheapest` are those of many lines that are offered first, as they
    cost the fewest points. `noun` is what the game calls a line.
    """

    bends: bool = False
    sides: tuple[tuple[str, tuple[str, ...]], ...] = ()
    cheapest: tuple[str, ...] = ()
    noun: str = "line"


@dataclass(frozen=True, slots=True)
class RowPrompt(Prompt):
    """Lay a hand of cards in a row, in secret: `reds` cards R and `blacks` cards B."""

    reds: int
    blacks: int


@dataclass(frozen=True, slots=True)
class WordsPrompt(Prompt):
    """Name stretches of a `row` in secret, one move each, as many as you like.

    `given` count, `wrong` do not, and `stop` ends it. So many wrong ones are `left` until the last ends it, too; None
    if any number is allowed.
    """

    given: tuple[str, ...]
    stop: str
    row: str
    wrong: tuple[str, ...]
    left: int | None
