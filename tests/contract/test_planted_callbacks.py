"""Each rule catches its violation in modals, suggestions and commands, and names the place."""

import pytest

from bot.sandbox.exchange import Exchange
from tests.contract.checker import Contract
from tests.contract.description import Description
from tests.contract.samples import (
    CALLBACK,
    COMMANDS,
    Json,
    Planted,
    assert_caught,
    called_back,
    command,
    exchange,
    label,
    modal,
    option,
    text_input,
)

LONG_ID = "x" * 101
NOT_FOUND = {"code": 10002, "message": "Unknown Application"}
MANY_CHOICES = [{"name": f"{n:0100}", "value": "x"} for n in range(25)]


def put(*commands: Json) -> Exchange:
    return exchange("PUT", COMMANDS, list(commands), [])


def choices(count: int, **fields: object) -> Exchange:
    return called_back({"type": 8, "data": {"choices": [{"name": "A1", "value": "a1", **fields}] * count}})


PLANTED: dict[str, Planted] = {
    "six labels": (
        called_back(modal(*(label(text_input(str(n))) for n in range(6)))),
        "request /data/components",
        "at most 5 labels",
    ),
    "long modal title": (
        called_back(modal(label(text_input()), title="x" * 46)),
        "request /data/title",
        "longer than 45 characters",
    ),
    "long custom_id of a modal": (
        called_back(modal(label(text_input()), custom_id=LONG_ID)),
        "request /data/custom_id",
        "longer than 100",
    ),
    "two inputs of one custom_id": (
        called_back(modal(label(text_input()), label(text_input()))),
        "request /data/components/1/component/custom_id",
        "more than once",
    ),
    "input that asks for more than it takes": (
        called_back(modal(label(text_input(min_length=5, max_length=3)))),
        "request /data/components/0/component/min_length",
        "more than max_length",
    ),
    "value longer than its input": (
        called_back(modal(label(text_input(max_length=3, value="long")))),
        "request /data/components/0/component/value",
        "max_length is 3",
    ),
    "eleven checkboxes": (
        called_back(
            modal(
                label(
                    {
                        "type": 22,
                        "custom_id": "c",
                        "options": [{"label": str(n), "value": str(n)} for n in range(11)],
                    }
                )
            )
        ),
        "request /data/components/0/component/options",
        "more than 10 items",
    ),
    "26 choices": (choices(26), "request /data/choices", "more than 25 items"),
    "long choice": (choices(1, name="x" * 101), "request /data/choices/0/name", "longer than 100"),
    "menu command with options": (
        exchange(
            "POST", COMMANDS, command(type=2, description="", options=[option()]), NOT_FOUND, status=404
        ),
        "request /options",
        "only a slash command",
    ),
    "upper-case command": (put(command(name="Move")), "request /0/name", "lower-case"),
    "two commands of one name": (put(command(), command()), "request /1/name", "two commands"),
    "101 commands": (put(*(command(name=f"c{n}") for n in range(101))), "request", "at most 100 commands"),
    "16 commands of a user's menu": (
        put(*(command(type=2, name=f"C{n}", description="") for n in range(16))),
        "request",
        "at most 15 commands of type 2",
    ),
    "command without description": (put({"name": "move"}), "request /0", "needs a description"),
    "menu command with description": (
        put(command(type=2, name="Challenge")),
        "request /0/description",
        "only a slash command",
    ),
    "required after optional": (
        put(command(options=[option(), option("when", required=True)])),
        "request /0/options/1",
        "required option stands before",
    ),
    "two options of one name": (
        put(command(options=[option(), option()])),
        "request /0/options/1/name",
        "two options",
    ),
    "choices and autocomplete": (
        put(command(options=[option(autocomplete=True, choices=[{"name": "A", "value": "a"}])])),
        "request /0/options/0",
        "not both",
    ),
    "two choices of one name": (
        put(command(options=[option(choices=[{"name": "A", "value": "a"}, {"name": "A", "value": "b"}])])),
        "request /0/options/0/choices/1/name",
        "two choices",
    ),
    "command over 8,000 characters": (
        put(command(options=[option(f"o{n}", choices=MANY_CHOICES) for n in range(4)])),
        "request /0",
        "at most 8000",
    ),
    "not a truth value": (
        exchange("POST", CALLBACK, {"type": 6}, status=204, query={"with_response": "yes"}),
        "request",
        "with_response cannot be 'yes'",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_violation_is_caught(planted: str, description: Description) -> None:
    assert_caught(*PLANTED[planted], side="request", contract=Contract(description))
