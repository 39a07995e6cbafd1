"""Threads: started by the bot and by members, used, and archived."""

import asyncio

import pytest

from bot.sandbox import ManualClock
from tests.contract.player import Json, Player, Refused
from tests.sandbox.raw_bot import RawBot


async def test_thread_starts_from_a_message(raw: RawBot, ada: Player) -> None:
    made = await raw.post({"content": "a game"})
    address = f"/channels/{raw.general}/messages/{made['id']}/threads"
    status, thread = await raw.call("POST", address, {"name": "Talk"})
    assert (status, thread["id"], thread["parent_id"], thread["type"]) == (201, made["id"], raw.general, 11)
    assert (await raw.event("THREAD_CREATE"))["newly_created"] is True
    assert (await raw.call("POST", address, {"name": "Again"}))[1]["code"] == 160004
    shown = await ada.get(f"messages/{made['id']}")
    assert (shown["thread"]["name"], shown["flags"]) == ("Talk", 1 << 5)


async def test_thread_without_a_message_is_announced(raw: RawBot, ada: Player) -> None:
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


async def test_private_thread_is_for_mentioned_members(raw: RawBot, ada: Player, grace: Player) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Secret"})
    assert thread["type"] == 12
    await raw.post({"content": f"<@{ada.id}>, come in"}, channel=thread["id"])
    assert thread["id"] in [one["id"] for one in (await ada.get("state"))["channels"]]
    assert thread["id"] not in [one["id"] for one in (await grace.get("state"))["channels"]]
    assert (await raw.call("PUT", f"/channels/{thread['id']}/thread-members/{grace.id}"))[0] == 204
    assert thread["id"] in [one["id"] for one in (await grace.get("state"))["channels"]]
    assert (await raw.call("DELETE", f"/channels/{thread['id']}/thread-members/{grace.id}"))[0] == 204
    assert thread["id"] not in [one["id"] for one in (await grace.get("state"))["channels"]]


async def test_archived_thread_takes_only_messages(raw: RawBot, ada: Player) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    address = f"/channels/{thread['id']}"
    first = await raw.post({"content": "first"}, channel=thread["id"])
    second = await raw.post({"content": "second"}, channel=thread["id"])
    await raw.call("PUT", f"{address}/messages/pins/{second['id']}")
    _, closed = await raw.call("PATCH", address, {"archived": True})
    assert closed["thread_metadata"]["archived"] is True
    assert (await raw.event("THREAD_UPDATE"))["thread_metadata"]["archived"] is True
    for method, what, body in (
        ("PATCH", f"{address}/messages/{first['id']}", {"content": "edited"}),
        ("DELETE", f"{address}/messages/{first['id']}", None),
        ("PUT", f"{address}/messages/pins/{first['id']}", None),
        ("DELETE", f"{address}/messages/pins/{second['id']}", None),
        ("PATCH", address, {"name": "Talk more"}),
    ):
        status, refused = await raw.call(method, what, body)
        assert (status, refused["code"]) == (400, 50083), (method, what)
    await raw.post({"content": "again"}, channel=thread["id"])
    assert not await _archived(raw, thread)
    await raw.call("PATCH", address, {"archived": True})
    assert (await raw.call("PATCH", address, {"archived": False, "name": "Talk more"}))[0] == 200
    # A member who uses a command there unarchives it first.
    await raw.call("PATCH", address, {"archived": True})
    asked = asyncio.create_task(ada.elsewhere(thread["id"]).command("ask"))
    await raw.event("INTERACTION_CREATE")
    asked.cancel()
    assert not await _archived(raw, thread)


