"""The calls of the page: actions of members, refusals before the bot is notified, and the feed."""

import asyncio
import re
from typing import Any

import aiohttp
import pytest

from tests.contract.player import Player, Refused
from tests.sandbox.raw_bot import Json, RawBot, together

OPTIONS: list[Json] = [
    {"type": 3, "name": "word", "description": "w", "required": True, "min_length": 2, "max_length": 4},
    {"type": 4, "name": "count", "description": "c", "min_value": 1, "max_value": 9},
    {"type": 3, "name": "size", "description": "s", "choices": [{"name": "Big", "value": "b"}]},
    {"type": 5, "name": "sure", "description": "s"},
    {"type": 6, "name": "who", "description": "w"},
    {"type": 7, "name": "where", "description": "w", "channel_types": [11]},
    {"type": 10, "name": "part", "description": "p", "max_value": 0.5},
]

WRONG_OPTIONS: dict[str, tuple[Json, str]] = {
    "missing": ({}, "'word' is required"),
    "too short": ({"word": "x"}, "text of 2 to 4 characters"),
    "no text": ({"word": 12}, "text of 2 to 4 characters"),
    "too many": ({"word": "yes", "count": 10}, "whole number from 1 to 9"),
    "no number": ({"word": "yes", "count": True}, "whole number"),
    "no choice": ({"word": "yes", "size": "x"}, "one of the choices: Big"),
    "no boolean": ({"word": "yes", "sure": "maybe"}, "true or false"),
    "no user": ({"word": "yes", "who": "1"}, "does not take 1"),
    "wrong kind of channel": ({"word": "yes", "where": "general"}, "does not take"),
    "too large": ({"word": "yes", "part": 0.6}, "number from"),
    "unknown": ({"word": "yes", "colour": "red"}, "no option 'colour'"),
}


async def test_command_is_checked_first(raw: RawBot, ada: Player) -> None:
    await raw.register({"name": "go", "description": "Go", "options": OPTIONS})
    for options, sentence in WRONG_OPTIONS.values():
        with pytest.raises(Refused, match=sentence):
            await ada.command("go", **options)
    assert not [one for one in raw.seen if one["t"] == "INTERACTION_CREATE"]


async def test_subcommand_must_be_chosen(raw: RawBot, ada: Player) -> None:
    sub = {"type": 1, "name": "on", "description": "On"}
    await raw.register({"name": "go", "description": "Go", "options": [sub]})
    with pytest.raises(Refused, match="Choose a subcommand: on"):
        await ada.command("go")
    with pytest.raises(Refused, match="no subcommand 'off'"):
        await ada.command("go", "off")
    with pytest.raises(Refused, match="no command 'stop'"):
        await ada.command("stop")


BUTTONS = {
    "type": 1,
    "components": [
        {"type": 2, "style": 1, "label": "on", "custom_id": "on"},
        {"type": 2, "style": 1, "label": "off", "custom_id": "off", "disabled": True},
    ],
}
MENU = {
    "type": 1,
    "components": [
        {
            "type": 3,
            "custom_id": "menu",
            "max_values": 2,
            "options": [{"label": n, "value": n} for n in "abc"],
        }
    ],
}


async def test_component_must_exist_and_be_enabled(rest: RawBot, ada: Player) -> None:
    message = await rest.post({"content": "x", "components": [BUTTONS, MENU]})
    with pytest.raises(Refused, match="disabled"):
        await ada.press(message, "off")
    with pytest.raises(Refused, match="no such component 'gone'"):
        await ada.press(message, "gone")
    with pytest.raises(Refused, match="no such component 'menu'"):
        await ada.press(message, "menu")
    for values, sentence in (
        ((), "1 to 2"),
        (("a", "b", "c"), "1 to 2"),
        (("a", "a"), "none twice"),
        (("z",), "'z'"),
    ):
        with pytest.raises(Refused, match=sentence):
            await ada.choose(message, "menu", *values)


