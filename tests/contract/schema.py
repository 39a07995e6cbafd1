"""Compiled schemas of the description, which find wrong values and unknown fields in a body."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

Kind = jsonschema_rs.ValidationErrorKind
_LONGEST = 80
"""The number of characters of a wrong value that are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a body, at a JSON pointer into the body ("" is the whole body)."""

    at: str
    what: str


def child(at: str, key: str | int) -> str:
    """Return the JSON pointer (RFC 6901) to the member or item `key` of the value at the pointer `at`."""
    if isinstance(key, int) or key.isidentifier():  # nearly all keys, in a fraction of the time
        return f"{at}/{key}"
    return f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"


class Schema:
    """A compiled schema. Unknown fields count as wrong, although the description allows them."""

    def __init__(self, validator: jsonschema_rs.Draft202012Validator) -> None:
        self._validator = validator

    def accepts(self, value: Any) -> bool:
        """Return whether the value matches the schema, with or without unknown fields."""
        return self._validator.is_valid(value)

    def findings(self, value: Any) -> Iterator[Finding]:
        """Yield everything that is wrong with the value. Unknown fields are reported only if nothing else is wrong."""
        evaluation = self._validator.evaluate(value)
        if evaluation.valid:
            yield from _unknown_fields(value, evaluation)
            return
        for error in self._validator.iter_errors(value):
            yield from _leaves(error)


def _unknown_fields(value: Any, evaluation: jsonschema_rs.Evaluation) -> Iterator[Finding]:
    """Yield the keys that no applicable schema mentions, by the annotations of the evaluation."""
    known: defaultdict[str, set[str]] = defaultdict(set)
    for note in evaluation.annotations():
        names = note["annotations"]
        if isinstance(names, list) and note["schemaLocation"].endswith(
            ("/properties", "/additionalProperties")
        ):
            known[note["instanceLocation"]].update(map(str, names))
    if not isinstance(value, dict | list):
        return
    for at, fields in _objects(value, ""):
        for name in sorted(fields.keys() - known[at]):
            yield Finding(child(at, name), "is a field that the description does not know")


def _objects(value: Any, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all objects in a value, itself included, with their JSON pointers."""
    if isinstance(value, dict):
        yield at, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            yield from _objects(inner, child(at, key))


def _leaves(error: jsonschema_rs.ValidationError) -> list[Finding]:
    """Return the causes of an error. Of several alternatives, the one that matches most deeply is used."""
    at = "".join(child("", key) for key in error.instance_path)
    if not isinstance(error.kind, Kind.AnyOf | Kind.OneOfNotValid):
        return [Finding(at, f"{error.message} ({_short(error.instance)})")]
    meant = [
        [leaf for inner in branch for leaf in _leaves(inner)]
        for branch in error.kind.context
        if not any(_is_of_another_kind(inner, error.instance_path) for inner in branch)
    ]
    if meant:
        return min(meant, key=lambda leaves: (-min(leaf.at.count("/") for leaf in leaves), len(leaves)))
    value = error.instance
    if isinstance(value, dict) and "type" in value:
        return [
            Finding(f"{at}/type", f"is no type that the description knows here ({_short(value['type'])})")
        ]
    return [Finding(at, f"is none of what the description knows here ({_short(value)})")]


def _is_of_another_kind(error: jsonschema_rs.ValidationError, at: Sequence[str | int]) -> bool:
    """Return whether an alternative for the value at `at` failed because it requires another constant, type or null."""
    if isinstance(error.kind, Kind.Enum | Kind.Constant | Kind.OneOfNotValid):
        return error.instance_path in ([*at], [*at, "type"])
    return isinstance(error.kind, Kind.Type) and error.kind.types == ["null"]


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
