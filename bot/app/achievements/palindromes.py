"""Achievements of the Palindromic Card Game."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from bot.app.achievements.achievement import Achievement, Played, Progress, measured
from rules.core.game import Seat
from rules.games.palindromes import palindromes

BEST: Mapping[int, str] = MappingProxyType(
    {
        8: "000001000",
        9: "0000011000",
        10: "00000122000",
        11: "000001222000",
        12: "0000012233000",
        13: "00000123333000",
        14: "000001234344000",
        15: "0000012344444000",
        16: "00000123455455000",
        17: "000001234556555000",
        18: "0000012345566566000",
        19: "00000123456677666000",
        20: "000001234567778677000",
        21: "0000012345677788777000",
        22: "00000123456788899788000",
        23: "00000123456788999a888000",
        24: "000001234567889a9aa899000",
        25: "000001234567899aaabb999000",
        26: "00000123456789aabbbbc9aa000",
    }
)
"""By cards in the row, then by reds: the best score of a row in which every palindrome is found, as a hexadecimal
digit. From a search through all rows."""

MIRRORS = 6
"""The fewest palindromes that must have been there to find."""


def worth(row: str) -> int:
    """Return the score of a row in which every palindrome is found."""
    return row.count("R") - len(palindromes(row))


def best(cards: int, reds: int) -> int:
    """Return the best score of a row of so many cards, so many of them red."""
    return int(BEST[cards][reds], 16)


def _crooked(game: Played) -> Iterator[Seat]:
    if game.winner is not None:
        row = game.state.rows[game.winner]
        if worth(row) == best(len(row), row.count("R")) > 0:
            yield game.winner


def _mirror(game: Played) -> Iterator[Progress]:
    winner = game.winner
    if winner is not None:
        found, row = game.state.found[winner], game.state.rows[1 - winner]
        yield Progress(winner, len(found), max(MIRRORS, len(palindromes(row))))


ACHIEVEMENTS = (
    Achievement(
        "palindromes.crooked",
        "Crooked Timber",
        "You won with a perfect row: no other order of your cards hides more from a perfect search.",
        "Out of timber so crooked nothing straight was ever built, and nothing symmetrical.",
        _crooked,
    ),
    measured(
        "palindromes.mirror",
        "Mirror, Mirror",
        "You found every palindrome in the other row, at least six, and won.",
        "The mirror on the wall knows them all. Do you?",
        _mirror,
    ),
)
