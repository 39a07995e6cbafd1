"""The server of the page and of its socket."""

import asyncio
import re
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import structlog
from aiohttp import WebSocketError, WSCloseCode, WSMessage, WSMsgType, web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.activity import messages
from bot.activity.connection import FAST, Allowance, Connection
from bot.activity.discord_api import Application, DiscordApi, NotIdentified
from bot.activity.sessions import Sessions
from bot.activity.watching import Watching
from bot.pencilbox import Pencilbox
from bot.startup.http_server import http_server
from db.values.places import DiscordId
from render.engine.fonts import font_file
from render.engine.scene import Face

log = structlog.get_logger()

STATIC = Path(__file__).with_name("static")
LARGEST = 8 * 1024
"""Bytes of a message or a request."""
HEARTBEAT = 20.0
"""Seconds between two pings of a socket; one that does not answer is closed."""
MOST_SOCKETS, MOST_PAGES = 2_000, 5
"""Sockets of all members, and of one."""
PATIENCE = 10.0
"""Seconds within which a socket must send its session."""
FOREIGN = "That page is not this bot's."
INSTANCE = re.compile(r"[0-9A-Za-z_-]{1,100}")


class _Identification(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    code: str = Field(min_length=1, max_length=200)
    instance: str = Field(pattern=INSTANCE.pattern.join("^$"), max_length=100)


class Activity:
    """The page's routes, and the sockets that are open."""

    def __init__(self, bot: Pencilbox, api: DiscordApi) -> None:
        self._bot = bot
        self._api = api
        self._sessions = Sessions(api.application.secret)
        self._watching = Watching(bot.services)
        self._sockets: set[web.WebSocketResponse] = set()
        self._pages: Counter[DiscordId] = Counter()
        self._identifying = Allowance()
        self._page, self._headers = _page(api.application.id)
        self._refusals = bot.page_refusals

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self.page),
            web.get("/fonts/{face}", self.font),
            web.post("/api/session", self.session),
            web.get("/api/socket", self.socket),
        ]

    async def page(self, _: web.Request) -> web.Response:
        answer = web.Response(text=self._page, content_type="text/html", headers=self._headers)
        answer.enable_compression()
        return answer

    async def font(self, request: web.Request) -> web.Response:
        face = _FACES.get(request.match_info["face"])
        if face is None:
            raise web.HTTPNotFound
        answer = web.Response(body=font_file(face), content_type="font/otf", headers=_CACHED)
        answer.enable_compression()
        return answer

    async def session(self, request: web.Request) -> web.Response:
        """Exchange a code of Discord for a session."""
        if self._foreign(request):
            return self._turned_away("origin", FOREIGN, 403)
        if not self._identifying.take():
            return self._turned_away("rate", FAST, 429)
        try:
            asked = _Identification.model_validate_json(await request.text())
            found = await self._api.identify(asked.code, asked.instance)
        except ValidationError:
            return self._turned_away("message", "That is no request of this page; load it again.", 400)
        except NotIdentified as error:
            return self._turned_away("identity", str(error), 403)
        now = self._bot.services.clock.now()
        signed = self._sessions.sign(found.session, now)
        answer = {"session": signed, "token": found.token, "now": now.timestamp()}
        return web.json_response(answer, headers=_HEADERS)

    def _turned_away(self, reason: str, sentence: str, status: int) -> web.Response:
        self._refusals[reason] += 1
        return web.json_response({"error": sentence}, status=status, headers=_HEADERS)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """Talk to a page, whose first message must carry its session."""
        if len(self._sockets) >= MOST_SOCKETS:
            self._refusals["sockets"] += 1
            raise web.HTTPServiceUnavailable
        if self._foreign(request):
            self._refusals["origin"] += 1
            raise web.HTTPForbidden(text=FOREIGN)
        # Boards are compressed once for all who see the same, instead of once for each socket.
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST, compress=False)
        await socket.prepare(request)
        self._sockets.add(socket)
        connection: Connection | None = None
        user: DiscordId | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                opening = await socket.receive()
            first = messages.read(opening.data) if opening.type is WSMsgType.TEXT else None
            session = None
            if isinstance(first, messages.Begin):
                session = self._sessions.read(first.session, self._bot.services.clock.now())
            if not isinstance(first, messages.Begin) or session is None:
                self._refusals["session"] += 1
                await socket.close(code=4001, message=b"session")
                return socket
            if self._pages[session.user] >= MOST_PAGES:
                self._refusals["pages"] += 1
                await socket.close(code=4002, message=b"pages")
                return socket
            self._pages[session.user] += 1
            user = session.user
            bot = self._bot
            connection = Connection(
                socket,
                session,
                bot.services,
                bot.ui_services,
                bot.display,
                self._watching,
                packed=first.packed,
                refusals=self._refusals,
            )
            match = self._touched(user) if first.match is None else first.match
            # Tasks of their own, since the bot waits for the tasks that answer members before it stops.
            await asyncio.create_task(connection.begin(match))
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    self._refusals["size" if _too_big(message) else "message"] += 1
                    break
                # One after the other: a page waits for the answer to what it has sent.
                await asyncio.create_task(connection.receive(messages.read(message.data)))
        except TimeoutError:
            await socket.close(code=4000, message=b"silent")
        finally:
            self._sockets.discard(socket)
            if connection is not None:
                connection.close()
            if user is not None:
                self._pages -= Counter({user: 1})
        return socket

    def _foreign(self, request: web.Request) -> bool:
        """Return True if a browser says that a page of another site sends this request."""
        origin = request.headers.get("Origin")
        own = {request.host, f"{self._api.application.id}.discordsays.com"}
        return origin is not None and urlsplit(origin).netloc not in own

    def _touched(self, user: DiscordId) -> int | None:
        """Return the match at which a member opened the page, or None."""
        touched = self._bot.ui_services.touched_matches
        return None if touched is None else touched.of(user)

    async def end(self) -> None:
        """Close all sockets; the pages connect again."""
        for socket in [*self._sockets]:
            await socket.close(code=1012, message=b"restart")
        await self._watching.end()


