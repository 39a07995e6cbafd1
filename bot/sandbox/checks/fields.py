"""Checking a request's body: every fault is named at its own field, in Discord's nested form (code 50035)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.sandbox.errors import DiscordError
from bot.sandbox.json_types import Object, Path


class Form:
    """Collects what is wrong with one request's body."""

    def __init__(self) -> None:
        self._faults: list[tuple[Path, str, str]] = []

    def wrong(self, path: Path, code: str, message: str) -> None:
        self._faults.append((path, code, message))

    def required(self, path: Path) -> None:
        self.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")

    def check(self) -> None:
        """Raise DiscordError 50035 if anything was wrong."""
        if self._faults:
            raise DiscordError(400, 50035, "Invalid Form Body", self._tree())

    def _tree(self) -> Object:
        tree: Object = {}
        for path, code, message in self._faults:
            node = tree
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return tree


Check: TypeAlias = Callable[[Form, Path, Any], Any]
"""Looks at one value, reports what is wrong with it, and returns it cleaned."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object: how its value is checked, and what stands there when it is absent or null: `default`, or
    null itself with `null`, or nothing."""

    check: Check
    required: bool = False
    default: Any = None
    null: bool = False


def read(form: Form, path: Path, value: Any, fields: Mapping[str, Field]) -> Object:
    """Check the object `value`: unknown fields are dropped, absent ones become what their Field says."""
    if not isinstance(value, dict):
        form.wrong(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return {}
    clean: Object = {}
    for name, field in fields.items():
        if value.get(name) is not None:
            clean[name] = field.check(form, (*path, name), value[name])
        elif field.required:
            form.required((*path, name))
        elif field.null or field.default is not None:
            clean[name] = field.default
    return clean


def text(least: int, most: int) -> Check:
    """A text of `least` to `most` characters."""

    def check(form: Form, path: Path, value: Any) -> str:
        if not isinstance(value, str):
            form.wrong(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        if len(value) > most and least == 0:
            form.wrong(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not least <= len(value) <= most:
            form.wrong(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    return check


def integer(least: int, most: int) -> Check:
    """A whole number from `least` to `most`."""

    def check(form: Form, path: Path, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            form.wrong(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return least
        if value > most:
            form.wrong(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")
        elif value < least:
            form.wrong(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        return value

    return check


def number(form: Form, path: Path, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        form.wrong(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not double.')
        return 0.0
    return value


def flag(form: Form, path: Path, value: Any) -> bool:
    if not isinstance(value, bool):
        form.wrong(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
    return bool(value)


def id_text(form: Form, path: Path, value: Any) -> str:
    """A snowflake; a number is taken as well, as Discord does."""
    written = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not written.isdecimal() or len(written) > 20:
        form.wrong(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return "0"
    return str(int(written))


def one_of(*choices: int | str) -> Check:
    def check(form: Form, path: Path, value: Any) -> Any:
        if isinstance(value, bool) or value not in choices:
            form.wrong(
                path, "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(map(repr, choices))}}}."
            )
        return value

    return check


def many(check_one: Check, least: int = 0, most: int = 1_000) -> Check:
    """A list of `least` to `most` values."""

    def check(form: Form, path: Path, value: Any) -> list[Any]:
        if not isinstance(value, list):
            form.wrong(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if len(value) > most and least == 0:
            form.wrong(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not least <= len(value) <= most:
            form.wrong(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return [check_one(form, (*path, place), one) for place, one in enumerate(value[:most])]

    return check


def nested(fields: Mapping[str, Field]) -> Check:
    def check(form: Form, path: Path, value: Any) -> Object:
        return read(form, path, value, fields)

    return check


def anything(form: Form, path: Path, value: Any) -> Any:
    return value


def strings(value: Any) -> Iterator[str]:
    """Every text anywhere in a JSON value."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from strings(one)
        case dict():
            for one in value.values():
                yield from strings(one)
