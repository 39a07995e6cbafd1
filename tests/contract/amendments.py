"""The known differences of Discord and its client libraries from the description."""

from typing import Any

_NEVER_SPOKEN = {"const": False}
_TRUTH = {"type": "boolean"}
_NUMBER = {"type": "integer", "minimum": 1}
_NUMBERS = {"type": "array", "items": _NUMBER, "maxItems": 100, "uniqueItems": True}

# Discord's documentation shows codes such as BASE_TYPE_REQUIRED here, where the description has numbers.
_FORM_ERROR = {
    "type": "object",
    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    "required": ["code", "message"],
}

# schema -> property -> a further schema that is allowed there
_ALSO: dict[str, dict[str, dict[str, Any]]] = {
    # discord.py writes these ids as numbers where the description wants digits in a string; Discord reads both.
    "MessageAttachmentRequest": {"id": {"type": "integer", "minimum": 0}},
    "MessageAllowedMentionsRequest": {"users": _NUMBERS, "roles": _NUMBERS},
    "MessageReferenceRequest": {"message_id": _NUMBER, "channel_id": _NUMBER, "guild_id": _NUMBER},
    "UserSelectDefaultValue": {"id": _NUMBER},
    "RoleSelectDefaultValue": {"id": _NUMBER},
    "ChannelSelectDefaultValue": {"id": _NUMBER},
    "ComponentEmojiForRequest": {"id": _NUMBER},
    "CreatePrivateChannelRequest": {"recipient_id": _NUMBER},
    # discord.py writes `"tts": false` into edits too, where the description has no such field.
    "MessageEditRequestPartial": {"tts": _NEVER_SPOKEN},
    "IncomingWebhookUpdateRequestPartial": {"tts": _NEVER_SPOKEN},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": _NEVER_SPOKEN},
    # discord.py writes it into every embed.
    "RichEmbed": {"flags": {"const": 0}},
    # Documented, and answered, but missing where commands are sent.
    "ApplicationCommandCreateRequest": {"nsfw": _TRUTH},
    "ApplicationCommandPatchRequestPartial": {"nsfw": _TRUTH},
    "ApplicationCommandUpdateRequest": {"nsfw": _TRUTH},
    # Documented: a post in a forum is answered with the first message.
    "CreatedThreadResponse": {"message": {"$ref": "#/components/schemas/MessageResponse"}},
    "InnerErrors": {"_errors": {"type": "array", "items": _FORM_ERROR}},
}


ELSEWHERE = frozenset({"/oauth2/token"})
"""The paths that Discord documents outside of the description."""

AMENDED = frozenset(_ALSO)
"""The names of the schemas that are amended."""


def amended(document: dict[str, Any]) -> dict[str, Any]:
    """Change a description so that it allows the known differences, and return it."""
    schemas = document["components"]["schemas"]
    for name, additions in _ALSO.items():
        properties = schemas[name]["properties"]
        for field, schema in additions.items():
            properties[field] = {"anyOf": [properties[field], schema]} if field in properties else schema
    # The one closed object of the description; schema.py finds unknown fields by annotations, which a closed
    # object does not yield.
    del schemas["InnerErrors"]["additionalProperties"]
    return document
