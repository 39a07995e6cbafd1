"""Interactions: their events, answers of every type, and followups."""

import asyncio

import pytest

from bot.sandbox.world.permissions import bit
from tests.contract.player import Player
from tests.sandbox.raw_bot import Json, RawBot, answered, asked

EPHEMERAL, LOADING, V2 = 1 << 6, 1 << 7, 1 << 15
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}


async def pressed(
    raw: RawBot, player: Player, kind: int, data: Json | None = None
) -> tuple[Json, Json, Json]:
    message = await raw.post({"content": "board", "components": [BUTTON]})
    return await answered(raw, player.press(message, "go"), kind, data)


# --- the events that the bot gets


async def test_command_carries_everything_a_library_needs(raw: RawBot, ada: Player, grace: Player) -> None:
    await raw.register(
        {
            "name": "give",
            "description": "Give",
            "options": [
                {
                    "type": 1,
                    "name": "away",
                    "description": "Give away",
                    "options": [
                        {"type": 6, "name": "who", "description": "Whom", "required": True},
                        {"type": 7, "name": "where", "description": "Where"},
                        {"type": 8, "name": "role", "description": "Role"},
                    ],
                }
            ],
        }
    )
    giving = ada.command("give", "away", who=grace.id, where=raw.general, role=raw.guild)
    told, _, got = await answered(raw, giving, 4, {"content": "given"})
    assert told["data"]["options"] == [
        {
            "name": "away",
            "type": 1,
            "options": [
                {"name": "who", "type": 6, "value": grace.id},
                {"name": "where", "type": 7, "value": raw.general},
                {"name": "role", "type": 8, "value": raw.guild},
            ],
        }
    ]
    resolved = told["data"]["resolved"]
    assert set(resolved) == {"users", "members", "channels", "roles"}
    assert "user" not in resolved["members"][grace.id]
    assert (told["member"]["user"]["id"], told["guild_id"], told["context"]) == (ada.id, raw.guild, 0)
    assert told["authorizing_integration_owners"] == {"0": raw.guild}
    # Ada, the first, owns the server. The application does not have Manage Threads.
    assert told["channel"]["permissions"] == told["member"]["permissions"]
    assert int(told["member"]["permissions"]) ^ int(told["app_permissions"]) == bit("manage_threads")
    told, _, _ = await answered(raw, grace.command("give", "away", who=ada.id), 4, {"content": "given"})
    assert told["channel"]["permissions"] == told["member"]["permissions"] != told["app_permissions"]
    assert got["message"]["type"] == 20
    assert got["message"]["interaction"]["name"] == "give away"
    assert got["message"]["interaction_metadata"]["user"]["id"] == ada.id


async def test_menu_commands_carry_their_target(raw: RawBot, ada: Player, grace: Player) -> None:
    await raw.register({"name": "Greet", "type": 2}, {"name": "Quote", "type": 3})
    told, _, got = await answered(raw, ada.menu("Greet", grace.id, 2), 4, {"content": "hi"})
    assert (told["data"]["target_id"], got["message"]["type"]) == (grace.id, 23)
    assert got["message"]["interaction_metadata"]["target_user"]["id"] == grace.id
    said = await grace.say("something")
    told, _, got = await answered(raw, ada.menu("Quote", said["id"], 3), 4, {"content": "hi"})
    assert told["data"]["resolved"]["messages"][said["id"]]["content"] == "something"


async def test_direct_message_has_a_user_and_no_server(raw: RawBot, ada: Player) -> None:
    direct = await ada.post("direct")
    asking = ada.post("command", channel=direct["id"], name="ask", options={})
    told, _, got = await answered(raw, asking, 4, {"content": "only us"})
    assert (told["user"]["id"], told["context"], "member" in told, "guild_id" in told) == (
        ada.id,
        1,
        False,
        False,
    )
    assert got["message"]["channel_id"] == direct["id"]


# --- answers


async def test_message(raw: RawBot, ada: Player, grace: Player) -> None:
    other = await raw.post({"content": "other"})
    told, made, got = await answered(raw, ada.command("ask"), 4, {"content": "answer"})
    shown = got["message"]
    assert got["outcome"] == "message"
    assert made["interaction"]["response_message_id"] == shown["id"] == made["resource"]["message"]["id"]
    assert [one["content"] for one in await grace.messages()] == ["other", "answer"]
    while (created := await raw.event("MESSAGE_CREATE"))["id"] == other["id"]:
        pass
    assert created["id"] == shown["id"]
    status, refusal = await raw.answer(told, 4, {"content": "second"})
    assert (status, refusal["code"]) == (400, 40060)
    status, refusal = await raw.hook("PATCH", told, f"/messages/{other['id']}", {"content": "stolen"})
    assert (status, refusal["code"]) == (404, 10008)
    assert await raw.hook("DELETE", told, "/messages/@original") == (204, None)
    assert (await raw.event("MESSAGE_DELETE"))["id"] == shown["id"]
    assert [one["content"] for one in await ada.messages()] == ["other"]


