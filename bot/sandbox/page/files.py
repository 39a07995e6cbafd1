"""The files of the page and of messages, and the files that members upload for commands."""

import hashlib
import re
from pathlib import Path
from typing import Any

from aiohttp import BodyPartReader, web

from bot.sandbox.checks.media import ATTACHMENT_LIMIT, content_type, picture_size
from bot.sandbox.errors import Refused
from bot.sandbox.json_types import Object
from bot.sandbox.services import Services
from bot.sandbox.world.world import World

STATIC = Path(__file__).parent / "static"
FRESH = {"Cache-Control": "no-cache"}
FOR_EVER = {"Cache-Control": "max-age=31536000, immutable"}
FOREIGN = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
"""Headers of uploaded files, which must never run as a page of this server."""
POLICY = "default-src 'self'; img-src 'self' data: blob: http: https:; style-src 'self' 'unsafe-inline'"


def add_files(app: web.Application, services: Services) -> None:
    current = version()

    async def root(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await services.gateway.serve(request)
        # The files of each version have their own addresses, so that browsers can cache them without limit.
        nonlocal current
        current = version()
        index = (STATIC / "index.html").read_text(encoding="utf-8").replace("/page/", f"/page/{current}/")
        headers = {**FRESH, "Content-Security-Policy": POLICY}
        return web.Response(text=index, content_type="text/html", headers=headers)

    async def page(request: web.Request) -> web.StreamResponse:
        wanted = (STATIC / request.match_info["name"]).resolve()
        if not wanted.is_relative_to(STATIC.resolve()) or not wanted.is_file():
            raise web.HTTPNotFound
        keep = request.match_info.get("version") == current
        return web.FileResponse(wanted, headers=FOR_EVER if keep else FRESH)

    async def attachment(request: web.Request) -> web.StreamResponse:
        id_, name = request.match_info["id"], request.match_info["name"]
        body = services.world.store.file(id_)
        if body is None:
            raise web.HTTPNotFound
        kind = content_type(name, None) or "application/octet-stream"
        return web.Response(body=body, headers={"Content-Type": kind, **FOREIGN, **FOR_EVER})

    async def emoji(request: web.Request) -> web.StreamResponse:
        id_ = request.match_info["id"]
        body = services.world.store.file(id_) if services.world.store.get("emoji", id_) else None
        if body is None:
            raise web.HTTPNotFound
        return web.Response(body=body, headers={"Content-Type": "image/png", **FOREIGN, **FOR_EVER})

    app.router.add_get("/", root)
    app.router.add_get("/page/{version:v-[0-9a-f]+}/{name:.+}", page)
    app.router.add_get("/page/{name:.+}", page)
    app.router.add_get("/attachments/{channel}/{id}/{name}", attachment)
    app.router.add_get("/emojis/{id}.png", emoji)
    app.router.add_get("/ephemeral-attachments/{application}/{id}/{name}", attachment)


def version() -> str:
    """Return a name that changes whenever a file of the page changes."""
    files = sorted((str(path), path.stat()) for path in STATIC.rglob("*") if path.is_file())
    seen = [(path, stat.st_mtime_ns, stat.st_size) for path, stat in files]
    return f"v-{hashlib.sha256(repr(seen).encode()).hexdigest()[:16]}"


LONGEST_NAME = 255
"""The largest number of characters in a file's name."""


async def upload(world: World, request: web.Request, member: str) -> Object:
    """Store the uploaded file, and return the attachment, whose id is the value of an option. Raises Refused."""
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
