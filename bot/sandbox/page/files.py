"""Serves the files of the page and of messages, and the gateway at the address of the page."""

from pathlib import Path

from aiohttp import web

from bot.sandbox.checks.media import content_type
from bot.sandbox.services import Services

PAGE = Path(__file__).parent / "static"
FRESH = {"Cache-Control": "no-cache"}
POLICY = "default-src 'self'; img-src 'self' data: blob: http: https:; style-src 'self' 'unsafe-inline'"


def add_files(app: web.Application, services: Services) -> None:
    async def root(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await services.gateway.serve(request)
        index = PAGE / "index.html"
        if not index.is_file():
            raise web.HTTPNotFound(text="The page is not installed.")
        return web.FileResponse(index, headers={**FRESH, "Content-Security-Policy": POLICY})

    async def page(request: web.Request) -> web.StreamResponse:
        wanted = (PAGE / request.match_info["name"]).resolve()
        if not wanted.is_relative_to(PAGE.resolve()) or not wanted.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(wanted, headers=FRESH)

    async def attachment(request: web.Request) -> web.StreamResponse:
        id_, name = request.match_info["id"], request.match_info["name"]
        body = services.world.store.file(id_)
        if body is None:
            raise web.HTTPNotFound
        kind = content_type(name, None) or "application/octet-stream"
        # A file is foreign data: it must never run as a page of this address.
        headers = {
            "Content-Type": kind,
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "sandbox",
        }
        return web.Response(body=body, headers=headers | {"Cache-Control": "max-age=31536000, immutable"})

    app.router.add_get("/", root)
    app.router.add_get("/page/{name:.+}", page)
    app.router.add_get("/attachments/{channel}/{id}/{name}", attachment)
    app.router.add_get("/ephemeral-attachments/{application}/{id}/{name}", attachment)
