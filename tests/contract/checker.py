"""The contract, which checks requests, responses and gateway events by Discord's API description."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.sandbox import Exchange
from tests.contract.description import Description, LeftOutError, Operation
from tests.contract.schema import Finding, Schema, child

_JSON = "application/json"
_FORM = "multipart/form-data"
INVALID = (50006, 50035)
"""Discord's error codes for an empty message and for a body that breaks other rules."""
MISSING_FILE = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
ADDED_BY_GATEWAY = {
    "MessageResponse": {"guild_id", "member", "channel_type"},
    "ThreadResponse": {"newly_created"},
    "GuildMemberResponse": {"guild_id", "permissions", "unusual_dm_activity_until"},
    "GuildChannelResponse": {"version"},
    "GuildRoleResponse": {"version"},
}
"""The fields that the gateway adds to an object of the REST API, by the schema of the object."""
EVENT_SCHEMAS = frozenset({*ADDED_BY_GATEWAY, "UserResponse", "AttachmentResponse"})
"""The schemas by which objects in events are checked. Only the REST API is described."""


class Contract:
    """A collector of violations in exchanges and events, used as the observer of a Sandbox.

    Discord's rules that the description leaves out are enforced by the local Discord itself, so a body that the local
    Discord refuses as invalid is a violation. `seen` counts operations and `events` counts gateway events.
    """

    def __init__(self, description: Description, *, requests: bool = True) -> None:
        """Create a contract. With `requests` False only responses and events are checked."""
        self._description = description
        self._requests = requests
        self.observes = False
        """True if a running server is known to pass its exchanges, so that having seen none is no mistake."""
        self.violations: list[str] = []
        self.seen: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def __call__(self, exchange: Exchange) -> None:
        call = f"{exchange.method} {exchange.route or exchange.path}"
        operation, findings = self._find(exchange)
        if self._requests:
            self._add(f"{call} request", findings)
        if operation is not None:
            self.seen[operation.name] += 1
            self._add(f"{call} response {exchange.status}", _check_response(operation, exchange))

    def _find(self, exchange: Exchange) -> tuple[Operation | None, list[Finding]]:
        """Return the operation of an exchange, or None, and everything that is wrong with the request."""
        try:
            match = self._description.match(exchange.method, exchange.path)
        except LeftOutError as left_out:
            return None, [Finding("", str(left_out))]
        if match is None:
            return None, [Finding("", "Discord has no such route")]
        operation = match.operation
        findings = [
            *_check_parameters(operation, match.path, exchange.query),
            *_check_body(operation, exchange),
        ]
        return operation, findings

    def event(self, payload: object) -> None:
        """Check a payload of the gateway, as parsed JSON, by the schemas of the objects in the event."""
        if isinstance(payload, dict) and isinstance(payload.get("t"), str):
            name = payload["t"]
            self.events[name] += 1
            for schema, at, body in _objects_of_event(name, payload.get("d")):
                findings = self._description.component(schema).findings(_as_in_rest(schema, body))
                self._add(f"event {name}", (Finding(at + it.at, it.what) for it in findings))

    def report(self) -> str:
        """Return each violation once, on one line each; empty if there are none."""
        return "\n".join(dict.fromkeys(self.violations))

    def _add(self, where: str, findings: Iterable[Finding]) -> None:
        self.violations += [f"{where} {it.at}".rstrip() + f": {it.what}" for it in findings]


def _check_parameters(
    operation: Operation, path: Mapping[str, str], query: Mapping[str, str]
) -> Iterator[Finding]:
    known = set()
    for parameter in operation.parameters:
        given = path if parameter.place == "path" else query
        known.add(parameter.name)
        if parameter.name in given:
            text = given[parameter.name]
            if not any(map(parameter.schema.accepts, _meanings(text))):
                yield Finding("", f"the {parameter.place} parameter {parameter.name} cannot be {text!r}")
    for name in query.keys() - known:
        yield Finding("", f"{name} is a query parameter that the description does not know")


