"""Shards: which servers, events and interactions each session of a bot gets."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import discord
import pytest
import yarl

from bot.sandbox import ManualClock, Sandbox
from tests.contract.player import players_by_server
from tests.sandbox.raw_bot import ALL_INTENTS, Json, RawBot, raw_bot
from tests.waiting import wait_until

SERVERS = 6


@pytest.fixture
async def local() -> AsyncIterator[Sandbox]:
    async with Sandbox(members=("Ada", "Grace"), servers=SERVERS, shards=3) as started:
        yield started


async def identify(bot: RawBot, shard: list[int]) -> Json:
    """Log in as a shard; return its READY, after the GUILD_CREATE of each of its servers."""
    await bot.open()
    await bot.send(2, {"token": "any", "intents": ALL_INTENTS, "properties": {}, "shard": shard})
    ready = await bot.event("READY")
    made = [(await bot.event("GUILD_CREATE"))["id"] for _ in ready["guilds"]]
    assert made == [guild["id"] for guild in ready["guilds"]]
    return ready


async def started(stack: AsyncExitStack, local: Sandbox, *shards: list[int]) -> list[RawBot]:
    """Return bots that are logged in, one for each of these shards."""
    bots = [await stack.enter_async_context(raw_bot(local)) for _ in shards]
    for bot, shard in zip(bots, shards, strict=True):
        await identify(bot, shard)
    return bots


async def test_each_shard_gets_its_own_servers(local: Sandbox) -> None:
    async with AsyncExitStack() as stack:
        seen: Counter[str] = Counter()
        for shard in range(4):
            bot = await stack.enter_async_context(raw_bot(local))
            ready = await identify(bot, [shard, 4])
            ids = [guild["id"] for guild in ready["guilds"]]
            assert ready["shard"] == [shard, 4]
            assert all((int(id_) >> 22) % 4 == shard for id_ in ids)
            assert len(ids) in (SERVERS // 4, SERVERS // 4 + 1)
            seen.update(ids)
    assert seen == Counter(dict.fromkeys(local.world.guilds, 1))


async def test_events_reach_all_sessions_of_their_shard(local: Sandbox) -> None:
    async with AsyncExitStack() as stack:
        people = await stack.enter_async_context(players_by_server(local.url))
        first, same, other = await started(stack, local, [0, 2], [0, 2], [1, 2])
        await first.register({"name": "ask", "description": "Ask the bot"})
        by_shard: list[list[str]] = [[], []]
        waiting = []
        for server, (ada, _) in zip(local.world.guilds, people, strict=True):
            by_shard[(int(server) >> 22) % 2].append(server)
            await ada.say("hello")
            waiting.append(asyncio.create_task(ada.command("ask")))
        assert list(map(len, by_shard)) == [SERVERS // 2, SERVERS // 2]
        for bot, servers in ((first, by_shard[0]), (same, by_shard[0]), (other, by_shard[1])):
            asked = [await bot.asked() for _ in servers]
            assert [one["guild_id"] for one in asked] == servers
            told = [one["d"]["guild_id"] for one in bot.seen if one["t"] == "MESSAGE_CREATE"]
            assert told == servers
            for one in asked if bot is not same else ():
                assert (await bot.answer(one, 4, {"content": "well"}))[0] == 200
        assert {outcome["outcome"] for outcome in await asyncio.gather(*waiting)} == {"message"}


async def test_direct_messages_reach_the_first_shard(local: Sandbox) -> None:
    async with AsyncExitStack() as stack:
        people = await stack.enter_async_context(players_by_server(local.url))
        first, other = await started(stack, local, [0, 2], [1, 2])
        member = people[1][0]
        direct = await member.post("direct")
        await member.elsewhere(direct["id"]).say("in private")
        await member.say("in the server")
        assert (await first.event("MESSAGE_CREATE"))["content"] == "in private"
        assert (await other.event("MESSAGE_CREATE"))["content"] == "in the server"


async def test_server_without_its_shard_is_offline(local: Sandbox) -> None:
    async with AsyncExitStack() as stack:
        people = await stack.enter_async_context(players_by_server(local.url))
        (second,) = await started(stack, local, [1, 2])
        await second.register({"name": "ask", "description": "Ask the bot"})
        offline = await people[0][0].command("ask")
        assert (offline["outcome"], offline["reason"]) == ("failed", "offline")


async def test_too_many_servers_need_shards() -> None:
    async with Sandbox(servers=SERVERS, most_guilds=3) as local, raw_bot(local) as bot:
        await bot.open()
        await bot.send(2, {"token": "any", "intents": 0})
        assert await bot.closed() == 4011
        assert len((await identify(bot, [0, 2]))["guilds"]) == 3


async def test_early_sessions_are_invalid() -> None:
    clock = ManualClock()
    async with Sandbox(clock=clock, max_concurrency=2) as local, AsyncExitStack() as stack:
        third, *_ = await started(stack, local, [0, 4], [1, 4])
        await third.open()
        frame = {"token": "any", "intents": 0, "shard": [2, 4]}
        await third.send(2, frame)
        assert await third.receive() == {"op": 9, "d": False, "s": None, "t": None}
        await clock.advance(5)
        await third.send(2, frame)
        await third.event("READY")
        status, told = await third.call("GET", "/gateway/bot")
        assert status == 200
        assert told["session_start_limit"] == {
            "total": 1000,
            "remaining": 997,
            "reset_after": 24 * 60 * 60 * 1000 - 5000,
            "max_concurrency": 2,
        }


async def test_payload_limit_closes_the_connection(local: Sandbox) -> None:
    async with raw_bot(local) as bot:
        await identify(bot, [0, 1])
        for _ in range(120):
            await bot.send(1, None)
        assert await bot.closed() == 4008


async def test_removal_reaches_the_shard_of_the_server(local: Sandbox) -> None:
    async with AsyncExitStack() as stack:
        first, other = await started(stack, local, [0, 2], [1, 2])
        servers: list[Json] = [
            next(one for id_, one in local.world.guilds.items() if (int(id_) >> 22) % 2 == shard)
            for shard in (0, 1)
        ]
        for guild in servers:
            local.remove_bot(guild["name"])
        assert (await first.event("GUILD_DELETE"))["id"] == servers[0]["id"]
        assert (await other.event("GUILD_DELETE"))["id"] == servers[1]["id"]
        assert (await first.call("GET", f"/guilds/{servers[1]['id']}"))[0] == 404
        _, mine = await first.call("GET", "/users/@me/guilds")
        assert len(mine) == SERVERS - 2


async def test_discord_py_serves_the_recommended_shards(
    local: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", f"{local.url}/api/v10")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(local.gateway))

    class Bot(discord.AutoShardedClient):
        async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
            pass

    bot = Bot(intents=discord.Intents.default(), guild_ready_timeout=0.1)
    running = asyncio.create_task(bot.start("any"))
    await wait_until(lambda: bot.is_ready())
    assert sorted(bot.shards) == [0, 1, 2]
    assert {str(guild.id): guild.shard_id for guild in bot.guilds} == {
        id_: (int(id_) >> 22) % 3 for id_ in local.world.guilds
    }
    await bot.close()
    await running


async def test_daily_login_limit_ends_the_token() -> None:
    async with Sandbox() as local, raw_bot(local) as first, raw_bot(local) as second:
        local.services.gateway.starts.total = 1
        await first.open()
        await first.identify()
        assert (await first.call("GET", "/gateway/bot"))[1]["session_start_limit"]["remaining"] == 0
        await second.open()
        await second.send(2, {"token": "any", "intents": 0, "properties": {}})
        assert await second.closed() == 4004
        assert (await first.call("GET", "/gateway/bot"))[0] == 401