async def test_ephemeral_button_is_for_one_member(raw: RawBot, ada: Player, grace: Player) -> None:
    waiting = asyncio.ensure_future(ada.command("ask"))
    await raw.answer(await raw.asked(), 4, {"content": "x", "flags": 64, "components": [BUTTONS]})
    message = (await waiting)["message"]
    with pytest.raises(Refused, match="no such message"):
        await grace.press(message, "on")
    pressing = asyncio.ensure_future(ada.press(message, "on"))
    await raw.answer(await raw.asked(), 7, {"content": "pressed"})
    assert (await pressing)["message"]["content"] == "pressed"


FORM: Json = {
    "custom_id": "form",
    "title": "Form",
    "components": [
        {
            "type": 18,
            "label": "Name",
            "component": {"type": 4, "style": 1, "custom_id": "name", "min_length": 2, "max_length": 4},
        },
        {
            "type": 18,
            "label": "One",
            "component": {
                "type": 21,
                "custom_id": "one",
                "required": False,
                "options": [{"label": n, "value": n} for n in "ab"],
            },
        },
    ],
}
WRONG_FIELDS: dict[str, tuple[Any, str]] = {
    "missing": ({}, "'Name' must be filled in"),
    "too short": ({"name": "x"}, "text of 2 to 4"),
    "too long": ({"name": "xxxxx"}, "text of 2 to 4"),
    "unknown": ({"name": "xx", "age": 5}, "no field 'age'"),
    "no option": ({"name": "xx", "one": "c"}, "among a, b"),
    "no object": ("xx", "must be an object"),
}


async def test_form_is_checked_first(raw: RawBot, ada: Player, grace: Player) -> None:
    waiting = asyncio.ensure_future(ada.command("ask"))
    await raw.answer(await raw.asked(), 9, FORM)
    opened = await waiting
    for fields, sentence in WRONG_FIELDS.values():
        with pytest.raises(Refused, match=sentence):
            await ada.post("submit", interaction=opened["interaction"], custom_id="form", fields=fields)
    with pytest.raises(Refused, match="no longer open"):
        await grace.submit(opened, name="xx")
    submitting = asyncio.ensure_future(ada.submit(opened, name="xx"))
    await raw.answer(await raw.asked(), 4, {"content": "thanks"})
    assert (await submitting)["outcome"] == "message"


async def test_state(raw: RawBot, ada: Player, grace: Player) -> None:
    _, channel = await raw.call("POST", "/users/@me/channels", {"recipient_id": ada.id})
    await raw.post({"content": "psst"}, channel=channel["id"])
    state = await ada.get("state")
    assert (state["guild"]["id"], state["me"]["id"]) == (raw.guild, ada.id)
    assert state["application"]["online"] is True
    assert [user["global_name"] for user in state["members"]] == ["Ada", "Grace"]
    (direct,) = (one for one in state["channels"] if one["type"] == 1)
    assert [user["username"] for user in direct["recipients"]] == ["Bot"]
    assert [one["content"] for one in await ada.messages(channel["id"])] == ["psst"]
    assert [one for one in (await grace.get("state"))["channels"] if one["type"] == 1] == []
    with pytest.raises(Refused, match="no such channel"):
        await grace.messages(channel["id"])
    await raw.close()
    async with raw.page_of(ada.id):  # the server has noticed the close when it accepts a new socket
        assert (await ada.get("state"))["application"]["online"] is False


async def test_history_is_paged_oldest_first(ada: Player) -> None:
    ids = [(await ada.say(str(n)))["id"] for n in range(5)]
    address = f"channels/{ada.channel}/messages"
    assert [one["id"] for one in await ada.get(address, limit="2")] == ids[3:]
    assert [one["id"] for one in await ada.get(address, limit="2", before=ids[3])] == ids[1:3]