def _meanings(text: str) -> Iterator[object]:
    """Yield the possible values of a parameter: the text, a boolean, a number, and a list of one item."""
    yield text
    boolean = {"true": True, "1": True, "false": False, "0": False}.get(text)
    if boolean is not None:
        yield boolean
    if text.isdecimal():
        yield int(text)
    yield [text]


def _check_body(operation: Operation, exchange: Exchange) -> Iterator[Finding]:
    body = exchange.request_json
    if not operation.requests:
        if body is not None or exchange.files:
            yield Finding("", "has a body, and takes none")
        return
    if exchange.files and _FORM not in operation.requests:
        yield Finding("", "has files, and takes none")
    schema = operation.requests.get(_JSON, operation.requests.get(_FORM))
    assert schema is not None, f"{operation.name} takes neither JSON nor a form"
    yield from schema.findings(body)
    yield from _refusal(exchange)


def _refusal(exchange: Exchange) -> Iterator[Finding]:
    """Report a body that the local Discord has refused as invalid.

    An edit may name files that the message is known to have. The messages that tests forge do not have them.
    """
    refusal = exchange.response_json
    if exchange.status != 400 or not isinstance(refusal, dict) or refusal.get("code") not in INVALID:
        return
    errors = refusal.get("errors", {})
    if exchange.method != "PATCH" or set(_codes(errors)) != {MISSING_FILE}:
        yield Finding("", f"was refused: {refusal['message']} {errors or ''}".rstrip())


def _codes(errors: Any) -> Iterator[str]:
    """Yield the codes of all problems of a refused form."""
    for key, inner in errors.items():
        if key == "_errors":
            yield from (problem["code"] for problem in inner)
        else:
            yield from _codes(inner)


def _check_response(operation: Operation, exchange: Exchange) -> Iterator[Finding]:
    bodies: Mapping[str, Schema] | None = operation.response(exchange.status)
    body = exchange.response_json
    if bodies is None:
        yield Finding("", "the description does not know this status here")
    elif _JSON in bodies:
        yield from bodies[_JSON].findings(body)
    elif not bodies and body is not None:
        yield Finding("", "has a body, and should have none")


def _objects_of_event(name: str, data: object) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the objects of an event that have a schema: the name of the schema, the JSON pointer, the object."""
    if not isinstance(data, dict):
        return
    match name:
        case "MESSAGE_CREATE" | "MESSAGE_UPDATE":
            yield "MessageResponse", "", data
        case "INTERACTION_CREATE":
            fields = {"message": "MessageResponse", "user": "UserResponse", "member": "GuildMemberResponse"}
            for field, schema in fields.items():
                if data.get(field) is not None:
                    yield schema, child("", field), data[field]
            for id_, file in data.get("data", {}).get("resolved", {}).get("attachments", {}).items():
                yield "AttachmentResponse", child("/data/resolved/attachments", id_), file
        case "THREAD_CREATE" | "THREAD_UPDATE":
            yield "ThreadResponse", "", data
        case "CHANNEL_CREATE" | "CHANNEL_UPDATE" if data.get("guild_id"):
            yield "GuildChannelResponse", "", data
        case "GUILD_CREATE" | "GUILD_UPDATE":
            for field, schema in {"roles": "GuildRoleResponse", "members": "GuildMemberResponse"}.items():
                for index, body in enumerate(data.get(field, ())):
                    yield schema, child(child("", field), index), body


def _as_in_rest(schema: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the fields that the gateway adds."""
    added = ADDED_BY_GATEWAY.get(schema, set())
    bare = {name: value for name, value in body.items() if name not in added}
    if schema == "MessageResponse":
        mentions = bare.get("mentions", ())
        bare["mentions"] = [{name: user[name] for name in user.keys() - {"member"}} for user in mentions]
    return bare
