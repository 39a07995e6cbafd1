"""Each rule catches its violation in an answer of the local Discord, and names the place."""

import pytest

from bot.sandbox.exchange import Exchange
from tests.contract.checker import Contract
from tests.contract.description import Description
from tests.contract.samples import (
    CALLBACK,
    CHANNEL,
    COMMANDS,
    MESSAGES,
    V2,
    Json,
    Planted,
    as_answered,
    assert_caught,
    button,
    command,
    container,
    exchange,
    gallery,
    message,
    row,
    select,
    text,
)


def shown(*components: Json, **fields: object) -> Exchange:
    """Return the exchange of reading one message with these components."""
    answer = message(**fields) | {"components": list(components)}
    return exchange("GET", f"{MESSAGES}/1003", answer=answer)


def answered(*components: Json) -> list[Json]:
    return [as_answered(component, 1 + 50 * index) for index, component in enumerate(components)]


def refused(status: int, answer: object) -> Exchange:
    return exchange("GET", f"{MESSAGES}/1003", answer=answer, status=status)


def stored(**fields: object) -> Json:
    """Return a command in the form in which the API answers it."""
    return command(id="1007", application_id="1001", version="1", default_member_permissions=None, **fields)


def without(body: Json, field: str) -> Json:
    return {name: value for name, value in body.items() if name != field}


PLANTED: dict[str, Planted] = {
    "undocumented status": (refused(302, None), "answer 302", "does not know this status"),
    "a crash": (refused(500, {"message": "500", "code": 0}), "answer 500", "does not know this status"),
    "error without a code": (
        refused(404, {"message": "Unknown Message"}),
        "answer 404",
        '"code" is a required property',
    ),
    "error of another form": (
        refused(400, {"error": "no"}),
        "answer 400",
        '"message" is a required property',
    ),
    "form errors of another form": (
        refused(400, {"code": 50035, "message": "Invalid Form Body", "errors": {"content": ["long"]}}),
        "answer 400 /errors/content",
        "not of type",
    ),
    "form error of another form": (
        refused(
            400,
            {
                "code": 50035,
                "message": "Invalid",
                "errors": {"content": {"_errors": [{"code": "X", "text": ""}]}},
            },
        ),
        "answer 400 /errors/content/_errors/0",
        '"message" is a required',
    ),
    "rate limit without a time": (
        refused(429, {"message": "Slow down", "global": False}),
        "answer 429",
        '"retry_after" is a required property',
    ),
    "body where none belongs": (
        exchange("DELETE", f"{MESSAGES}/1003", answer={}, status=204),
        "answer 204",
        "should have none",
    ),
    "no body where one belongs": (refused(200, None), "answer 200", 'not of type "object"'),
    "missing field": (
        exchange("GET", f"{MESSAGES}/1003", answer=without(message(), "author")),
        "answer 200",
        '"author" is a required property',
    ),
    "unknown field": (shown(ephemeral_for=None), "answer 200 /ephemeral_for", "does not know"),
    "unknown field in a list": (
        exchange("GET", MESSAGES, answer=[message(), message(state="sent")]),
        "answer 200 /1/state",
        "does not know",
    ),
    "unknown field of a component": (
        shown(as_answered(container(text("Hi"))) | {"label": "Hi"}, flags=V2),
        "answer 200 /components/0/label",
        "does not know",
    ),
    "number for an id": (shown(id=1003), "answer 200 /id", 'not of type "string"'),
    "time of another form": (shown(timestamp="today"), "answer 200 /timestamp", "date-time"),
    "component without an id": (
        shown(row(button())),
        "answer 200 /components/0",
        '"id" is a required property',
    ),
    "duplicate component id": (
        shown(as_answered(row(button("a"))), as_answered(row(button("b")))),
        "answer 200 /components/1/id",
        "1 stands here more than once",
    ),
    "duplicate custom_id": (
        shown(*answered(row(button("a")), row(button("a")))),
        "answer 200 /components/1/components/0/custom_id",
        "'a' stands here more than once",
    ),
    "six rows": (
        shown(*answered(*(row(button(str(n))) for n in range(6)))),
        "answer 200 /components",
        "at most 5 rows",
    ),
    "41 nested components": (
        shown(*answered(*(text("x") for _ in range(41))), flags=V2),
        "answer 200 /components",
        "at most 40 nested components, these are 41",
    ),
    "V2 without the flag": (
        shown(*answered(text("Hi"))),
        "answer 200 /components/0",
        "needs the flag IS_COMPONENTS_V2",
    ),
    "V2 with content": (
        shown(*answered(text("Hi")), flags=V2, content="Hi"),
        "answer 200 /content",
        "no such thing",
    ),
    "V2 with embeds": (
        shown(*answered(text("Hi")), flags=V2, embeds=[{"type": "rich"}]),
        "answer 200 /embeds",
        "no such thing",
    ),
    "button without custom_id": (
        shown(*answered(row(without(button(), "custom_id")))),
        "answer 200 /components/0/components/0",
        "needs a custom_id",
    ),
    "long custom_id": (
        shown(*answered(row(button("x" * 101)))),
        "answer 200 /components/0/components/0/custom_id",
        "has 101 characters",
    ),
    "long label": (
        shown(*answered(row(button(label="x" * 81)))),
        "answer 200 /components/0/components/0/label",
        "has 81 characters",
    ),
    "long placeholder": (
        shown(*answered(row(select(placeholder="x" * 151, min_values=1, max_values=1, disabled=False)))),
        "answer 200 /components/0/components/0/placeholder",
        "has 151 characters",
    ),
    "address that was not resolved": (
        shown(*answered(gallery("attachment://board.png")), flags=V2),
        "answer 200 /components/0/items/0/media/url",
        "still refers to an attachment",
    ),
    "long alt text": (
        shown(*answered(gallery("http://127.0.0.1/a.png", "x" * 1025)), flags=V2),
        "answer 200 /components/0/items/0/description",
        "has 1025 characters",
    ),
    "text over 4,000 in total": (
        shown(*answered(text("x" * 4000), text("x")), flags=V2),
        "answer 200 /components",
        "4001 characters of text",
    ),
    "long message": (shown(content="x" * 2001), "answer 200 /content", "2001 characters"),
    "wrong message in a callback": (
        exchange(
            "POST",
            CALLBACK,
            {"type": 4, "data": {"content": "Hi"}},
            {
                "interaction": {"id": "1005", "type": 2},
                "resource": {"type": 4, "message": message(components=answered(text("Hi")))},
            },
            query={"with_response": "1"},
        ),
        "answer 200 /resource/message/components/0",
        "IS_COMPONENTS_V2",
    ),
    "two commands of one name": (
        exchange("PUT", COMMANDS, [command()], [stored(), stored()]),
        "answer 200 /1/name",
        "two commands",
    ),
    "thread of another status": (
        exchange("POST", f"/channels/{CHANNEL}/threads", {"name": "Game", "type": 11}, {}, status=200),
        "answer 200",
        "does not know this status",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_violation_is_caught(planted: str, description: Description) -> None:
    assert_caught(*PLANTED[planted], side="answer", contract=Contract(description))