async def test_ephemeral_message_is_seen_by_one(raw: RawBot, ada: Player, grace: Player) -> None:
    told, made, got = await answered(raw, ada.command("ask"), 4, {"content": "secret", "flags": EPHEMERAL})
    assert got["message"]["ephemeral_for"] == ada.id
    assert made["interaction"]["response_message_ephemeral"] is True
    assert len(await ada.messages()) == 1
    assert await grace.messages() == []
    shown = got["message"]["id"]
    assert (await raw.call("GET", f"/channels/{raw.general}/messages/{shown}"))[1]["code"] == 10008
    assert (await raw.call("GET", f"/channels/{raw.general}/messages"))[1] == []
    await ada.post("dismiss", message=shown)
    assert await ada.messages() == []
    status, edited = await raw.hook("PATCH", told, "/messages/@original", {"content": "late"})
    assert (status, edited["code"]) == (404, 10008)


async def test_update_edits_the_message_of_the_button(raw: RawBot, ada: Player) -> None:
    told, _, got = await pressed(raw, ada, 7, {"content": "pressed", "components": []})
    assert told["message"]["id"] == got["message"]["id"]
    assert (got["outcome"], got["message"]["content"], got["message"]["components"]) == (
        "update",
        "pressed",
        [],
    )
    status, original = await raw.hook("GET", told, "/messages/@original")
    assert (status, original["id"]) == (200, got["message"]["id"])


async def test_deferred_update_keeps_the_message(raw: RawBot, ada: Player) -> None:
    told, _, got = await pressed(raw, ada, 6)
    assert (got["outcome"], got["message"]["content"], got["message"]["state"]) == ("update", "board", "sent")
    await raw.hook("PATCH", told, "/messages/@original", {"content": "edited"})
    assert (await ada.get(f"messages/{got['message']['id']}"))["content"] == "edited"


@pytest.mark.parametrize("flags", [0, EPHEMERAL])
async def test_first_followup_fills_a_deferred_answer(raw: RawBot, ada: Player, flags: int) -> None:
    told, made, got = await answered(raw, ada.command("ask"), 5, {"flags": flags})
    assert (got["message"]["state"], got["message"]["flags"]) == ("thinking", LOADING | flags)
    assert made["interaction"]["response_message_loading"] is True
    # The followup asks for the other kind of privacy and does not get it.
    status, filled = await raw.hook("POST", told, "", {"content": "done", "flags": flags ^ EPHEMERAL})
    assert (status, filled["id"], filled["flags"]) == (200, got["message"]["id"], flags)
    shown = await ada.get(f"messages/{filled['id']}")
    assert (shown["content"], shown["state"], shown["edited_timestamp"]) == ("done", "sent", None)
    status, second = await raw.hook("POST", told, "", {"content": "more"})
    assert second["id"] != filled["id"]
    assert second["message_reference"]["message_id"] == filled["id"]
    panel = {"flags": V2, "content": None, "components": [{"type": 10, "content": "panel"}]}
    status, edited = await raw.hook("PATCH", told, "/messages/@original", panel)
    assert (status, edited["flags"] & V2, edited["components"]) == (
        200,
        V2,
        [{"type": 10, "content": "panel", "id": 1}],
    )


async def test_autocomplete(raw: RawBot, ada: Player) -> None:
    cell = {"type": 3, "name": "cell", "description": "A cell", "autocomplete": True, "required": True}
    await raw.register({"name": "move", "description": "Move", "options": [cell]})
    choices = [{"name": "Cell B2", "value": "b2"}]
    told, made, got = await answered(raw, ada.autocomplete("move", "cell", cell="b"), 8, {"choices": choices})
    assert (told["type"], told["data"]["options"]) == (
        4,
        [{"name": "cell", "type": 3, "value": "b", "focused": True}],
    )
    assert (got["outcome"], got["choices"]) == ("choices", choices)
    assert "resource" not in made


