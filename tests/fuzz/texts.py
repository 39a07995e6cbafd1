"""Texts that people and programs send by mistake or on purpose, made from legal ones or from nothing."""

import random
from collections.abc import Callable, Sequence

from tests.rules.hostile import NASTY

SOUP = "abcdefghijklmnopqrstuvwxyz0123456789 -,.:>#RB→×"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
INVISIBLE = (
    "\0\t\n\r\x1b\x7f\u00ad\u034f\u061c\u200b\u200d\u200e\u200f\u2028\u202e\u2066\u2069\ufe0f\ufeff\U000e0041"
)
"""Nulls, controls, joiners and marks of direction: letters that nobody sees."""
CONFUSABLE = {
    "a": "аａ𝐚ⓐᵃàɑ", "b": "Ьｂ𝐛ⓑᵇƀ", "c": "сｃ𝐜ⓒᶜçϲ", "d": "ԁｄ𝐝ⓓᵈđ", "e": "еｅ𝐞ⓔᵉé", "i": "іｉ𝐢ⓘⁱı", "n": "ոｎ𝐧ⓝⁿñ",
    "o": "оｏ𝐨ⓞᵒөօ", "r": "гｒ𝐫ⓡʳř", "s": "ѕｓ𝐬ⓢˢş", "x": "хｘ𝐱ⓧˣ×", "R": "ＲℛⓇᖇ", "B": "ВＢℬⒷ",
    "0": "٠０𝟎⓪⁰०", "1": "١１𝟏①¹१Ⅰ", "2": "٢２𝟐②²२Ⅱ", "3": "٣３𝟑③³३", "4": "٤４𝟒④⁴४", "5": "٥５𝟓⑤⁵५", "6": "٦６𝟔⑥⁶६",
    "7": "٧７𝟕⑦⁷७", "8": "٨８𝟖⑧⁸८", "9": "٩９𝟗⑨⁹९", "-": "−–—‐‑ー﹣－", " ": "\u00a0\u2003\u3000\u1680\u200a",
}  # fmt: skip
"""Letters that look like others, or that become others when they are normalised."""
LENGTHS = (1, 2, 5, 9, 60, 199, 200, 201, 250)

Maker = Callable[[Sequence[str], random.Random], str]
"""Makes a text, given some legal ones."""


def anything(legal: Sequence[str], chance: random.Random) -> str:
    """Any code points at all, surrogates too; most are short."""
    top = chance.choice([0x7F, 0x7FF, 0xFFFF, 0x10FFFF])
    return "".join(chr(chance.randint(0, top)) for _ in range(chance.choice(LENGTHS)))


def random_bytes(legal: Sequence[str], chance: random.Random) -> str:
    """Bytes of any kind, read as UTF-8 as well as they can be."""
    return chance.randbytes(chance.choice(LENGTHS)).decode(
        errors=chance.choice(["replace", "surrogateescape"])
    )


def soup(legal: Sequence[str], chance: random.Random) -> str:
    """The parts of moves, in any order."""
    return "".join(chance.choices(SOUP, k=chance.randint(1, 14)))


def huge_number(chance: random.Random) -> str:
    """Digits: mostly few, sometimes more than any type of number holds."""
    sign = chance.choice(["", "", "", "-", "+", "#"])
    return sign + str(chance.randint(0, 10 ** chance.choice([1, 2, 3, 6, 9, 10, 19, 20, 40, 190])))


def number(legal: Sequence[str], chance: random.Random) -> str:
    """Numbers of any size, alone or where a move has one."""
    return chance.choice(["", "", "a", "deal ", "1-", "a1-b", "find ", "arrange "]) + huge_number(chance)


def cell(chance: random.Random) -> str:
    """A letter and a number: a cell of some board, or almost."""
    letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
    return letter + str(chance.choice([chance.randint(0, 12), chance.randint(0, 99), 100, 999, 1000]))


def near_miss(legal: Sequence[str], chance: random.Random) -> str:
    """A text by the grammar of some game's moves, whether or not the game has it."""
    cells = [cell(chance) for _ in range(chance.choice([1, 1, 2, 2, 2, 3, 4, 9, 40]))]
    cards = "".join(chance.choices("RB", k=chance.choice([0, 1, 2, 4, 8, 9, 16, 60])))
    return chance.choice(
        [
            "-".join(cells),
            chance.choice([" ", ",", ", ", "->", " to ", "x"]).join(cells),
            f"arrange {cards}",
            f"find {cards}",
            cards,
            " ".join(cards),
            f"deal {chance.randint(-1, 20)}",
            chance.choice(["resign", "timeout", "draw", "void", "pass", "done", "Done.", "find"]),
            huge_number(chance),
        ]
    )


def slip(legal: Sequence[str], chance: random.Random) -> str:
    """A legal text with letters changed, lost, doubled or swapped."""
    letters = list(chance.choice(legal))
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(len(letters) + 1)
        letters[at : at + chance.randint(0, 2)] = chance.choices(SOUP, k=chance.randint(0, 2))
    text = "".join(letters)
    return chance.choice([text, text, text.upper(), f" {text} ", text + text, text[::-1]])


def look_alike(legal: Sequence[str], chance: random.Random) -> str:
    """A legal text in which some letters are others of the same look."""
    share = chance.random()
    return "".join(
        chance.choice(CONFUSABLE[letter]) if letter in CONFUSABLE and chance.random() < share else letter
        for letter in chance.choice(legal)
    )


def invisible(legal: Sequence[str], chance: random.Random) -> str:
    """A legal text with letters between that nobody sees."""
    text = chance.choice(legal)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(INVISIBLE) * chance.choice([1, 1, 1, 30]) + text[at:]
    return text


def joined(legal: Sequence[str], chance: random.Random) -> str:
    """Two legal texts in one."""
    return chance.choice(["-", " ", "", ", ", "->"]).join(chance.choices(legal, k=2))


def nasty(legal: Sequence[str], chance: random.Random) -> str:
    """The known trouble makers, before, after or instead of a legal text."""
    text, good = chance.choice(NASTY), chance.choice(legal)
    return chance.choice([text, text, text + good, good + text])


def long(legal: Sequence[str], chance: random.Random) -> str:
    """A text of up to a quarter of a million characters."""
    text = chance.choice([chance.choice(legal), " ", "a1-", "R", "9", "ﷺ", "\u0301", "\0"])
    return text * (chance.choice([201, 2_001, 20_000, 250_000]) // max(1, len(text)))


MAKERS: tuple[Maker, ...] = (
    *(anything, random_bytes, soup, soup, number, number, near_miss, near_miss, near_miss, slip, slip, slip),
    *(slip, look_alike, look_alike, invisible, invisible, joined, nasty, nasty),
)
RARE = 0.003
"""The share of texts that are long: each takes as much time as a hundred others."""


def text(legal: Sequence[str], chance: random.Random) -> str:
    """A text of any kind, some of them made from one of the legal ones."""
    make = long if chance.random() < RARE else chance.choice(MAKERS)
    return make(legal, chance)
