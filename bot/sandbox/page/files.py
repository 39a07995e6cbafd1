"""Serves the files of the page and of messages, and the gateway at the address of the page."""

import hashlib
from pathlib import Path

from aiohttp import web

from bot.sandbox.checks.media import content_type
from bot.sandbox.services import Services

STATIC = Path(__file__).parent / "static"
FRESH = {"Cache-Control": "no-cache"}
FOR_EVER = {"Cache-Control": "max-age=31536000, immutable"}
FOREIGN = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
"""For files of others, which must never run as a page of this address."""
POLICY = "default-src 'self'; img-src 'self' data: blob: http: https:; style-src 'self' 'unsafe-inline'"


def add_files(app: web.Application, services: Services) -> None:
    current = version()

    async def root(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await services.gateway.serve(request)
        # The files of each version have their own addresses, so that a browser loads each file only once.
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
    """Return a text that changes when a file of the page changes."""
    files = sorted((str(path), path.stat()) for path in STATIC.rglob("*") if path.is_file())
    seen = [(path, stat.st_mtime_ns, stat.st_size) for path, stat in files]
    return f"v-{hashlib.sha256(repr(seen).encode()).hexdigest()[:16]}"
