"""The errors by which the referee refuses. Each is a ValueError whose text is one sentence for a player."""

from collections.abc import Iterable

NAMED = 12
"""The most readings that the sentence about an ambiguous text names."""


class RuleError(ValueError):
    """Base of the refusals below."""


class BadSetup(RuleError):
    """An unknown game, an option outside its range or a wrong number of players."""


class Unreadable(RuleError):
    """The text is no move at all."""


class Ambiguous(RuleError):
    """The text has several legal readings; `readings` holds their canonical texts."""

    def __init__(self, text: str, readings: Iterable[str]) -> None:
        self.readings = tuple(readings)
        if len(self.readings) > NAMED and all(text in reading.split("-") for reading in self.readings):
            super().__init__(f"{shown(text)} is only one end. Name both, like `{self.readings[0]}`.")
            return
        names = " or ".join(f"`{reading}`" for reading in self.readings[:NAMED])
        if len(self.readings) > NAMED:
            names += f" or {len(self.readings) - NAMED} more"
        super().__init__(f"{shown(text)} can mean {names}: say which.")


class Illegal(RuleError):
    """The move breaks a rule.

    `rule` names the rule in one stable word (for tests and pictures); `marks` are the canonical names of the places
    that break it (cells, segments, sections), so that a picture can mark them.
    """

    def __init__(self, sentence: str, *, rule: str, marks: Iterable[str] = ()) -> None:
        super().__init__(sentence)
        self.rule = rule
        self.marks = tuple(marks)


def shown(text: str, limit: int = 24) -> str:
    """Return typed text as it can be quoted in a sentence: printable, on one line, in backquotes, cut at `limit`."""
    clean = "".join(letter if letter.isprintable() and letter != "`" else "?" for letter in text[:limit])
    return f"`{clean}…`" if len(text) > limit else f"`{clean}`"


def figure(number: int) -> str:
    """Return a number that someone gave, fit to be quoted inside a sentence: thousands of digits are not spelt out."""
    return str(number) if abs(number) < 10**9 else "a number of that size"
