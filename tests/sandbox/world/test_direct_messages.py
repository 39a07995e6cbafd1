"""Direct messages among members without the bot, in which members who installed it can use its commands."""

import pytest

from bot.sandbox import Sandbox
from tests.contract.player import Json, Player, Refused, players
from tests.sandbox.raw_bot import RawBot, answered

ANYWHERE: Json = {
    "name": "ask",
    "description": "Ask the bot",
    "contexts": [0, 1, 2],
    "integration_types": [0, 1],
}
BUTTON: Json = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Press", "custom_id": "press"}]}


@pytest.fixture
async def alone(local: Sandbox, raw: RawBot, ada: Player, grace: Player) -> Player:
    """Ada in her direct messages with Grace; she has installed the application, Grace has not."""
    await raw.register(ANYWHERE)
    local.install("Ada")
    return ada.elsewhere((await ada.post("direct", **{"with": [grace.id]}))["id"])


async def test_two_members_have_one_channel(ada: Player, grace: Player) -> None:
    hers = await ada.post("direct", **{"with": [grace.id]})
    his = await grace.post("direct", **{"with": [ada.id]})
    assert hers["id"] == his["id"]
    assert [[user["id"] for user in one["recipients"]] for one in (hers, his)] == [[grace.id], [ada.id]]


async def test_group_is_for_its_members() -> None:
    async with Sandbox(members=("Ada", "Grace", "Emmy", "Alan")) as local, players(local.url) as members:
        ada, grace, emmy, alan = members
        group = await ada.post("direct", **{"with": [grace.id, emmy.id], "name": "Club"})
        assert (group["type"], group["name"], group["owner_id"]) == (3, "Club", ada.id)
        said = await emmy.elsewhere(group["id"]).say("Hello")
        assert [one["id"] for one in await grace.messages(group["id"])] == [said["id"]]
        with pytest.raises(Refused, match="no such channel"):
            await alan.messages(group["id"])
        with pytest.raises(Refused, match="different"):
            await ada.post("direct", **{"with": [grace.id, grace.id]})


async def test_bot_has_no_access(raw: RawBot, alone: Player) -> None:
    said = await alone.say("Just us.")
    address = f"/channels/{alone.channel}/messages"
    calls = (
        ("GET", f"/channels/{alone.channel}", None),
        ("GET", address, None),
        ("POST", address, {"content": "Hello?"}),
        ("PATCH", f"{address}/{said['id']}", {"content": "Hello?"}),
        ("POST", f"/channels/{alone.channel}/typing", None),
    )
    for method, path, body in calls:
        status, refusal = await raw.call(method, path, body)
        assert (status, refusal["code"], refusal["message"]) == (403, 50001, "Missing Access"), path
    assert [one["content"] for one in await alone.messages()] == ["Just us."]


async def test_commands_need_an_installation(
    local: Sandbox, raw: RawBot, alone: Player, grace: Player
) -> None:
    async def names(player: Player) -> list[str]:
        return [one["name"] for one in await player.get("commands", channel=alone.channel)]

    assert (await names(alone), await names(grace)) == (["ask"], [])
    with pytest.raises(Refused, match="install the application"):
        await grace.elsewhere(alone.channel).command("ask")
    await grace.post("install")
    assert await names(grace) == ["ask"]


async def test_commands_are_limited_to_their_contexts(raw: RawBot, alone: Player) -> None:
    about: Json = {"description": "-"}
    await raw.register(
        {"name": "server", "contexts": [0], "integration_types": [0, 1], **about},
        {"name": "not-for-users", "contexts": [0, 1, 2], "integration_types": [0], **about},
        {"name": "for-users", "contexts": [0, 1, 2], "integration_types": [1], **about},
        {"name": "bot", "contexts": [1], "integration_types": [0], **about},
        {"name": "private", "contexts": [2], "integration_types": [1], **about},
        {"name": "usual", **about},
    )

    async def names(**where: str) -> list[str]:
        return [one["name"] for one in await alone.get("commands", **where)]

    direct = (await alone.post("direct"))["id"]
    assert await names() == ["for-users", "not-for-users", "server", "usual"]
    assert await names(channel=direct) == ["bot", "for-users", "not-for-users", "usual"]
    assert await names(channel=alone.channel) == ["for-users", "private"]
    with pytest.raises(Refused, match="/server cannot be used in direct messages"):
        await alone.command("server")


async def test_interaction_names_its_context_and_owners(
    raw: RawBot, alone: Player, ada: Player, grace: Player
) -> None:
    told, made, got = await answered(raw, alone.command("ask"), 4, {"content": "!", "components": [BUTTON]})
    assert told["context"] == 2
    assert told["authorizing_integration_owners"] == {"1": ada.id}
    assert ("guild_id" in told, "member" in told, told["user"]["id"]) == (False, False, ada.id)
    assert told["channel"]["type"] == 1
    assert int(told["app_permissions"]) == 1 << 15 | 1 << 14 | 1 << 17
    assert "guild_id" not in made["interaction"]
    there = grace.elsewhere(alone.channel)
    pressing = there.press(got["message"], "press")
    told, _, _ = await answered(raw, pressing, 7, {"content": "?", "components": []})
    assert (told["user"]["id"], told["authorizing_integration_owners"]) == (grace.id, {"1": ada.id})
    assert [one["content"] for one in await there.messages()] == ["?"]
    told, _, _ = await answered(raw, ada.command("ask"), 4, {"content": "!"})
    owners = {"0": told["guild_id"], "1": ada.id}
    assert (told["context"], told["authorizing_integration_owners"]) == (0, owners)


async def test_five_followups_and_no_more(raw: RawBot, alone: Player, ada: Player) -> None:
    told, _, _ = await answered(raw, alone.command("ask"), 4, {"content": "0"})
    for number in range(1, 6):
        status, _ = await raw.hook("POST", told, "", {"content": str(number)})
        assert status == 200
    status, refusal = await raw.hook("POST", told, "", {"content": "6"})
    assert (status, refusal["code"]) == (400, 40094)
    status, _ = await raw.hook("PATCH", told, "/messages/@original", {"content": "edits go on"})
    assert status == 200
    assert len(await alone.messages()) == 6
    told, _, _ = await answered(raw, ada.command("ask"), 4, {"content": "0"})
    for _ in range(6):  # There is no limit if the server has installed it.
        assert (await raw.hook("POST", told, "", {"content": "more"}))[0] == 200


async def test_bot_gets_no_events(raw: RawBot, alone: Player, ada: Player, grace: Player) -> None:
    await alone.say("secret")
    told, _, _ = await answered(raw, alone.command("ask"), 4, {"content": "answer"})
    await raw.hook("DELETE", told, "/messages/@original")
    await ada.say("public")
    heard = await raw.event("MESSAGE_CREATE")
    assert heard["content"] == "public"
