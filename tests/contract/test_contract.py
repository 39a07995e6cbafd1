"""The contract finds violations in requests, responses and events, and nothing in correct ones."""

from typing import Any

import pytest

from bot.sandbox import Exchange
from tests.contract.checker import MISSING_FILE, Contract
from tests.contract.description import Description, MissingDescriptionError

Json = dict[str, Any]
TOKEN = "a-token"
CALLBACK = f"/interactions/1005/{TOKEN}/callback"
FOLLOWUP = f"/webhooks/1/{TOKEN}"
MESSAGES = "/channels/1002/messages"
MESSAGE = f"{MESSAGES}/1003"
COMMANDS = "/applications/1001/commands"
V2 = 1 << 15

ADA: Json = {
    "id": "1004",
    "username": "ada",
    "avatar": None,
    "discriminator": "0",
    "public_flags": 0,
    "flags": 0,
    "global_name": "Ada",
    "primary_guild": None,
}
MEMBER: Json = {
    "avatar": None,
    "banner": None,
    "communication_disabled_until": None,
    "flags": 0,
    "joined_at": "2026-01-02T03:04:05+00:00",
    "nick": None,
    "pending": False,
    "premium_since": None,
    "roles": [],
    "user": ADA,
    "mute": False,
    "deaf": False,
}
FILE: Json = {
    "id": "5",
    "filename": "notes.txt",
    "size": 7,
    "url": "http://127.0.0.1:1/notes.txt",
    "proxy_url": "http://127.0.0.1:1/notes.txt",
    "content_type": "text/plain",
    "ephemeral": True,
}
TEXT: Json = {"type": 10, "content": "Hi"}
BUTTON: Json = {"type": 2, "style": 1, "custom_id": "press", "label": "Press"}
COMMAND: Json = {"type": 1, "name": "move", "description": "Make a move"}


def message(**fields: object) -> Json:
    """Return a message as the API returns it."""
    return {
        "type": 0,
        "content": "",
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "timestamp": "2026-01-02T03:04:05.678000+00:00",
        "edited_timestamp": None,
        "flags": 0,
        "components": [],
        "id": "1003",
        "channel_id": "1002",
        "author": ADA | {"bot": True},
        "pinned": False,
        "mention_everyone": False,
        "tts": False,
        **fields,
    }


def exchange(
    method: str, path: str, body: object = None, response: object = None, *,
    status: int = 200, files: tuple[str, ...] = (), query: dict[str, str] | None = None,
) -> Exchange:  # fmt: skip
    return Exchange(method, "", path, query or {}, {}, body, files, status, response)


def sent(body: Json) -> Exchange:
    return exchange("POST", MESSAGES, body, message())


def row(*inner: Json) -> Json:
    return {"type": 1, "components": list(inner)}


def callback(body: Json) -> Exchange:
    return exchange("POST", CALLBACK, body, status=204)


def read(status: int = 200, **fields: object) -> Exchange:
    return exchange("GET", MESSAGE, response=message(**fields), status=status)


def refused(status: int, response: object) -> Exchange:
    return exchange("GET", MESSAGE, response=response, status=status)


def form_error(**error: object) -> Json:
    return {"code": 50035, "message": "Invalid Form Body", "errors": {"content": {"_errors": [error]}}}


PICTURE = {"id": "1", "url": "http://127.0.0.1:1/a", "proxy_url": "http://127.0.0.1:1/a"}
LABEL = {"type": 18, "label": "Move", "component": {"type": 4, "style": 1, "custom_id": "move"}}
OPTIONS = [{"type": 3, "name": "where", "description": "A cell", "autocomplete": True}]
INTERACTION = {"id": "1005", "type": 2}

