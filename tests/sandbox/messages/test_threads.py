"""Threads: started by the bot and by members, used, and archived."""

from tests.contract.player import Player
from tests.sandbox.raw_bot import RawBot


async def test_a_thread_starts_from_a_message(raw: RawBot, ada: Player) -> None:
    made = await raw.post({"content": "a game"})
    address = f"/channels/{raw.general}/messages/{made['id']}/threads"
    status, thread = await raw.call("POST", address, {"name": "Talk"})
    assert (status, thread["id"], thread["parent_id"], thread["type"]) == (201, made["id"], raw.general, 11)
    assert (await raw.event("THREAD_CREATE"))["newly_created"] is True
    assert (await raw.call("POST", address, {"name": "Again"}))[1]["code"] == 160004
    shown = await ada.get(f"messages/{made['id']}")
    assert (shown["thread"]["name"], shown["flags"]) == ("Talk", 1 << 5)


async def test_a_thread_starts_without_a_message_and_is_announced(raw: RawBot, ada: Player) -> None:
    status, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    assert status == 201
    (line,) = await ada.messages()
    assert (line["type"], line["content"], line["message_reference"]["channel_id"]) == (
        18,
        "Talk",
        thread["id"],
    )
    await ada.post("message", channel=thread["id"], content="hello")
    _, found = await raw.call("GET", f"/channels/{thread['id']}")
    assert (found["message_count"], found["member_count"]) == (1, 2)
    _, active = await raw.call("GET", f"/guilds/{raw.guild}/threads/active")
    assert [one["id"] for one in active["threads"]] == [thread["id"]]
    assert [one["user_id"] for one in active["members"]] == [raw.application]


async def test_a_private_thread_is_for_mentioned_members(raw: RawBot, ada: Player, grace: Player) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Secret"})
    assert thread["type"] == 12
    await raw.post({"content": f"<@{ada.id}>, come in"}, channel=thread["id"])
    assert thread["id"] in [one["id"] for one in (await ada.get("state"))["channels"]]
    assert thread["id"] not in [one["id"] for one in (await grace.get("state"))["channels"]]
    assert (await raw.call("PUT", f"/channels/{thread['id']}/thread-members/{grace.id}"))[0] == 204
    assert thread["id"] in [one["id"] for one in (await grace.get("state"))["channels"]]
    assert (await raw.call("DELETE", f"/channels/{thread['id']}/thread-members/{grace.id}"))[0] == 204
    assert thread["id"] not in [one["id"] for one in (await grace.get("state"))["channels"]]


async def test_a_message_unarchives_a_thread_but_not_a_locked_one(raw: RawBot) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    address = f"/channels/{thread['id']}"
    _, first = await raw.call("POST", f"{address}/messages", {"content": "first"})
    _, closed = await raw.call("PATCH", address, {"archived": True})
    assert closed["thread_metadata"]["archived"] is True
    status, refused = await raw.call("PATCH", f"{address}/messages/{first['id']}", {"content": "edited"})
    assert (status, refused["code"]) == (400, 50083)
    await raw.post({"content": "again"}, channel=thread["id"])
    assert (await raw.call("GET", address))[1]["thread_metadata"]["archived"] is False
    await raw.call("PATCH", address, {"archived": True, "locked": True})
    _, refusal = await raw.call("POST", f"{address}/messages", {"content": "no"})
    assert refusal["code"] == 50083


async def test_a_thread_can_be_deleted(raw: RawBot) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    assert (await raw.call("DELETE", f"/channels/{thread['id']}"))[0] == 200
    assert (await raw.event("THREAD_DELETE"))["id"] == thread["id"]
    assert (await raw.call("GET", f"/channels/{thread['id']}"))[1]["code"] == 10003


async def test_a_channel_goes_with_its_threads(raw: RawBot) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    assert (await raw.call("DELETE", f"/channels/{raw.general}"))[0] == 200
    assert (await raw.call("GET", f"/channels/{thread['id']}"))[1]["code"] == 10003
    assert (await raw.call("GET", f"/guilds/{raw.guild}/threads/active"))[1]["threads"] == []


async def test_speaking_in_threads_is_its_own_permission(raw: RawBot) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    raw.local.deny("general", "send_messages_in_threads")
    _, refusal = await raw.call("POST", f"/channels/{thread['id']}/messages", {"content": "x"})
    assert refusal["code"] == 50013
    await raw.post({"content": "still here"})
