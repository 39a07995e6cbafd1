"""Messages by REST: files, pictures, mentions, edits, replies and history."""

from typing import Any

import aiohttp
import pytest

from bot.sandbox import ManualClock, Sandbox
from bot.sandbox.messages import NONCE_HOLDS
from tests.contract.player import Player, players
from tests.sandbox.raw_bot import PNG, Json, RawBot, raw_bot

V2 = 1 << 15
CHANNEL = "/channels/{general}"


async def fetched(url: str) -> tuple[int, bytes, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.status, await response.read(), response.headers.get("Content-Type", "")


# --- files


async def test_file_is_stored_and_served(rest: RawBot) -> None:
    said = {"content": "see", "attachments": [{"id": 0, "description": "A board"}]}
    (file,) = (await rest.post(said, [("a board.png", PNG)]))["attachments"]
    assert (file["filename"], file["description"], file["size"]) == ("a_board.png", "A board", len(PNG))
    assert (file["width"], file["height"], file["content_type"]) == (3, 2, "image/png")
    assert await fetched(file["url"]) == (200, PNG, "image/png")
    large = [("big.png", b"x" * (10 * 1024 * 1024 + 1))]
    status, refusal = await rest.call("POST", f"/channels/{rest.general}/messages", {}, large)
    assert (status, refusal["code"]) == (413, 40005)


async def test_galleries_and_embeds_show_files_by_name(rest: RawBot) -> None:
    items = [{"media": {"url": "attachment://b.png"}, "description": "A board"}]
    made = await rest.post({"flags": V2, "components": [{"type": 12, "items": items}]}, [("b.png", PNG)])
    assert made["attachments"] == []  # a component shows it, so it is not listed
    (item,) = made["components"][0]["items"]
    assert (item["description"], item["spoiler"]) == ("A board", False)
    assert (item["media"]["width"], item["media"]["height"]) == (3, 2)
    assert item["media"]["attachment_id"] in item["media"]["url"]
    assert (await fetched(item["media"]["url"]))[1] == PNG
    embed = {"title": "t", "image": {"url": "attachment://e.png"}}
    made = await rest.post({"embeds": [embed]}, [("e.png", PNG)])
    assert made["attachments"] == []
    assert (await fetched(made["embeds"][0]["image"]["url"]))[1] == PNG


async def test_edit_keeps_drops_and_adds_files(rest: RawBot) -> None:
    made = await rest.post({"content": "x"}, [("1.png", PNG), ("2.png", PNG)])
    first, second = made["attachments"]
    address = f"{CHANNEL}/messages/{made['id']}".format(general=rest.general)
    _, edited = await rest.call("PATCH", address, {"content": "y"})
    assert edited["attachments"] == [first, second]
    keep = {"attachments": [{"id": second["id"]}, {"id": 0, "description": "new"}]}
    _, edited = await rest.call("PATCH", address, keep, [("3.png", PNG)])
    assert [file["filename"] for file in edited["attachments"]] == ["2.png", "3.png"]
    assert (await fetched(first["url"]))[0] == 404
    await rest.call("DELETE", address)
    assert (await fetched(second["url"]))[0] == 404


async def test_components_get_ids(rest: RawBot) -> None:
    made = await rest.post(
        {
            "flags": V2,
            "components": [
                {"type": 17, "components": [{"type": 10, "content": "a"}, {"type": 14}]},
                {"type": 10, "content": "b", "id": 2},
            ],
        }
    )
    container, text = made["components"]
    assert [container["id"], *(one["id"] for one in container["components"]), text["id"]] == [1, 3, 4, 2]
    assert (container["accent_color"], container["spoiler"]) == (None, False)
    assert (container["components"][1]["divider"], container["components"][1]["spacing"]) == (True, 1)


# --- mentions


def with_names(body: Any, ada: Player, grace: Player) -> Any:
    """Return `body` with <ada> and <grace> replaced by their ids."""
    if isinstance(body, str):
        return body.replace("<ada>", ada.id).replace("<grace>", grace.id)
    if isinstance(body, list):
        return [with_names(one, ada, grace) for one in body]
    if isinstance(body, dict):
        return {key: with_names(one, ada, grace) for key, one in body.items()}
    return body


PINGS: dict[str, tuple[Json, str]] = {  # -> the message, the members that are pinged
    "a mention": ({"content": "<@<ada>>"}, "Ada"),
    "two mentions": ({"content": "<@<ada>> <@!<grace>> <@<ada>>"}, "Ada Grace"),
    "nobody allowed": ({"content": "<@<ada>>", "allowed_mentions": {"parse": []}}, ""),
    "users allowed": ({"content": "<@<ada>>", "allowed_mentions": {"parse": ["users"]}}, "Ada"),
    "one allowed": ({"content": "<@<ada>> <@<grace>>", "allowed_mentions": {"users": ["<grace>"]}}, "Grace"),
    "a text display": ({"flags": V2, "components": [{"type": 10, "content": "<@<ada>>"}]}, "Ada"),
    "everyone": ({"content": "@everyone"}, "Ada Grace"),
    "everyone not allowed": ({"content": "@everyone", "allowed_mentions": {"parse": ["users"]}}, ""),
    "a role": ({"content": "<@&<players>>"}, "Ada Grace"),
    "a role not allowed": ({"content": "<@&<players>>", "allowed_mentions": {"parse": ["users"]}}, ""),
    "silent": ({"content": "<@<ada>>", "flags": 1 << 12}, ""),
    "a channel": ({"content": "<#<ada>>"}, ""),
}


@pytest.mark.parametrize("case", PINGS)
async def test_new_message_pings_allowed_members(case: str, rest: RawBot, ada: Player, grace: Player) -> None:
    body, expected = PINGS[case]
    async with rest.page_of(ada.id) as at_ada, rest.page_of(grace.id) as at_grace:
        players = (await rest.call("GET", f"/guilds/{rest.guild}/roles"))[1][-1]["id"]
        named = with_names(body, ada, grace)
        made = await rest.post({**named, "content": named.get("content", "").replace("<players>", players)})
        await rest.call(
            "PATCH", f"/channels/{rest.general}/messages/{made['id']}", {"allowed_mentions": None}
        )
        pinged = [name for name, socket in (("Ada", at_ada), ("Grace", at_grace)) if await pings(socket)]
    assert " ".join(pinged) == expected


async def pings(socket: aiohttp.ClientWebSocketResponse) -> bool:
    """Return whether there is a ping between a message and its edit, which never pings."""
    assert (await socket.receive_json())["type"] == "message"
    following = await socket.receive_json()
    if following["type"] == "ping":
        assert (await socket.receive_json())["type"] == "message"
        return True
    return False


async def test_edit_does_not_ping(rest: RawBot, ada: Player) -> None:
    async with rest.page_of(ada.id) as socket:
        made = await rest.post({"content": "nobody"})
        address = f"/channels/{rest.general}/messages/{made['id']}"
        _, edited = await rest.call("PATCH", address, {"content": f"<@{ada.id}>"})
        await rest.call("DELETE", address)
        types = [(await socket.receive_json())["type"] for _ in range(3)]
    assert [user["id"] for user in edited["mentions"]] == [ada.id]
    assert types == ["message", "message", "message_delete"]


async def test_members_mention_only_some_roles(ada: Player, grace: Player, rest: RawBot) -> None:
    assert (await grace.say("@everyone"))["mention_everyone"] is False
    assert (await ada.say("@everyone"))["mention_everyone"] is True
    _, (_, own, players) = await rest.call("GET", f"/guilds/{rest.guild}/roles")
    both = f"<@&{own['id']}> <@&{players['id']}>"
    assert (await grace.say(both))["mention_roles"] == [players["id"]]
    assert (await ada.say(both))["mention_roles"] == [own["id"], players["id"]]


async def test_enforced_nonce_posts_once(rest: RawBot, ada: Player, clock: ManualClock) -> None:
    said = {"content": "once", "nonce": "n", "enforce_nonce": True}
    made = await rest.post(said)
    again = await rest.post(said | {"content": "twice"})
    assert (again["id"], again["content"], again["nonce"]) == (made["id"], "once", "n")
    other = [await rest.post(said | it) for it in ({"nonce": "m"}, {"enforce_nonce": False})]
    await clock.advance(301)
    later = await rest.post(said)
    assert len({it["id"] for it in (made, *other, later)}) == 4
    messages = f"/channels/{rest.general}/messages"
    await rest.call("DELETE", f"{messages}/{later['id']}")
    number = len(await ada.messages())
    status, refused = await rest.call("POST", messages, said)
    assert (status, refused["code"], len(await ada.messages())) == (404, 10008, number)
    await clock.advance(NONCE_HOLDS)
    await rest.post(said)


# --- edits, replies and history


async def test_edit_changes_only_the_fields_that_it_names(rest: RawBot) -> None:
    rows = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "b", "custom_id": "b"}]}]
    made = await rest.post({"content": "x", "components": rows})
    address = f"/channels/{rest.general}/messages/{made['id']}"
    _, edited = await rest.call("PATCH", address, {"content": "y"})
    assert (edited["content"], edited["components"]) == ("y", made["components"])
    assert made["edited_timestamp"] is None
    assert edited["edited_timestamp"] is not None
    _, edited = await rest.call("PATCH", address, {"components": []})
    assert (edited["content"], edited["components"]) == ("y", [])
    assert (await rest.call("PATCH", address, {"content": ""}))[1]["code"] == 50006
    # V2 needs the old text to be removed, and cannot be turned off.
    panel = {"flags": V2, "components": [{"type": 10, "content": "panel"}]}
    assert (await rest.call("PATCH", address, panel))[1]["code"] == 50035
    assert (await rest.call("PATCH", address, panel | {"content": None}))[1]["flags"] == V2
    assert (await rest.call("PATCH", address, {"flags": 0, "content": "back"}))[1]["code"] == 50035


