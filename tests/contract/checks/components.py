"""Rules for trees of components that the description leaves out, the same for messages and modals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from tests.contract.checks.findings import Finding, child


class Kind(IntEnum):
    """The types of components, by Discord's numbers."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


LINK, PREMIUM = 5, 6  # styles of buttons
MOST_ROWS = 5
MOST_COMPONENTS = 40
MOST_TEXT = 4000
V2_ONLY = frozenset(
    {
        Kind.SECTION,
        Kind.TEXT_DISPLAY,
        Kind.THUMBNAIL,
        Kind.MEDIA_GALLERY,
        Kind.FILE,
        Kind.SEPARATOR,
        Kind.CONTAINER,
    }
)
_SELECT = {"custom_id": 100, "placeholder": 150}
_FIELD = {"custom_id": 100}
# Longest texts by type and field, in characters. The description has most of them for requests and none for answers.
_LONGEST: dict[int, dict[str, int]] = {
    Kind.BUTTON: {"custom_id": 100, "label": 80},
    Kind.STRING_SELECT: _SELECT,
    Kind.TEXT_INPUT: {"custom_id": 100, "label": 45, "placeholder": 100, "value": 4000},
    Kind.USER_SELECT: _SELECT,
    Kind.ROLE_SELECT: _SELECT,
    Kind.MENTIONABLE_SELECT: _SELECT,
    Kind.CHANNEL_SELECT: _SELECT,
    Kind.THUMBNAIL: {"description": 1024},
    Kind.LABEL: {"label": 45, "description": 100},
    Kind.FILE_UPLOAD: _FIELD,
    Kind.RADIO_GROUP: _FIELD,
    Kind.CHECKBOX_GROUP: _FIELD,
    Kind.CHECKBOX: _FIELD,
}
_LONGEST_OPTION = {"label": 100, "value": 100, "description": 100}
_LONGEST_GALLERY_ITEM = {"description": 1024}


@dataclass(frozen=True, slots=True)
class Placed:
    """An object and the JSON pointer to it. `kind` is the type of a component, or 0 if it has none."""

    at: str
    body: dict[str, Any]

    @property
    def kind(self) -> int:
        kind = self.body.get("type")
        return kind if isinstance(kind, int) else 0


def objects(value: object, at: str) -> list[Placed]:
    """Return the objects in a list; none if it is not a list, which the description reports."""
    found = value if isinstance(value, list) else []
    return [Placed(child(at, index), item) for index, item in enumerate(found) if isinstance(item, dict)]


def tree(components: object, at: str) -> Iterator[Placed]:
    """Yield all components of rows, sections, containers and labels, each before those inside it."""
    for placed in objects(components, at):
        yield placed
        yield from tree(placed.body.get("components"), child(placed.at, "components"))
        for single in ("accessory", "component"):
            inner = placed.body.get(single)
            if isinstance(inner, dict):
                for below in tree([inner], ""):
                    yield Placed(child(placed.at, single) + below.at.removeprefix("/0"), below.body)


def wrong(found: Sequence[Placed]) -> Iterator[Finding]:
    """Check the components of one message or modal, without their places in the layout."""
    yield from _twice(found, "custom_id")
    yield from _twice(found, "id")
    for placed in found:
        yield from too_long(placed, _LONGEST.get(placed.kind, {}))
        match placed.kind:
            case Kind.ROW:
                yield from _row(placed)
            case Kind.BUTTON:
                yield from _button(placed)
            case Kind.TEXT_INPUT:
                yield from _text_input(placed)
            case Kind.MEDIA_GALLERY:
                for item in objects(placed.body.get("items"), child(placed.at, "items")):
                    yield from too_long(item, _LONGEST_GALLERY_ITEM)
        yield from _choice(placed)


def too_long(placed: Placed, limits: dict[str, int]) -> Iterator[Finding]:
    """Report the texts of an object that exceed the limit of their field, in characters."""
    for field, limit in limits.items():
        text = placed.body.get(field)
        if isinstance(text, str) and len(text) > limit:
            yield Finding(
                child(placed.at, field), f"has {len(text)} characters, at most {limit} may stand here"
            )


def _twice(found: Sequence[Placed], field: str) -> Iterator[Finding]:
    named = [placed for placed in found if placed.body.get(field)]
    counts = Counter(str(placed.body[field]) for placed in named)
    for placed in named:
        if counts[str(placed.body[field])] > 1:
            yield Finding(child(placed.at, field), f"{placed.body[field]!r} stands here more than once")


def _row(row: Placed) -> Iterator[Finding]:
    inner = objects(row.body.get("components"), "")
    if len(inner) > 1 and any(placed.kind != Kind.BUTTON for placed in inner):
        yield Finding(row.at, "a row holds up to five buttons or one other component")


def _button(button: Placed) -> Iterator[Finding]:
    style = button.body.get("style")
    needed = {LINK: "url", PREMIUM: "sku_id"}.get(style if isinstance(style, int) else 0, "custom_id")
    for field in ("custom_id", "url", "sku_id"):
        if field == needed and not button.body.get(field):
            yield Finding(button.at, f"a button of style {style} needs a {field}")
        if field != needed and button.body.get(field):
            yield Finding(child(button.at, field), f"a button of style {style} has no {field}")
    if style != PREMIUM and not button.body.get("label") and not button.body.get("emoji"):
        yield Finding(button.at, "a button needs a label or an emoji")


def _text_input(field: Placed) -> Iterator[Finding]:
    least, most, value = (field.body.get(name) for name in ("min_length", "max_length", "value"))
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield Finding(child(field.at, "min_length"), f"{least} is more than max_length, which is {most}")
    if isinstance(value, str) and isinstance(most, int) and len(value) > most:
        yield Finding(child(field.at, "value"), f"has {len(value)} characters, but max_length is {most}")


def _choice(choice: Placed) -> Iterator[Finding]:
    """Check the options of a component and how many of them may be chosen; other components pass."""
    options = objects(choice.body.get("options"), child(choice.at, "options"))
    for option in options:
        yield from too_long(option, _LONGEST_OPTION)
    yield from _twice(options, "value")
    least, most = choice.body.get("min_values"), choice.body.get("max_values")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield Finding(child(choice.at, "min_values"), f"{least} is more than max_values, which is {most}")
    if isinstance(most, int) and 0 < len(options) < most:
        yield Finding(
            child(choice.at, "max_values"), f"{most} is more than the {len(options)} options there are"
        )
    chosen = sum(option.body.get("default") is True for option in options)
    may_be = most if isinstance(most, int) else len(options) if choice.kind == Kind.CHECKBOX_GROUP else 1
    if chosen > may_be:
        yield Finding(child(choice.at, "options"), f"{chosen} are chosen beforehand, at most {may_be} may be")
