"""The contract finds violations in requests, responses and events. In all end-to-end tests, correct ones pass."""

from typing import Any

import pytest

from bot.sandbox import Exchange
from tests.contract.checker import Contract
from tests.contract.description import Description, MissingDescriptionError

Json = dict[str, Any]
MESSAGES = "/channels/1002/messages"
MESSAGE = f"{MESSAGES}/1003"
BUTTON: Json = {"type": 2, "style": 1, "custom_id": "press", "label": "Press"}
NAMES = {"username": "ada", "global_name": "Ada", "discriminator": "0", "avatar": None, "primary_guild": None}
POSTED: Json = {
    "id": "1003",
    "channel_id": "1002",
    "author": {"id": "1004", "public_flags": 0, "flags": 0, **NAMES},
    **{key: [] for key in ("mentions", "mention_roles", "attachments", "embeds", "components")},
    **dict.fromkeys(("pinned", "mention_everyone", "tts"), False),
    "type": 0,
    "content": "",
    "flags": 0,
    "timestamp": "2026-01-02T03:04:05+00:00",
    "edited_timestamp": None,
}
"""A message as the API returns it."""


def exchange(
    method: str, path: str, body: object = None, response: object = None, *,
    status: int = 200, files: tuple[str, ...] = (), query: dict[str, str] | None = None,
) -> Exchange:  # fmt: skip
    return Exchange(method, "", path, query or {}, {}, body, files, status, response)


def sent(**body: object) -> Exchange:
    return exchange("POST", MESSAGES, body, {})


def row(button: Json) -> Json:
    return {"type": 1, "components": [button]}


def answered(response: object, status: int = 200) -> Exchange:
    return exchange("GET", MESSAGE, response=response, status=status)


REQUESTS: dict[
    str, tuple[Exchange, str, str]
] = {  # the exchange, the place in the report, a part of the report
    "route": (exchange("GET", "/nowhere"), "GET /nowhere request", "no such route"),
    "path parameter": (
        exchange("GET", "/channels/x/messages", response=[]),
        "request",
        "channel_id cannot be",
    ),
    "query parameter": (
        exchange("GET", MESSAGES, response=[], query={"limit": "101"}),
        "request",
        "limit cannot be '101'",
    ),
    "unknown query parameter": (
        exchange("GET", MESSAGES, response=[], query={"most": "5"}),
        "request",
        "most is a query parameter that",
    ),
    "body of a GET": (exchange("GET", MESSAGES, {"a": 1}, []), "request", "takes none"),
    "files": (
        exchange("PUT", "/applications/1001/commands", [], [], files=("a",)),
        "request",
        "has files, and takes",
    ),
    "type": (sent(content=5), "request /content", 'not of types "null", "string"'),
    "unknown field": (sent(contents="Hi"), "request /contents", "does not know"),
    "unknown field of a component": (
        sent(components=[row(BUTTON | {"options": []})]),
        "request /components/0/components/0/options",
        "does not know",
    ),
    "unknown component": (sent(components=[{"type": 99}]), "request /components/0/type", "is no type"),
    "long label": (
        sent(components=[row(BUTTON | {"label": "x" * 81})]),
        "request /components/0/components/0/label",
        "longer than 80 characters",
    ),
    "amended field": (exchange("PATCH", MESSAGE, {"tts": True}, {}), "request /tts", "false was"),
    "refused form": (
        exchange(
            "POST",
            MESSAGES,
            {},
            {"code": 50035, "message": "Invalid Form Body", "errors": {"content": {"_errors": []}}},
            status=400,
        ),
        "request",
        "was refused: Invalid Form Body {'content'",
    ),
}

RESPONSES: dict[str, tuple[Exchange, str, str]] = {
    "undocumented status": (answered(None, 302), "response 302", "does not know this status"),
    "error without a code": (
        answered({"message": "No"}, 404),
        "response 404",
        '"code" is a required property',
    ),
    "body of a deletion": (exchange("DELETE", MESSAGE, response={}, status=204), "response 204", "have none"),
    "no body": (answered(None), "response 200", 'not of type "object"'),
    "unknown field in a list": (
        exchange("GET", MESSAGES, response=[POSTED | {"state": "sent"}]),
        "response 200 /0/state",
        "does not know",
    ),
    "number for an id": (answered({"id": 1003}), "response 200 /id", 'not of type "string"'),
    "format of a time": (answered({"timestamp": "today"}), "response 200 /timestamp", "date-time"),
    "component without an id": (
        answered({"components": [row(BUTTON)]}),
        "response 200 /components/0",
        '"id" is a required property',
    ),
}

EVENTS: dict[str, tuple[str, Json, str]] = {
    "unknown field": ("MESSAGE_CREATE", POSTED | {"state": "sent"}, "MESSAGE_CREATE /state: is a field"),
    "missing field": ("MESSAGE_UPDATE", {"id": "1"}, 'MESSAGE_UPDATE: "content" is a required'),
    "message": ("INTERACTION_CREATE", {"message": {"id": 5}}, "INTERACTION_CREATE /message/id: the value is"),
    "file": (
        "INTERACTION_CREATE",
        {"data": {"resolved": {"attachments": {"5": {"size": "7"}}}}},
        "INTERACTION_CREATE /data/resolved/attachments/5/size: ",
    ),
    "thread": ("THREAD_CREATE", {"id": "1"}, 'THREAD_CREATE: "thread_metadata" is a required'),
}


@pytest.mark.parametrize("case", [*REQUESTS, *RESPONSES])
def test_violation_is_reported_at_its_place(case: str, description: Description) -> None:
    call, where, what = (REQUESTS | RESPONSES)[case]
    contract, lenient = Contract(description), Contract(description, requests=False)
    contract(call)
    lenient(call)
    assert any(f"{where}: " in it and what in it for it in contract.violations), contract.report()
    assert any(what in it for it in lenient.violations) == (case in RESPONSES)


@pytest.mark.parametrize("case", EVENTS)
def test_violation_in_an_event_is_reported(case: str, description: Description) -> None:
    name, data, expected = EVENTS[case]
    contract = Contract(description)
    contract.event({"op": 0, "t": name, "s": 1, "d": data})
    assert f"event {expected}" in contract.report()


def test_missing_description_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_OPENAPI", "/nowhere/openapi.json")
    with pytest.raises(
        MissingDescriptionError, match=r"^DISCORD_OPENAPI names /nowhere/openapi\.json, where"
    ):
        Description.load()