async def test_feed_sends_what_a_member_may_see(raw: RawBot, ada: Player, grace: Player) -> None:
    async with raw.page_of(ada.id) as at_ada, raw.page_of(grace.id) as at_grace:
        waiting = asyncio.ensure_future(ada.command("ask"))
        await raw.answer(await raw.asked(), 4, {"content": f"<@{ada.id}>", "flags": 64})
        await waiting
        await ada.say("for all")
        thread = await ada.post("thread", channel=ada.channel, name="Talk")
        told_ada = [await at_ada.receive_json() for _ in range(4)]
        told_grace = [await at_grace.receive_json() for _ in range(2)]
    assert [one["type"] for one in told_ada] == ["message", "ping", "message", "channel"]
    assert told_ada[0]["message"]["ephemeral_for"] == ada.id
    assert [one["type"] for one in told_grace] == ["message", "channel"]
    assert told_grace[0]["message"]["content"] == "for all"
    assert told_grace[1]["channel"]["id"] == thread["id"]


async def test_feed_reports_the_bot_and_its_commands(rest: RawBot, ada: Player) -> None:
    async with rest.page_of(ada.id) as page:
        await rest.register({"name": "ask", "description": "Ask"})
        await rest.open()
        await rest.identify()
        await rest.call("POST", f"/channels/{rest.general}/typing")
        told = [await page.receive_json() for _ in range(3)]
        await rest.close()
        told.append(await page.receive_json())
    assert [one["type"] for one in told] == ["commands", "application", "typing", "application"]
    assert [one["application"]["online"] for one in told if one["type"] == "application"] == [True, False]


HEADERS: list[tuple[dict[str, str], int]] = [
    ({}, 200),
    ({"Host": "localhost:{port}"}, 200),
    ({"Origin": "http://localhost:{port}"}, 200),
    ({"Host": "pencilbox.test:{port}"}, 403),
    ({"Host": "127.0.0.1:1"}, 403),
    ({"Origin": "http://elsewhere.test"}, 403),
    ({"Origin": "null"}, 403),
]


async def test_only_its_own_addresses_are_served(rest: RawBot) -> None:
    port = rest.local.url.rpartition(":")[2]
    for headers, status in HEADERS:
        given = {name: value.format(port=port) for name, value in headers.items()}
        async with rest.session.get(f"{rest.local.url}/local/state", headers=given) as response:
            assert response.status == status
        if status == 403:
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await rest.session.ws_connect(rest.local.gateway, headers=given)


async def test_wrong_call_is_explained(rest: RawBot, ada: Player) -> None:
    for body in ("", "{", "[]", '{"as": "1"}'):
        async with rest.session.post(f"{rest.local.url}/local/message", data=body) as response:
            assert response.status in (400, 404)
            assert (await response.json())["error"].endswith(".")
    for content in (None, "", "  ", 5, "x" * 2001):
        with pytest.raises(Refused, match="1 to 2,000 characters"):
            await ada.post("message", channel=ada.channel, content=content)
    assert (await ada.get("state"))["application"] is None


async def test_files_outside_the_page_are_not_served(rest: RawBot) -> None:
    outside = (
        "../calls.py",
        "%2e%2e/calls.py",
        "..%2fcalls.py",
        "calls.py",
        "v-0/..%2f..%2fcalls.py",
        "nothing.js",
    )
    for path in outside:
        async with rest.session.get(f"{rest.local.url}/page/{path}") as response:
            assert response.status == 404, path


async def test_browser_caches_a_version_of_the_page(rest: RawBot) -> None:
    async with rest.session.get(f"{rest.local.url}/") as response:
        assert response.headers["Cache-Control"] == "no-cache"
        (script,) = re.findall(r'src="(/page/v-[0-9a-f]+/js/app.js)"', await response.text())
    for path, caching in (
        (script, "max-age=31536000, immutable"),
        ("/page/v-0/js/app.js", "no-cache"),
        ("/page/js/app.js", "no-cache"),
    ):
        async with rest.session.get(rest.local.url + path) as response:
            assert (response.status, response.headers["Cache-Control"]) == (200, caching)


async def test_concurrent_commands(raw: RawBot, ada: Player, grace: Player) -> None:
    async def bot() -> None:
        for _ in range(20):
            asked = await raw.asked()
            await raw.answer(asked, 4, {"content": asked["member"]["user"]["global_name"]})

    asking = [player.command("ask") for player in (ada, grace) for _ in range(10)]
    got = (await together(bot(), *asking))[1:]
    assert [one["message"]["content"] for one in got] == ["Ada"] * 10 + ["Grace"] * 10