def _too_big(message: WSMessage) -> bool:
    return isinstance(message.data, WebSocketError) and message.data.code == WSCloseCode.MESSAGE_TOO_BIG


_FACES = {"title": Face.TITLE, "read": Face.READ}
_HEADERS = {
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_CACHED = {"Cache-Control": "public, max-age=3600", "X-Content-Type-Options": "nosniff"}


def _page(application: DiscordId) -> tuple[str, dict[str, str]]:
    """Return the page of an application as one document, and the headers of its answer.

    The app for iOS refuses modules that the page loads from elsewhere (embedded-app-sdk issue 280).
    """

    def file(name: str) -> str:
        return (STATIC / name).read_text(encoding="utf-8")

    sdk = re.sub(r"export\{(\w+) as DiscordSDK\};", r"return \1;", file("embedded-app-sdk.js"))
    modules = re.sub(r"^(import .*\n|export )", "", file("entry.js") + file("page.js"), flags=re.MULTILINE)
    script = f"const DiscordSDK = (() => {{{sdk}}})();\n{modules}"
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'self'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; frame-ancestors 'self' https://discord.com https://*.discord.com"
    )
    parts = {"CLIENT_ID": str(application), "STYLE": file("page.css"), "SCRIPT": script}
    document = re.sub("|".join(parts), lambda found: parts[found[0]], file("index.html"))
    return document, _HEADERS | {"Content-Security-Policy": policy}


@asynccontextmanager
async def serving(bot: Pencilbox, application: Application, host: str, port: int) -> AsyncIterator[int]:
    """Serve the page as long as the context is open, and return the port. Port 0 takes any free one.

    Raises ConfigError.
    """
    async with aiohttp.ClientSession() as http:
        activity = Activity(bot, DiscordApi(application, http))
        app = web.Application(client_max_size=LARGEST)
        app.add_routes(activity.routes())
        async with http_server(app, host, port, "The Activity", "PENCILBOX_ACTIVITY") as found:
            log.info("activity.started", host=host, port=found)
            try:
                yield found
            finally:
                await activity.end()
