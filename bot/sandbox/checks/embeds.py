"""Embeds: their fields and the pictures that they show."""

from collections.abc import Sequence

from bot.sandbox.checks.fields import Field, Problems, flag, integer, many, nested, text
from bot.sandbox.json_types import Object, Path

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
    """Return the embeds with each `attachment://name` replaced by the address of that file."""
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
