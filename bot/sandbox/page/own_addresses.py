"""Protection against other machines, and against other sites open in the same browser."""

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware


def own_addresses_only(port: int) -> Middleware:
    """Return a middleware that refuses any Host or Origin that is not this server's own.

    Otherwise a page of another site could act as a member, directly or by a name that resolves to 127.0.0.1.
    """
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    origins = {f"http://{host}" for host in hosts}

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if request.headers.get("Host", "") not in hosts or (origin is not None and origin not in origins):
            return web.json_response(
                {"error": "This server answers its own page and local programs only."}, status=403
            )
        return await handler(request)

    return check
