"""Drafts: the contents of a new or edited message, checked and ready to be stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.checks import components
from bot.sandbox.checks.components import walk
from bot.sandbox.checks.fields import (
    Field,
    Problems,
    flag,
    id_text,
    integer,
    many,
    nested,
    number,
    one_of,
    read,
    strings,
    text,
)
from bot.sandbox.checks.media import content_type, picture_size
from bot.sandbox.errors import empty_message
from bot.sandbox.json_types import Object, Path
from bot.sandbox.world.records import EPHEMERAL, IS_COMPONENTS_V2, SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS

IMAGE = nested({"url": Field(text(1, 2048), required=True)})
EMBED = nested(
    {
        "title": Field(text(0, 256)),
        "description": Field(text(0, 4096)),
        "url": Field(text(0, 2048)),
        "timestamp": Field(text(0, 64)),
        "color": Field(integer(0, 0xFFFFFF)),
        "footer": Field(
            nested({"text": Field(text(1, 2048), required=True), "icon_url": Field(text(0, 2048))})
        ),
        "image": Field(IMAGE),
        "thumbnail": Field(IMAGE),
        "author": Field(
            nested(
                {
                    "name": Field(text(1, 256), required=True),
                    "url": Field(text(0, 2048)),
                    "icon_url": Field(text(0, 2048)),
                }
            )
        ),
        "fields": Field(
            many(
                nested(
                    {
                        "name": Field(text(1, 256), required=True),
                        "value": Field(text(1, 1024), required=True),
                        "inline": Field(flag, default=False),
                    }
                ),
                0,
                25,
            )
        ),
    }
)


def referenced(url: str, files: Sequence[Object]) -> Object | None:
    """Return the attachment for `attachment://name` or for its own address, or None."""
    name = url.removeprefix("attachment://") if url.startswith("attachment://") else None
    return next((file for file in files if file["url"] == url or file["filename"] == name), None)


def with_pictures(
    problems: Problems, path: Path, embeds: list[Object], files: Sequence[Object]
) -> list[Object]:
    """Replace each `attachment://name` in the embeds by the address of the file, and return the embeds."""
    for place, embed in enumerate(embeds):
        embed["type"] = "rich"
        for part, key in (
            ("image", "url"),
            ("thumbnail", "url"),
            ("footer", "icon_url"),
            ("author", "icon_url"),
        ):
            url = embed.get(part, {}).get(key)
            if url is None:
                continue
            file = referenced(url, files)
            if file is not None:
                embed[part][key] = file["url"]
                if key == "url":
                    embed[part] |= {name: file[name] for name in ("width", "height") if name in file}
            elif url.startswith("attachment://"):
                at = (*path, "embeds", place, part, key)
                problems.add(
                    at, "EMBED_REFERENCED_ATTACHMENT_NOT_FOUND", f"The attachment {url} was not sent"
                )
            embed[part]["proxy_url" if key == "url" else "proxy_icon_url"] = embed[part][key]
    if sum(len(words) for embed in embeds for words in _words(embed)) > 6000:
        problems.add((*path, "embeds"), "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
    return embeds


def _words(embed: Object) -> list[str]:
    fields = [field.get(key, "") for field in embed.get("fields", []) for key in ("name", "value")]
    ends = [embed.get("footer", {}).get("text", ""), embed.get("author", {}).get("name", "")]
    return [embed.get("title", ""), embed.get("description", ""), *fields, *ends]


MOST_FILES = 10
SETTABLE = EPHEMERAL | IS_COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS | SUPPRESS_EMBEDS
"""Flags that a request may set; only the server sets the others."""


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file. `part` is the n of its multipart field `files[n]`."""

    part: str
    name: str
    content_type: str | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """The contents of a message.

    `flags` are those that a request may set. `files` are all attachments of the message, and `uploads` are the new
    attachments by id.
    """

    content: str = ""
    embeds: list[Object] = field(default_factory=list)
    components: list[Object] = field(default_factory=list)
    flags: int = 0
    files: list[Object] = field(default_factory=list)
    uploads: dict[str, Upload] = field(default_factory=dict)
    allowed_mentions: Object | None = None
    reference: Object | None = None

    @property
    def shown(self) -> list[Object]:
        """The attachments that no embed and no component shows, which the message lists."""
        used = set(strings(self.embeds)) | set(strings(self.components))
        return [file for file in self.files if file["url"] not in used]


