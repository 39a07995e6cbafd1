"""A bot made with hikari, a client library that shares no code with discord.py."""

import base64
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import hikari
from hikari.impl import AutocompleteChoiceBuilder, ContainerComponentBuilder, MessageActionRowBuilder

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.contract.player import Player, players

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True)
class Stage:
    """A running hikari bot and a member."""

    bot: hikari.GatewayBot
    ada: Player
    commands: Sequence[hikari.PartialCommand]


def picture(name: str) -> hikari.Bytes:
    return hikari.Bytes(PNG, name)


def board(moves: int) -> list[hikari.api.ComponentBuilder]:
    """Return Components V2: a picture that hikari uploads, and buttons."""
    row = MessageActionRowBuilder()
    row.add_interactive_button(hikari.ButtonStyle.PRIMARY, "press", label="Press")
    row.add_link_button("https://example.org/rules", label="Rules")
    container = ContainerComponentBuilder(accent_color=hikari.Color(0x3355AA))
    container.add_text_display(f"Move {moves}")
    gallery = hikari.impl.MediaGalleryComponentBuilder()
    gallery.add_media_gallery_item(picture("board.png"), description="A board")
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
                attachment=picture("here.png"),
                flags=hikari.MessageFlag.EPHEMERAL,
            )


@asynccontextmanager
async def running(contract: Contract) -> AsyncIterator[Stage]:
    """Run a local Discord with the bot."""

    async def hear(event: hikari.ShardPayloadEvent) -> None:
        contract.event({"t": event.name, "d": event.payload})

    async with Sandbox(members=("Ada", "Grace"), observe=contract) as local, players(local.url) as (ada, _):
        bot = hikari.GatewayBot(local.token, rest_url=f"{local.url}/api/v10", banner=None, logs=None)
        bot.subscribe(hikari.InteractionCreateEvent, answer)
        bot.subscribe(hikari.ShardPayloadEvent, hear)
        await bot.start(check_for_updates=False)
        yield Stage(bot, ada, await sync(bot))
        await bot.close()


async def sync(bot: hikari.GatewayBot) -> Sequence[hikari.PartialCommand]:
    me = bot.get_me()
    assert me is not None
    cell = hikari.CommandOption(
        type=hikari.OptionType.STRING, name="cell", description="A cell", is_required=True, autocomplete=True
    )
    show = bot.rest.slash_command_builder("board", "Show a board")
    where = bot.rest.slash_command_builder("where", "Go somewhere").add_option(cell)
    return await bot.rest.set_application_commands(await bot.rest.fetch_application(), [show, where])
