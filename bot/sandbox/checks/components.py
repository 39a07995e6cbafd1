"""Components of messages and modals: their types, their fields, and the rules for all components together."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.sandbox.checks.fields import (
    Check,
    Field,
    Problems,
    flag,
    id_text,
    integer,
    many,
    nested,
    one_of,
    read,
    text,
)
from bot.sandbox.json_types import Object, Path

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = range(1, 5)
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = range(5, 9)
SECTION, TEXT_DISPLAY, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23

SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
LINK, PREMIUM = 5, 6

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_ROWS = 5

Resolve = Callable[[Problems, Path, str], Object]
"""A function that converts the address of a picture or file, such as `attachment://name`, to a media item."""


def message_components(
    problems: Problems, path: Path, value: Any, *, v2: bool, media: Resolve
) -> list[Object]:
    """Check a message's components, and fill in the fields that Discord fills in, mainly ids.

    `v2` is True if the message has the flag IS_COMPONENTS_V2. Without the flag only action rows are allowed.
    """
    kinds = (ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER) if v2 else (ROW,)
    found: list[Object] = many(_kind(kinds, _message_fields(media)), 0, MOST_COMPONENTS if v2 else MOST_ROWS)(
        problems, path, value
    )
    _whole(problems, path, found)
    return found


def modal(problems: Problems, path: Path, value: Any) -> Object:
    """Check the modal that answers an interaction."""
    kinds = _kind((LABEL, TEXT_DISPLAY, ROW), _modal_fields())
    found = read(
        problems,
        path,
        value,
        {
            "custom_id": Field(text(1, 100), required=True),
            "title": Field(text(1, 45), required=True),
            "components": Field(many(kinds, 1, 5), required=True),
        },
    )
    _whole(problems, (*path, "components"), found.get("components", []))
    return found


def walk(components: list[Object]) -> Iterator[Object]:
    """Yield every component of a message or modal, outer before inner, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        for single in ("accessory", "component"):
            if single in component:
                yield from walk([component[single]])


def _kind(types: tuple[int, ...], fields: Mapping[int, Mapping[str, Field]]) -> Check:
    """Return a check for one component whose type is among `types`."""

    def check(problems: Problems, path: Path, value: Any) -> Object:
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(kind, bool) or kind not in types:
            allowed = ", ".join(map(str, types))
            problems.add(
                (*path, "type"), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({allowed},).'
            )
            return {"type": 0}
        found = {"type": kind} | read(
            problems, path, value, {"id": Field(integer(0, 2**31 - 1)), **fields[kind]}
        )
        _own_rules(problems, path, found)
        return found

    return check


def _own_rules(problems: Problems, path: Path, found: Object) -> None:
    """Check the rules between the fields of one component."""
    kind, inner = found["type"], found.get("components", [])
    if kind == ROW and len(inner) > 1 and any(one["type"] in SELECTS for one in inner):
        problems.add(path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "Component layout width exceeded")
    if kind == BUTTON:
        _button(problems, path, found)
    if kind == TEXT_INPUT:
        _text_input(problems, path, found)
    _choice(problems, path, found)