async def test_locked_thread_is_for_moderators_alone(raw: RawBot, ada: Player, grace: Player) -> None:
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", {"name": "Talk", "type": 11})
    address = f"/channels/{thread['id']}"
    first = await raw.post({"content": "first"}, channel=thread["id"])
    second = await raw.post({"content": "second"}, channel=thread["id"])
    with pytest.raises(Refused, match="Manage Threads"):
        await grace.post("thread-state", channel=thread["id"], locked=True)
    await ada.post("thread-state", channel=thread["id"], locked=True)
    raw.local.allow("general", "manage_threads")
    await raw.post({"content": "a moderator"}, channel=thread["id"])
    raw.local.deny("general", "manage_threads")
    message = f"{address}/messages/{first['id']}"
    for method, what, body, found in (
        ("POST", f"{address}/messages", {"content": "no"}, (403, 50083)),
        ("PATCH", message, {"content": "no"}, (400, 160005)),
        ("PUT", f"{address}/messages/pins/{first['id']}", None, (400, 160005)),
        ("PATCH", address, {"locked": False}, (403, 50013)),
    ):
        status, refused = await raw.call(method, what, body)
        assert (status, refused["code"]) == found, (method, what)
    assert (await raw.call("DELETE", message))[0] == 204
    for act in ("say", "command"):
        with pytest.raises(Refused, match="locked"):
            await getattr(grace.elsewhere(thread["id"]), act)("ask")
    await ada.post("thread-state", channel=thread["id"], archived=True)
    assert (await raw.call("PATCH", address, {"archived": False}))[1]["code"] == 50013
    assert (await raw.call("DELETE", f"{address}/messages/{second['id']}"))[1]["code"] == 50083
    await ada.elsewhere(thread["id"]).say("open")
    assert not await _archived(raw, thread)


async def test_member_without_permission_uses_no_archived_thread(
    raw: RawBot, ada: Player, grace: Player
) -> None:
    """The client of the member unarchives the thread first, so the bot is not notified if that is refused."""
    await raw.register({"name": "ping", "description": "Ping.", "type": 1})
    thread = await ada.post("thread", channel=raw.general, name="Talk")
    await ada.post("thread-state", channel=thread["id"], archived=True)
    raw.local.deny("general", "send_messages_in_threads", "Grace")
    with pytest.raises(Refused, match="may not unarchive this thread"):
        await grace.elsewhere(thread["id"]).command("ping")
    assert await _archived(raw, thread)


async def test_member_of_a_thread_unarchives_it(raw: RawBot, ada: Player) -> None:
    thread = await ada.post("thread", channel=raw.general, name="Talk")
    address = f"/channels/{thread['id']}"
    await ada.post("thread-state", channel=thread["id"], archived=True)
    assert (await raw.call("PATCH", address, {"archived": False}))[1]["code"] == 50013
    await raw.post({"content": "joins"}, channel=thread["id"])
    assert (await raw.call("PATCH", address, {"archived": True}))[1]["code"] == 50013
    await ada.post("thread-state", channel=thread["id"], archived=True)
    assert (await raw.call("PATCH", address, {"archived": False}))[0] == 200


async def test_inactive_thread_is_archived(raw: RawBot, clock: ManualClock) -> None:
    made = {"name": "Talk", "type": 11, "auto_archive_duration": 60}
    _, thread = await raw.call("POST", f"/channels/{raw.general}/threads", made)
    await clock.advance(3000)
    await raw.post({"content": "still here"}, channel=thread["id"])
    await clock.advance(3000)
    assert not await _archived(raw, thread)
    await clock.advance(600)
    assert await _archived(raw, thread)


async def _archived(raw: RawBot, thread: Json) -> bool:
    _, found = await raw.call("GET", f"/channels/{thread['id']}")
    return bool(found["thread_metadata"]["archived"])


async def test_threads_are_deleted_alone_and_with_their_channel(raw: RawBot) -> None:
    address = f"/channels/{raw.general}/threads"
    first, second = [(await raw.call("POST", address, {"name": "Talk", "type": 11}))[1]["id"] for _ in "12"]
    raw.local.deny("general", "send_messages_in_threads")
    _, refusal = await raw.call("POST", f"/channels/{first}/messages", {"content": "x"})
    assert refusal["code"] == 50013
    await raw.post({"content": "still here"})
    assert (await raw.call("DELETE", f"/channels/{first}"))[1]["code"] == 50013
    raw.local.allow("general", "manage_threads")
    assert (await raw.call("DELETE", f"/channels/{first}"))[0] == 200
    assert (await raw.event("THREAD_DELETE"))["id"] == first
    assert (await raw.call("GET", f"/channels/{first}"))[1]["code"] == 10003
    assert (await raw.call("DELETE", f"/channels/{raw.general}"))[0] == 200
    assert (await raw.call("GET", f"/channels/{second}"))[1]["code"] == 10003
    assert (await raw.call("GET", f"/guilds/{raw.guild}/threads/active"))[1]["threads"] == []
