"""Refusals by permissions and unknown ids, with Discord's statuses and codes."""

import asyncio

import pytest

from bot.sandbox.world.permissions import bit
from tests.contract.player import Player
from tests.sandbox.raw_bot import PNG, Json, RawBot

# --- permissions

DENIED: list[tuple[str, str, str, int]] = [  # -> the denied permission, the call that fails, its code
    ("view_channel", "GET", "", 50001),
    ("view_channel", "POST", "/messages", 50001),
    ("send_messages", "POST", "/messages", 50013),
    ("send_messages", "POST", "/typing", 50013),
    ("read_message_history", "GET", "/messages/{said}", 50013),
    ("create_public_threads", "POST", "/threads", 50013),
    ("manage_channels", "PATCH", "", 50013),
    ("manage_messages", "DELETE", "/messages/{said}", 50013),
]


@pytest.mark.parametrize(("permission", "method", "path", "code"), DENIED)
async def test_missing_permission_is_refused(
    permission: str, method: str, path: str, code: int, rest: RawBot, ada: Player
) -> None:
    said = await ada.say("x")
    address = f"/channels/{rest.general}{path.format(said=said['id'])}"
    body = {"content": "x", "name": "x", "type": 11}
    rest.local.deny("general", permission)
    status, refusal = await rest.call(method, address, None if method in ("GET", "DELETE") else body)
    assert (status, refusal["code"]) == (403, code)
    rest.local.allow("general", permission)
    assert (await rest.call(method, address, None if method in ("GET", "DELETE") else body))[0] < 300


async def test_history_is_empty_without_its_permission(rest: RawBot, ada: Player) -> None:
    said = await ada.say("x")
    address = f"/channels/{rest.general}/messages?after={int(said['id']) - 1}"
    rest.local.deny("general", "read_message_history")
    assert await rest.call("GET", address) == (200, [])
    rest.local.allow("general", "read_message_history")
    assert [it["id"] for it in (await rest.call("GET", address))[1]] == [said["id"]]


async def test_files_need_their_permission_and_responses_need_none(raw: RawBot, ada: Player) -> None:
    raw.local.deny(raw.general, "attach_files")
    status, refusal = await raw.call("POST", f"/channels/{raw.general}/messages", {}, [("a.png", PNG)])
    assert (status, refusal["code"]) == (403, 50013)
    raw.local.deny("general", "send_messages")
    waiting = asyncio.ensure_future(ada.command("ask"))
    interaction = await raw.asked()
    assert not int(interaction["app_permissions"]) & 1 << 11
    assert (await raw.answer(interaction, 4, {"content": "x"}))[0] == 200
    await waiting


def test_unknown_permission_is_named() -> None:
    with pytest.raises(ValueError, match="send_messages"):
        bit("send_mesages")


# --- errors

ERRORS: list[tuple[str, str, Json | None, int, int]] = [
    ("GET", "/nowhere", None, 404, 0),
    ("GET", "/channels/1", None, 404, 10003),
    ("POST", "/channels/1/messages", {"content": "x"}, 404, 10003),
    ("GET", "/guilds/1", None, 404, 10004),
    ("GET", "/guilds/{guild}/members/1", None, 404, 10007),
    ("GET", "/channels/{general}/messages/1", None, 404, 10008),
    ("GET", "/channels/{general}/messages?before=yesterday", None, 400, 50035),
    ("PATCH", "/channels/{general}/messages/1", {"content": "x"}, 404, 10008),
    ("PATCH", "/channels/{general}/messages/{said}", {"content": "x"}, 403, 50005),
    ("GET", "/users/1", None, 404, 10013),
    ("POST", "/users/@me/channels", {"recipient_id": "1"}, 404, 10013),
    ("POST", "/users/@me/channels", {}, 400, 50035),
    ("POST", "/webhooks/1/x", {"content": "x"}, 404, 10015),
    ("POST", "/webhooks/{application}/x", {"content": "x"}, 401, 50027),
    ("POST", "/interactions/1/x/callback", {"type": 4}, 404, 10062),
    ("POST", "/channels/{general}/messages", {}, 400, 50006),
    ("POST", "/channels/{general}/messages", {"content": "  \n "}, 400, 50006),
    ("PUT", "/channels/{general}/thread-members/@me", None, 400, 50024),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), ERRORS)
async def test_errors_have_discords_codes(
    method: str, path: str, body: Json | None, status: int, code: int, rest: RawBot, ada: Player
) -> None:
    said = await ada.say("x")
    names = {
        "general": rest.general,
        "guild": rest.guild,
        "application": rest.application,
        "said": said["id"],
    }
    got, refusal = await rest.call(method, path.format(**names), body)
    assert (got, refusal["code"]) == (status, code)


async def test_token_and_json_are_required(rest: RawBot) -> None:
    refusal = {"message": "401: Unauthorized", "code": 0}
    assert await rest.call("GET", "/users/@me", token="") == (401, refusal)
    address = f"{rest.local.url}/api/v10/channels/{rest.general}/messages"
    async with rest.session.post(address, data="{", headers={"Authorization": "Bot x"}) as response:
        assert (response.status, (await response.json())["code"]) == (400, 50109)
        assert response.headers["Content-Type"] == "application/json"
