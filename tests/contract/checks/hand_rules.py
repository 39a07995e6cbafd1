"""Discord's rules for messages, modals and suggestions that its description leaves out."""

from collections.abc import Iterator, Set
from typing import Any

from tests.contract.checks import components
from tests.contract.checks.components import (
    MOST_COMPONENTS,
    MOST_ROWS,
    MOST_TEXT,
    V2_ONLY,
    Kind,
    Placed,
    objects,
    too_long,
    tree,
)
from tests.contract.checks.findings import Finding, child

IS_COMPONENTS_V2 = 1 << 15
_MOST_LABELS = 5
_MOST_EMBED_TEXT = 6000
_NOT_IN_V2 = ("content", "embeds", "stickers", "sticker_ids", "poll")
_CONTENT = ("content", "embeds", "components", "attachments", "sticker_ids", "poll", "message_reference")
_ATTACHMENT = "attachment://"


def created(body: dict[str, Any], files: tuple[str, ...]) -> Iterator[Finding]:
    """Check a message that is to be sent, with the names of the files that are sent with it."""
    if not files and not any(body.get(field) for field in _CONTENT):
        yield Finding("", "the message is empty")
    yield from _message(body, _has_v2_flag(body.get("flags")))
    yield from _files(body, files, set(files))


def edited(body: dict[str, Any], files: tuple[str, ...], after: dict[str, Any] | None) -> Iterator[Finding]:
    """Check an edit. `after` is the message after it, if known: fields that an edit leaves out stay."""
    flags = body.get("flags", after.get("flags") if after else None)
    v2 = any(map(_is_v2, tree(body.get("components"), ""))) if flags is None else _has_v2_flag(flags)
    yield from _message(body, v2)
    if after is not None:
        yield from _files(body, files, {*files, *_names_of_files(after)})


def answered(message: dict[str, Any]) -> Iterator[Finding]:
    """Check a message in an answer: it obeys the rules for sending, and the addresses of its files are resolved."""
    yield from _message(message, _has_v2_flag(message.get("flags")))
    for at, _ in _references(message, ""):
        yield Finding(at, "still refers to an attachment, where the address of the file belongs")


def modal(body: dict[str, Any]) -> Iterator[Finding]:
    """Check a modal that is to be opened."""
    whole = Placed("", body)
    yield from too_long(whole, {"title": 45, "custom_id": 100})
    top = objects(body.get("components"), "/components")
    if len(top) > _MOST_LABELS:
        yield Finding("/components", f"a modal holds at most {_MOST_LABELS} labels, these are {len(top)}")
    found = list(tree(body.get("components"), "/components"))
    yield from components.wrong(found)
    yield from _text_in_all(found)


def choices(body: dict[str, Any]) -> Iterator[Finding]:
    """Check the suggestions of an autocomplete answer."""
    found = objects(body.get("choices"), "/choices")
    if len(found) > 25:
        yield Finding("/choices", f"at most 25 choices are shown, these are {len(found)}")
    for choice in found:
        yield from too_long(choice, {"name": 100, "value": 100})


def _message(body: dict[str, Any], v2: bool) -> Iterator[Finding]:
    found = list(tree(body.get("components"), "/components"))
    yield from components.wrong(found)
    yield from _layout(found, body, v2)
    yield from _text_in_all(found)
    yield from too_long(Placed("", body), {"content": 2000})
    for attachment in objects(body.get("attachments"), "/attachments"):
        yield from too_long(attachment, {"description": 1024})
    embeds = objects(body.get("embeds"), "/embeds")
    letters = sum(len(text) for embed in embeds for text in _texts_of_embed(embed.body))
    if letters > _MOST_EMBED_TEXT:
        yield Finding("/embeds", f"{letters} characters in total, at most {_MOST_EMBED_TEXT} may stand here")
    yield from _mentions(body.get("allowed_mentions"))


def _layout(found: list[Placed], body: dict[str, Any], v2: bool) -> Iterator[Finding]:
    if v2:
        if len(found) > MOST_COMPONENTS:
            yield Finding(
                "/components", f"at most {MOST_COMPONENTS} nested components, these are {len(found)}"
            )
        for field in _NOT_IN_V2:
            if body.get(field):
                yield Finding(child("", field), "a message with the flag IS_COMPONENTS_V2 has no such thing")
        return
    for placed in found:
        if _is_v2(placed):
            yield Finding(placed.at, f"a component of type {placed.kind} needs the flag IS_COMPONENTS_V2")
    rows = [placed for placed in found if placed.kind == Kind.ROW]
    if len(rows) > MOST_ROWS:
        yield Finding("/components", f"a message holds at most {MOST_ROWS} rows, these are {len(rows)}")


def _text_in_all(found: list[Placed]) -> Iterator[Finding]:
    texts = (placed.body.get("content") for placed in found if placed.kind == Kind.TEXT_DISPLAY)
    letters = sum(len(text) for text in texts if isinstance(text, str))
    if letters > MOST_TEXT:
        yield Finding(
            "/components", f"{letters} characters of text, at most {MOST_TEXT} in total may stand here"
        )


def _files(body: dict[str, Any], files: tuple[str, ...], known: Set[str]) -> Iterator[Finding]:
    for at, name in _references(body, ""):
        if name not in known:
            yield Finding(at, f"no file named {name!r} is sent")
    for attachment in objects(body.get("attachments"), "/attachments"):
        number = str(attachment.body.get("id", ""))
        is_index = number.isdecimal() and len(number) < 3  # a longer one is the id of a file that stays
        if is_index and int(number) >= len(files):
            yield Finding(
                child(attachment.at, "id"), f"no file has the number {number}, {len(files)} are sent"
            )


def _mentions(allowed: object) -> Iterator[Finding]:
    if not isinstance(allowed, dict):
        return
    for kind in ("users", "roles"):
        if allowed.get(kind) and kind in (allowed.get("parse") or ()):
            yield Finding(f"/allowed_mentions/{kind}", f"cannot stand beside {kind!r} in parse")


def _references(value: object, at: str) -> Iterator[tuple[str, str]]:
    """Yield the places of `attachment://` addresses anywhere below, with the names of their files."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "url" and isinstance(inner, str) and inner.startswith(_ATTACHMENT):
                yield child(at, key), inner.removeprefix(_ATTACHMENT)
            yield from _references(inner, child(at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _references(inner, child(at, index))


def _names_of_files(value: object) -> Iterator[str]:
    """Yield the last part of every address in a message: the names of files that an edit may keep."""
    if isinstance(value, dict):
        address = value.get("url")
        if isinstance(address, str):
            yield address.partition("?")[0].rpartition("/")[2]
        for inner in value.values():
            yield from _names_of_files(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names_of_files(inner)


def _texts_of_embed(embed: dict[str, Any]) -> Iterator[str]:
    author, footer = embed.get("author") or {}, embed.get("footer") or {}
    yield from (str(embed.get(field) or "") for field in ("title", "description"))
    yield from (str(author.get("name") or ""), str(footer.get("text") or ""))
    for field in objects(embed.get("fields"), ""):
        yield from (str(field.body.get("name") or ""), str(field.body.get("value") or ""))


def _is_v2(placed: Placed) -> bool:
    return placed.kind in V2_ONLY


def _has_v2_flag(flags: object) -> bool:
    return isinstance(flags, int) and bool(flags & IS_COMPONENTS_V2)