async def test_reply_pings_and_shows_its_message(rest: RawBot, ada: Player) -> None:
    said = await ada.say("question")
    made = await rest.post({"content": "answer", "message_reference": {"message_id": said["id"]}})
    assert (made["type"], made["referenced_message"]["content"]) == (19, "question")
    assert [user["id"] for user in made["mentions"]] == [ada.id]
    quiet = {
        "content": "x",
        "message_reference": {"message_id": said["id"]},
        "allowed_mentions": {"parse": []},
    }
    assert (await rest.post(quiet))["mentions"] == []


async def test_history_is_paged(rest: RawBot) -> None:
    ids = [(await rest.post({"content": str(n)}))["id"] for n in range(7)]

    async def page(query: str) -> list[str]:
        _, found = await rest.call("GET", f"/channels/{rest.general}/messages?{query}")
        return [one["id"] for one in reversed(found)]

    assert await page("limit=3") == ids[4:]
    assert await page(f"limit=3&before={ids[4]}") == ids[1:4]
    assert await page(f"limit=3&after={ids[1]}") == ids[2:5]
    assert await page(f"limit=3&around={ids[3]}") == ids[2:5]


async def test_rest_hides_messages_without_the_intent(ada: Player) -> None:
    async with Sandbox(privileged=False) as local, players(local.url) as (someone, *_), raw_bot(local) as bot:
        await someone.say("private")
        await bot.post({"content": "own"})
        _, found = await bot.call("GET", f"/channels/{bot.general}/messages")
    assert [one["content"] for one in found] == ["own", ""]
