"""Texts that people and programs send by mistake or on purpose, and the form that every refusal must have."""

import re

NASTY = (
    "",
    " ",
    "\0",
    "c4\0",
    "c\n4",
    "c4\r\n",
    "\ta1",
    "a" * 100_000,
    "9" * 100_000,
    "-" + "9" * 5_000,
    "1e999",
    "NaN",
    "inf",
    "0x10",
    "1_000",
    "٣",  # an Arabic three
    "۴",  # a Persian four
    "四",
    "½",
    "Ⅳ",
    "c²",
    "ａ１",
    "１",
    "🄰1",
    "𝐜𝟒",
    "ﷺ" * 30,  # grows eighteenfold when it is normalised
    "c\u200b4",  # zero-width space
    "c\u202e4",  # right-to-left override
    "\u2066c4\u2069",
    "\ufeffc4",
    "c4\u0301",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "\ud800",  # half a surrogate pair
    "c\udc804",
    "\U0010ffff",
    "`c4`",
    "``c4``",
    "```\nc4\n```",
    "` @everyone `",
    "@everyone",
    "<@1234567890>",
    "<#1>",
    "[c4](https://example.org)",
    "**c4**",
    "||c4||",
    "c4; DROP TABLE moves",
    "{0.__class__}",
    "%s%s%n",
    "../../etc/passwd",
    "resign\0",
    "resign.",
    "null",
    "draw",
    "deal 6",
    "a1-",
    "-a1",
    "a1--b2",
    "a1-b2-c3-d4",
    "a" + " " * 190 + "1",
    "a" + ".:,-" * 45 + "1",
)


def check_sentence(sentence: str) -> None:
    """Check that a refusal is one short printable sentence with its quotations in backquotes."""
    assert 0 < len(sentence) < 300
    assert sentence.isprintable()
    assert sentence.endswith(".")
    own = sentence.split("`")[::2]
    assert sentence.count("`") % 2 == 0
    assert not re.search(r"[.?!] ", " ".join(own))
    assert not re.search(r"[@<>*_~|#\\]|://", "".join(own))
