"""Files that members give to a command's option: kept for a day, and visible to the bot alone."""

import re
from typing import Any

from aiohttp import BodyPartReader, web

from bot.sandbox.checks.media import ATTACHMENT_LIMIT, content_type, picture_size
from bot.sandbox.errors import Refused
from bot.sandbox.json_types import Object
from bot.sandbox.world.world import World

LONGEST_NAME = 255
"""The largest number of characters in a file's name."""


async def upload(world: World, request: web.Request, member: str) -> Object:
    """Store the uploaded file; return it as an attachment, whose id a command's option takes. Raises Refused."""
    name, declared, data = await _file(request)
    if not name or len(name) > LONGEST_NAME:
        raise Refused(f"A file's name has 1 to {LONGEST_NAME} characters.")
    with world.store.transaction():
        world.forget_old_uploads()
        id_ = world.new_id()
        safe = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
        url = f"{world.address}/ephemeral-attachments/{world.application['id']}/{id_}/{safe}"
        made: Object = {"id": id_, "filename": safe, "size": len(data), "url": url, "proxy_url": url}
        made["ephemeral"] = True
        if kind := content_type(safe, declared):
            made["content_type"] = kind
        if size := picture_size(data):
            made["width"], made["height"] = size
        world.put_upload(member, made, data)
    return made


async def _file(request: web.Request) -> tuple[str, str | None, bytes]:
    """Return the name, media type and bytes of the multipart field `file`."""
    if request.content_type != "multipart/form-data":
        raise Refused("A file must be sent as multipart/form-data with a field `file`.")
    try:
        async for part in await request.multipart():
            if isinstance(part, BodyPartReader) and part.name == "file":
                return part.filename or "", part.headers.get("Content-Type"), await _whole(part)
    except ValueError:
        raise Refused("The multipart body cannot be read.") from None
    raise Refused("The multipart body has no field `file`.")


async def _whole(part: Any) -> bytes:
    data = bytearray()
    while chunk := await part.read_chunk(1 << 16):
        data += chunk
        if len(data) > ATTACHMENT_LIMIT:
            raise Refused(f"A file has {ATTACHMENT_LIMIT // 1024**2} MiB at most.", 413)
    return bytes(data)
