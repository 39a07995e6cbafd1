"""Any body is either accepted or refused with its problems, without another error."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sandbox.checks.components import walk
from bot.sandbox.errors import DiscordError
from tests.sandbox.drafts import read_command, read_message, read_modal
from tests.sandbox.raw_bot import PNG
from tests.seeds import CHARACTERS

pytestmark = pytest.mark.slow

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(CHARACTERS, max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS, max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
ROW = {
    "type": 1,
    "components": [{"type": 2, "style": 1, "label": "b", "custom_id": "b", "emoji": {"name": "x"}}],
}
SELECT = {"type": 1, "components": [{"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]}]}
PANEL = {
    "flags": 1 << 15,
    "attachments": [{"id": 0, "description": "d"}],
    "allowed_mentions": {"parse": ["users"], "roles": ["1"]},
    "components": [
        {
            "type": 17,
            "components": [
                {"type": 10, "content": "t"},
                {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "d"}]},
                {"type": 14, "divider": False},
                {"type": 13, "file": {"url": "attachment://a.png"}},
                ROW,
            ],
        },
        {
            "type": 9,
            "components": [{"type": 10, "content": "t"}],
            "accessory": {"type": 11, "media": {"url": "attachment://a.png"}},
        },
        {
            "type": 1,
            "components": [{"type": 5, "custom_id": "u", "default_values": [{"type": "user", "id": "1"}]}],
        },
    ],
}
CLASSIC = {
    "content": "c",
    "embeds": [
        {"title": "t", "image": {"url": "attachment://a.png"}, "fields": [{"name": "n", "value": "v"}]}
    ],
    "components": [ROW, SELECT],
    "message_reference": {"message_id": "1"},
}
MODAL = {
    "custom_id": "m",
    "title": "t",
    "components": [
        {"type": 18, "label": "l", "component": {"type": 4, "style": 1, "custom_id": "t"}},
        {
            "type": 18,
            "label": "l",
            "component": {"type": 21, "custom_id": "r", "options": [{"label": n, "value": n} for n in "ab"]},
        },
    ],
}
COMMAND = {
    "name": "go",
    "description": "d",
    "options": [
        {
            "type": 1,
            "name": "on",
            "description": "d",
            "options": [
                {"type": 3, "name": "o", "description": "d", "choices": [{"name": "n", "value": "v"}]}
            ],
        }
    ],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Yield the path of every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return `value` with `new` at `path`."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


@st.composite
def spoilt(draw: st.DrawFn, body: Any) -> Any:
    """Return a valid body with one or two values replaced by any others."""
    for _ in range(draw(st.integers(1, 2))):
        body = put(body, draw(st.sampled_from(places(body))), draw(JSON))
    return body


def attempted(read: Callable[..., Any], *given: Any) -> Any:
    """Return the result, or None if the body was refused as invalid or empty. Any other exception is an error."""
    try:
        return read(*given)
    except DiscordError as refusal:
        if refusal.code in (50006, 50035):
            return None
        raise


@given(spoilt(PANEL) | spoilt(CLASSIC) | JSON)
def test_message_is_accepted_or_refused(body: Any) -> None:
    if draft := attempted(read_message, body, ["a.png"], PNG):
        ids = [one["id"] for one in walk(draft.components)]
        assert len(set(ids)) == len(ids) <= 40


@given(spoilt(MODAL) | JSON)
def test_modal_is_accepted_or_refused(body: Any) -> None:
    if made := attempted(read_modal, body):
        assert 1 <= len(made["components"]) <= 5


@given(spoilt(COMMAND) | JSON)
def test_command_is_accepted_or_refused(body: Any) -> None:
    if made := attempted(read_command, body):
        assert made["name"]
