"""Names of places: column letter and row number, `a1` at the bottom left; read generously, written in one form.

Also the cards of a row as signs, and names joined in a sentence.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.core.errors import Unreadable, shown

Example = str | Callable[[], str]
"""The right form, for a sentence; a function where it takes the list of all moves to find one."""

LONGEST = 200
"""Characters; nothing a player means as a move is longer."""

_CELL = re.compile(r"([a-z])[\s,.:-]*([0-9]{1,3})|([0-9]{1,3})[\s,.:-]*([a-z])")
_ROW_LAST = re.compile(r"([a-z])\s*([0-9]{1,3})")
_ROW_FIRST = re.compile(r"([0-9]{1,3})\s*([a-z])")
_JOINT = r"(?:[\s,;:.>→‐‑–—−-]|to)"
_NUMBER = re.compile(r"#?\s*([0-9]{1,6})\.?")
_NUMBERS = re.compile(rf"#?([0-9]{{1,4}})(?:{_JOINT}+#?([0-9]{{1,4}}))?")


class Cell(NamedTuple):
    """A cell or lattice point; `column` and `row` count from 0 at the bottom left. Its text is the canonical name."""

    column: int
    row: int

    def __str__(self) -> str:
        return _name(self)

    def beside(self) -> tuple["Cell", ...]:
        """Return the four orthogonal neighbours, on the board or not."""
        column, row = self
        return Cell(column, row + 1), Cell(column + 1, row), Cell(column, row - 1), Cell(column - 1, row)


@lru_cache(maxsize=1 << 11)
def _name(cell: Cell) -> str:
    return f"{letter(cell.column)}{cell.row + 1}"


def letter(column: int) -> str:
    """Return the letter of a column counted from 0; boards are at most 26 wide."""
    return "abcdefghijklmnopqrstuvwxyz"[column]


MOST_LETTERS = 20
"""The most lines that have letters; more have no button each."""


def letters_of(lines: Sequence[str]) -> Mapping[str, str]:
    """Return a capital letter for each of these lines, which are canonical texts like `c4-c7-f7`.

    Empty if their ends tell the lines apart, because none of them bends, or if there are more than `MOST_LETTERS`.
    """
    if len(lines) > MOST_LETTERS or all(line.count("-") < 2 for line in lines):
        return {}
    return {line: letter(number).upper() for number, line in enumerate(lines)}


def tidy(text: str) -> str:
    """Typed text in plain lower-case form (full-width digits and the like folded).

    Raises Unreadable when it is empty or longer than any move.
    """
    if len(text) > LONGEST:
        raise Unreadable(f"A move is never longer than {LONGEST} characters.")
    plain = unicodedata.normalize("NFKC", text).strip().strip("`'\"").rstrip(".!?,").strip().lower()
    if not plain:
        raise Unreadable("A move is missing.")
    return plain


_SUITS = str.maketrans({"R": "\N{BLACK DIAMOND SUIT}", "B": "\N{BLACK CLUB SUIT}"})
_LETTERS = {ord(suit): letter for letter, suit in zip("rb", _SUITS.values(), strict=True)}


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Join words: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def suits(cards: str) -> str:
    """Return red and black cards, given as letters R and B, as diamonds and clubs."""
    return cards.translate(_SUITS)


def letters(text: str) -> str:
    """Return a text in which diamonds and clubs are replaced by the letters r and b."""
    return text.translate(_LETTERS | {ord(VARIATION): None for VARIATION in "\ufe0e\ufe0f"})


def read_cell(text: str, example: Example, noun: str = "cell") -> Cell:
    """Return a cell from what someone typed: `C4`, `c 4` and `4c` are all c4.

    Whether it is on the board is another matter.

    Raises Unreadable, naming `example` as what would have been right. `noun` is what the game calls a cell.
    """
    found = _CELL.fullmatch(tidy(text))
    if found is None:
        raise Unreadable(
            f"{shown(text)} is no {noun}; name one by its letter and number, like `{_said(example)}`."
        )
    column = found[1] or found[4]
    row = int(found[2] or found[3])
    if row == 0:
        raise Unreadable(f"{shown(text)} is no {noun}: rows count from 1, like `{_said(example)}`.")
    return Cell(ord(column) - ord("a"), row - 1)


def read_cells(text: str, example: Example, noun: str = "cell") -> tuple[Cell, ...]:
    """Return one or more cells in a row from what someone typed.

    `C4-F7`, `c4 -> f7`, `c4 to f7` and `4c 7f` are all c4, f7.

    Raises Unreadable, naming `example` as what would have been right. `noun` is what the game calls a cell.
    """
    plain = tidy(text)
    for cell, letter_at, number_at in ((_ROW_LAST, 1, 2), (_ROW_FIRST, 2, 1)):
        if re.fullmatch(f"{cell.pattern}(?:{_JOINT}*{cell.pattern})*", plain):
            found = [(match[letter_at], int(match[number_at])) for match in cell.finditer(plain)]
            if any(row == 0 for _, row in found):
                raise Unreadable(f"{shown(text)} is no move: rows count from 1, like `{_said(example)}`.")
            return tuple(Cell(ord(column) - ord("a"), row - 1) for column, row in found)
    raise Unreadable(
        f"{shown(text)} is no move here; name {noun}s by letter and number, like `{_said(example)}`."
    )


def read_number(text: str, what: str, example: Example) -> int:
    """Return a whole number from what someone typed (`7`, `#7`, `7.`).

    Raises Unreadable, naming `what` and an `example`.
    """
    found = _NUMBER.fullmatch(tidy(text))
    if found is None:
        raise Unreadable(f"{shown(text)} is no {what}; name one by its number, like `{_said(example)}`.")
    return int(found[1])


def read_numbers(text: str, what: str, example: Example) -> tuple[int, ...]:
    """Return one whole number or two from what someone typed (`7`, `7-12`, `7 to 12`), of at most four digits.

    Raises Unreadable, naming `what` and an `example`.
    """
    found = _NUMBERS.fullmatch(tidy(text))
    if found is None:
        raise Unreadable(f"{shown(text)} is no {what}; name a number or two, like `{_said(example)}`.")
    return tuple(int(number) for number in found.groups() if number is not None)


def _said(example: Example) -> str:
    return example if isinstance(example, str) else example()
