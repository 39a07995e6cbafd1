"""A member who leaves the server, and returns."""

import re
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.errors import Refused as NotAllowed
from tests.contract.player import Player, Refused, players
from tests.sandbox.raw_bot import ALL_INTENTS, RawBot

MEMBERS = 1 << 1
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}


async def test_member_who_left_sees_and_uses_nothing(local: Sandbox, raw: RawBot, grace: Player) -> None:
    posted = await raw.post({"content": f"<@{grace.id}>, your turn", "components": [BUTTON]})
    await grace.post("leave")
    left = await raw.event("GUILD_MEMBER_REMOVE")
    assert (left["guild_id"], left["user"]["id"]) == (raw.guild, grace.id)
    for doing in (grace.press(posted, "go"), grace.say("Hello"), grace.messages(), grace.command("ask")):
        with pytest.raises(Refused, match="do not see it"):
            await doing
    assert (await grace.get("state"))["channels"] == []
    with pytest.raises(Refused, match="left the server already"):
        await grace.post("leave")
    status, answer = await raw.call("GET", f"/guilds/{raw.guild}/members/{grace.id}")
    assert (status, answer["code"]) == (404, 10007)
    assert (await raw.call("GET", f"/users/{grace.id}"))[1]["global_name"] == "Grace"
    assert [user["id"] for user in (await raw.post({"content": f"<@{grace.id}>"}))["mentions"]] == [grace.id]

    await grace.post("join")
    joined = await raw.event("GUILD_MEMBER_ADD")
    assert (joined["guild_id"], joined["user"]["id"]) == (raw.guild, grace.id)
    assert (await raw.call("GET", f"/guilds/{raw.guild}/members/{grace.id}"))[0] == 200
    await grace.say("I am back")


async def test_member_who_left_gets_no_direct_messages(raw: RawBot, grace: Player) -> None:
    (_, channel) = await raw.call("POST", "/users/@me/channels", {"recipient_id": grace.id})
    path = f"/channels/{channel['id']}/messages"
    await grace.post("leave")
    status, answer = await raw.call("POST", path, {"content": "Where are you?"})
    assert (status, answer["code"]) == (403, 50278)
    await grace.post("install")
    assert (await raw.call("POST", path, {"content": "There you are."}))[0] == 200


async def test_member_events_need_their_intent(rest: RawBot, local: Sandbox, ada: Player) -> None:
    await rest.open()
    await rest.identify(ALL_INTENTS & ~MEMBERS)
    local.leave("Grace")
    local.join("Grace")
    await ada.say("after")
    await rest.event("MESSAGE_CREATE")
    assert not [one for one in rest.seen if one["t"].startswith("GUILD_MEMBER")]
    with pytest.raises(NotAllowed, match="owner"):
        local.leave("Ada")


async def test_member_who_left_leaves_the_threads(
    local: Sandbox, raw: RawBot, ada: Player, grace: Player
) -> None:
    thread = await ada.post("thread", channel=ada.channel, name="Talk")
    await grace.elsewhere(thread["id"]).say("Hello")
    members = f"/channels/{thread['id']}/thread-members"
    assert grace.id in [one["user_id"] for one in (await raw.call("GET", members))[1]]
    local.leave("Grace")
    await ada.elsewhere(thread["id"]).say(f"<@{grace.id}> has gone")
    assert grace.id not in [one["user_id"] for one in (await raw.call("GET", members))[1]]
    assert (await raw.call("PUT", f"{members}/{grace.id}"))[1]["code"] == 10007


async def test_stored_world_keeps_who_left(tmp_path: Path) -> None:
    path = tmp_path / "world"
    async with Sandbox(members=("Ada", "Grace"), path=path) as local:
        local.leave("Grace")
    async with Sandbox(members=("Ada", "Grace"), path=path) as local, players(local.url) as members:
        assert [one.name for one in members] == ["Ada"]
        local.join("Grace")
    async with Sandbox(members=("Ada", "Grace"), path=path) as local, players(local.url) as members:
        assert [one.name for one in members] == ["Ada", "Grace"]


async def test_deleted_account_has_another_user_name(local: Sandbox, raw: RawBot, grace: Player) -> None:
    (_, channel) = await raw.call("POST", "/users/@me/channels", {"recipient_id": grace.id})
    await grace.post("install")
    await grace.post("delete-account")
    await raw.event("GUILD_MEMBER_REMOVE")
    status, found = await raw.call("GET", f"/users/{grace.id}")
    assert (status, found["global_name"], found["avatar"]) == (200, None, None)
    assert re.fullmatch("deleted_user_[0-9a-f]{12}", found["username"])
    status, answer = await raw.call("POST", f"/channels/{channel['id']}/messages", {"content": "Hello?"})
    assert (status, answer["code"]) == (403, 50278)
    for doing in (grace.post("join"), grace.post("delete-account"), grace.get("state")):
        with pytest.raises(Refused, match="This account is deleted"):
            await doing
    with pytest.raises(NotAllowed, match="owner"):
        local.delete_account("Ada")
