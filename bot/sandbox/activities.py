"""The application's Activity: its instances, who is in them, and the OAuth grants of its page."""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import suppress

import aiohttp
from aiohttp import WSMsgType, web

from bot.sandbox import errors
from bot.sandbox.errors import Refused
from bot.sandbox.json_types import Object
from bot.sandbox.world.objects import server_of
from bot.sandbox.world.world import World

SCOPES = "identify"
TOKEN_LIVES = 7 * 24 * 3600
"""Seconds for which an access token is valid."""
_HOP_BY_HOP = ("connection", "transfer-encoding", "content-length", "content-encoding", "host", "origin")


class Activities:
    """One instance in each channel in which a member has opened the Activity.

    `address` is the URL mapping: the http address of the page, without a slash at the end; None without an Activity.
    `secret` is the client secret of the application.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.address: str | None = None
        self.secret = secrets.token_hex(16)
        self._instances: dict[str, Object] = {}
        self._codes: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    def launch(self, channel: Object, user_id: str) -> str:
        """Add a member to the instance of a channel, and return its id. Raises DiscordError without an Activity."""
        if self.address is None:
            raise errors.activities_disabled()
        found = next(
            (one for one in self._instances.values() if one["location"]["channel_id"] == channel["id"]), None
        )
        if found is None:
            id_ = f"i-{self._world.new_id()}-{channel['id']}"
            location = {"id": f"gc-{channel['id']}", "channel_id": channel["id"], "kind": "gc"} | server_of(
                channel
            )
            found = self._instances[id_] = {
                "application_id": self._world.application["id"],
                "instance_id": id_,
                "launch_id": self._world.new_id(),
                "location": location,
                "users": [],
            }
        if user_id not in found["users"]:
            found["users"].append(user_id)
        return str(found["instance_id"])

    def leave(self, instance: str, user_id: str) -> None:
        """Remove a member from an instance, which ends with its last member."""
        found = self._instances.get(instance)
        if found is not None and user_id in found["users"]:
            found["users"].remove(user_id)
            if not found["users"]:
                del self._instances[instance]

    def instance(self, id_: str) -> Object:
        """Return an instance as REST shows it. Raises DiscordError 404."""
        if id_ not in self._instances:
            raise errors.not_found()
        return self._instances[id_]

    def participants(self, id_: str) -> Iterator[Object]:
        """Yield the members in an instance."""
        for user_id in self._instances.get(id_, {"users": []})["users"]:
            yield self._world.users[user_id]

    def authorize(self, instance: str, user_id: str) -> str:
        """Return a code for the page of a member, who consents at once. Raises Refused outside of an instance."""
        if user_id not in self._instances.get(instance, {"users": []})["users"]:
            raise Refused("This member is not in that instance of the activity.", 403)
        code = secrets.token_urlsafe(20)
        self._codes[code] = user_id
        return code

    def exchange(self, form: Object) -> Object:
        """Return an access token for a code, which is used up. Raises DiscordError."""
        if form.get("client_id") != self._world.application["id"] or form.get("client_secret") != self.secret:
            raise errors.unauthorized()
        user_id = self._codes.pop(str(form.get("code")), None)
        if form.get("grant_type") != "authorization_code" or user_id is None:
            raise errors.invalid_grant()
        token = secrets.token_urlsafe(24)
        self._tokens[token] = user_id
        return {"access_token": token, "token_type": "Bearer", "expires_in": TOKEN_LIVES, "scope": SCOPES}

    def user_of(self, authorization: str) -> Object | None:
        """Return the member whose access token a header has, or None."""
        kind, _, token = authorization.partition(" ")
        user_id = self._tokens.get(token) if kind == "Bearer" else None
        return None if user_id is None else self._world.users[user_id]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Fetch a file or a socket of the page, which has the origin of the local Discord, as on discordsays.com."""
        if self.address is None or request.match_info["application"] != self._world.application["id"]:
            raise web.HTTPNotFound
        url = f"{self.address}/{request.match_info['path']}"
        headers = {name: it for name, it in request.headers.items() if name.lower() not in _HOP_BY_HOP}
        try:
            async with aiohttp.ClientSession(auto_decompress=True) as http:
                if request.headers.get("Upgrade", "").lower() == "websocket":
                    return await _socket(request, http, url)
                body = await request.read()
                async with http.request(
                    request.method,
                    url,
                    params=request.query,
                    headers=headers,
                    data=body or None,
                    allow_redirects=False,
                ) as found:
                    kept = {name: it for name, it in found.headers.items() if name.lower() not in _HOP_BY_HOP}
                    return web.Response(status=found.status, body=await found.read(), headers=kept)
        except aiohttp.ClientError:
            return web.Response(status=502, text="The page of the activity does not answer.")


async def _socket(request: web.Request, http: aiohttp.ClientSession, url: str) -> web.WebSocketResponse:
    """Pass the messages of a socket in both directions until one side closes it."""
    async with http.ws_connect(url, max_msg_size=0) as outer:
        inner = web.WebSocketResponse(max_msg_size=0)
        await inner.prepare(request)

        async def back() -> None:
            async for message in outer:
                await _pass(message, inner)
            await inner.close(code=outer.close_code or 1000)

        passing = asyncio.create_task(back())
        try:
            async for message in inner:
                await _pass(message, outer)
        finally:
            await outer.close()
            passing.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await passing
        return inner


async def _pass(
    message: aiohttp.WSMessage, to: aiohttp.ClientWebSocketResponse | web.WebSocketResponse
) -> None:
    if message.type is WSMsgType.TEXT:
        await to.send_str(message.data)
    elif message.type is WSMsgType.BINARY:
        await to.send_bytes(message.data)
