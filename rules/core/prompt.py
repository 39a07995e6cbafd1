"""What a player is asked for. The bot knows how to ask each kind; a game only says which kind it needs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to the seat on turn.

    `ask` is one short sentence, `example` a text that would be read (a legal one where that gives nothing away),
    `choices` the canonical texts of all legal moves in board order, empty where they are secret or too many to list.
    """

    ask: str
    example: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellPrompt(Prompt):
    """Name a cell."""


@dataclass(frozen=True, slots=True)
class NumberPrompt(Prompt):
    """Name a numbered place."""


@dataclass(frozen=True, slots=True)
class SegmentPrompt(Prompt):
    """Name a line by the places it leads through, from start to end: `c4-f7`."""


@dataclass(frozen=True, slots=True)
class RowPrompt(Prompt):
    """Lay a hand of cards in a row, in secret: `reds` cards R and `blacks` cards B."""

    reds: int
    blacks: int


@dataclass(frozen=True, slots=True)
class WordsPrompt(Prompt):
    """Name words in secret, one move each, as many as you like; `given` have been named, and `stop` ends it."""

    given: tuple[str, ...]
    stop: str