CORRECT: dict[str, Exchange] = {
    "message": sent({"content": "Hi", "allowed_mentions": {"parse": []}, "components": [row(BUTTON)]}),
    "picture": exchange(
        "POST",
        MESSAGES,
        {
            "flags": V2,
            "attachments": [{"id": 0, "filename": "a.png"}],
            "components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}],
        },
        message(
            flags=V2,
            components=[
                {"type": 12, "id": 1, "items": [{"media": PICTURE, "description": None, "spoiler": False}]}
            ],
        ),
        files=("a.png",),
    ),
    "edit by discord.py": exchange("PATCH", MESSAGE, {"content": "Hi", "tts": False}, message()),
    "edit of a forged message": exchange(
        "PATCH", MESSAGE, {"content": "Hi"}, form_error(code=MISSING_FILE, message="Not sent"), status=400
    ),
    "deferred": callback({"type": 5, "data": {"flags": 64}}),
    "choices": callback({"type": 8, "data": {"choices": []}}),
    "modal": callback({"type": 9, "data": {"custom_id": "m", "title": "Move", "components": [LABEL]}}),
    "callback with a response": exchange(
        "POST",
        CALLBACK,
        {"type": 4, "data": {"content": "Hi"}},
        {"interaction": INTERACTION, "resource": {"type": 4, "message": message()}},
        query={"with_response": "1"},
    ),
    "follow-up": exchange("POST", FOLLOWUP, {"content": "Hi"}, message(), query={"wait": "true"}),
    "original response": exchange("GET", f"{FOLLOWUP}/messages/@original", response=message()),
    "commands": exchange("PUT", COMMANDS, [COMMAND | {"options": OPTIONS}], []),
    "not found": refused(404, {"code": 10003, "message": "No"}),
    "rate limit": refused(429, {"message": "Slow down", "code": 0, "retry_after": 0.5, "global": False}),
    "deleted": exchange("DELETE", MESSAGE, status=204),
}

WRONG: dict[str, tuple[Exchange, str, str]] = {  # the exchange, the place in the report, a part of the report
    "route": (exchange("GET", "/nowhere"), "GET /nowhere request", "no such route"),
    "method": (exchange("PUT", MESSAGES, {}), "request", "no such route"),
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
    "query parameter of a boolean": (
        exchange("POST", CALLBACK, {"type": 6}, status=204, query={"with_response": "yes"}),
        "request",
        "with_response cannot be 'yes'",
    ),
    "unknown query parameter": (
        exchange("GET", MESSAGES, response=[], query={"most": "5"}),
        "request",
        "most is a query parameter that",
    ),
    "body of a GET": (exchange("GET", MESSAGES, {"a": 1}, []), "request", "takes none"),
    "files of commands": (exchange("PUT", COMMANDS, [], [], files=("a",)), "request", "has files, and takes"),
    "type": (sent({"content": 5}), "request /content", 'not of types "null", "string"'),
    "missing field": (callback({"data": {}}), "request", '"type" is a required property'),
    "unknown field": (sent({"contents": "Hi"}), "request /contents", "does not know"),
    "unknown field of a component": (
        sent({"components": [row(BUTTON | {"options": []})]}),
        "request /components/0/components/0/options",
        "does not know",
    ),
    "unknown component": (sent({"components": [{"type": 99}]}), "request /components/0/type", "is no type"),
    "long label": (
        sent({"components": [row(BUTTON | {"label": "x" * 81})]}),
        "request /components/0/components/0/label",
        "longer than 80 characters",
    ),
    "amended field": (exchange("PATCH", MESSAGE, {"tts": True}, message()), "request /tts", "false was"),
    "refused form": (
        exchange("POST", MESSAGES, {}, form_error(code="LONG", message="Too long"), status=400),
        "request",
        "was refused: Invalid Form Body {'content'",
    ),
    "refused empty message": (
        exchange(
            "POST", MESSAGES, {}, {"code": 50006, "message": "Cannot send an empty message"}, status=400
        ),
        "request",
        "was refused: Cannot send an empty message",
    ),
    "undocumented status": (refused(302, None), "response 302", "does not know this status"),
    "error without a code": (
        refused(404, {"message": "No"}),
        "response 404",
        '"code" is a required property',
    ),
    "form error without a message": (
        refused(400, form_error(code="LONG")),
        "response 400 /errors/content/_errors/0",
        '"message" is a required',
    ),
    "rate limit without a time": (
        refused(429, {"message": "Slow down", "global": False}),
        "response 429",
        '"retry_after" is a required property',
    ),
    "body of a deletion": (exchange("DELETE", MESSAGE, response={}, status=204), "response 204", "have none"),
    "no body": (refused(200, None), "response 200", 'not of type "object"'),
    "unknown field of a response": (read(ephemeral_for=None), "response 200 /ephemeral_for", "does not know"),
    "unknown field in a list": (
        exchange("GET", MESSAGES, response=[message(), message(state="sent")]),
        "response 200 /1/state",
        "does not know",
    ),
    "number for an id": (read(id=1003), "response 200 /id", 'not of type "string"'),
    "format of a time": (read(timestamp="today"), "response 200 /timestamp", "date-time"),
    "component without an id": (
        read(components=[row(BUTTON)]),
        "response 200 /components/0",
        '"id" is a required property',
    ),
}

