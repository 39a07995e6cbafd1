"""The refusals of the server of the Activity: false identities, and messages that do not come from its page."""

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest_asyncio

from bot.activity.connection import BURST, FAST, UNREAD
from bot.activity.server import LARGEST
from rules.puzzles.stock import of_game
from tests.waiting import INTERVAL


class World:
    """A bot as `make play` runs it, with a game of Ada against the computer; and what its members send."""

    def __init__(self, session: aiohttp.ClientSession, state: Any) -> None:
        self.http = session
        self.state = state
        self.ada, self.grace = (it["id"] for it in state["members"] if it["global_name"] in ("Ada", "Grace"))
        self.channel = state["channels"][0]["id"]
        self.page = f"/activity/{state['application']['id']}"
        self.buttons: dict[str, tuple[str, str]] = {}
        """By member: the custom id of the button below the board of their game, and the message."""

    async def call(self, path: str, member: str, **body: Any) -> Any:
        answer = await self.http.post(f"/local/{path}", json={"as": member, **body})
        return await answer.json()

    async def begin(self, member: str, game: str) -> None:
        """Begin a game against the computer."""
        options, before = {"game": game, "level": 1}, await self.boards(member)
        await self.call("command", member, channel=self.channel, name="play", options=options)
        await self.begun(member, before)

    async def begun(self, member: str, before: Container[str]) -> None:
        """Wait for the board of a game of a member that was not among these."""
        while not (new := [it for it in (await self.boards(member)).items() if it[0] not in before]):
            await asyncio.sleep(INTERVAL)
        (self.buttons[member],) = new

    async def boards(self, member: str) -> dict[str, str]:
        """Return the buttons that open the Activity for a member, with their messages."""
        answer = await self.http.get(f"/local/channels/{self.channel}/messages", params={"as": member})
        return {
            text: message["id"]
            for message in await answer.json()
            for text in json.dumps(message).split('"')
            if text.startswith("touch:") and message["ephemeral_for"] in (None, member)
        }

    def match(self, member: str) -> int:
        """Return the game of a member."""
        return int(self.buttons[member][0].removeprefix("touch:"))

    async def launch(self, member: str) -> str:
        """Press the button of the board, and return the instance that opens."""
        button, message = self.buttons[member]
        opened = await self.call("press", member, message=message, custom_id=button)
        assert opened["outcome"] == "activity", opened
        instance: str = opened["instance"]
        return instance

    async def session(self, member: str, instance: str) -> tuple[int, Any]:
        """Return the status and the answer of the server for the code of a member."""
        code = (await self.call("activity/authorize", member, instance=instance))["code"]
        answer = await self.http.post(f"{self.page}/api/session", json={"code": code, "instance": instance})
        return answer.status, await answer.json()

    @asynccontextmanager
    async def socket(self, session: str) -> AsyncIterator["Socket"]:
        async with self.http.ws_connect(f"{self.page}/api/socket") as socket:
            await socket.send_json({"type": "begin", "session": session})
            yield Socket(socket)


