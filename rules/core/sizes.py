"""Board sizes as members type them: a named size, numbers, or options by name."""

import re
from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadSetup, Unreadable, shown
from rules.core.game import Game
from rules.core.notation import tidy

_NAMED = re.compile(r"([a-z]+)\s*[=:]?\s*([0-9]{1,4})")
_NUMBERS = re.compile(r"[0-9]{1,4}(?:\s*(?:x|×|by|,|\s)\s*[0-9]{1,4})*")


def read_size(game: Game[Any, Any], text: str) -> dict[str, int]:
    """Return the options that `text` means: `quick`, `7x4`, `13` or `width 7 height 4`.

    Options that are left out have the values of the standard size, so nothing means the standard size.

    Raises BadSetup, also when a value is outside its range.
    """
    if not text.strip():
        return game.check(game.sizes["standard"], game.seats[0])
    try:
        words = tidy(text)
    except Unreadable:
        words = ""  # nothing but marks, or longer than anything readable
    if words in game.sizes:
        return game.check(game.sizes[words], game.seats[0])
    usual = game.sizes["standard"]
    if _NUMBERS.fullmatch(words):
        numbers = [int(number) for number in re.findall(r"[0-9]+", words)]
        fewest = sum(not option.extra for option in game.options)
        if fewest <= len(numbers) <= len(game.options):
            keys = (option.key for option in game.options)
            return game.check({**usual, **dict(zip(keys, numbers, strict=False))}, game.seats[0])
    named = _NAMED.findall(words)
    if len(dict(named)) == len(named) > 0 and not re.sub(r"[\s,;]+", "", _NAMED.sub("", words)):
        return game.check({**usual, **{key: int(value) for key, value in named}}, game.seats[0])
    raise BadSetup(f"{shown(text)} is no size of {game.sheet.title}; say {ways(game)}.")


def ways(game: Game[Any, Any]) -> str:
    """Return the ways to say a size of this game, for a sentence."""
    ranges = " ".join(f"{option.key} {option.default}" for option in game.options)
    return f"{', '.join(game.sizes)} or, for example, {ranges}"


def size_name(game: Game[Any, Any], options: Mapping[str, int]) -> str | None:
    return next((name for name, size in game.sizes.items() if dict(size) == dict(options)), None)


def spell(game: Game[Any, Any], options: Mapping[str, int]) -> str:
    """Return a size in words: `standard (6 columns, 5 rows)`. Options that are left out have their defaults.

    An extra option at 0 is not in use, and is left out.
    """
    options = {option.key: options.get(option.key, option.default) for option in game.options}
    parts = ", ".join(
        f"{options[option.key]} {option.says.partition(', 0:')[0]}"
        for option in game.options
        if options[option.key] or not option.extra
    )
    name = size_name(game, options)
    return f"{name} ({parts})" if name else parts
