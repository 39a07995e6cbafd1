"""Each rule catches its violation in a message that is sent or edited, and names the place."""

import pytest

from bot.sandbox.exchange import Exchange
from tests.contract.checker import Contract
from tests.contract.description import Description
from tests.contract.samples import (
    CHANNEL,
    COMMANDS,
    MESSAGE,
    MESSAGES,
    TOKEN,
    V2,
    Json,
    Planted,
    assert_caught,
    button,
    called_back,
    container,
    exchange,
    gallery,
    message,
    row,
    select,
    sent,
    text,
)

EDIT = f"/channels/{CHANNEL}/messages/{MESSAGE}"


def sent_v2(*components: Json, files: tuple[str, ...] = (), **fields: object) -> Exchange:
    body = {"flags": V2, "components": list(components), **fields}
    return exchange("POST", MESSAGES, body, message(flags=V2), files=files)


def classic(*rows: Json) -> Exchange:
    return sent({"components": list(rows)})


LONG_ID = "x" * 101

PLANTED: dict[str, Planted] = {
    "no such route": (exchange("GET", "/nowhere"), "GET /nowhere request", "no such route"),
    "no such method": (exchange("PUT", MESSAGES, {}), "request", "no such route"),
    "path parameter": (
        exchange("GET", "/channels/x1/messages", answer=[]),
        "request",
        "channel_id cannot be 'x1'",
    ),
    "query parameter": (
        exchange("GET", MESSAGES, answer=[], query={"limit": "101"}),
        "request",
        "limit cannot be '101'",
    ),
    "unknown query parameter": (
        exchange("GET", MESSAGES, answer=[], query={"most": "5"}),
        "request",
        "most is a query parameter that",
    ),
    "missing query parameter": (
        exchange("GET", "/guilds/1008/members/search", answer=[]),
        "request",
        "the query parameter query is missing",
    ),
    "body where none belongs": (exchange("GET", MESSAGES, {"a": 1}, []), "request", "takes none"),
    "files where none belong": (
        exchange("PUT", COMMANDS, [], [], files=("a.png",)),
        "request",
        "has files, and takes none",
    ),
    "wrong type": (sent({"content": 5}), "request /content", 'not of types "null", "string"'),
    "missing field": (called_back({"data": {}}), "request", '"type" is a required property'),
    "list for a type": (
        called_back({"type": [4], "data": {}}),
        "request /type",
        "is no type that the description",
    ),
    "unknown field": (sent({"content": "Hi", "contents": "Hi"}), "request /contents", "does not know"),
    "unknown field of a component": (
        sent_v2(container(text("Hi") | {"label": "Hi"})),
        "request /components/0/components/0/label",
        "does not know",
    ),
    "unknown field of a callback": (
        called_back({"type": 4, "data": {"content": "Hi", "ephemeral": True}}),
        "request /data/ephemeral",
        "does not know",
    ),
    "field of another component": (
        classic(row(button(options=[]))),
        "request /components/0/components/0/options",
        "does not know",
    ),
    "unknown component": (
        classic({"type": 99}),
        "request /components/0/type",
        "is no type that the description",
    ),
    "unknown style": (
        classic(row(button(style=9))),
        "request /components/0/components/0/style",
        "is none of what the description knows here (9)",
    ),
    "tts in an edit": (
        exchange("PATCH", EDIT, {"content": "Hi", "tts": True}, message()),
        "request /tts",
        "false was expected",
    ),
    "attachment id of another kind": (
        exchange("POST", MESSAGES, {"attachments": [{"id": 0.5}]}, message(), files=("a.png",)),
        "request /attachments/0/id",
        "not of type",
    ),
    "empty message": (sent({"content": "", "embeds": []}), "request", "the message is empty"),
    "long message": (sent({"content": "x" * 2001}), "request /content", "2001 characters"),
    "duplicate custom_id": (
        classic(row(button("a"), button("b")), row(button("a"))),
        "request /components/1/components/0/custom_id",
        "'a' stands here more than once",
    ),
    "duplicate component id": (
        classic(row(button("a", id=7), button("b", id=7))),
        "request /components/0/components/1/id",
        "7 stands here more than once",
    ),
    "six rows": (classic(*(row(button(str(n))) for n in range(6))), "request /components", "at most 5 rows"),
    "six buttons in a row": (
        classic(row(*(button(str(n)) for n in range(6)))),
        "request /components/0/components",
        "more than 5 items",
    ),
    "select beside a button": (
        classic(row(button(), select())),
        "request /components/0",
        "five buttons or one",
    ),
    "41 nested components": (
        sent_v2(*(container(*(text("x") for _ in range(20))) for _ in range(2))),
        "request /components",
        "at most 40 nested components, these are 42",
    ),
    "accessories and labels count too": (
        sent_v2(*({"type": 9, "components": [text("x")], "accessory": button(str(n))} for n in range(14))),
        "request /components",
        "these are 42",
    ),
    "V2 without the flag": (sent({"components": [text("Hi")]}), "request /components/0", "IS_COMPONENTS_V2"),
    "V2 without the flag in an edit": (
        exchange("PATCH", EDIT, {"components": [text("Hi")]}, message()),
        "request /components/0",
        "IS_COMPONENTS_V2",
    ),
    "V2 with content": (sent_v2(text("Hi"), content="Hi"), "request /content", "no such thing"),
    "V2 with embeds": (sent_v2(text("Hi"), embeds=[{"title": "Hi"}]), "request /embeds", "no such thing"),
    "button without custom_id": (
        classic(row({"type": 2, "style": 1, "label": "Press"})),
        "request /components/0/components/0",
        "needs a custom_id",
    ),
    "link without url": (
        classic(row({"type": 2, "style": 5, "label": "Open"})),
        "request /components/0/components/0",
        "needs a url",
    ),
    "link with custom_id": (
        classic(row(button(style=5, url="https://example.org"))),
        "request /components/0/components/0/custom_id",
        "has no custom_id",
    ),
    "button that shows nothing": (
        classic(row(button(label=None))),
        "request /components/0/components/0",
        "a label or an emoji",
    ),
    "long custom_id": (
        classic(row(button(LONG_ID))),
        "request /components/0/components/0/custom_id",
        "longer than 100 characters",
    ),
    "long label": (
        classic(row(button(label="x" * 81))),
        "request /components/0/components/0/label",
        "longer than 80 characters",
    ),
    "26 options": (
        classic(row(select(options=[{"label": str(n), "value": str(n)} for n in range(26)]))),
        "request /components/0/components/0/options",
        "more than 25 items",
    ),
    "two options of one value": (
        classic(row(select(options=[{"label": "One", "value": "1"}, {"label": "Two", "value": "1"}]))),
        "request /components/0/components/0/options/1/value",
        "more than once",
    ),
    "more to pick than there is": (
        classic(row(select(max_values=2))),
        "request /components/0/components/0/max_values",
        "more than the 1 options",
    ),
    "least above most": (
        classic(row(select(min_values=2, max_values=1))),
        "request /components/0/components/0/min_values",
        "more than max_values",
    ),
    "two chosen where one may be": (
        classic(row(select(options=[{"label": n, "value": n, "default": True} for n in "ab"]))),
        "request /components/0/components/0/options",
        "2 are chosen beforehand, at most 1",
    ),
    "long option": (
        classic(row(select(options=[{"label": "One", "value": "1", "description": "x" * 101}]))),
        "request /components/0/components/0/options/0/description",
        "has 101 characters",
    ),
    "file that is not sent": (
        sent_v2(gallery("attachment://board.png"), files=("other.png",)),
        "request /components/0/items/0/media/url",
        "no file named 'board.png'",
    ),
    "file of an embed that is not sent": (
        sent({"embeds": [{"image": {"url": "attachment://board.png"}}]}),
        "request /embeds/0/image/url",
        "no file named 'board.png'",
    ),
    "file that an edit dropped": (
        exchange(
            "PATCH", EDIT, {"components": [gallery("attachment://a.png")], "flags": V2}, message(flags=V2)
        ),
        "request /components/0/items/0/media/url",
        "no file named 'a.png'",
    ),
    "file in a callback that is not sent": (
        called_back({"type": 4, "data": {"flags": V2, "components": [gallery("attachment://board.png")]}}),
        "request /data/components/0/items/0/media/url",
        "no file named 'board.png'",
    ),
    "attachment without a file": (
        exchange("POST", MESSAGES, {"attachments": [{"id": 1}]}, message(), files=("a.png",)),
        "request /attachments/0/id",
        "no file has the number 1",
    ),
    "long alt text of a file": (
        exchange(
            "POST", MESSAGES, {"attachments": [{"id": 0, "description": "x" * 1025}]}, message(), files=("a",)
        ),
        "request /attachments/0/description",
        "longer than 1024",
    ),
    "long alt text in a gallery": (
        sent_v2(gallery("https://example.org/a.png", "x" * 1025)),
        "request /components/0/items/0/description",
        "has 1025 characters",
    ),
    "text over 4,000 in total": (
        sent_v2(text("x" * 2001), container(text("x" * 2000))),
        "request /components",
        "4001 characters of text",
    ),
    "embeds over 6,000 in total": (
        sent({"embeds": [{"description": "x" * 3001}, {"fields": [{"name": "n", "value": "x" * 1000}] * 3}]}),
        "request /embeds",
        "6004 characters in total",
    ),
    "mention both named and parsed": (
        sent({"content": "Hi", "allowed_mentions": {"parse": ["users"], "users": ["1004"]}}),
        "request /allowed_mentions/users",
        "cannot stand beside",
    ),
    "follow-up without anything": (
        exchange("POST", f"/webhooks/1001/{TOKEN}", {}, message(), query={"wait": "true"}),
        "request",
        "the message is empty",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_violation_is_caught(planted: str, description: Description) -> None:
    assert_caught(*PLANTED[planted], side="request", contract=Contract(description))