ATTACHMENT = nested(
    {
        "id": Field(id_text, required=True),
        "filename": Field(text(1, 1024)),
        "description": Field(text(0, 1024)),
        "title": Field(text(0, 1024)),
        "duration_secs": Field(number),
        "waveform": Field(text(0, 400)),
    }
)
ALLOWED_MENTIONS = nested(
    {
        "parse": Field(many(one_of("users", "roles", "everyone"), 0, 3)),
        "users": Field(many(id_text, 0, 100)),
        "roles": Field(many(id_text, 0, 100)),
        "replied_user": Field(flag),
    }
)
REFERENCE = nested(
    {
        "message_id": Field(id_text, required=True),
        "channel_id": Field(id_text),
        "guild_id": Field(id_text),
        "fail_if_not_exists": Field(flag),
        "type": Field(integer(0, 1)),
    }
)
FIELDS = {
    "content": Field(text(0, 2000)),
    "flags": Field(integer(0, 2**31 - 1)),
    "embeds": Field(many(EMBED, 0, 10)),
    "attachments": Field(many(ATTACHMENT, 0, MOST_FILES)),
    "allowed_mentions": Field(ALLOWED_MENTIONS),
    "message_reference": Field(REFERENCE),
    "tts": Field(flag),
}


@dataclass(frozen=True, slots=True)
class DraftReader:
    """A reader of drafts from requests.

    `new_id` creates the ids of attachments, and `attachment_url(id, name)` their addresses. `private` is True if a new
    message may be ephemeral.
    """

    new_id: Callable[[], str]
    attachment_url: Callable[[str, str], str]
    private: bool = False

    def read(
        self, body: Any, uploads: Sequence[Upload] = (), *,
        path: Path = (), before: Object | None = None, kept: Sequence[Object] = (),
    ) -> Draft:  # fmt: skip
        """Check `body`, which is at `path` of the request, and return the draft.

        For an edit, `before` is the message's body and `kept` are its attachments. Fields that the request does not
        name stay unchanged. Raises DiscordError: 50035 with all problems, 50006 for an empty message.
        """
        problems = Problems()
        given = read(problems, path, body, FIELDS)
        body = body if isinstance(body, dict) else {}
        was = before or {"flags": 0, "content": "", "embeds": [], "components": []}
        flags = self._flags(given, before)
        v2 = bool(flags & IS_COMPONENTS_V2)
        files, fresh = self._files(problems, path, given, body, uploads, kept)

        def media(problems: Problems, at: Path, url: str) -> Object:
            return self._media(problems, at, url, files)

        rows = was["components"]
        if "components" in body:
            rows = components.message_components(
                problems, (*path, "components"), body["components"] or [], v2=v2, media=media
            )
            for one in walk(rows):
                if one["type"] == components.FILE:
                    _name_file(one, files)
        if v2:
            _no_legacy(problems, path, body, was)
        embeds = (
            with_pictures(problems, path, given.get("embeds", []), files)
            if "embeds" in body
            else was["embeds"]
        )
        _exclusive_mentions(problems, path, given.get("allowed_mentions"))
        problems.raise_any()
        content = (given.get("content", "") if "content" in body else was["content"]).strip()
        draft = Draft(
            content="" if v2 else content,
            embeds=[] if v2 else embeds,
            components=rows,
            flags=flags,
            files=files,
            uploads=fresh,
            allowed_mentions=given.get("allowed_mentions"),
            reference=given.get("message_reference"),
        )
        if not (draft.content or draft.embeds or draft.components or draft.files):
            raise empty_message()
        return draft

    def _flags(self, given: Object, before: Object | None) -> int:
        """Return the flags of the message.

        An edit cannot change EPHEMERAL and SUPPRESS_NOTIFICATIONS. It can set IS_COMPONENTS_V2, but not clear it.
        """
        asked = given.get("flags", 0)
        if before is None:
            return int(asked & (SETTABLE if self.private else SETTABLE & ~EPHEMERAL))
        kept = before["flags"] & (SETTABLE if "flags" not in given else SETTABLE & ~SUPPRESS_EMBEDS)
        return int(kept | asked & (SUPPRESS_EMBEDS | IS_COMPONENTS_V2))

    def _files(
        self,
        problems: Problems,
        path: Path,
        given: Object,
        body: Object,
        uploads: Sequence[Upload],
        kept: Sequence[Object],
    ) -> tuple[list[Object], dict[str, Upload]]:
        """Return the attachments that the message will have, and the new ones by id."""
        about = {one.get("id"): one for one in given.get("attachments", [])}
        files = [dict(file) for file in kept if "attachments" not in body or file["id"] in about]
        for file in files:
            if "description" in about.get(file["id"], {}):
                file["description"] = about[file["id"]]["description"]
        fresh: dict[str, Upload] = {}
        for upload in uploads:
            said = about.get(upload.part, {})
            file = self._attachment(upload, said)
            files.append(file)
            fresh[file["id"]] = upload
        there = {file["id"] for file in kept} | {upload.part for upload in uploads}
        for place, one in enumerate(given.get("attachments", [])):
            if one.get("id") not in there:
                at = (*path, "attachments", place, "id")
                problems.add(
                    at, "ATTACHMENT_NOT_FOUND", "There is no such attachment and no such uploaded file"
                )
        if len(files) > MOST_FILES:
            problems.add(
                (*path, "attachments"), "BASE_TYPE_MAX_LENGTH", f"Must be {MOST_FILES} or fewer in length."
            )
        return files, fresh

    def _attachment(self, upload: Upload, said: Object) -> Object:
        id_ = self.new_id()
        name = said.get("filename", upload.name).replace(" ", "_").replace("/", "_")
        url = self.attachment_url(id_, name)
        file: Object = {"id": id_, "filename": name, "size": len(upload.data), "url": url, "proxy_url": url}
        if kind := content_type(name, upload.content_type):
            file["content_type"] = kind
        if size := picture_size(upload.data):
            file["width"], file["height"] = size
        return file | {
            key: said[key] for key in ("description", "title", "duration_secs", "waveform") if key in said
        }

    def _media(self, problems: Problems, path: Path, url: str, files: Sequence[Object]) -> Object:
        file = referenced(url, files)
        if url.startswith("attachment://") and file is None:
            problems.add(
                path,
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                f"The referenced attachment {url} was not sent with the message",
            )
            return {}
        if file is None:
            if not url.startswith(("http://", "https://")):
                problems.add(
                    path, "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https', 'attachment')."
                )
            return {"id": self.new_id(), "url": url, "proxy_url": url}
        item = {"id": file["id"], "url": file["url"], "proxy_url": file["url"], "attachment_id": file["id"]}
        return item | {key: file[key] for key in ("width", "height", "content_type") if key in file}


def _name_file(component: Object, files: Sequence[Object]) -> None:
    """Fill in the name and size of a file component from the attachment that it shows."""
    file = next((file for file in files if file["url"] == component.get("file", {}).get("url")), None)
    if file is not None:
        component |= {"name": file["filename"], "size": file["size"]}


def _no_legacy(problems: Problems, path: Path, body: Object, was: Object) -> None:
    """Check that a V2 message has no content and no embeds, neither from the request nor from before."""
    for name in ("content", "embeds"):
        if body.get(name, was[name]):
            problems.add(
                (*path, name),
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _exclusive_mentions(problems: Problems, path: Path, allowed: Object | None) -> None:
    for name in ("users", "roles"):
        if allowed and allowed.get(name) and name in allowed.get("parse", []):
            problems.add(
                (*path, "allowed_mentions"),
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.',
            )
