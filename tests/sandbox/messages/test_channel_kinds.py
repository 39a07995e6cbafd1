"""Announcement, forum and voice channels, and private threads: what each accepts and refuses."""

import pytest

from bot.sandbox import Sandbox
from tests.contract.player import Player, Refused
from tests.sandbox.raw_bot import RawBot

NO_THREADS = (400, 50024)
NO_MESSAGES = (400, 50008)


@pytest.fixture
def kinds(local: Sandbox) -> dict[str, str]:
    return {kind: local.add_channel(kind, kind) for kind in ("announcement", "forum", "voice")}


async def test_channels_of_all_kinds_at_the_start() -> None:
    kinds = [("news", "announcement"), ("ideas", "forum"), ("talk", "voice")]
    async with Sandbox(channels=["general", *kinds]) as local:
        types = {one["name"]: one["type"] for one in local.world.channels.values()}
    assert types == {"general": 0, "news": 5, "ideas": 15, "talk": 2}


async def test_each_kind_has_its_own_threads_and_pins(raw: RawBot, kinds: dict[str, str]) -> None:
    async def started(channel: str, kind: int) -> tuple[int, int]:
        body = {"name": "Talk", "type": kind}
        status, answer = await raw.call("POST", f"/channels/{channel}/threads", body)
        return (status, answer["type"]) if status == 201 else (status, answer["code"])

    assert await started(kinds["announcement"], 10) == (201, 10)
    assert await started(kinds["announcement"], 11) == NO_THREADS
    assert await started(raw.general, 10) == NO_THREADS
    assert await started(kinds["voice"], 11) == NO_THREADS
    news = await raw.post({"content": "news"}, channel=kinds["announcement"])
    address = f"/channels/{kinds['announcement']}/messages/{news['id']}/threads"
    assert (await raw.call("POST", address, {"name": "Talk"}))[1]["type"] == 10
    said = await raw.post({"content": "hello"}, channel=kinds["voice"])
    status, refusal = await raw.call("PUT", f"/channels/{kinds['voice']}/messages/pins/{said['id']}")
    assert (status, refusal["code"]) == (400, 50024)


async def test_forum_takes_posts_only(raw: RawBot, ada: Player, kinds: dict[str, str]) -> None:
    forum = kinds["forum"]
    status, refusal = await raw.call("POST", f"/channels/{forum}/messages", {"content": "hello"})
    assert (status, refusal["code"]) == NO_MESSAGES
    assert (await raw.call("POST", f"/channels/{forum}/threads", {"name": "Idea"}))[0] == 400
    status, made = await raw.call(
        "POST", f"/channels/{forum}/threads", {"name": "Idea", "message": {"content": "first"}}
    )
    assert (status, made["type"], made["parent_id"], made["message"]["id"]) == (201, 11, forum, made["id"])
    for call in ("message", "command"):
        with pytest.raises(Refused, match="A forum takes posts only"):
            await ada.post(call, channel=forum, content="hello", name="greet")
    own = await ada.post("thread", channel=forum, name="Mine", content="first of mine")
    assert [one["content"] for one in await ada.elsewhere(own["id"]).messages()] == ["first of mine"]
    assert (await raw.post({"content": "an answer"}, channel=own["id"]))["channel_id"] == own["id"]


async def test_mentioned_bot_joins_a_private_thread(local: Sandbox, raw: RawBot, grace: Player) -> None:
    """A bot with Manage Threads sees the thread without a mention."""
    thread = (await grace.post("thread", channel=grace.channel, name="Secret", private=True))["id"]
    local.allow("general", "manage_threads")
    assert (await raw.call("GET", f"/channels/{thread}"))[0] == 200
    local.deny("general", "manage_threads")
    for method, path in (("GET", ""), ("POST", "/messages"), ("PUT", "/thread-members/@me")):
        status, refusal = await raw.call(method, f"/channels/{thread}{path}", {"content": "hello"})
        assert (status, refusal["code"]) == (403, 50001)
    await grace.post("message", channel=thread, content=f"<@{raw.application}>")
    while (made := await raw.event("THREAD_CREATE"))["id"] != thread or "member" not in made:
        pass
    assert "newly_created" not in made
    assert (await raw.post({"content": "hello"}, channel=thread))["channel_id"] == thread
