"""Reading settings: the annotated attributes of a class, from the environment and from a file.

Hand-written, because the usual libraries take a tenth of a start and ten megabytes for a dozen numbers and words.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from dotenv import dotenv_values


class WrongSetting(Exception):
    """The text of a setting is no value of it; the message is a sentence that does not quote the text."""


class SecretStr:
    """A text that is shown nowhere by accident."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_secret_value(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "SecretStr(...)"


@dataclass(frozen=True)
class Limits:
    """What a setting may be, and its name in the environment if that is not the attribute's in capitals."""

    default: Any
    name: str = ""
    ge: float | None = None
    le: float | None = None
    pattern: str | None = None
    like: str = ""


def Field(  # noqa: N802 - it stands where a value of any type is expected, as in dataclasses and pydantic
    *,
    default: Any,
    validation_alias: str = "",
    ge: float | None = None,
    le: float | None = None,
    pattern: str | None = None,
    like: str = "",
) -> Any:
    """Return the default of a setting, with limits: at least `ge`, at most `le`, matching `pattern`, as the example
    `like` does."""
    return Limits(default, validation_alias, ge, le, pattern, like)


class Settings:
    """A class whose annotated attributes are settings. Their types are str, Path, int, float, bool, SecretStr, or a
    choice of words, each also with None."""

    settings: ClassVar[dict[str, tuple[Any, Limits]]]
    """The type and the limits of each setting, by attribute."""

    def __init_subclass__(cls) -> None:
        cls.settings = {}
        kinds = get_type_hints(cls)
        for attribute in vars(cls).get("__annotations__", {}):
            given = vars(cls)[attribute]
            limits = given if isinstance(given, Limits) else Limits(given)
            named = replace(limits, name=limits.name or attribute.upper())
            cls.settings[attribute] = kinds[attribute], named

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Read the settings from texts by name; an empty text is none. Raises WrongSetting."""
        self.given: set[str] = set()
        """The attributes whose settings are not left to their defaults."""
        for attribute, (kind, limits) in self.settings.items():
            value = limits.default
            if text := texts.get(limits.name):
                value = _read(kind, limits, text)
                self.given.add(attribute)
            setattr(self, attribute, value)


def texts(path: Path, encoding: str) -> dict[str, str]:
    """Return the texts of all settings by name: those of a file, if it is there, and above them the environment."""
    found = {
        **dotenv_values(path, encoding=encoding),
        **{name: text for name, text in os.environ.items() if text},
    }
    return {name.upper(): text for name, text in found.items() if text}


def _read(kind: Any, limits: Limits, text: str) -> Any:
    """Return the value that a text means. Raises WrongSetting."""
    if isinstance(kind, UnionType):
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise WrongSetting(f"{limits.name} is wrong: it must be {_either(get_args(kind))}.")
        return text
    if kind is bool:
        if text.lower() not in _SWITCH:
            raise WrongSetting(f"{limits.name} is wrong: it must be {_either(('true', 'false'))}.")
        return _SWITCH[text.lower()]
    if kind in (int, float):
        return _number(kind, limits, text)
    if limits.pattern is not None and not re.search(limits.pattern, text):
        raise WrongSetting(f"{limits.name} is wrong: it must look like {limits.like or limits.pattern}.")
    return kind(text)


_SWITCH = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def _number(kind: type[int] | type[float], limits: Limits, text: str) -> float:
    what = "a whole number" if kind is int else "a number"
    if limits.ge is not None and limits.le is not None:
        what += f" from {limits.ge:g} to {limits.le:g}"
    elif limits.ge is not None:
        what += f" of at least {limits.ge:g}"
    elif limits.le is not None:
        what += f" of at most {limits.le:g}"
    wrong = WrongSetting(f"{limits.name} is wrong: it must be {what}.")
    try:
        value = kind(text)
    except ValueError:
        raise wrong from None
    if (limits.ge is not None and not value >= limits.ge) or (
        limits.le is not None and not value <= limits.le
    ):
        raise wrong
    return value


def _either(words: Sequence[str]) -> str:
    quoted = [f"'{word}'" for word in words]
    return " or ".join((", ".join(quoted[:-1]), quoted[-1]))
