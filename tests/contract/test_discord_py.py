"""An unmodified discord.py plays its repertoire on the local Discord, and the contract finds nothing."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord
import pytest
import pytest_asyncio
import yarl

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.checks.hand_rules import IS_COMPONENTS_V2
from tests.contract.description import Description
from tests.contract.player import Json, Player, players
from tests.contract.repertoire import Repertoire

LONGEST_WAIT = 1000  # hundredths of a second


@asynccontextmanager
async def running(
    local: Sandbox, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Repertoire]:
    """Run the bot, logged in and ready, with discord.py pointed at the local Discord."""
    monkeypatch.setattr(discord.http.Route, "BASE", f"{local.url}/api/v10")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(local.gateway))
    monkeypatch.setattr(discord.asset.Asset, "BASE", local.url)
    async with Repertoire(contract.event) as bot:
        run = asyncio.create_task(bot.start("any-token"))
        ready = asyncio.create_task(bot.wait_until_ready())
        await asyncio.wait((run, ready), return_when=asyncio.FIRST_COMPLETED)
        if run.done():
            run.result()
        yield bot
        await bot.close()
        await run


@dataclass(frozen=True)
class Stage:
    """A running bot, two members, and the contract that checks them."""

    bot: Repertoire
    ada: Player
    grace: Player
    contract: Contract

    async def until(self, operation: str) -> None:
        """Wait until the bot has called an operation of the API, after its first answer."""
        for _ in range(LONGEST_WAIT):
            if self.contract.seen[operation]:
                return
            await asyncio.sleep(0.01)
        pytest.fail(f"The bot has not called {operation}, but {dict(self.contract.seen)}.")

    async def until_reads(self, message: Json, content: str) -> None:
        """Wait until a message has this content."""
        for _ in range(LONGEST_WAIT):
            if message["content"] == content:
                return
            await asyncio.sleep(0.01)
            message = await self.ada.get(f"messages/{message['id']}")
        pytest.fail(f"The message does not read {content!r}, but {message['content']!r}.")


@asynccontextmanager
async def staged(contract: Contract, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    async with (
        Sandbox(members=("Ada", "Grace"), observe=contract) as local,
        running(local, contract, monkeypatch) as bot,
        players(local.url) as (ada, grace),
    ):
        yield Stage(bot, ada, grace, contract)


@pytest_asyncio.fixture
async def stage(
    contract: Contract, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Stage]:
    async with staged(contract, monkeypatch) as stage:
        yield stage
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_board_of_components_is_pressed_and_chosen_from(stage: Stage) -> None:
    shown = (await stage.ada.command("board", size=7))["message"]
    assert shown["flags"] & IS_COMPONENTS_V2
    pressed = await stage.ada.press(shown, "panel:press")
    assert pressed["outcome"] == "update"
    chosen = await stage.grace.choose(shown, "panel:choose", "a25")
    assert chosen["outcome"] == "update"
    deferred = await stage.grace.press(shown, "panel:later")
    assert deferred["outcome"] == "update"
    await stage.until("update_original_webhook_message")
    assert stage.contract.events.keys() >= {
        "GUILD_CREATE",
        "INTERACTION_CREATE",
        "MESSAGE_CREATE",
        "MESSAGE_UPDATE",
    }


async def test_an_answer_for_one_is_seen_by_one(stage: Stage) -> None:
    shown = (await stage.ada.command("board", private=True))["message"]
    assert shown["id"] in [message["id"] for message in await stage.ada.messages()]
    assert shown["id"] not in [message["id"] for message in await stage.grace.messages()]
    assert (await stage.ada.press(shown, "panel:press"))["outcome"] == "update"


async def test_a_classic_answer_has_an_embed_and_pictures(stage: Stage) -> None:
    shown = (await stage.ada.command("picture", brightness=128))["message"]
    assert shown["embeds"][0]["image"]["url"].endswith("board.png")
    assert "two.png" in [attachment["filename"] for attachment in shown["attachments"]]


async def test_suggestions_then_a_wait_then_follow_ups(stage: Stage) -> None:
    suggested = await stage.ada.autocomplete("where", "cell", cell="b")
    assert len(suggested["choices"]) == 25
    waiting = (await stage.ada.command("where", cell="b7"))["message"]
    await stage.until_reads(waiting, "Gone to b7")
    await stage.until("delete_webhook_message")


async def test_a_modal_is_filled_in(stage: Stage) -> None:
    opened = await stage.ada.command("ask")
    assert opened["modal"]["title"] == "Your move"
    done = await stage.ada.submit(opened, words="a1-b2", speed=["Fast"], way="up", extras=["salt"], sure=True)
    assert done["message"]["content"] == "a1-b2, ['Fast'], up, ['salt'], True"
    assert done["message"]["ephemeral_for"] == stage.ada.id


async def test_classic_menus_and_buttons(stage: Stage) -> None:
    shown = (await stage.ada.command("pick"))["message"]
    picked = await stage.grace.choose(shown, "pick:user", stage.ada.id, stage.grace.id)
    assert picked["message"]["content"] == f"Picked <@{stage.ada.id}> and <@{stage.grace.id}>"
    assert (await stage.grace.choose(shown, "pick:word", "One"))["message"]["content"] == "Picked One"
    ended = await stage.ada.press(shown, "pick:end")
    assert ended["message"]["components"] == []


async def test_an_answer_is_edited_followed_and_deleted(stage: Stage) -> None:
    shown = (await stage.ada.command("talk", member=stage.grace.id))["message"]
    assert shown["content"] == f"Hello <@{stage.grace.id}>"
    await stage.until("delete_original_webhook_message")
    left = await stage.grace.messages()
    assert shown["id"] not in [message["id"] for message in left]
    assert left[-1]["content"] == "More"


async def test_a_wait_may_end_without_an_answer(stage: Stage) -> None:
    waiting = (await stage.ada.command("nothing"))["message"]
    assert waiting["state"] == "thinking"
    await stage.until("delete_original_webhook_message")
    assert waiting["id"] not in [message["id"] for message in await stage.ada.messages()]


async def test_games_go_on_in_threads(stage: Stage) -> None:
    said = (await stage.ada.command("out_of_the_way"))["message"]
    await stage.until_reads(said, "Done")
    channels = (await stage.ada.get("state"))["channels"]
    threads = {channel["name"] for channel in channels if channel.get("parent_id") == stage.ada.channel}
    assert threads >= {"A game", "Below, done"}
    used = {
        "create_thread",
        "create_thread_from_message",
        "create_pin",
        "delete_pin",
        "list_pins",
        "update_channel",
        "trigger_typing_indicator",
        "get_message",
    }
    assert used <= stage.contract.seen.keys()


async def test_a_member_is_written_to(stage: Stage) -> None:
    told = await stage.ada.command("write_to", user=stage.grace.id)
    assert told["message"]["content"] == "Written"
    assert {"create_dm", "create_message", "update_message"} <= stage.contract.seen.keys()


async def test_a_file_is_read(stage: Stage) -> None:
    file = await stage.ada.upload("my notes.txt", "Grüße".encode())
    said = await stage.ada.command("read", file=file)
    assert said["message"]["content"] == "my_notes.txt, 7, text/plain; charset=utf-8, True: Grüße"


async def test_commands_in_menus_and_groups(stage: Stage) -> None:
    said = await stage.grace.say("Well played")
    quoted = await stage.ada.menu("Quote", said["id"], 3)
    assert quoted["message"]["content"] == "> Well played"
    greeted = await stage.ada.menu("Greet", stage.grace.id, 2)
    assert greeted["message"]["content"] == f"Hello <@{stage.grace.id}>"
    assert (await stage.ada.command("games", "running"))["message"]["content"] == "None"


async def test_everything_that_can_be_looked_up(stage: Stage) -> None:
    bot, guild = stage.bot, stage.bot.guilds[0]
    fetched = await bot.fetch_guild(guild.id)
    member = await guild.fetch_member(int(stage.ada.id))
    assert (fetched.name, member.display_name) == (guild.name, "Ada")
    assert (await bot.fetch_user(member.id)).name == member.name
    channels = await guild.fetch_channels()
    assert [(await bot.fetch_channel(channel.id)).id for channel in channels] == [
        channel.id for channel in channels
    ]
    assert [role.id for role in await guild.fetch_roles()] == [role.id for role in guild.roles]
    assert (await bot.application_info()).id == bot.application_id
    commands = await bot.tree.fetch_commands()
    assert {command.name for command in commands} == {command.name for command in bot.tree.get_commands()}
    bot.tree.copy_global_to(guild=guild)
    assert len(await bot.tree.sync(guild=guild)) == len(commands)
    await commands[0].delete()
    with pytest.raises(discord.NotFound):
        await bot.fetch_channel(1)
    with pytest.raises(discord.NotFound):
        await bot.get_partial_messageable(int(stage.ada.channel)).fetch_message(1)


async def test_what_discord_py_lets_pass_is_caught(
    description: Description, monkeypatch: pytest.MonkeyPatch
) -> None:
    contract = Contract(description)
    async with staged(contract, monkeypatch) as stage:
        channel = stage.bot.get_partial_messageable(int(stage.ada.channel))
        panel = discord.ui.LayoutView()
        for number in range(2):
            panel.add_item(
                discord.ui.ActionRow(discord.ui.Button(label="x" * (80 + number), custom_id="same"))
            )
        assert contract.report() == ""
        with pytest.raises(discord.HTTPException, match="50035"):
            await channel.send(view=panel)
    post = "POST /channels/{channel_id}/messages request /components"
    assert f"{post}/1/components/0/label: has 81 characters, at most 80 may stand here" in contract.report()
    assert f"{post}/0/components/0/custom_id: 'same' stands here more than once" in contract.report()
    assert " answer " not in contract.report()
