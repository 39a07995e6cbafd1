"""One schema of the description, compiled: it finds wrong values and unknown fields in a body."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import jsonschema_rs

from tests.contract.checks.findings import Finding, child

Kind = jsonschema_rs.ValidationErrorKind
_LONGEST = 80


class Schema:
    """A compiled schema. Unknown fields count as wrong, although the description allows them."""

    def __init__(self, validator: jsonschema_rs.Draft202012Validator) -> None:
        self._validator = validator

    def accepts(self, value: Any) -> bool:
        """True if the value fits the schema, with or without unknown fields."""
        return self._validator.is_valid(value)

    def findings(self, value: Any) -> Iterator[Finding]:
        """Yield everything that is wrong with the value. Unknown fields are only reported if nothing else is wrong."""
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
        keyword = note["schemaLocation"].rsplit("/", 1)[-1]
        names = note["annotations"]
        if keyword in {"properties", "additionalProperties"} and isinstance(names, list):
            known[note["instanceLocation"]].update(str(name) for name in names)
    for at, fields in _objects(value, ""):
        for name in sorted(fields.keys() - known[at]):
            yield Finding(child(at, name), "is a field that the description does not know")


def _objects(value: Any, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield at, value
        for key, inner in value.items():
            yield from _objects(inner, child(at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _objects(inner, child(at, index))


def _leaves(error: jsonschema_rs.ValidationError) -> list[Finding]:
    """Return the errors behind an error; for alternatives, those of the one that fits furthest down."""
    at = "".join(child("", key) for key in error.instance_path)
    if not isinstance(error.kind, Kind.AnyOf | Kind.OneOfNotValid):
        return [Finding(at, f"{error.message} ({_short(error.instance)})")]
    meant = [
        [leaf for inner in branch for leaf in _leaves(inner)]
        for branch in error.kind.context
        if not any(_says_another_kind(inner, error.instance_path) for inner in branch)
    ]
    if meant:
        return min(meant, key=lambda leaves: (-min(leaf.at.count("/") for leaf in leaves), len(leaves)))
    value = error.instance
    if isinstance(value, dict) and "type" in value:
        return [
            Finding(f"{at}/type", f"is no type that the description knows here ({_short(value['type'])})")
        ]
    return [Finding(at, f"is none of what the description knows here ({_short(value)})")]


def _says_another_kind(error: jsonschema_rs.ValidationError, at: Sequence[str | int]) -> bool:
    """True if an alternative for the value `at` a place failed because it is for another constant, `type` or null."""
    if isinstance(error.kind, Kind.Enum | Kind.Constant | Kind.OneOfNotValid):
        return error.instance_path in ([*at], [*at, "type"])
    return isinstance(error.kind, Kind.Type) and error.kind.types == ["null"]


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
