"""`python -m tests.contract.distil PATH`: distil Discord's API description at PATH into `discord.json`.

Kept are the operations that the local Discord serves and the schemas that they and the gateway's events lead to,
without prose. All other operations stay as empty objects, so that the contract can tell an operation that was left
out from a route that Discord does not have.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.sandbox.rest import ROUTES
from tests.contract.amendments import AMENDED
from tests.contract.checker import EVENT_SCHEMAS
from tests.contract.description import DISTILLED

SOURCE = "x-source-blob"

Json = dict[str, Any]
_METHODS = ("get", "put", "post", "patch", "delete")
_PROSE = {"title", "description"}
_CHECKED = ("operationId", "parameters", "requestBody", "responses")


def distilled(full: Json, source: str) -> Json:
    """Return the part of a description that the contract needs. `source` is the git blob id of the full file."""
    served = {(route.template, route.method.lower()) for route in ROUTES}
    paths = {path: _path(item, path, served) for path, item in full["paths"].items()}
    roots = [f"#/components/schemas/{name}" for name in sorted(AMENDED | EVENT_SCHEMAS)]
    components: dict[str, Json] = {}
    waiting = [*_references(paths), *roots]
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        found = components.setdefault(kind, {})
        if name not in found:
            found[name] = _without_prose(full["components"][kind][name])
            waiting += _references(found[name])
    return {
        "openapi": full["openapi"],
        "info": {"title": full["info"]["title"], "version": full["info"]["version"], SOURCE: source},
        "paths": dict(sorted(paths.items())),
        "components": {kind: dict(sorted(found.items())) for kind, found in sorted(components.items())},
    }


def written(description: Json) -> str:
    """Return a description as JSON with a line for each path and each component, so that a renewal is easy to read."""
    paths = _lines(description["paths"], "  ")
    kinds = (
        f"  {json.dumps(kind)}: {{\n{_lines(found, '   ')}\n  }}"
        for kind, found in description["components"].items()
    )
    return (
        f'{{\n "openapi": {json.dumps(description["openapi"])},\n "info": {_compact(description["info"])},\n'
        f' "paths": {{\n{paths}\n }},\n "components": {{\n' + ",\n".join(kinds) + "\n }\n}\n"
    )


def blob_id(content: bytes) -> str:
    """Return the id of a file of this content in git; `git log --find-object` finds the commit by it."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def _path(item: Json, path: str, served: set[tuple[str, str]]) -> Json:
    methods: Json = {
        method: _operation(item[method]) if (path, method) in served else {}
        for method in _METHODS
        if method in item
    }
    if any(methods.values()) and "parameters" in item:
        return {"parameters": _without_prose(item["parameters"]), **methods}
    return methods


def _operation(operation: Json) -> Json:
    return {key: _without_prose(operation[key]) for key in _CHECKED if key in operation}


def _without_prose(value: Any) -> Any:
    """Return a part of a description without titles, descriptions, headers and Discord's own keywords."""
    if isinstance(value, list):
        return [_without_prose(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept: Json = {}
    for key, inner in value.items():
        if key == "properties":  # its keys are names of fields, "title" among them
            kept[key] = {name: _without_prose(schema) for name, schema in inner.items()}
        elif key not in _PROSE and key != "headers" and not key.startswith("x-"):
            kept[key] = _without_prose(inner)
    return kept


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner
            else:
                yield from _references(inner)


def _lines(members: Json, indent: str) -> str:
    return ",\n".join(f"{indent}{json.dumps(name)}: {_compact(value)}" for name, value in members.items())


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Name the full description: python -m tests.contract.distil PATH")
    content = Path(sys.argv[1]).read_bytes()
    text = written(distilled(json.loads(content), blob_id(content)))
    DISTILLED.write_text(text)
    print(
        f"{DISTILLED.name}: {len(text)} characters, from {len(content)} bytes (git blob {blob_id(content)})"
    )


if __name__ == "__main__":
    main()
