"""Several servers, each with its own channels and members."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.contract.player import Refused, players_by_server
from tests.sandbox.raw_bot import raw_bot


async def test_members_see_their_own_server_only() -> None:
    made = Sandbox(members=("Ada", "Grace"), channels=("general", "results"), servers=3)
    async with made as local, players_by_server(local.url) as people:
        assert [[one.name for one in server] for server in people] == [
            ["Ada", "Grace"], ["Ada 2", "Grace 2"], ["Ada 3", "Grace 3"],
        ]  # fmt: skip
        for number, (ada, _) in enumerate(people):
            state = await ada.get("state")
            assert state["guild"]["id"] == list(local.world.guilds)[number]
            assert [one["global_name"] for one in state["members"]] == [one.name for one in people[number]]
            assert [one["name"] for one in state["channels"]] == ["general", "results"]
            assert state["channels"][0]["id"] == ada.channel
        stranger = people[1][0].elsewhere(people[0][0].channel)
        with pytest.raises(Refused, match="do not see it"):
            await stranger.say("Let me in")
        async with raw_bot(local) as bot:
            await bot.register(
                {
                    "name": "ask",
                    "description": "-",
                    "options": [{"type": 6, "name": "who", "description": "-"}],
                }
            )
            await bot.open()
            await bot.identify()
            with pytest.raises(Refused, match="does not take"):
                await people[0][0].command("ask", who=people[1][0].id)
            here, there = list(local.world.guilds)[:2]
            _, found = await bot.call("GET", f"/guilds/{there}/members?limit=10")
            assert {one["user"]["global_name"] for one in found} == {None, "Ada 2", "Grace 2"}
            assert (await bot.call("GET", f"/guilds/{here}/members/{people[1][0].id}"))[0] == 404
            _, channels = await bot.call("GET", f"/guilds/{there}/channels")
            assert {one["guild_id"] for one in channels} == {there}
            ids = [role["id"] for guild in local.world.guilds.values() for role in guild["roles"]]
            assert len(set(ids)) == len(ids)


async def test_stored_world_gets_more_servers(tmp_path: Path) -> None:
    path = tmp_path / "world"
    async with Sandbox(members=("Ada",), path=path) as local:
        ids = set(local.world.users) | set(local.world.channels)
        ada = local.member("Ada")["id"]
    channels = ("general", "games")
    async with Sandbox(members=("Grace", "Ada"), channels=channels, servers=2, path=path) as local:
        first, second = local.world.guilds
        assert (local.member("Ada")["id"], local.channel("games")["position"]) == (ada, 1)
        assert ids < set(local.world.users) | set(local.world.channels)
        assert [one["global_name"] for one in local.world.members_of(first)] == ["Ada", "Grace"]
        assert [one["global_name"] for one in local.world.members_of(second)] == ["Grace 2", "Ada 2"]
    async with Sandbox(members=("Ada", "Grace"), path=path) as local, players_by_server(local.url) as people:
        assert [len(server) for server in people] == [2, 2]
        await people[1][1].say("Still here")
    with pytest.raises(ValueError, match="1 to 1000000 servers, not 0"):
        await Sandbox(servers=0).start()
