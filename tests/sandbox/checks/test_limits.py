"""Limits of messages, modals and commands: each case breaks one rule, and the refusal names the rule at its field."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from bot.sandbox.errors import DiscordError
from tests.contract.player import Player
from tests.sandbox.drafts import read_command, read_message, read_modal
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


def in_row(*inner: Json) -> Json:
    """Return a message with one row of components."""
    return {"components": [row(*inner)]}


Case = tuple[Any, str, str]
"""The body, the path of the problem, and Discord's code for it. A path may begin with "@": the first component in the
first row or container."""
BAD_LENGTH, MAX_LENGTH = "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_MAX_LENGTH"

MESSAGES: dict[str, Case] = {
    "content too long": ({"content": "x" * 2001}, "content", MAX_LENGTH),
    "content no text": ({"content": 5}, "content", "STRING_TYPE_CONVERT"),
    "no object": ([], "", "MODEL_TYPE_CONVERT"),
    "six rows": ({"components": [row(button(custom_id=str(n))) for n in range(6)]}, "components", MAX_LENGTH),
    "six buttons": (
        in_row(*(button(custom_id=str(n)) for n in range(6))),
        "components.0.components",
        BAD_LENGTH,
    ),
    "empty row": (in_row(), "components.0.components", BAD_LENGTH),
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
    "empty text": (panel(text("")), "components.0.content", BAD_LENGTH),
    "custom id twice": (
        in_row(button(), button()),
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "custom id twice, deep": (
        panel(row(button()), {"type": 9, "components": [text()], "accessory": button()}),
        "components.1.accessory.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "id twice": (panel(text() | {"id": 7}, text() | {"id": 7}), "components.1.id", "COMPONENT_ID_DUPLICATED"),
    "custom id too long": (in_row(button(custom_id="x" * 101)), "@.custom_id", BAD_LENGTH),
    "button without custom id": (
        in_row({"type": 2, "style": 1, "label": "b"}),
        "@",
        "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
    ),
    "link without url": (in_row({"type": 2, "style": 5, "label": "b"}), "@", "BUTTON_COMPONENT_URL_REQUIRED"),
    "button without face": (
        in_row({"type": 2, "style": 1, "custom_id": "b"}),
        "@",
        "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "label too long": (in_row(button(label="x" * 81)), "@.label", MAX_LENGTH),
    "unknown style": (in_row(button(style=9)), "@.style", "NUMBER_TYPE_MAX"),
    "26 options": (in_row(select(options=[option(n) for n in range(26)])), "@.options", BAD_LENGTH),
    "option value twice": (
        in_row(select(options=[option(1), option(1)])),
        "@.options",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "select beside a button": (in_row(select(), button()), "components.0", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    "premium button with a custom id": (
        in_row(button(style=6, sku_id="1", label=None)),
        "@",
        "BUTTON_COMPONENT_INVALID_CUSTOM_ID",
    ),
    "max_values above options": (in_row(select(max_values=2)), "@.max_values", "SELECT_COMPONENT_MAX_VALUES"),
    "min_values above max_values": (
        in_row(select(min_values=2)),
        "@.min_values",
        "SELECT_COMPONENT_MIN_VALUES",
    ),
    "two defaults of one choice": (
        in_row(select(options=[option(n) | {"default": True} for n in range(2)])),
        "@.options",
        "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
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
        BAD_LENGTH,
    ),
    "eleven pictures": (panel(gallery(*["https://x.test/a.png"] * 11)), "components.0.items", BAD_LENGTH),
    "section of four texts": (
        panel({"type": 9, "components": [text()] * 4, "accessory": button()}),
        "components.0.components",
        BAD_LENGTH,
    ),
    "section without accessory": (
        panel({"type": 9, "components": [text()]}),
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
    ),
    "container in a container": (
        panel({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        "@.type",
        "UNION_TYPE_CHOICES",
    ),
    "eleven embeds": ({"embeds": [{"title": "x"}] * 11}, "embeds", MAX_LENGTH),
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
}


LABEL = {"type": 18, "label": "l", "component": {"type": 4, "style": 1, "custom_id": "t"}}


def modal(*components: Json, title: str = "t", custom_id: str = "m") -> Json:
    return {"title": title, "custom_id": custom_id, "components": list(components)}


def labelled(**more: Any) -> Json:
    return {"type": 18, "label": "l", "component": {"custom_id": "c", **more}}


MODALS: dict[str, Case] = {
    "title too long": (modal(LABEL, title="x" * 46), "title", BAD_LENGTH),
    "custom id too long": (modal(LABEL, custom_id="x" * 101), "custom_id", BAD_LENGTH),
    "six labels": (modal(*[LABEL] * 6), "components", BAD_LENGTH),
    "nothing in it": (modal(), "components", BAD_LENGTH),
    "label too long": (modal(LABEL | {"label": "x" * 46}), "components.0.label", BAD_LENGTH),
    "custom id twice": (
        modal(LABEL, LABEL),
        "components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "a button": (modal(labelled(type=2)), "components.0.component.type", "UNION_TYPE_CHOICES"),
    "one radio option": (
        modal(labelled(type=21, options=[option(1)])),
        "components.0.component.options",
        BAD_LENGTH,
    ),
    "eleven boxes": (
        modal(labelled(type=22, options=[option(n) for n in range(11)])),
        "components.0.component.options",
        BAD_LENGTH,
    ),
    "min_length above max_length": (
        modal(labelled(type=4, style=1, min_length=5, max_length=3)),
        "components.0.component.min_length",
        "TEXT_INPUT_COMPONENT_MIN_LENGTH",
    ),
    "value above max_length": (
        modal(labelled(type=4, style=1, max_length=3, value="long")),
        "components.0.component.value",
        MAX_LENGTH,
    ),
    "no style": (modal(labelled(type=4)), "components.0.component.style", "BASE_TYPE_REQUIRED"),
}


CHOICES: dict[str, Case] = {
    "26 choices": (
        {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]},
        "data.choices",
        MAX_LENGTH,
    ),
    "name too long": ({"choices": [{"name": "x" * 101, "value": "x"}]}, "data.choices.0.name", BAD_LENGTH),
    "value too long": ({"choices": [{"name": "x", "value": "x" * 101}]}, "data.choices.0.value", MAX_LENGTH),
    "no choices": ({}, "data.choices", "BASE_TYPE_REQUIRED"),
}


def command(**more: Any) -> Json:
    return {"name": "go", "description": "Go", **more}


def command_option(**more: Any) -> Json:
    return {"type": 3, "name": "o", "description": "o", **more}


def choice(n: int) -> Json:
    return {"name": str(n), "value": str(n)}


COMMANDS: dict[str, Case] = {
    "name too long": (command(name="x" * 33), "name", BAD_LENGTH),
    "name in capitals": (command(name="Go"), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    "name of two words": (command(name="go on"), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    "no description": ({"name": "go"}, "description", "BASE_TYPE_REQUIRED"),
    "empty description": (command(description=""), "description", BAD_LENGTH),
    "description too long": (command(description="x" * 101), "description", MAX_LENGTH),
    "menu with a description": (
        command(type=2),
        "description",
        "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION",
    ),
    "unknown type": (command(type=9), "type", "BASE_TYPE_CHOICES"),
    "26 options": (command(options=[command_option()] * 26), "options", MAX_LENGTH),
    "option twice": (
        command(options=[command_option(), command_option()]),
        "options.1",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    "required after optional": (
        command(options=[command_option(), command_option(name="p", required=True)]),
        "options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "26 choices": (
        command(options=[command_option(choices=[choice(n) for n in range(26)])]),
        "options.0.choices",
        MAX_LENGTH,
    ),
    "choice twice": (
        command(options=[command_option(choices=[choice(1), choice(1)])]),
        "options.0.choices",
        "APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATED",
    ),
    "choice of another type": (
        command(options=[command_option(type=4, choices=[choice(1)])]),
        "options.0.choices.0.value",
        "NUMBER_TYPE_COERCE",
    ),
    "choices and autocomplete": (
        command(options=[command_option(choices=[choice(1)], autocomplete=True)]),
        "options.0",
        "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_INVALID",
    ),
    "choices of a user": (
        command(options=[command_option(type=6, choices=[choice(1)])]),
        "options.0",
        "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
    ),
    "subcommand beside a value": (
        command(options=[command_option(), command_option(type=1, name="s")]),
        "options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "subcommand in a subcommand": (
        command(options=[command_option(type=1, options=[command_option(type=1)])]),
        "options.0.options.0.type",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "too large": (
        command(
            options=[
                command_option(
                    name=f"o{n}", choices=[{"name": f"{c:<90}", "value": f"{c:<90}"} for c in range(25)]
                )
                for n in range(2)
            ]
        ),
        "",
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
}


def code_at(refusal: Json, path: str) -> str:
    """Return Discord's code for the problem at `path`."""
    assert (refusal["code"], refusal["message"]) == (50035, "Invalid Form Body")
    node = refusal["errors"]
    for step in path.replace("@", "components.0.components.0").split(".") if path else []:
        assert step in node, f"nothing is wrong at {path}, but {refusal['errors']}"
        node = node[step]
    return str(node["_errors"][0]["code"])