def _text_input(problems: Problems, path: Path, field: Object) -> None:
    least, most = field.get("min_length", 0), field.get("max_length", 4000)
    if least > most:
        sentence = "min_length must not exceed max_length"
        problems.add((*path, "min_length"), "TEXT_INPUT_COMPONENT_MIN_LENGTH", sentence)
    if len(field.get("value", "")) > most:
        problems.add((*path, "value"), "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def _choice(problems: Problems, path: Path, found: Object) -> None:
    """Check the options of a component and the numbers of options that may be chosen."""
    options: list[Object] = found.get("options", [])
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        sentence = "The specified option value is already used"
        problems.add((*path, "options"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", sentence)
    most = found.get("max_values", len(options) if found["type"] == CHECKBOX_GROUP else 1)
    if found.get("min_values", 0) > most:
        sentence = "min_values must not exceed max_values"
        problems.add((*path, "min_values"), "SELECT_COMPONENT_MIN_VALUES", sentence)
    if 0 < len(options) < most:
        sentence = "max_values must not exceed the number of options"
        problems.add((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES", sentence)
    if sum(bool(option.get("default")) for option in options) > most:
        sentence = "More options are set as default than may be chosen"
        problems.add((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", sentence)


def _button(problems: Problems, path: Path, button: Object) -> None:
    style = button.get("style")
    needed = {LINK: "url", PREMIUM: "sku_id"}.get(style or 0, "custom_id")
    for field in ("custom_id", "url", "sku_id"):
        if field == needed and field not in button:
            problems.add(path, f"BUTTON_COMPONENT_{field.upper()}_REQUIRED", f"A {field} is required")
        if field != needed and field in button:
            sentence = f"A button of this style cannot have a {field}"
            problems.add(path, f"BUTTON_COMPONENT_INVALID_{field.upper()}", sentence)
    if style != PREMIUM and not button.get("label") and "emoji" not in button:
        problems.add(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or an emoji is required")


def _whole(problems: Problems, path: Path, components: list[Object]) -> None:
    """Check the rules for all components together, and give an id to each component that has none."""
    everything = list(walk(components))
    if len(everything) > MOST_COMPONENTS:
        problems.add(
            path,
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components exceeds the maximum of {MOST_COMPONENTS}",
        )
    if sum(len(one.get("content", "")) for one in everything) > MOST_TEXT:
        problems.add(
            path,
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total displayable text size exceeds the maximum size of {MOST_TEXT}",
        )
    _check_unique(problems, path, components, "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED")
    _check_unique(problems, path, components, "id", "COMPONENT_ID_DUPLICATED")
    taken = {one["id"] for one in everything if one.get("id")}
    free = (number for number in range(1, MOST_COMPONENTS + len(everything) + 2) if number not in taken)
    for one in everything:
        if not one.get("id"):
            one["id"] = next(free)


def _check_unique(problems: Problems, path: Path, components: list[Object], name: str, code: str) -> None:
    seen: set[Any] = set()

    def check(at: Path, one: Object) -> None:
        value = one.get(name)
        if value and value in seen:
            problems.add((*at, name), code, f"Component {name.replace('_', ' ')} cannot be duplicated")
        seen.add(value)
        for place, inner in enumerate(one.get("components", [])):
            check((*at, "components", place), inner)
        for single in ("accessory", "component"):
            if single in one:
                check((*at, single), one[single])

    for place, one in enumerate(components):
        check((*path, place), one)


def _ignored(problems: Problems, path: Path, value: Any) -> None:
    """Accept and drop any value, because the server fills this field in."""


# --- the fields of each type

EMOJI = nested({"id": Field(id_text), "name": Field(text(0, 100)), "animated": Field(flag)})
OPTION: Mapping[str, Field] = {
    "label": Field(text(1, 100), required=True),
    "value": Field(text(1, 100), required=True),
    "description": Field(text(0, 100)),
    "emoji": Field(EMOJI),
    "default": Field(flag),
}
BOX_OPTION: Mapping[str, Field] = {
    name: OPTION[name] for name in ("label", "value", "description", "default")
}
CUSTOM_ID: Mapping[str, Field] = {"custom_id": Field(text(1, 100), required=True)}
REQUIRED: Mapping[str, Field] = {"required": Field(flag, default=True)}
IN_RESPONSES: Mapping[str, Field] = {"name": Field(_ignored, null=True), "size": Field(_ignored, null=True)}
"""Fields of a file that only responses have."""
CONTENT: Mapping[str, Field] = {"content": Field(text(1, 4000), required=True)}


def _select(kind: int, *, in_modal: bool) -> Mapping[str, Field]:
    fields: dict[str, Field] = {
        **CUSTOM_ID,
        "placeholder": Field(text(0, 150)),
        "min_values": Field(integer(0, 25), default=1),
        "max_values": Field(integer(1, 25), default=1),
        "disabled": Field(flag),
    }
    if kind == STRING_SELECT:
        fields["options"] = Field(many(nested(OPTION), 1, 25), required=True)
    else:
        value = {
            "id": Field(id_text, required=True),
            "type": Field(one_of("user", "role", "channel"), required=True),
        }
        fields["default_values"] = Field(many(nested(value), 0, 25))
    if kind == CHANNEL_SELECT:
        fields["channel_types"] = Field(many(integer(0, 20), 0, 25))
    return {**fields, **(REQUIRED if in_modal else {})}


def _message_fields(resolve: Resolve) -> Mapping[int, Mapping[str, Field]]:
    def media(problems: Problems, path: Path, value: Any) -> Object:
        given = read(problems, path, value, {"url": Field(text(1, 2048), required=True)})
        return resolve(problems, (*path, "url"), given.get("url", "")) if "url" in given else given

    spoiler = {"spoiler": Field(flag, default=False)}
    described = {"description": Field(text(1, 1024), null=True), **spoiler}
    picture = {"media": Field(media, required=True), **described}
    fields: dict[int, Mapping[str, Field]] = {
        BUTTON: {
            "style": Field(integer(1, 6), required=True),
            "label": Field(text(0, 80)),
            "emoji": Field(EMOJI),
            "custom_id": Field(text(1, 100)),
            "url": Field(text(1, 512)),
            "sku_id": Field(id_text),
            "disabled": Field(flag),
        },
        TEXT_DISPLAY: CONTENT,
        THUMBNAIL: picture,
        GALLERY: {"items": Field(many(nested(picture), 1, 10), required=True)},
        FILE: {"file": Field(media, required=True), **IN_RESPONSES, **spoiler},
        SEPARATOR: {"divider": Field(flag, default=True), "spacing": Field(one_of(1, 2), default=1)},
        **{kind: _select(kind, in_modal=False) for kind in SELECTS},
    }
    fields[ROW] = {"components": Field(many(_kind((BUTTON, *SELECTS), fields), 1, 5), required=True)}
    fields[SECTION] = {
        "components": Field(many(_kind((TEXT_DISPLAY,), fields), 1, 3), required=True),
        "accessory": Field(_kind((BUTTON, THUMBNAIL), fields), required=True),
    }
    inside = _kind((ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR), fields)
    fields[CONTAINER] = {
        "components": Field(many(inside, 1, MOST_COMPONENTS), required=True),
        "accent_color": Field(integer(0, 0xFFFFFF), null=True),
        **spoiler,
    }
    return fields


def _modal_fields() -> Mapping[int, Mapping[str, Field]]:
    up_to_ten = {
        "min_values": Field(integer(0, 10), default=1),
        "max_values": Field(integer(1, 10), default=1),
    }
    fields: dict[int, Mapping[str, Field]] = {
        TEXT_INPUT: {
            **CUSTOM_ID,
            "style": Field(one_of(1, 2), required=True),
            "label": Field(text(1, 45)),
            "min_length": Field(integer(0, 4000)),
            "max_length": Field(integer(1, 4000)),
            "value": Field(text(0, 4000)),
            "placeholder": Field(text(0, 100)),
            **REQUIRED,
        },
        TEXT_DISPLAY: CONTENT,
        FILE_UPLOAD: {**CUSTOM_ID, **up_to_ten, **REQUIRED},
        RADIO_GROUP: {
            **CUSTOM_ID,
            **REQUIRED,
            "options": Field(many(nested(BOX_OPTION), 2, 10), required=True),
        },
        CHECKBOX_GROUP: {
            **CUSTOM_ID,
            **REQUIRED,
            "options": Field(many(nested(BOX_OPTION), 1, 10), required=True),
            "min_values": Field(integer(0, 10)),
            "max_values": Field(integer(1, 10)),
        },
        CHECKBOX: {**CUSTOM_ID, "default": Field(flag, default=False)},
        **{kind: _select(kind, in_modal=True) for kind in SELECTS},
    }
    inputs = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)
    fields[LABEL] = {
        "label": Field(text(1, 45), required=True),
        "description": Field(text(0, 100)),
        "component": Field(_kind(inputs, fields), required=True),
    }
    fields[ROW] = {"components": Field(many(_kind((TEXT_INPUT,), fields), 1, 1), required=True)}
    return fields
