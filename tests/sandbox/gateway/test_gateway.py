"""The gateway, frame by frame."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Sandbox
from tests.contract.player import Player
from tests.sandbox.conftest import Client
from tests.sandbox.raw_bot import ALL_INTENTS, RawBot, raw_bot

GUILDS, DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 0, 1 << 12, 1 << 15


async def test_login_returns_the_server(rest: RawBot) -> None:
    hello = await rest.open(compress="zlib-stream")
    assert (hello["op"], hello["d"]["heartbeat_interval"]) == (10, 41_250)
    await rest.send(1, None)
    assert (await rest.receive())["op"] == 11
    guild = await rest.identify()
    assert rest.ready["guilds"] == [{"id": rest.guild, "unavailable": True}]
    assert rest.ready["resume_gateway_url"] == rest.local.gateway
    assert [member["user"]["username"] for member in guild["members"]] == ["Bot", "ada", "grace"]
    assert [channel["name"] for channel in guild["channels"]] == ["general"]
    assert guild["system_channel_id"] is None
    rest.local.system_channel("general")
    update = await rest.event("GUILD_UPDATE")
    assert update["system_channel_id"] == rest.general
    assert "members" not in update


async def test_zstd_stream_has_stored_blocks(rest: RawBot) -> None:
    socket = await rest.session.ws_connect(f"{rest.local.gateway}/?v=10&encoding=json&compress=zstd-stream")
    data = await socket.receive_bytes()
    assert data[:6] == bytes.fromhex("28b52ffd0038")
    header = int.from_bytes(data[6:9], "little")
    assert (header & 1, header >> 1 & 3) == (0, 0)  # not the last block, and not compressed
    assert header >> 3 == len(data) - 9
    assert json.loads(data[9:])["op"] == 10


CLOSES: dict[str, tuple[int, list[Any]]] = {
    "no JSON": (4002, ["{"]),
    "no object": (4002, ["[]"]),
    "identify without data": (4002, [{"op": 2, "d": None}]),
    "presence before identify": (4003, [{"op": 3, "d": {}}]),
    "empty token": (4004, [{"op": 2, "d": {"token": "", "intents": 0}}]),
    "twice": (4005, [{"op": 2, "d": {"token": "x", "intents": 0}}] * 2),
    "unknown opcode": (4001, [{"op": 2, "d": {"token": "x", "intents": 0}}, {"op": 99, "d": None}]),
    "bad intents": (4013, [{"op": 2, "d": {"token": "x", "intents": -1}}]),
    **{
        f"shard {shard}": (4010, [{"op": 2, "d": {"token": "x", "intents": 0, "shard": shard}}])
        for shard in ([2, 2], [-1, 2], [0, 0], [0], ["a", "b"], "0", [0.5, 2])
    },
}


@pytest.mark.parametrize("case", CLOSES)
async def test_protocol_error_has_its_close_code(case: str, rest: RawBot) -> None:
    code, frames = CLOSES[case]
    await rest.open()
    for frame in frames:
        await rest.socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))
    assert await rest.closed() == code


async def test_token_and_intents_limit_the_login() -> None:
    async with Sandbox(token="right", privileged=False) as local, raw_bot(local) as bot:
        for token, intents, code in (("wrong", 0, 4004), ("right", MESSAGE_CONTENT, 4014)):
            await bot.open()
            await bot.send(2, {"token": token, "intents": intents})
            assert await bot.closed() == code
        await bot.open()
        await bot.identify(GUILDS, token="right")
        assert (await bot.call("GET", "/users/@me", token="wrong"))[0] == 401
        assert (await bot.call("GET", "/users/@me", token="right"))[0] == 200


async def test_silent_bot_loses_its_connection() -> None:
    async with Sandbox(heartbeat=0.05) as local, raw_bot(local) as bot:
        await bot.open()
        assert await bot.closed() == 4009


@pytest.mark.parametrize("end", ["closed by the bot", "closed by Discord", "cut"])
async def test_resume_replays_missed_events(raw: RawBot, ada: Player, end: str) -> None:
    gateway = raw.local.services.gateway
    await ada.say("before")
    await raw.event("MESSAGE_CREATE")
    match end:
        case "closed by the bot":
            await raw.close(4000)
        case "closed by Discord":
            gateway.close(1000)
            assert await raw.closed() == 1000
        case _:
            gateway.drop()
            assert await raw.closed() == 1006
    for missed in ("first", "second"):
        await ada.say(missed)
    await raw.open()
    await raw.resume()
    replayed = [await raw.receive() for _ in range(3)]
    assert [one["t"] for one in replayed] == ["MESSAGE_CREATE", "MESSAGE_CREATE", "RESUMED"]
    assert [one["d"]["content"] for one in replayed[:2]] == ["first", "second"]
    assert [one["s"] for one in replayed] == list(range(replayed[0]["s"], replayed[0]["s"] + 3))


async def test_held_events_arrive_later_or_are_replayed(raw: RawBot, ada: Player) -> None:
    gateway = raw.local.services.gateway
    gateway.hold()
    await ada.say("first")
    gateway.release()
    assert (await raw.event("MESSAGE_CREATE"))["content"] == "first"
    gateway.hold()
    await ada.say("second")
    await raw.close(4000)
    await raw.open()
    await raw.resume()
    assert (await raw.event("MESSAGE_CREATE"))["content"] == "second"


async def test_refused_connections_and_sessions(raw: RawBot) -> None:
    await raw.close(1000)
    with pytest.raises(ConnectionError, match="4012"):
        await raw.open(query="v=6&encoding=json")
    await raw.open()
    await raw.resume()
    assert await raw.receive() == {"op": 9, "d": False, "s": None, "t": None}
    await raw.identify()
    await raw.close(4000)
    await raw.open()
    await raw.resume(seq=10_000)
    assert await raw.closed() == 4007
    raw.local.services.gateway.unavailable = True
    with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
        await raw.open()


async def test_members_are_listed_on_request(raw: RawBot) -> None:
    await raw.send(8, {"guild_id": raw.guild, "query": "", "limit": 0, "nonce": "n"})
    chunk = await raw.event("GUILD_MEMBERS_CHUNK")
    assert (len(chunk["members"]), chunk["nonce"]) == (3, "n")
    await raw.send(8, {"guild_id": raw.guild, "user_ids": ["1"], "limit": 0})
    assert (await raw.event("GUILD_MEMBERS_CHUNK"))["not_found"] == ["1"]
    named = chunk["members"][0]["user"]["id"]
    await raw.send(8, {"guild_id": raw.guild, "user_ids": [int(named)], "limit": 0})
    members = (await raw.event("GUILD_MEMBERS_CHUNK"))["members"]
    assert [it["user"]["id"] for it in members] == [named]


async def test_intents_select_the_events(rest: RawBot, ada: Player) -> None:
    await rest.open()
    await rest.identify(GUILDS | DIRECT_MESSAGES)
    await ada.say("unheard")
    direct = await ada.post("direct")
    await ada.post("message", channel=direct["id"], content="heard")
    await rest.event("MESSAGE_CREATE")
    assert [one["d"]["content"] for one in rest.seen if one["t"] == "MESSAGE_CREATE"] == ["heard"]


async def test_content_intent_is_needed_for_other_messages(rest: RawBot, ada: Player) -> None:
    await rest.open()
    await rest.identify(ALL_INTENTS & ~MESSAGE_CONTENT)
    await ada.say("not for you")
    await ada.say(f"for <@{rest.application}>")
    await rest.post({"content": "my own"})
    contents = [(await rest.event("MESSAGE_CREATE"))["content"] for _ in range(3)]
    assert contents == ["", f"for <@{rest.application}>", "my own"]


async def test_discord_py_survives_every_disturbance(client: Client, local: Sandbox, ada: Player) -> None:
    gateway = local.services.gateway
    gateway.drop()
    await ada.say("missed")
    await client.until("message")
    assert client.bot.guilds[0].member_count == 3
    gateway.reconnect()
    await client.until("resumed")
    gateway.invalidate(resumable=True)
    await client.until("resumed")
    gateway.invalidate(resumable=False)
    await client.until("ready")


async def test_bot_may_answer_after_reconnecting(raw: RawBot, ada: Player) -> None:
    raw.local.services.gateway.drop()
    await raw.closed()
    asking = asyncio.create_task(ada.command("ask"))
    await raw.open()
    await raw.resume()
    await raw.answer(await raw.asked(), 4, {"content": "back again"})
    assert (await asking)["message"]["content"] == "back again"
