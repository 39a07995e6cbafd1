"""The conversion of HTTP requests to calls of handlers, and of their responses and refusals to HTTP responses."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from aiohttp import BodyPartReader, web

from bot.sandbox import errors
from bot.sandbox.checks.fields import Problems, id_text
from bot.sandbox.checks.media import ATTACHMENT_LIMIT
from bot.sandbox.drafts import Upload
from bot.sandbox.faults import Fault, Planned
from bot.sandbox.json_types import Object
from bot.sandbox.services import Services


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request of the REST API and its response, passed to the Sandbox's `observe` afterwards.

    `method` is in capitals. `route` is the template that matched, such as `/channels/{channel_id}/messages`, or ""
    if none matched. `path` is the percent-decoded part after `/api/v10`, with its leading slash and without the query.
    `request_json` is the body, or the `payload_json` part of a multipart body, or None. `files` are the names of the
    uploaded files in the order of their parts. `response_json` is the body of the response, or None.
    """

    method: str
    route: str
    path: str
    query: Mapping[str, str]
    request_headers: Mapping[str, str]
    request_json: object
    files: tuple[str, ...]
    status: int
    response_json: object


API = "/api/v10"
DONE = (Fault.SLOW, Fault.LATE, Fault.DONE_AND_BAD_GATEWAY, Fault.LOST)
"""The faults of calls that are carried out."""
REFUSALS = {
    Fault.UNAUTHORIZED: errors.unauthorized,
    Fault.FORBIDDEN: errors.missing_access,
    Fault.CLOSED: errors.takes_no_direct_messages,
    Fault.NO_SHARED_SERVER: errors.no_mutual_servers,
    Fault.OPENING_TOO_FAST: errors.opens_too_fast,
    Fault.QUARANTINED: errors.quarantined,
    Fault.MODERATED: errors.moderated,
}
"""The refusals that are the same for every route, by fault."""
LIMITS = {
    Fault.RATE_LIMITED: ("user", 0),
    Fault.RATE_LIMITED_SHARED: ("shared", 0),
    Fault.RATE_LIMITED_GLOBALLY: ("global", 0),
    Fault.RATE_LIMITED_OLD: ("user", 30046),
}
"""The scope and the error code of the rate limits, by fault."""
BAN_PAGE = "<!DOCTYPE html><title>Access denied | discord.com used Cloudflare to restrict access</title>"


@dataclass(frozen=True, slots=True)
class Call:
    """A parsed request. `params` come from the path, `body` is its JSON or its form, or None.

    `user` is the member whose access token was sent instead of the bot's token, or None.
    """

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: tuple[Upload, ...] = ()
    user: Object | None = None

    def number(self, name: str, default: int, most: int) -> int:
        """Return a number of the query, limited to 1 to `most`."""
        given = self.query.get(name, "")
        return max(1, min(int(given), most)) if given.isdecimal() else default

    def id(self, name: str) -> int | None:
        """Return an id of the query, or None if it is absent. Raises DiscordError 50035."""
        if name not in self.query:
            return None
        problems = Problems()
        found = id_text(problems, (name,), self.query[name])
        problems.raise_any()
        return int(found)

    def fields(self) -> dict[str, Any]:
        """Return the body if it is an object, otherwise {}."""
        return self.body if isinstance(self.body, dict) else {}


@dataclass(frozen=True, slots=True)
class Response:
    """A response, whose `body` is JSON or None."""

    status: int
    body: Any = None


NO_CONTENT = Response(204)

Handler: TypeAlias = Callable[[Services, Call], Response]
"""A function that carries out a request in one transaction and without waiting."""
Observer: TypeAlias = Callable[[Exchange], None]
Served: TypeAlias = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """`template` is the path after the API's version. `token` is True if the route needs the bot's token.

    With `bearer`, the access token of a member is accepted instead.
    """

    method: str
    template: str
    handler: Handler
    token: bool = True
    bearer: bool = False


@dataclass(slots=True)
class Routes:
    """The routes of a module, collected by using it as a decorator."""

    _routes: list[Route] = field(default_factory=list)

    def __call__(
        self, method: str, *templates: str, token: bool = True, bearer: bool = False
    ) -> Callable[[Handler], Handler]:
        def add(handler: Handler) -> Handler:
            self._routes.extend(Route(method, template, handler, token, bearer) for template in templates)
            return handler

        return add

    def __iter__(self) -> Iterator[Route]:
        return iter(self._routes)


