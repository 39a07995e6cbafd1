"""Discord's rules for application commands that its description leaves out."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.contract.checks.components import Placed, objects
from tests.contract.checks.findings import Finding, child

SLASH = 1
_SUBCOMMAND, _GROUP = 1, 2
_NAME = re.compile(r"[-_'\w]{1,32}")
_MOST_OF_A_KIND = {1: 100, 2: 15, 3: 15}
_MOST_CHARACTERS = 8000


def commands(found: list[Placed]) -> Iterator[Finding]:
    """Check a whole set of commands, in a request or in an answer."""
    counts = Counter(_kind(command.body) for command in found)
    for kind, limit in _MOST_OF_A_KIND.items():
        if counts[kind] > limit:
            yield Finding("", f"at most {limit} commands of type {kind}, these are {counts[kind]}")
    names = Counter((_kind(command.body), command.body.get("name")) for command in found)
    for command in found:
        if names[_kind(command.body), command.body.get("name")] > 1:
            yield Finding(child(command.at, "name"), "two commands of one type have this name")
        yield from one(command)


def one(command: Placed) -> Iterator[Finding]:
    """Check one command with its options."""
    if _kind(command.body) == SLASH:
        yield from _slash_name(command)
        if not command.body.get("description"):
            yield Finding(command.at, "a slash command needs a description")
        letters = _letters(command.body)
        if letters > _MOST_CHARACTERS:
            yield Finding(command.at, f"has {letters} characters in total, at most {_MOST_CHARACTERS}")
        yield from _options(command)
        return
    for field in ("description", "options"):
        if command.body.get(field):
            yield Finding(child(command.at, field), "only a slash command has one")


def _options(owner: Placed) -> Iterator[Finding]:
    options = objects(owner.body.get("options"), child(owner.at, "options"))
    names = Counter(option.body.get("name") for option in options)
    optional_seen = False
    for option in options:
        yield from _slash_name(option)
        if names[option.body.get("name")] > 1:
            yield Finding(child(option.at, "name"), "two options have this name")
        if option.body.get("type") in (_SUBCOMMAND, _GROUP):
            yield from _options(option)
            continue
        if option.body.get("required") and optional_seen:
            yield Finding(option.at, "a required option stands before all that are not")
        optional_seen = optional_seen or not option.body.get("required")
        if option.body.get("autocomplete") and option.body.get("choices"):
            yield Finding(option.at, "an option has choices or autocomplete, not both")
        yield from _choices(option)


def _choices(option: Placed) -> Iterator[Finding]:
    found = objects(option.body.get("choices"), child(option.at, "choices"))
    names = Counter(choice.body.get("name") for choice in found)
    for choice in found:
        if names[choice.body.get("name")] > 1:
            yield Finding(child(choice.at, "name"), "two choices have this name")


def _slash_name(named: Placed) -> Iterator[Finding]:
    name = named.body.get("name")
    if isinstance(name, str) and (not _NAME.fullmatch(name) or name != name.lower()):
        yield Finding(child(named.at, "name"), f"{name!r} is not 1 to 32 lower-case letters, digits, - and _")


def _kind(command: dict[str, Any]) -> int:
    kind = command.get("type")
    return kind if isinstance(kind, int) else SLASH


def _letters(body: dict[str, Any]) -> int:
    """Return the number of characters that Discord counts for a command: names, descriptions and values of choices."""
    texts = (body.get(field) for field in ("name", "description", "value"))
    own = sum(len(text) for text in texts if isinstance(text, str))
    inner = (placed.body for field in ("options", "choices") for placed in objects(body.get(field), ""))
    return own + sum(map(_letters, inner))
