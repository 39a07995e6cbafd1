"""The host's side of an Activity: its instances, its OAuth grants and its page below the local Discord's address."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from bot.sandbox import Sandbox
from tests.contract.player import Player
from tests.sandbox.raw_bot import RawBot, asked

SECRET = "secret"


@pytest.fixture
async def page() -> AsyncIterator[str]:
    """A page with a file and a socket that sends back what it gets; its address."""

    async def hello(request: web.Request) -> web.Response:
        return web.Response(text=f"hello {request.query.get('name')}", headers={"X-Own": "yes"})

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(f"{message.data}!")
        return socket

    app = web.Application()
    app.add_routes([web.get("/", hello), web.get("/socket", echo)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def launched(raw: RawBot, player: Player) -> tuple[int, Any, Any]:
    """Answer a command by opening the Activity; return the status, Discord's answer, and what the member sees."""
    told, waiting = await asked(raw, player.command("ask"))
    status, answer = await raw.answer(told, 12)
    if status != 200:
        await raw.answer(told, 4, {"content": "x"})
    return status, answer, await waiting


async def test_answer_opens_one_instance_for_each_channel(
    local: Sandbox, raw: RawBot, ada: Player, grace: Player, page: str
) -> None:
    local.enable_activities(page, SECRET)
    status, answer, seen = await launched(raw, ada)
    assert (status, seen["outcome"]) == (200, "activity")
    assert answer["interaction"]["activity_instance_id"] == seen["instance"]
    _, _, again = await launched(raw, grace)
    assert again["instance"] == seen["instance"]
    path = f"/applications/{raw.application}/activity-instances/{seen['instance']}"
    status, instance = await raw.call("GET", path)
    assert (status, instance["users"]) == (200, [ada.id, grace.id])
    assert instance["location"]["channel_id"] == raw.general
    for player in (ada, grace):
        await player.post("activity/leave", instance=seen["instance"])
    assert (await raw.call("GET", path))[0] == 404


async def test_without_an_activity_nothing_opens(raw: RawBot, ada: Player) -> None:
    status, refusal, seen = await launched(raw, ada)
    assert (status, refusal["message"]) == (400, "Activities are not enabled for this application.")
    assert seen["outcome"] == "message"


async def test_code_is_worth_one_token_of_its_member(
    local: Sandbox, raw: RawBot, ada: Player, page: str
) -> None:
    local.enable_activities(page, SECRET)
    _, _, seen = await launched(raw, ada)
    code = (await ada.post("activity/authorize", instance=seen["instance"]))["code"]
    form = {
        "client_id": raw.application,
        "client_secret": SECRET,
        "grant_type": "authorization_code",
        "code": code,
    }
    url = f"{local.url}/api/v10/oauth2/token"
    async with raw.session.post(url, data=form | {"client_secret": "guessed"}) as answer:
        assert answer.status == 401
    async with raw.session.post(url, data=form) as answer:
        token = (await answer.json())["access_token"]
    async with raw.session.post(url, data=form) as answer:
        assert (answer.status, (await answer.json())["message"]) == (400, 'Invalid "code" in request.')
    bearer = {"Authorization": f"Bearer {token}"}
    async with raw.session.get(f"{local.url}/api/v10/users/@me", headers=bearer) as answer:
        assert (await answer.json())["id"] == ada.id
    assert (await ada.post("activity/authenticate", token=token))["id"] == ada.id


async def test_page_and_its_socket_have_the_address_of_the_local_discord(
    local: Sandbox, raw: RawBot, page: str
) -> None:
    local.enable_activities(page, SECRET)
    base = f"{local.url}/activity/{raw.application}"
    async with raw.session.get(f"{base}/?name=Ada") as answer:
        assert (await answer.text(), answer.headers["X-Own"]) == ("hello Ada", "yes")
    async with raw.session.ws_connect(f"{base}/socket") as socket:
        await socket.send_str("hi")
        assert await socket.receive_str() == "hi!"
    async with raw.session.get(f"{local.url}/activity/1/") as answer:
        assert answer.status == 404
    local.enable_activities("http://127.0.0.1:9", SECRET)
    async with raw.session.get(f"{base}/") as answer:
        assert answer.status == 502
