"""Objects in events of the gateway are checked by the description, too."""

import pytest

from tests.contract.checker import Contract
from tests.contract.description import Description
from tests.contract.samples import CHANNEL, Json, as_answered, button, message, row, text, user

IN_A_GUILD = {"guild_id": "1008", "member": {"roles": [], "joined_at": "2026-01-02T03:04:05+00:00"}}
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
    "user": user(),
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

CLEAN: dict[str, tuple[str, Json]] = {
    "message": ("MESSAGE_CREATE", message(**IN_A_GUILD, components=[as_answered(row(button()))])),
    "message with a mention": ("MESSAGE_UPDATE", message(mentions=[{**user(), "member": {"roles": []}}])),
    "press": ("INTERACTION_CREATE", {"message": message(), "member": {**MEMBER, "permissions": "0"}}),
    "file of a command": ("INTERACTION_CREATE", {"data": {"resolved": {"attachments": {"5": FILE}}}}),
    "server": ("GUILD_CREATE", {"members": [MEMBER], "roles": []}),
    "changed server": ("GUILD_UPDATE", {"id": "1008", "roles": []}),
    "one without a schema": ("TYPING_START", {"channel_id": CHANNEL}),
}

PLANTED: dict[str, tuple[str, Json, str, str]] = {  # -> the event, the wrong place, a part of the report
    "unknown field": ("MESSAGE_CREATE", message(state="sent"), "MESSAGE_CREATE /state", "does not know"),
    "missing field": ("MESSAGE_UPDATE", {"id": "1"}, "MESSAGE_UPDATE", '"content" is a required property'),
    "hand rule": (
        "MESSAGE_CREATE",
        message(components=[as_answered(text("Hi"))]),
        "MESSAGE_CREATE /components/0",
        "IS_COMPONENTS_V2",
    ),
    "message of a press": (
        "INTERACTION_CREATE",
        {"message": message(id=5)},
        "INTERACTION_CREATE /message/id",
        'not of type "string"',
    ),
    "member of a press": (
        "INTERACTION_CREATE",
        {"member": {**MEMBER, "user": {}}},
        "INTERACTION_CREATE /member/user",
        '"username" is a required property',
    ),
    "file of a command": (
        "INTERACTION_CREATE",
        {"data": {"resolved": {"attachments": {"5": {**FILE, "size": "7"}}}}},
        "INTERACTION_CREATE /data/resolved/attachments/5/size",
        'not of type "integer"',
    ),
    "role": (
        "GUILD_CREATE",
        {"roles": [{"id": "1"}]},
        "GUILD_CREATE /roles/0",
        '"name" is a required property',
    ),
    "role of a changed server": (
        "GUILD_UPDATE",
        {"roles": [{"id": "1"}]},
        "GUILD_UPDATE /roles/0",
        '"name" is a required property',
    ),
    "thread": ("THREAD_CREATE", {"id": "1"}, "THREAD_CREATE", '"thread_metadata" is a required property'),
    "channel": ("CHANNEL_CREATE", {"guild_id": "1"}, "CHANNEL_CREATE", '"name" is a required property'),
}


@pytest.mark.parametrize("clean", CLEAN)
def test_a_clean_event_passes(clean: str, description: Description) -> None:
    name, data = CLEAN[clean]
    contract = Contract(description)
    contract.event({"op": 0, "t": name, "s": 1, "d": data})
    assert contract.report() == ""
    assert contract.events == {name: 1}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_violation_is_caught(planted: str, description: Description) -> None:
    name, data, where, what = PLANTED[planted]
    contract = Contract(description)
    contract.event({"op": 0, "t": name, "s": 1, "d": data})
    found = [violation.where for violation in contract.violations if what in violation.what]
    assert f"event {where}" in found, contract.report()


def test_a_payload_that_is_no_event_passes(description: Description) -> None:
    contract = Contract(description)
    contract.event({"op": 11, "t": None, "s": None, "d": None})
    assert contract.report() == ""
    assert not contract.events
