"""Checks of a request's body. Each problem is reported at its field, nested as Discord does (code 50035)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.sandbox.errors import DiscordError
from bot.sandbox.json_types import Object, Path


class Problems:
    """The problems found in one request's body."""

    def __init__(self) -> None:
        self._found: list[tuple[Path, str, str]] = []

    def add(self, path: Path, code: str, message: str) -> None:
        self._found.append((path, code, message))

    def add_missing(self, path: Path) -> None:
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def raise_any(self) -> None:
        """Raise DiscordError 50035 if there is any problem."""
        if self._found:
            raise DiscordError(400, 50035, "Invalid Form Body", self._tree())

    def _tree(self) -> Object:
        """Return the problems nested by path. Below a field with a problem of its own nothing is reported."""
        wrong = {path for path, _, _ in self._found}
        tree: Object = {}
        for path, code, message in self._found:
            if any(path[:length] in wrong for length in range(len(path))):
                continue
            node = tree
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return tree


Check: TypeAlias = Callable[[Problems, Path, Any], Any]
"""A function that checks one value, adds its problems, and returns the cleaned value."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object and the check of its value.

    An absent or null field becomes `default` if there is a default, or null if `null` is True. Otherwise it is omitted.
    """

    check: Check
    required: bool = False
    default: Any = None
    null: bool = False


def read(problems: Problems, path: Path, value: Any, fields: Mapping[str, Field]) -> Object:
    """Check the object `value` and return the cleaned object. Unknown fields are dropped."""
    if not isinstance(value, dict):
        problems.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return {}
    clean: Object = {}
    for name, field in fields.items():
        if value.get(name) is not None:
            clean[name] = field.check(problems, (*path, name), value[name])
        elif field.required:
            problems.add_missing((*path, name))
        elif field.null or field.default is not None:
            clean[name] = field.default
    return clean


def checked(value: Any, fields: Mapping[str, Field], path: Path = ()) -> Object:
    """Return the cleaned object `value`, which is at `path` of a request. Raises DiscordError 50035."""
    problems = Problems()
    clean = read(problems, path, value, fields)
    problems.raise_any()
    return clean


def text(least: int, most: int) -> Check:
    """Return a check for a text of `least` to `most` characters."""

    def check(problems: Problems, path: Path, value: Any) -> str:
        if not isinstance(value, str):
            problems.add(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        if len(value) > most and least == 0:
            problems.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not least <= len(value) <= most:
            problems.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    return check


def integer(least: int, most: int) -> Check:
    """Return a check for a whole number from `least` to `most`."""

    def check(problems: Problems, path: Path, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            problems.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return least
        if value > most:
            problems.add(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")
        elif value < least:
            problems.add(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        return value

    return check


def number(problems: Problems, path: Path, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        problems.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not double.')
        return 0.0
    return value


def flag(problems: Problems, path: Path, value: Any) -> bool:
    if not isinstance(value, bool):
        problems.add(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
    return bool(value)


def id_text(problems: Problems, path: Path, value: Any) -> str:
    """Check an id, which may be a string or a number, and return the id as a string."""
    written = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not written.isdecimal() or len(written) > 20:
        problems.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return "0"
    return str(int(written))


def one_of(*choices: int | str) -> Check:
    def check(problems: Problems, path: Path, value: Any) -> Any:
        if isinstance(value, bool) or value not in choices:
            problems.add(
                path, "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(map(repr, choices))}}}."
            )
        return value

    return check


def many(check_one: Check, least: int = 0, most: int = 1_000) -> Check:
    """Return a check for a list of `least` to `most` values."""

    def check(problems: Problems, path: Path, value: Any) -> list[Any]:
        if not isinstance(value, list):
            problems.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if len(value) > most and least == 0:
            problems.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not least <= len(value) <= most:
            problems.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return [check_one(problems, (*path, place), one) for place, one in enumerate(value[:most])]

    return check


def nested(fields: Mapping[str, Field]) -> Check:
    def check(problems: Problems, path: Path, value: Any) -> Object:
        return read(problems, path, value, fields)

    return check


def anything(problems: Problems, path: Path, value: Any) -> Any:
    return value


def strings(value: Any) -> Iterator[str]:
    """Yield every text anywhere in a JSON value."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from strings(one)
        case dict():
            for one in value.values():
                yield from strings(one)