EVENTS: dict[str, tuple[str, Json]] = {
    "message": ("MESSAGE_CREATE", message(guild_id="1008", member={"roles": []})),
    "mention": ("MESSAGE_UPDATE", message(mentions=[{**ADA, "member": {"roles": []}}])),
    "press": ("INTERACTION_CREATE", {"message": message(), "member": {**MEMBER, "permissions": "0"}}),
    "file": ("INTERACTION_CREATE", {"data": {"resolved": {"attachments": {"5": FILE}}}}),
    "server": ("GUILD_CREATE", {"members": [MEMBER], "roles": []}),
    "event without a schema": ("TYPING_START", {"channel_id": "1002"}),
}

WRONG_EVENTS: dict[str, tuple[str, Json, str]] = {
    "unknown field": ("MESSAGE_CREATE", message(state="sent"), "MESSAGE_CREATE /state: is a field"),
    "missing field": ("MESSAGE_UPDATE", {"id": "1"}, 'MESSAGE_UPDATE: "content" is a required'),
    "message": (
        "INTERACTION_CREATE",
        {"message": message(id=5)},
        "INTERACTION_CREATE /message/id: the value is",
    ),
    "member": (
        "INTERACTION_CREATE",
        {"member": {**MEMBER, "user": {}}},
        'INTERACTION_CREATE /member/user: "username" is a required',
    ),
    "file": (
        "INTERACTION_CREATE",
        {"data": {"resolved": {"attachments": {"5": {**FILE, "size": "7"}}}}},
        "INTERACTION_CREATE /data/resolved/attachments/5/size: ",
    ),
    "role": ("GUILD_UPDATE", {"roles": [{"id": "1"}]}, 'GUILD_UPDATE /roles/0: "name" is a required'),
    "thread": ("THREAD_CREATE", {"id": "1"}, 'THREAD_CREATE: "thread_metadata" is a required'),
    "channel": ("CHANNEL_CREATE", {"guild_id": "1"}, 'CHANNEL_CREATE: "name" is a required'),
}


@pytest.mark.parametrize("case", CORRECT)
def test_correct_exchange_passes(case: str, description: Description) -> None:
    contract = Contract(description)
    contract(CORRECT[case])
    assert contract.report() == ""
    assert contract.seen.total() == 1


@pytest.mark.parametrize("case", WRONG)
def test_violation_is_reported_at_its_place(case: str, description: Description) -> None:
    call, where, what = WRONG[case]
    contract = Contract(description)
    contract(call)
    assert any(f"{where}: " in it and what in it for it in contract.violations), contract.report()
    side = "request" if "request" in where else "response"
    assert all(f" {side}" in it for it in contract.violations), contract.report()
    lenient = Contract(description, requests=False)
    lenient(call)
    assert bool(lenient.violations) == (side == "response")


@pytest.mark.parametrize("case", EVENTS)
def test_correct_event_passes(case: str, description: Description) -> None:
    name, data = EVENTS[case]
    contract = Contract(description)
    contract.event({"op": 0, "t": name, "s": 1, "d": data})
    contract.event({"op": 11, "t": None, "s": None, "d": None})
    assert contract.report() == ""
    assert contract.events == {name: 1}


@pytest.mark.parametrize("case", WRONG_EVENTS)
def test_violation_in_an_event_is_reported(case: str, description: Description) -> None:
    name, data, expected = WRONG_EVENTS[case]
    contract = Contract(description)
    contract.event({"op": 0, "t": name, "s": 1, "d": data})
    assert f"event {expected}" in contract.report()


def test_missing_description_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_OPENAPI", "/nowhere/openapi.json")
    with pytest.raises(
        MissingDescriptionError, match=r"^DISCORD_OPENAPI names /nowhere/openapi\.json, where"
    ):
        Description.load()
