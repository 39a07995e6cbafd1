"""A hidden row in any notation: what is told by words, signs, numbers, places or lengths, in either direction."""

import base64
import binascii
import re
from collections.abc import Iterator

LONG_ROWS = "26"
"""The size of the Palindromic Card Game for searches: no row of so many cards is like another by chance."""
SIGNS = (
    ("R", "B"), ("r", "b"), ("♦", "♣"), ("♥", "♠"), ("🟥", "⬛"), ("🔴", "⚫"), ("◆", "♧"), ("1", "0"), ("0", "1"),
    ("red", "black"), ("Red", "Black"), ("diamond", "club"), ("true", "false"), ("True", "False"),
)  # fmt: skip
"""Pairs of signs for a red and a black card."""
_BETWEEN = r"[\s,;.:|/_'\"`*()\[\]\u200b-\u200f\ufe0f\\-]{0,4}"
_READ = [
    (red, re.compile(f"(?:(?:{one}){_BETWEEN}){{6,}}"), re.compile(one))
    for red, one in ((red, f"{re.escape(red)}|{re.escape(black)}") for red, black in SIGNS)
]
_LENGTHS = re.compile(
    rf"(?:[0-9]{{1,2}}\s?×?x?\s?[RBrb♦♣]{_BETWEEN}){{2,}}|(?:[RBrb♦♣]\s?×?x?\s?[0-9]{{1,2}}{_BETWEEN}){{2,}}"
)
_RUN = re.compile(r"([0-9]{1,2})\s?×?x?\s?([RBrb♦♣])")
_RUN_AFTER = re.compile(r"([RBrb♦♣])\s?×?x?\s?([0-9]{1,2})")
_NUMBERS = re.compile(r"\b[0-9]{1,2}(?:[,;]?\s?\b[0-9]{1,2}){3,}\b")


def rows_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield every sequence of cards that a text tells, as letters R and B, with the words that tell it."""
    for red, whole, one in _READ:
        for found in whole.finditer(text):
            yield "".join("R" if sign == red else "B" for sign in one.findall(found[0])), found[0]
    for found in _LENGTHS.finditer(text):
        yield "".join(_letter(sign) * int(count) for count, sign in _RUN.findall(found[0])), found[0]
        yield "".join(_letter(sign) * int(count) for sign, count in _RUN_AFTER.findall(found[0])), found[0]


def _letter(sign: str) -> str:
    return "R" if sign in "Rr♦" else "B"


def places_in(text: str) -> Iterator[tuple[list[int], str]]:
    """Yield every list of four small numbers or more, with the words that tell it."""
    for found in _NUMBERS.finditer(text):
        yield [int(number) for number in re.findall("[0-9]+", found[0])], found[0]


def tells(text: str, row: str) -> bool:
    """True if a text tells this row: as a sequence, as lengths of runs, by the places of a colour, or encoded."""
    return telling(text, row) is not None


def telling(text: str, row: str) -> str | None:
    """Return the words by which a text tells this row, or None if it does not."""
    for said, words in rows_in(text):
        if row in said or row[::-1] in said:
            return words
    for numbers, words in places_in(text):
        for one in (row, row[::-1]):
            for first in (0, 1):
                for colour in "RB":
                    places = [place for place, card in enumerate(one, first) if card == colour]
                    if len(places) > 3 and _holds(numbers, places):
                        return words
    return next((code for code in _encoded(row) if code in text), None)


def _holds(numbers: list[int], part: list[int]) -> bool:
    return any(numbers[at : at + len(part)] == part for at in range(len(numbers) - len(part) + 1))


def _encoded(row: str) -> set[str]:
    """The row in base64 at each offset, in hexadecimal digits, and as a number of bits."""
    found = set()
    for text in (row, row[::-1], row.lower()):
        for offset in range(3):
            whole = base64.b64encode(b"\0" * offset + text.encode()).decode().rstrip("=")
            found.add(whole[(8 * offset + 5) // 6 :][: len(text)])
        found.add(binascii.hexlify(text.encode()).decode())
    return found