class Socket:
    """A socket of the page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.raw = socket

    async def send(self, **message: Any) -> None:
        await self.raw.send_json(message)

    async def next(self, kind: str) -> Any:
        """Return the next message of this kind."""
        while (message := await self.raw.receive_json(timeout=30))["type"] != kind:
            pass
        return message

    async def closed(self) -> int | None:
        """Wait until the server closes the socket, and return the code."""
        while not self.raw.closed:
            await self.raw.receive(timeout=30)
        return self.raw.close_code


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(address: str) -> AsyncIterator[World]:
    async with aiohttp.ClientSession(address) as session:
        made = World(session, await (await session.get("/local/state")).json())
        await made.begin(made.ada, "alaric")
        await made.begin(made.grace, "skull")
        yield made


async def test_only_who_is_in_the_instance_gets_a_session(world: World) -> None:
    instance = await world.launch(world.ada)
    status, _ = await world.session(world.ada, instance)
    assert status == 200
    for code, other in (("forged", instance), ("", instance), ("forged", "../users/@me")):
        answer = await world.http.post(f"{world.page}/api/session", json={"code": code, "instance": other})
        assert answer.status in (400, 403)
        assert "again" in (await answer.json())["error"]
    # The code of a member is worth nothing for an instance in which they are not.
    other = await world.call("activity/authorize", world.grace, instance=instance)
    assert "not in that instance" in other["error"]
    code = (await world.call("activity/authorize", world.ada, instance=instance))["code"]
    await world.call("activity/leave", world.ada, instance=instance)
    answer = await world.http.post(f"{world.page}/api/session", json={"code": code, "instance": instance})
    assert answer.status == 403


async def test_a_forged_session_opens_nothing(world: World) -> None:
    _, found = await world.session(world.ada, await world.launch(world.ada))
    body, _, signature = found["session"].partition(".")
    for forged in ("", "nonsense", f"{body}.{'0' * len(signature)}", f"{body[:-4]}AAAA.{signature}"):
        async with world.socket(forged) as socket:
            assert await socket.closed() == 4001


async def test_what_is_no_move_of_the_member_changes_nothing(world: World) -> None:
    _, found = await world.session(world.ada, await world.launch(world.ada))
    async with world.socket(found["session"]) as socket:
        while not (board := await socket.next("board"))["mine"]:
            pass
        move = board["entry"]["places"][0]["move"]
        for message in ("{", "[]", '{"type": "drop"}', '{"type": "play"}', '{"type": "open", "match": "1"}'):
            await socket.raw.send_str(message)
            assert (await socket.next("refused"))["sentence"] == UNREAD
        for match, ply, text in ((999, board["ply"], move), (board["match"], board["ply"] + 5, move)):
            await socket.send(type="play", match=match, ply=ply, move=text)
            assert (await socket.next("refused"))["sentence"]
        await socket.send(type="play", match=board["match"], ply=board["ply"], move=move)
        while (after := await socket.next("board"))["ply"] == board["ply"]:
            pass
        # The same message once more is a move on a board that has moved on.
        await socket.send(type="play", match=board["match"], ply=board["ply"], move=move)
        assert "newest board" in (await socket.next("refused"))["sentence"]
        assert after["match"] == board["match"]


async def test_a_spectator_sees_the_board_and_cannot_play(world: World) -> None:
    """The game is private, so a member who does not play it is told that there is none."""
    _, found = await world.session(world.grace, await world.launch(world.grace))
    async with world.socket(found["session"]) as socket:
        await socket.send(type="open", match=world.match(world.ada))
        assert "There is no game" in (await socket.next("refused"))["sentence"]
        await socket.send(type="resign", match=world.match(world.ada))
        assert "There is no game" in (await socket.next("refused"))["sentence"]


async def test_lesson_and_puzzle_are_played_in_the_page(world: World) -> None:
    """A step is done by the move that its hint names, a refused move is judged, and a puzzle is tried again."""
    _, found = await world.session(world.grace, await world.launch(world.grace))
    async with world.socket(found["session"]) as socket:
        puzzle = (await socket.next("games"))["puzzle"]
        await socket.send(type="exercise", kind="lesson", name="alaric", step=0)
        while (board := await socket.next("board")).get("exercise") is None:
            pass
        links = dict(board["links"])
        assert board["match"] == 0
        assert not board["plays"]
        await socket.send(**links["Hint"])
        hint = re.search(r"[Pp]lay (\S+)\.$", (await socket.next("board"))["status"])
        assert hint is not None
        await socket.send(type="preview", match=0, ply=board["ply"], move=hint[1])
        assert (await socket.next("preview"))["legal"]
        await socket.send(type="play", match=0, ply=board["ply"], move=hint[1])
        done = await socket.next("board")
        assert "Done." in done["status"]
        assert "Next" in dict(done["links"])
        await socket.send(type="exercise", kind="puzzle", name=puzzle)
        assert (await socket.next("board"))["mine"]
        # That of the day may be one with cards.
        await socket.send(type="exercise", kind="puzzle", name=of_game("xlines")[0].name)
        while not (board := await socket.next("board"))["links"]:
            assert board["mine"]
            move = board["entry"]["places"][-1]["move"]
            await socket.send(type="play", match=0, ply=board["ply"], move=move)
        links = dict(board["links"])
        await socket.send(**links["Show the moves"])
        assert "Only" in (await socket.next("board"))["status"]
        await socket.send(**links["Try it again"])
        assert (await socket.next("board"))["mine"]
        await socket.send(type="exercise", kind="puzzle", name="no-such-puzzle")
        assert "no longer there" in (await socket.next("refused"))["sentence"]


async def test_a_socket_that_floods_or_sends_too_much_is_stopped(world: World) -> None:
    _, found = await world.session(world.ada, await world.launch(world.ada))
    async with world.socket(found["session"]) as socket:
        for _ in range(int(BURST) + 20):
            await socket.raw.send_str("{")  # which is answered faster than the allowance grows
        while (await socket.next("refused"))["sentence"] != FAST:
            pass
    async with world.socket(found["session"]) as socket:
        await socket.raw.send_str("x" * (LARGEST + 1))
        assert await socket.closed() == 1009


async def test_the_page_is_one_small_document_that_other_sites_may_not_frame(world: World) -> None:
    answer = await world.http.get(f"{world.page}/")
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'self' https://discord.com https://*.discord.com" in policy
    page = await answer.text()
    assert re.findall("(?:src|href)=", page) == []
    assert len(gzip.compress(page.encode())) < 60_000
