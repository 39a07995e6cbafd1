"""Discord's official API description (OpenAPI 3.1): its file, and the operation that a call belongs to."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from tests.contract.amendments import amended
from tests.contract.schema import Schema, child

DISTILLED = Path(__file__).with_name("discord.json")
_BASE = "urn:discord"


class MissingDescriptionError(Exception):
    """The file that DISCORD_OPENAPI names is not there."""


class LeftOutError(Exception):
    """Discord has an operation that the distilled description leaves out; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    place: str  # "path" or "query"
    schema: Schema


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path. Bodies are schemas by media type; a response without a body has an empty mapping."""

    name: str
    parameters: tuple[Parameter, ...]
    requests: Mapping[str, Schema]
    responses: Mapping[str, Mapping[str, Schema]]  # status, such as "200" or "4XX" -> media type -> schema

    def response(self, status: int) -> Mapping[str, Schema] | None:
        """Return the bodies that a status may have, or None if the description does not have the status."""
        return self.responses.get(str(status), self.responses.get(f"{status // 100}XX"))


@dataclass(frozen=True, slots=True)
class Match:
    """An operation and the path parameters of one call."""

    operation: Operation
    path: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Template:
    pattern: re.Pattern[str]
    literals: int
    at: str  # JSON pointer of the path in the description


class Description:
    """A description. Operations are read, and schemas compiled, at their first use."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._registry = jsonschema_rs.Registry([(_BASE, document)], draft=jsonschema_rs.Draft202012)
        self._schemas: dict[str, Schema] = {}
        self._operations: dict[str, Operation] = {}

    @classmethod
    def load(cls) -> "Description":
        """Load the description that DISCORD_OPENAPI names, or the distilled one. Raises MissingDescriptionError."""
        path = Path(os.environ.get("DISCORD_OPENAPI") or DISTILLED)
        if not path.is_file():
            raise MissingDescriptionError(f"DISCORD_OPENAPI names {path}, where no file is.")
        return cls(amended(json.loads(path.read_bytes())))

    def match(self, method: str, path: str) -> Match | None:
        """Return the operation of a call, by its path without the API's prefix, or None if Discord has no such route.

        Raises LeftOutError.
        """
        for template in self._templates.get(path.count("/"), ()):
            found = template.pattern.fullmatch(path)
            if found and method.lower() in self._at(template.at):
                at = child(template.at, method.lower())
                if not self._at(at):
                    raise LeftOutError(
                        "the distilled description leaves this operation out: serve it in bot/sandbox/rest and renew "
                        "the distilled description, as tests/contract/README.md says"
                    )
                names = (name.group(1) for name in re.finditer(r"{(\w+)}", template.at))
                return Match(self._operation(template.at, at), dict(zip(names, found.groups(), strict=True)))
        return None

    def component(self, name: str) -> Schema:
        """Return the schema of a component by its name."""
        return self._schema(f"/components/schemas/{name}")

    @cached_property
    def _templates(self) -> Mapping[int, Sequence[_Template]]:
        """All paths by their number of slashes; those with more literal characters first: `@me` wins over an id."""
        found = defaultdict[int, list[_Template]](list)
        for path in self._document["paths"]:
            parts = re.split(r"{\w+}", path)
            pattern = re.compile("([^/]+)".join(map(re.escape, parts)))
            template = _Template(pattern, sum(map(len, parts)), child("/paths", path))
            found[path.count("/")].append(template)
        return {
            slashes: sorted(some, key=lambda template: -template.literals) for slashes, some in found.items()
        }

    def _operation(self, path_at: str, at: str) -> Operation:
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
                responses={status: self._bodies(f"{at}/responses/{status}") for status in body["responses"]},
            )
        return self._operations[at]

    def _parameter(self, at: str) -> Parameter:
        raw = self._at(at)
        return Parameter(raw["name"], raw["in"], self._schema(f"{at}/schema"))

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
        """Return the part of the description at a JSON pointer, or None."""
        found: Any = self._document
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            found = found[int(key)] if isinstance(found, list) else (found or {}).get(key)
        return found
