"""Discord's official API description (OpenAPI 3.1): where it lies, and which operation a call is."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from tests.contract.amendments import amended
from tests.contract.findings import child
from tests.contract.schema import Schema

_BASE = "urn:discord"
_METHODS = frozenset({"get", "put", "post", "patch", "delete"})
_BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[3] / "shared" / "discord-openapi.json"


class MissingDescriptionError(Exception):
    """The description is not on this machine; the message says where it is looked for."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    place: str  # "path" or "query"
    required: bool
    schema: Schema


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path. Bodies are schemas by media type; an answer without a body has none."""

    name: str
    parameters: tuple[Parameter, ...]
    requests: Mapping[str, Schema]
    answers: Mapping[str, Mapping[str, Schema]]  # status, such as "200" or "4XX" -> media type -> schema

    def answer(self, status: int) -> Mapping[str, Schema] | None:
        """The bodies that the status may carry, or None when the description does not know the status."""
        return self.answers.get(str(status), self.answers.get(f"{status // 100}XX"))


@dataclass(frozen=True, slots=True)
class Match:
    """An operation and the texts that its path parameters have in one call."""

    operation: Operation
    path: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Template:
    pattern: re.Pattern[str]
    literals: int
    at: str  # JSON pointer of the path in the description


class Description:
    """The description, its operations read and its schemas compiled as they are asked for."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._registry = jsonschema_rs.Registry([(_BASE, document)], draft=jsonschema_rs.Draft202012)
        self._schemas: dict[str, Schema] = {}
        self._operations: dict[str, Operation] = {}

    @classmethod
    def load(cls) -> "Description":
        """The file DISCORD_OPENAPI names, else ../shared/discord-openapi.json; MissingDescriptionError."""
        named = os.environ.get("DISCORD_OPENAPI")
        path = Path(named) if named else _BESIDE_THE_REPOSITORY
        if not path.is_file():
            raise MissingDescriptionError(
                f"Discord's API description is not at {path}: "
                "put discord-openapi.json into ../shared beside the repository or name it in DISCORD_OPENAPI."
            )
        return cls(amended(json.loads(path.read_bytes())))

    def match(self, method: str, path: str) -> Match | None:
        """The operation of a call, its path without the API's prefix; None when there is none."""
        for template in self._templates:
            found = template.pattern.fullmatch(path)
            if found and method.lower() in self._at(template.at):
                operation = self._operation(template.at, method.lower())
                names = (name.group(1) for name in re.finditer(r"{(\w+)}", template.at))
                return Match(operation, dict(zip(names, found.groups(), strict=True)))
        return None

    def component(self, name: str) -> Schema:
        """A schema by its name among the components."""
        return self._schema(f"/components/schemas/{name}")

    @cached_property
    def _templates(self) -> list[_Template]:
        """All paths; those with more literal parts first, so that `@me` wins over an id."""
        found = []
        for path in self._document["paths"]:
            parts = re.split(r"{\w+}", path)
            pattern = re.compile("([^/]+)".join(map(re.escape, parts)))
            found.append(_Template(pattern, sum(map(len, parts)), child("/paths", path)))
        return sorted(found, key=lambda template: -template.literals)

    def _operation(self, path_at: str, method: str) -> Operation:
        at = child(path_at, method)
        if at not in self._operations:
            body = self._at(at)
            parameters = [
                self._parameter(f"{place}/{index}")
                for place in (f"{path_at}/parameters", f"{at}/parameters")
                for index in range(len(self._at(place) or ()))
            ]
            self._operations[at] = Operation(
                name=body["operationId"],
                parameters=tuple(parameters),
                requests=self._bodies(f"{at}/requestBody"),
                answers={status: self._bodies(f"{at}/responses/{status}") for status in body["responses"]},
            )
        return self._operations[at]

    def _parameter(self, at: str) -> Parameter:
        raw = self._at(at)
        return Parameter(raw["name"], raw["in"], raw.get("required", False), self._schema(f"{at}/schema"))

    def _bodies(self, at: str) -> dict[str, Schema]:
        raw = self._at(at) or {}
        if "$ref" in raw:
            return self._bodies(raw["$ref"].removeprefix("#"))
        content = raw.get("content", ())
        return {media: self._schema(child(f"{at}/content", media) + "/schema") for media in content}

    def _schema(self, at: str) -> Schema:
        if at not in self._schemas:
            validator = jsonschema_rs.Draft202012Validator(
                {"$ref": f"{_BASE}#{quote(at, safe='/~')}"},
                registry=self._registry,
                validate_formats=True,
                mask="the value",
            )
            self._schemas[at] = Schema(validator)
        return self._schemas[at]

    def _at(self, pointer: str) -> Any:
        """What lies at a JSON pointer of the description, or None."""
        found: Any = self._document
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            found = found[int(key)] if isinstance(found, list) else (found or {}).get(key)
        return found