CASES = {
    f"{read.__name__} {name}": (read, *case)
    for read, cases in ((read_message, MESSAGES), (read_modal, MODALS), (read_command, COMMANDS))
    for name, case in cases.items()
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_field_is_named(case: str) -> None:
    read, body, path, code = CASES[case]
    with pytest.raises(DiscordError) as refusal:
        read(body)
    assert code_at(refusal.value.body, path) == code


async def test_refused_message_is_not_posted(rest: RawBot) -> None:
    address = f"/channels/{rest.general}/messages"
    status, refusal = await rest.call("POST", address, {"content": "x" * 2001})
    assert (status, code_at(refusal, "content")) == (400, "BASE_TYPE_MAX_LENGTH")
    reply = {"content": "x", "message_reference": {"message_id": "1"}}
    _, refusal = await rest.call("POST", address, reply)
    assert code_at(refusal, "message_reference") == "REPLIES_UNKNOWN_MESSAGE"
    described = {"attachments": [{"id": 0, "description": "x" * 1025}]}
    _, refusal = await rest.call("POST", address, described, [("a.png", PNG)])
    assert code_at(refusal, "attachments.0.description") == "BASE_TYPE_MAX_LENGTH"
    _, refusal = await rest.call("POST", address, {}, [(f"{n}.png", PNG) for n in range(11)])
    assert code_at(refusal, "attachments") == "BASE_TYPE_MAX_LENGTH"
    assert (await rest.call("GET", address))[1] == []


def test_values_at_the_limits_are_accepted() -> None:
    assert len(read_message(panel(*(text("x" * 99) for _ in range(40)))).components) == 40
    rows = [row(*(button(custom_id=f"{r}{c}") for c in range(5))) for r in range(5)]
    assert len(read_message({"content": "x" * 2000, "components": rows}).components) == 5
    read_message({"components": [row(button(custom_id="x" * 100, label="x" * 80))]})
    read_message({"components": [row(select(options=[option(n) for n in range(25)], max_values=25))]})


async def refused_answer(
    raw: RawBot, doing: Awaitable[Json], kind: int, data: Json, path: str, code: str
) -> None:
    """Check that the bot's response is refused at `path`, and that the interaction can still be answered."""
    waiting = asyncio.ensure_future(doing)
    asked = await raw.asked()
    status, refusal = await raw.answer(asked, kind, data)
    assert (status, code_at(refusal, path)) == (400, code)
    good: Json = {"choices": []} if kind == 8 else {"content": "x"}
    await raw.answer(asked, 8 if kind == 8 else 4, good)
    await waiting


async def test_wrong_callback_is_refused(raw: RawBot, ada: Player) -> None:
    """The paths of its problems begin with `data`, and the interaction can still be answered."""
    body = {"content": "x", "components": [row(button(label="x" * 81))]}
    path = "data.components.0.components.0.label"
    await refused_answer(raw, ada.command("ask"), 4, body, path, "BASE_TYPE_MAX_LENGTH")
    await refused_answer(raw, ada.command("ask"), 5, {"flags": "secret"}, "data.flags", "NUMBER_TYPE_COERCE")
    long = modal(LABEL, title="x" * 46)
    await refused_answer(raw, ada.command("ask"), 9, long, "data.title", "BASE_TYPE_BAD_LENGTH")


async def test_wrong_choices_are_refused(raw: RawBot, ada: Player) -> None:
    cell = {"type": 3, "name": "cell", "description": "c", "autocomplete": True}
    await raw.register({"name": "move", "description": "m", "options": [cell]})
    for body, path, code in CHOICES.values():
        await refused_answer(raw, ada.autocomplete("move", "cell"), 8, body, path, code)
