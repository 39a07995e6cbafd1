"""The contract: it checks each request and each answer by Discord's description and the hand rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bot.sandbox.exchange import Exchange
from tests.contract.checks import commands, events, hand_rules
from tests.contract.checks.components import Placed, objects
from tests.contract.checks.findings import Finding, Violation
from tests.contract.checks.schema import Schema
from tests.contract.description import Description, LeftOutError, Operation

_JSON = "application/json"
_FORM = "multipart/form-data"
_CREATED = frozenset({"create_message", "execute_webhook"})
_EDITED = frozenset({"update_message", "update_webhook_message", "update_original_webhook_message"})
_CALLBACK = "create_interaction_response"
_COMMAND_SETS = frozenset({"bulk_set_application_commands", "bulk_set_guild_application_commands"})
_COMMANDS = frozenset({"create_application_command", "create_guild_application_command"})


class Contract:
    """A collector of violations in exchanges and events, to be given to a Sandbox as its observer.

    `seen` counts operations by their names in the description, `events` counts events of the gateway by their names.
    """

    def __init__(self, description: Description) -> None:
        self._description = description
        self.observes = False
        """True if a running server is known to pass its exchanges, so that having seen none is no mistake."""
        self.violations: list[Violation] = []
        self.seen: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def __call__(self, exchange: Exchange) -> None:
        call = f"{exchange.method} {exchange.route or exchange.path}"
        try:
            match = self._description.match(exchange.method, exchange.path)
        except LeftOutError as left_out:
            self._add(f"{call} request", [Finding("", str(left_out))])
            return
        if match is None:
            self._add(f"{call} request", [Finding("", "Discord has no such route")])
            return
        self.seen[match.operation.name] += 1
        self._add(f"{call} request", _parameters(match.operation, match.path, exchange.query))
        self._add(f"{call} request", _request(match.operation, exchange))
        self._add(f"{call} answer {exchange.status}", _answer(match.operation, exchange))

    def event(self, payload: object) -> None:
        """Check a payload of the gateway, as parsed JSON, by the schemas of the objects in it."""
        if isinstance(payload, dict) and isinstance(payload.get("t"), str):
            name = payload["t"]
            self.events[name] += 1
            self._add(f"event {name}", events.wrong(self._description, name, payload.get("d")))

    def report(self) -> str:
        """Return all violations, one on each line and each only once; empty if there are none."""
        return "\n".join(dict.fromkeys(map(str, self.violations)))

    def _add(self, where: str, findings: Iterable[Finding]) -> None:
        self.violations += [Violation(f"{where} {finding.at}".rstrip(), finding.what) for finding in findings]


def _parameters(operation: Operation, path: Mapping[str, str], query: Mapping[str, str]) -> Iterator[Finding]:
    known = set()
    for parameter in operation.parameters:
        given = path if parameter.place == "path" else query
        known.add(parameter.name)
        if parameter.name in given:
            text = given[parameter.name]
            if not any(map(parameter.schema.accepts, _readings(text))):
                yield Finding("", f"the {parameter.place} parameter {parameter.name} cannot be {text!r}")
        elif parameter.required:
            yield Finding("", f"the {parameter.place} parameter {parameter.name} is missing")
    for name in query.keys() - known:
        yield Finding("", f"{name} is a query parameter that the description does not know")


def _readings(text: str) -> Iterator[object]:
    """The possible meanings of a text in an address: itself, a truth value, a number, a list of one."""
    yield text
    truth = {"true": True, "1": True, "false": False, "0": False}.get(text)
    if truth is not None:
        yield truth
    if text.isdecimal():
        yield int(text)
    yield [text]


def _request(operation: Operation, exchange: Exchange) -> Iterator[Finding]:
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
    yield from _by_hand(operation, exchange)


def _answer(operation: Operation, exchange: Exchange) -> Iterator[Finding]:
    bodies = operation.answer(exchange.status)
    body = exchange.response_json
    if bodies is None:
        yield Finding("", "the description does not know this status here")
    elif _JSON in bodies:
        yield from _described_answer(operation, bodies[_JSON], body)
    elif not bodies and body is not None:
        yield Finding("", "has a body, and should have none")


def _described_answer(operation: Operation, schema: Schema, body: object) -> Iterator[Finding]:
    yield from schema.findings(body)
    for message in messages(body, ""):
        yield from _below(message.at, hand_rules.answered(message.body))
    if operation.name in _COMMAND_SETS:
        yield from commands.commands(objects(body, ""))


def _by_hand(operation: Operation, exchange: Exchange) -> Iterator[Finding]:
    body = exchange.request_json
    if operation.name in _COMMAND_SETS:
        yield from commands.commands(objects(body, ""))
    if not isinstance(body, dict):
        return
    if operation.name in _COMMANDS:
        yield from commands.one(Placed("", body))
    elif operation.name in _CREATED:
        yield from hand_rules.created(body, exchange.files)
    elif operation.name in _EDITED:
        yield from hand_rules.edited(body, exchange.files, _message_after(exchange))
    elif operation.name == _CALLBACK:
        yield from _callback(body, exchange)


def _callback(body: dict[str, Any], exchange: Exchange) -> Iterator[Finding]:
    data = body.get("data")
    rules: Mapping[int, Callable[[dict[str, Any]], Iterator[Finding]]] = {
        4: lambda data: hand_rules.created(data, exchange.files),
        7: lambda data: hand_rules.edited(data, exchange.files, _message_after(exchange)),
        8: hand_rules.choices,
        9: hand_rules.modal,
    }
    kind = body.get("type")
    rule = rules.get(kind) if isinstance(kind, int) else None
    if rule and isinstance(data, dict):
        yield from _below("/data", rule(data))


def _message_after(exchange: Exchange) -> dict[str, Any] | None:
    """The message in the answer to an edit."""
    return next((message.body for message in messages(exchange.response_json, "")), None)


def messages(value: object, at: str) -> Iterator[Placed]:
    """Yield the messages in an answer: alone, in a list, created by a callback, or replied to."""
    if isinstance(value, list):
        for placed in objects(value, at):
            yield from messages(placed.body, placed.at)
    elif isinstance(value, dict):
        if value.keys() >= {"author", "channel_id", "components"}:
            yield Placed(at, value)
        for field in ("resource", "message", "referenced_message"):
            yield from messages(value.get(field), f"{at}/{field}")


def _below(at: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    return (Finding(at + finding.at, finding.what) for finding in findings)
