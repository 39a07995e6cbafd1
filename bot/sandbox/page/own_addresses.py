"""Only the machine itself is served, and no other site's page in its browser."""

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware


def own_addresses_only(port: int) -> Middleware:
    """A middleware that refuses a Host, or an Origin, that is not this server's own: a page elsewhere could otherwise
    act as a member, directly or through a name that it lets point to 127.0.0.1."""
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