MODAL: Json = {
    "custom_id": "form",
    "title": "Fill in",
    "components": [
        {
            "type": 18,
            "label": "Name",
            "component": {"type": 4, "style": 1, "custom_id": "name", "max_length": 5},
        },
        {
            "type": 18,
            "label": "One",
            "component": {
                "type": 21,
                "custom_id": "one",
                "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}],
            },
        },
        {
            "type": 18,
            "label": "Some",
            "component": {
                "type": 22,
                "custom_id": "some",
                "required": False,
                "options": [{"label": "X", "value": "x"}, {"label": "Y", "value": "y"}],
            },
        },
        {"type": 18, "label": "Yes", "component": {"type": 23, "custom_id": "yes"}},
        {"type": 18, "label": "Who", "component": {"type": 5, "custom_id": "who"}},
    ],
}


async def test_modal_is_filled_in(raw: RawBot, ada: Player, grace: Player) -> None:
    _, _, opened = await pressed(raw, ada, 9, MODAL)
    assert (opened["outcome"], opened["modal"]["title"]) == ("modal", "Fill in")
    filling = ada.submit(opened, name="Ada", one="b", some=["x", "y"], yes=True, who=[grace.id])
    told, _, got = await answered(raw, filling, 7, {"content": "filled in"})
    assert (told["type"], told["data"]["custom_id"]) == (5, "form")
    inner = {one["component"]["custom_id"]: one["component"] for one in told["data"]["components"]}
    assert {one["type"] for one in told["data"]["components"]} == {18}
    assert (inner["name"]["value"], inner["one"]["value"], inner["yes"]["value"]) == ("Ada", "b", True)
    assert (inner["some"]["values"], inner["who"]["values"]) == (["x", "y"], [grace.id])
    assert told["data"]["resolved"]["users"][grace.id]["global_name"] == "Grace"
    assert (got["outcome"], got["message"]["content"]) == ("update", "filled in")


async def test_modal_of_a_command_is_answered_by_a_message(raw: RawBot, ada: Player) -> None:
    form = {"custom_id": "f", "title": "F", "components": [MODAL["components"][0]]}
    told, _, opened = await answered(raw, ada.command("ask"), 9, form)
    waiting = asyncio.ensure_future(ada.submit(opened, name="Ada"))
    submitted = await raw.asked()
    assert (await raw.answer(submitted, 7, {"content": "x"}))[1]["errors"].keys() == {"type"}
    await raw.answer(submitted, 4, {"content": "thanks"})
    message = (await waiting)["message"]
    assert message["interaction_metadata"]["triggering_interaction_metadata"]["id"] == told["id"]


async def test_select_menus_carry_their_choice(raw: RawBot, ada: Player, grace: Player) -> None:
    for kind, wanted in {5: grace.id, 6: raw.guild, 7: grace.id, 8: raw.general}.items():
        menu = {"type": 1, "components": [{"type": kind, "custom_id": "menu", "max_values": 2}]}
        message = await raw.post({"content": "choose", "components": [menu]})
        told, _, got = await answered(raw, ada.choose(message, "menu", wanted), 6)
        assert (told["data"]["component_type"], told["data"]["values"]) == (kind, [wanted])
        assert wanted in {id_ for found in told["data"]["resolved"].values() for id_ in found}
        assert got["outcome"] == "update"


# --- one answer, of an allowed type


async def test_refused_answer_leaves_the_interaction_open(raw: RawBot, ada: Player) -> None:
    told, waiting = await asked(raw, ada.command("ask"))
    assert (await raw.answer(told, 4, {"content": ""}))[1]["code"] == 50006
    assert (await raw.answer(told, 4, {"content": "x" * 2001}))[1]["code"] == 50035
    path = f"/interactions/{told['id']}/{told['token']}/callback"
    assert await raw.call("POST", path, {"type": 4, "data": {"content": "x"}}, token="") == (204, None)
    assert (await waiting)["message"]["content"] == "x"
    await raw.close()
    offline = await ada.command("ask")
    assert (offline["outcome"], offline["reason"]) == ("failed", "offline")


async def test_answer_must_fit_the_interaction(raw: RawBot, ada: Player) -> None:
    message = await raw.post({"content": "board", "components": [BUTTON]})
    commanding, pressing = ada.command("ask"), ada.press(message, "go")
    for act, kinds in ((commanding, (1, 6, 7, 8, 10)), (pressing, (1, 8, 10))):
        told, waiting = await asked(raw, act)
        for kind in kinds:
            status, refusal = await raw.answer(told, kind, {"content": "x"})
            assert (status, refusal["code"], list(refusal["errors"])) == (400, 50035, ["type"])
        await raw.answer(told, 4, {"content": "x"})
        got = (await waiting)["message"]
    assert (got["type"], got["referenced_message"]["id"]) == (19, message["id"])
    assert got["interaction_metadata"]["interacted_message_id"] == message["id"]
