"""Objects in events of the gateway. Only the REST API is described, but the gateway sends many of its objects."""

from collections.abc import Iterator
from typing import Any

from tests.contract.checks import hand_rules
from tests.contract.checks.components import Placed, objects
from tests.contract.checks.findings import Finding, child
from tests.contract.description import Description

# Fields that the gateway adds to an object of the REST API.
_ADDED = {
    "MessageResponse": {"guild_id", "member", "channel_type"},
    "ThreadResponse": {"newly_created"},
    "GuildMemberResponse": {"guild_id", "permissions", "unusual_dm_activity_until"},
    "GuildChannelResponse": {"version"},
    "GuildRoleResponse": {"version"},
}

SCHEMAS = frozenset({*_ADDED, "UserResponse", "AttachmentResponse"})
"""The schemas of the description that objects in events are checked by."""


def wrong(description: Description, name: str, data: object) -> Iterator[Finding]:
    """Check the objects of an event for which the description has a schema."""
    for schema, placed in _described(name, data):
        body = _as_answered(schema, placed.body)
        for finding in description.component(schema).findings(body):
            yield Finding(placed.at + finding.at, finding.what)
        if schema == "MessageResponse":
            for finding in hand_rules.answered(body):
                yield Finding(placed.at + finding.at, finding.what)


def _described(name: str, data: object) -> Iterator[tuple[str, Placed]]:
    """Yield the objects of an event that have a schema, each after the schema's name."""
    if not isinstance(data, dict):
        return
    whole = Placed("", data)
    match name:
        case "MESSAGE_CREATE" | "MESSAGE_UPDATE":
            yield "MessageResponse", whole
        case "INTERACTION_CREATE":
            for schema, field in (
                ("MessageResponse", "message"),
                ("UserResponse", "user"),
                ("GuildMemberResponse", "member"),
            ):
                if isinstance(data.get(field), dict):
                    yield schema, Placed(child("", field), data[field])
            yield from _given_files(data.get("data"))
        case "THREAD_CREATE" | "THREAD_UPDATE":
            yield "ThreadResponse", whole
        case "CHANNEL_CREATE" | "CHANNEL_UPDATE" if data.get("guild_id"):
            yield "GuildChannelResponse", whole
        case "GUILD_CREATE" | "GUILD_UPDATE":
            for schema, field in (("GuildRoleResponse", "roles"), ("GuildMemberResponse", "members")):
                for placed in objects(data.get(field), child("", field)):
                    yield schema, placed


def _given_files(data: object) -> Iterator[tuple[str, Placed]]:
    """Yield the files that a member gave to a command's options."""
    resolved = data.get("resolved") if isinstance(data, dict) else None
    files = resolved.get("attachments") if isinstance(resolved, dict) else None
    if isinstance(files, dict):
        for id_, file in files.items():
            yield "AttachmentResponse", Placed(child("/data/resolved/attachments", id_), file)


def _as_answered(schema: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the fields that the gateway adds to it."""
    added = _ADDED.get(schema, set())
    bare = {name: value for name, value in body.items() if name not in added}
    if schema == "MessageResponse" and isinstance(bare.get("mentions"), list):
        bare["mentions"] = [
            {name: value for name, value in user.items() if name != "member"}
            if isinstance(user, dict)
            else user
            for user in bare["mentions"]
        ]
    return bare
