"""Limits of messages: each case breaks one of Discord's rules, and the answer names the rule at its field."""

from typing import Any

import pytest

from tests.sandbox.raw_bot import PNG, Json, RawBot

V2 = 1 << 15


def text(content: str = "x") -> Json:
    return {"type": 10, "content": content}


def button(**more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "b", "custom_id": "b"} | more


def row(*inner: Json) -> Json:
    return {"type": 1, "components": list(inner)}


def select(**more: Any) -> Json:
    return {"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]} | more


def panel(*components: Json, **more: Any) -> Json:
    return {"flags": V2, "components": list(components), **more}


def gallery(*urls: str, **more: Any) -> Json:
    return {"type": 12, "items": [{"media": {"url": url}, **more} for url in urls]}


def option(n: int) -> Json:
    return {"label": str(n), "value": str(n)}


Case = tuple[Any, str, str]  # the body, the path of the problem, Discord's code for it

MESSAGES: dict[str, Case] = {
    "content too long": ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH"),
    "content no text": ({"content": 5}, "content", "STRING_TYPE_CONVERT"),
    "no object": ([], "", "MODEL_TYPE_CONVERT"),
    "six rows": (
        {"components": [row(button(custom_id=str(n))) for n in range(6)]},
        "components",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "six buttons": (
        {"components": [row(*(button(custom_id=str(n)) for n in range(6)))]},
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "empty row": ({"components": [row()]}, "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    "no component": ({"components": [5]}, "components.0.type", "UNION_TYPE_CHOICES"),
    "V2 without the flag": ({"components": [text()]}, "components.0.type", "UNION_TYPE_CHOICES"),
    "V2 with content": (
        panel(text(), content="x"),
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "V2 with embeds": (
        panel(text(), embeds=[{"title": "x"}]),
        "embeds",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "41 components": (
        panel(*(text() for _ in range(20)), {"type": 17, "components": [text() for _ in range(20)]}),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4001 characters": (
        panel(text("x" * 2000), text("x" * 2001)),
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "empty text": (panel(text("")), "components.0.content", "BASE_TYPE_BAD_LENGTH"),
    "custom id twice": (
        {"components": [row(button(), button())]},
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "custom id twice, deep": (
        panel(row(button()), {"type": 9, "components": [text()], "accessory": button()}),
        "components.1.accessory.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "id twice": (panel(text() | {"id": 7}, text() | {"id": 7}), "components.1.id", "COMPONENT_ID_DUPLICATED"),
    "custom id too long": (
        {"components": [row(button(custom_id="x" * 101))]},
        "components.0.components.0.custom_id",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "button without custom id": (
        {"components": [row({"type": 2, "style": 1, "label": "b"})]},
        "components.0.components.0",
        "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
    ),
    "link without url": (
        {"components": [row({"type": 2, "style": 5, "label": "b"})]},
        "components.0.components.0",
        "BUTTON_COMPONENT_URL_REQUIRED",
    ),
    "button without face": (
        {"components": [row({"type": 2, "style": 1, "custom_id": "b"})]},
        "components.0.components.0",
        "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "label too long": (
        {"components": [row(button(label="x" * 81))]},
        "components.0.components.0.label",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "unknown style": (
        {"components": [row(button(style=9))]},
        "components.0.components.0.style",
        "NUMBER_TYPE_MAX",
    ),
    "26 options": (
        {"components": [row(select(options=[option(n) for n in range(26)]))]},
        "components.0.components.0.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "option value twice": (
        {"components": [row(select(options=[option(1), option(1)]))]},
        "components.0.components.0.options",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "select beside a button": (
        {"components": [row(select(), button())]},
        "components.0",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "file not sent": (
        panel(gallery("attachment://a.png")),
        "components.0.items.0.media.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "embedded file not sent": (
        {"embeds": [{"image": {"url": "attachment://a.png"}}]},
        "embeds.0.image.url",
        "EMBED_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "media without scheme": (
        panel(gallery("a.png")),
        "components.0.items.0.media.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    "alt text too long": (
        panel(gallery("https://x.test/a.png", description="x" * 1025)),
        "components.0.items.0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "eleven pictures": (
        panel(gallery(*["https://x.test/a.png"] * 11)),
        "components.0.items",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "section of four texts": (
        panel({"type": 9, "components": [text()] * 4, "accessory": button()}),
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "section without accessory": (
        panel({"type": 9, "components": [text()]}),
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
    ),
    "container in a container": (
        panel({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        "components.0.components.0.type",
        "UNION_TYPE_CHOICES",
    ),
    "eleven embeds": ({"embeds": [{"title": "x"}] * 11}, "embeds", "BASE_TYPE_MAX_LENGTH"),
    "6001 characters of embeds": (
        {"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]},
        "embeds",
        "MAX_EMBED_SIZE_EXCEEDED",
    ),
    "mentions both ways": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "attachment not sent": (
        {"content": "x", "attachments": [{"id": 0}]},
        "attachments.0.id",
        "ATTACHMENT_NOT_FOUND",
    ),
    "reply to nothing": (
        {"content": "x", "message_reference": {"message_id": "1"}},
        "message_reference",
        "REPLIES_UNKNOWN_MESSAGE",
    ),
}


def code_at(refusal: Json, path: str) -> str:
    """Return Discord's code for the problem at `path`."""
    node = refusal["errors"]
    for step in path.split(".") if path else []:
        assert step in node, f"nothing is wrong at {path}, but {refusal['errors']}"
        node = node[step]
    return str(node["_errors"][0]["code"])


@pytest.mark.parametrize("case", MESSAGES)
async def test_a_message_is_refused_where_it_is_wrong(case: str, rest: RawBot) -> None:
    body, path, code = MESSAGES[case]
    status, refusal = await rest.call("POST", f"/channels/{rest.general}/messages", body)
    assert (status, refusal["code"], refusal["message"]) == (400, 50035, "Invalid Form Body")
    assert code_at(refusal, path) == code
    assert (await rest.call("GET", f"/channels/{rest.general}/messages"))[1] == []


async def test_a_file_s_description_has_a_limit(rest: RawBot) -> None:
    body = {"attachments": [{"id": 0, "description": "x" * 1025}]}
    _, refusal = await rest.call("POST", f"/channels/{rest.general}/messages", body, [("a.png", PNG)])
    assert code_at(refusal, "attachments.0.description") == "BASE_TYPE_MAX_LENGTH"


async def test_eleven_files_are_too_many(rest: RawBot) -> None:
    files = [(f"{n}.png", PNG) for n in range(11)]
    _, refusal = await rest.call("POST", f"/channels/{rest.general}/messages", {}, files)
    assert code_at(refusal, "attachments") == "BASE_TYPE_MAX_LENGTH"


async def test_values_at_the_limits_are_accepted(rest: RawBot) -> None:
    full = panel(*(text("x" * 99) for _ in range(40)))
    await rest.post(full)
    await rest.post(
        {
            "content": "x" * 2000,
            "components": [row(*(button(custom_id=f"{r}{c}") for c in range(5))) for r in range(5)],
        }
    )
    await rest.post({"components": [row(button(custom_id="x" * 100, label="x" * 80))]})
    await rest.post({"components": [row(select(options=[option(n) for n in range(25)]))]})