def serve(route: Route, services: Services, observe: Observer | None) -> Served:
    """Return the HTTP handler of a route."""

    async def handle(request: web.Request) -> web.Response:
        if services.faults.delay:
            await asyncio.sleep(services.faults.delay)
        planned = services.faults.take(request.method, route.template)
        if planned is not None and planned.fault is Fault.SLOW:
            await asyncio.sleep(planned.seconds)
        elif planned is not None and planned.fault not in DONE:
            return _fail(request, planned, route)
        if route.token and (wait := services.limit.wait()) is not None:
            return _too_many(wait, "global")
        call = Call(dict(request.match_info), dict(request.query), None)
        authorization = request.headers.get("Authorization", "")
        user = services.activities.user_of(authorization) if route.bearer else None
        try:
            if route.token and user is None and not services.gateway.may_log_in(authorization):
                raise errors.unauthorized()
            call = replace(await _read(request), user=user)
            with services.world.store.transaction():
                response = route.handler(services, call)
        except errors.DiscordError as refusal:
            response = Response(refusal.status, refusal.body)
        except errors.RateLimited as limited:
            return _too_many(limited.wait, "user", limited.code)
        if observe is not None:
            observe(_exchange(request, route.template, call, response))
        if planned is not None and planned.fault is Fault.LOST:
            return _cut(request)
        if planned is not None and planned.fault is Fault.DONE_AND_BAD_GATEWAY:
            return _broken(502)
        if planned is not None and planned.fault is Fault.LATE:
            await asyncio.sleep(planned.seconds)
        return _http_response(response)

    return handle


def unknown(observe: Observer | None) -> Served:
    """Return the HTTP handler of all addresses of the API that are not a route."""

    async def handle(request: web.Request) -> web.Response:
        response = Response(404, errors.not_found().body)
        if observe is not None:
            observe(_exchange(request, "", Call({}, dict(request.query), None), response))
        return _http_response(response)

    return handle


def _http_response(response: Response) -> web.Response:
    if response.body is None:
        return web.Response(status=response.status)
    # A text body would add a charset to the content type, which discord.py does not accept as JSON.
    return web.Response(
        status=response.status, body=json.dumps(response.body).encode(), content_type="application/json"
    )


def _exchange(request: web.Request, template: str, call: Call, response: Response) -> Exchange:
    return Exchange(
        method=request.method,
        route=template,
        path=request.path.removeprefix(API),
        query=call.query,
        request_headers=dict(request.headers),
        request_json=call.body,
        files=tuple(upload.name for upload in call.uploads),
        status=response.status,
        response_json=json.loads(json.dumps(response.body)),
    )


async def _read(request: web.Request) -> Call:
    params, query = dict(request.match_info), dict(request.query)
    if request.content_type == "multipart/form-data":
        body, uploads = await _multipart(request)
        return Call(params, query, body, tuple(uploads))
    if request.content_type == "application/x-www-form-urlencoded":
        return Call(params, query, {name: str(it) for name, it in (await request.post()).items()})
    raw = await request.read()
    return Call(params, query, _parse(raw) if raw else None)


async def _multipart(request: web.Request) -> tuple[Any, list[Upload]]:
    body: Any = None
    uploads: list[Upload] = []
    try:
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            if part.name == "payload_json":
                body = _parse(bytes(await part.read()))
            elif part.name is not None and part.filename is not None:
                uploads.append(await _upload(part, part.name, part.filename))
    except ValueError as error:
        raise errors.bad_json() from error
    return body, uploads


async def _upload(part: BodyPartReader, name: str, filename: str) -> Upload:
    data = bytearray()
    while chunk := await part.read_chunk(1 << 16):
        data += chunk
        if len(data) > ATTACHMENT_LIMIT:
            raise errors.too_large()
    number = name.removeprefix("files[").removesuffix("]")
    return Upload(number, filename, part.headers.get("Content-Type"), bytes(data))


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise errors.bad_json() from error


def _fail(request: web.Request, planned: Planned, route: Route) -> web.Response:
    match planned.fault:
        case Fault.BANNED:
            return web.Response(status=429, text="error code: 1015")
        case Fault.BANNED_BY_PAGE:
            return web.Response(status=429, text=BAN_PAGE, content_type="text/html")
        case Fault.RATE_LIMITED_UNTIMED:
            body = {"message": "The resource is being rate limited.", "code": 0, "global": False}
            return _with_via(Response(429, body))
        case Fault.NOT_FOUND:
            return _refused(
                errors.unknown_message() if "/messages/" in route.template else errors.unknown_channel()
            )
        case Fault.BAD_GATEWAY | Fault.UNAVAILABLE:
            return _broken(502 if planned.fault is Fault.BAD_GATEWAY else 503)
    if planned.fault in LIMITS:
        return _too_many(planned.seconds, *LIMITS[planned.fault])
    if planned.fault in REFUSALS:
        return _refused(REFUSALS[planned.fault]())
    return _cut(request)


def _broken(status: int) -> web.Response:
    return web.Response(status=status, text="upstream connect error")


def _refused(error: errors.DiscordError) -> web.Response:
    return _http_response(Response(error.status, error.body))


def _too_many(wait: float, scope: str, code: int = 0) -> web.Response:
    body = {"message": "You are being rate limited.", "retry_after": wait, "global": scope == "global"}
    response = _with_via(Response(429, body | {"code": code}))
    response.headers["Retry-After"] = str(max(1, round(wait)))
    response.headers["X-RateLimit-Scope"] = scope
    if scope == "global":
        response.headers["X-RateLimit-Global"] = "true"
    return response


def _with_via(limited: Response) -> web.Response:
    """Return a response with the header Via. discord.py treats a 429 without Via as a ban and does not retry."""
    response = _http_response(limited)
    response.headers["Via"] = "1.1 local"
    return response


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
