"""Whatever does not come from the page of the member on turn is refused with a reason and counted."""

import asyncio
import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import aiohttp
from structlog.testing import capture_logs

from bot.activity.connection import BURST
from bot.activity.discord_api import Application
from bot.activity.server import serving
from bot.sandbox import Sandbox
from db.address import FILE_NAME
from tests.activity.pages import SECRET, Pages
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.panels import panel_at
from tests.e2e.play import challenge
from tests.waiting import PATIENCE

FLOOD = 1000


async def test_refusals_have_reasons_and_are_counted(tmp_path: Path) -> None:
    async with (
        Sandbox() as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, emmy, *_),
        serving(bot, Application(int(local.world.application["id"]), SECRET, ""), "127.0.0.1", 0) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http,
    ):
        pages, seen = Pages(local), Counter[str]()
        panel, other = await challenge(ada, grace, "skull"), await challenge(ada, grace, "alaric")
        waiting = grace if panel.turn == ada.id else ada
        play = {"type": "play", "match": panel.match, "ply": 0, "move": "c3"}

        async def refused(reason: str, user: Any, *sent: str | dict[str, Any], answers: int = 1) -> None:
            """Send messages with the session of a member, and read refusals for this reason."""
            async with http.ws_connect("/api/socket") as socket:
                await socket.send_json({"type": "begin", "session": pages.session(int(user.id))})
                for message in sent:
                    await socket.send_str(message if isinstance(message, str) else json.dumps(message))
                while answers:
                    answer = await socket.receive_json(timeout=30)
                    answers -= bool(answer["type"] == "refused" or answer.get("refused"))
            seen[reason] += len(sent)

        for path in ("/api/session", "/api/socket"):
            call = http.post if path == "/api/session" else http.get
            async with call(path, headers={"Origin": "https://elsewhere.example"}) as answer:
                assert answer.status == 403
                seen["origin"] += 1
        for session in ("", "forged.0000", pages.session(int(ada.id))[:-1] + "x"):
            async with http.ws_connect("/api/socket") as socket:
                await socket.send_json({"type": "begin", "session": session})
                assert (await socket.receive(timeout=30)).data == 4001
                seen["session"] += 1
        async with http.post("/api/session", json={"code": 1, "instance": "x"}) as answer:
            assert answer.status == 400
            seen["message"] += 1
        # A page that stays open does not let the bot wait when it stops, although its first message is answered.
        begin = {"type": "begin", "session": pages.session(int(ada.id)), "match": panel.match}
        async with http.ws_connect("/api/socket") as socket, asyncio.timeout(PATIENCE):
            await socket.send_json(begin)
            while (await socket.receive_json())["type"] != "games":
                pass
            await bot.ui_services.running_answers.finish(2 * PATIENCE)
        await refused("message", ada, "{", '{"type": "drop"}', answers=2)
        await refused("rules", waiting, play)  # out of turn
        await refused("rules", emmy, play)  # in the game of others
        await refused("rules", waiting, play | {"match": 999})
        await refused("rules", waiting, play | {"match": other.match, "ply": 7})
        async with http.ws_connect("/api/socket") as socket:
            await socket.send_json({"type": "begin", "session": pages.session(int(ada.id))})
            await socket.send_str("x" * 1_000_000)
            while not socket.closed:
                await socket.receive(timeout=30)
            assert socket.close_code == 1009
            seen["size"] += 1
        # A database that fails is no reason to lose the connection.
        with sqlite3.connect(tmp_path / FILE_NAME) as other_process:
            other_process.execute("ALTER TABLE seats RENAME TO seats_away")
        with capture_logs() as logged:
            await refused(
                "failure", ada, {"type": "games"}, answers=2
            )  # the first is the list that a page gets
        assert "activity.message_failed" in [it["event"] for it in logged]
        seen["failure"] += 1
        other_process.execute("ALTER TABLE seats_away RENAME TO seats")
        other_process.close()
        before = bot.page_refusals.total()
        games = {"type": "games"}
        async with http.ws_connect("/api/socket", max_msg_size=0) as socket:
            await socket.send_json({"type": "begin", "session": pages.session(int(ada.id))})
            for _ in range(FLOOD):
                await socket.send_json(games)
            answers = [(await socket.receive_json(timeout=60))["type"] for _ in range(FLOOD + 1)]
        late = answers.count("refused")
        assert bot.page_refusals["rate"] == bot.page_refusals.total() - before == late > FLOOD - 10 * BURST
        del bot.page_refusals["rate"]
        assert +bot.page_refusals == seen
        assert (await panel_at(ada, panel.match, 0)).plies == 0
