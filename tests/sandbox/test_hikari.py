"""hikari, a client library that shares no code with discord.py, also works with the local Discord."""

import base64
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import hikari
import pytest
import pytest_asyncio
from hikari.impl import AutocompleteChoiceBuilder, ContainerComponentBuilder, MessageActionRowBuilder

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import Player, players

pytestmark = pytest.mark.slow

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True)
class Stage:
    """A running hikari bot, a member, and the checker of the contract."""

    bot: hikari.GatewayBot
    ada: Player
    contract: Contract
    commands: Sequence[hikari.PartialCommand]


def board(moves: int) -> list[hikari.api.ComponentBuilder]:
    """Return Components V2: a picture that hikari uploads, and buttons."""
    row = MessageActionRowBuilder()
    row.add_interactive_button(hikari.ButtonStyle.PRIMARY, "press", label="Press")
    row.add_link_button("https://example.org/rules", label="Rules")
    container = ContainerComponentBuilder(accent_color=hikari.Color(0x3355AA))
    container.add_text_display(f"Move {moves}")
    gallery = hikari.impl.MediaGalleryComponentBuilder()
    gallery.add_media_gallery_item(hikari.Bytes(PNG, "board.png"), description="A board")
    container.add_component(gallery)
    container.add_component(row)
    return [container]


async def answer(event: hikari.InteractionCreateEvent) -> None:
    """Answer commands with a picture, autocomplete with choices, and a press with another board."""
    match event.interaction:
        case hikari.AutocompleteInteraction() as asked:
            typed = asked.options[0].value
            names = [f"{typed}{n}" for n in range(25)]
            await asked.create_response([AutocompleteChoiceBuilder(name, name) for name in names])
        case hikari.ComponentInteraction() as pressed:
            assert pressed.message.flags & hikari.MessageFlag.IS_COMPONENTS_V2
            await pressed.create_initial_response(hikari.ResponseType.MESSAGE_UPDATE, components=board(1))
        case hikari.CommandInteraction(command_name="board") as used:
            await used.create_initial_response(
                hikari.ResponseType.MESSAGE_CREATE,
                components=board(0),
                flags=hikari.MessageFlag.IS_COMPONENTS_V2,
            )
        case hikari.CommandInteraction(command_name="where") as used:
            await used.create_initial_response(
                hikari.ResponseType.MESSAGE_CREATE,
                "Here",
                attachment=hikari.Bytes(PNG, "here.png"),
                flags=hikari.MessageFlag.EPHEMERAL,
            )


@pytest_asyncio.fixture
async def stage(contract: Contract, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Stage]:
    async def hear(event: hikari.ShardPayloadEvent) -> None:
        contract.event({"t": event.name, "d": event.payload})

    async with Sandbox(members=("Ada", "Grace"), observe=contract) as local, players(local.url) as (ada, _):
        bot = hikari.GatewayBot(local.token, rest_url=f"{local.url}/api/v10", banner=None, logs=None)
        bot.subscribe(hikari.InteractionCreateEvent, answer)
        bot.subscribe(hikari.ShardPayloadEvent, hear)
        await bot.start(check_for_updates=False)
        yield Stage(bot, ada, contract, await sync(bot))
        await bot.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def sync(bot: hikari.GatewayBot) -> Sequence[hikari.PartialCommand]:
    me = bot.get_me()
    assert me is not None
    cell = hikari.CommandOption(
        type=hikari.OptionType.STRING, name="cell", description="A cell", is_required=True, autocomplete=True
    )
    show = bot.rest.slash_command_builder("board", "Show a board")
    where = bot.rest.slash_command_builder("where", "Go somewhere").add_option(cell)
    return await bot.rest.set_application_commands(await bot.rest.fetch_application(), [show, where])


async def test_login_and_sync(stage: Stage) -> None:
    assert [command.name for command in stage.commands] == ["board", "where"]
    assert {command["name"] for command in await stage.ada.get("commands")} == {"board", "where"}
    assert (await stage.ada.get("state"))["application"]["online"]
    assert list(stage.bot.cache.get_available_guilds_view())
    assert stage.contract.events["GUILD_CREATE"] == 1


async def test_command_is_answered_with_a_picture(stage: Stage) -> None:
    shown = (await stage.ada.command("where", cell="b1"))["message"]
    assert shown["content"] == "Here"
    assert shown["ephemeral_for"] == stage.ada.id
    (attachment,) = shown["attachments"]
    assert await stage.ada.fetch(attachment["url"]) == PNG


async def test_button_of_a_board(stage: Stage) -> None:
    shown = (await stage.ada.command("board"))["message"]
    assert shown["flags"] & hikari.MessageFlag.IS_COMPONENTS_V2
    pressed = await stage.ada.press(shown, "press")
    assert pressed["outcome"] == "update"
    text, gallery, _ = pressed["message"]["components"][0]["components"]
    assert text["content"] == "Move 1"
    assert await stage.ada.fetch(gallery["items"][0]["media"]["url"]) == PNG


async def test_suggestions_are_given(stage: Stage) -> None:
    suggested = await stage.ada.autocomplete("where", "cell", cell="c")
    assert [choice["value"] for choice in suggested["choices"]] == [f"c{n}" for n in range(25)]


async def test_messages_and_threads_of_the_bot(stage: Stage) -> None:
    rest, channel = stage.bot.rest, int(stage.ada.channel)
    message = await rest.create_message(channel, "A board", attachment=hikari.Bytes(PNG, "board.png"))
    await rest.edit_message(channel, message, "A board, edited")
    assert (await rest.fetch_message(channel, message)).content == "A board, edited"
    thread = await rest.create_thread(channel, hikari.ChannelType.GUILD_PUBLIC_THREAD, "A game")
    assert thread.parent_id == channel
    await rest.delete_message(channel, message)
    with pytest.raises(hikari.NotFoundError):
        await rest.fetch_message(channel, message)
