"""A discord.py bot that does once everything that a bot for games may want to do."""

import io
import json
import struct
import zlib
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

Interaction = discord.Interaction[discord.Client]
AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu
QUIET = discord.AllowedMentions.none()


def picture(shade: int = 0, name: str = "board.png") -> discord.File:
    """Return a grey square as a PNG file with alt text."""
    rows = b"".join(b"\0" + bytes([shade]) * 8 for _ in range(8))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    png = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    return discord.File(io.BytesIO(png), name, description="A grey square")


class Repertoire(discord.Client):
    """A bot that logs in, syncs its commands globally and answers them."""

    def __init__(self, hear: Callable[[object], None]) -> None:
        """Take a function `hear` that is called with every payload of the gateway."""
        super().__init__(
            intents=discord.Intents.default(),
            guild_ready_timeout=0.05,  # seconds
            allowed_mentions=QUIET,
            enable_debug_events=True,
        )
        self._hear = hear
        self.tree = app_commands.CommandTree(self)
        commands: list[AnyCommand] = [board, picture_command, where, ask, pick, talk, nothing]
        commands += [out_of_the_way, write_to, quote, greet, read]
        for command in commands:
            self.tree.add_command(command)
        self.tree.add_command(Games())

    async def on_socket_raw_receive(self, payload: str) -> None:
        self._hear(json.loads(payload))

    async def setup_hook(self) -> None:
        await self.tree.sync()


class Panel(discord.ui.LayoutView):
    """A board in Components V2 with a picture, text, buttons and a menu, edited on each press."""

    def __init__(self, moves: int = 0) -> None:
        super().__init__(timeout=None)
        self.moves = moves
        gallery = discord.ui.MediaGallery[Panel]()
        gallery.add_item(media="attachment://board.png", description="A grey square")
        thumbnail = discord.ui.Thumbnail[Panel]("attachment://board.png", description="The board, small")
        heading = f"**Alaric** · move {moves}"
        self.add_item(
            discord.ui.Container(
                discord.ui.Section(heading, "Your turn", accessory=thumbnail),
                gallery,
                discord.ui.Separator(),
                Moves(),
                Cells(),
                accent_colour=0x3355AA,
            )
        )


class Moves(discord.ui.ActionRow[Panel]):
    def __init__(self) -> None:
        super().__init__()
        self.add_item(discord.ui.Button(label="Rules", url="https://example.org/rules"))

    @discord.ui.button(label="Press", custom_id="panel:press", style=discord.ButtonStyle.primary)
    async def press(self, interaction: Interaction, _: discord.ui.Button[Panel]) -> None:
        await edit_at_once(interaction, self.view)

    @discord.ui.button(emoji="⏳", custom_id="panel:later")
    async def later(self, interaction: Interaction, _: discord.ui.Button[Panel]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(view=Panel(), attachments=[picture(200)])


class Cells(discord.ui.ActionRow[Panel]):
    @discord.ui.select(
        custom_id="panel:choose",
        placeholder="A cell",
        options=[discord.SelectOption(label=f"a{n}", value=f"a{n}", emoji="♟") for n in range(1, 26)],
    )
    async def choose(self, interaction: Interaction, _: discord.ui.Select[Panel]) -> None:
        await edit_at_once(interaction, self.view)


async def edit_at_once(interaction: Interaction, panel: Panel | None) -> None:
    moves = panel.moves + 1 if panel else 0
    await interaction.response.edit_message(view=Panel(moves), attachments=[picture(20 * moves)])


@app_commands.command(description="Show a board")
@app_commands.describe(size="How many cells a side has", private="Show it only to you")
@app_commands.choices(
    size=[app_commands.Choice(name="small", value=5), app_commands.Choice(name="large", value=7)]
)
async def board(interaction: Interaction, size: int = 5, private: bool = False) -> None:
    await interaction.response.send_message(view=Panel(), file=picture(size), ephemeral=private)


@app_commands.command(name="picture", description="Show a picture in the classic way")
async def picture_command(interaction: Interaction, brightness: app_commands.Range[int, 0, 255]) -> None:
    embed = discord.Embed(title="Board", description="A grey square").set_image(url="attachment://board.png")
    embed.add_field(name="Brightness", value=str(brightness)).set_footer(text="Classic")
    await interaction.response.send_message(
        "Here:", embed=embed, files=[picture(brightness), picture(0, "two.png")]
    )


async def cells(_: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"{current}{n}", value=f"{current}{n}") for n in range(25)]


@app_commands.command(description="Go somewhere")
@app_commands.autocomplete(cell=cells)
async def where(interaction: Interaction, cell: app_commands.Range[str, 1, 10]) -> None:
    """Defer, then follow up: the first follow-up replaces the wait, and others come after it."""
    await interaction.response.defer(thinking=True)
    await interaction.followup.send(f"Gone to {cell}")
    second = await interaction.followup.send("And back", wait=True, ephemeral=True)
    await second.edit(content="And back again")
    await second.delete()


class Question(discord.ui.Modal, title="Your move"):
    words: discord.ui.Label["Question"] = discord.ui.Label(
        text="In words",
        description="As you like",
        component=discord.ui.TextInput(custom_id="words", min_length=1, max_length=50, placeholder="a1-b2"),
    )
    speed: discord.ui.Label["Question"] = discord.ui.Label(
        text="Speed",
        component=discord.ui.Select(
            custom_id="speed", options=[discord.SelectOption(label=w) for w in ("Slow", "Fast")]
        ),
    )
    way: discord.ui.Label["Question"] = discord.ui.Label(
        text="Way",
        component=discord.ui.RadioGroup(
            custom_id="way", options=[discord.RadioGroupOption(label=w, value=w) for w in ("up", "down")]
        ),
    )
    extras: discord.ui.Label["Question"] = discord.ui.Label(
        text="Extras",
        component=discord.ui.CheckboxGroup(
            custom_id="extras",
            required=False,
            options=[discord.CheckboxGroupOption(label=w, value=w) for w in ("salt", "pepper")],
        ),
    )
    sure: discord.ui.Label["Question"] = discord.ui.Label(
        text="Sure?", component=discord.ui.Checkbox(custom_id="sure", default=False)
    )

    async def on_submit(self, interaction: Interaction) -> None:
        given: Any = [self.words, self.speed, self.way, self.extras, self.sure]
        words, speed, way, extras, sure = (label.component for label in given)
        said = f"{words.value}, {speed.values}, {way.value}, {sorted(extras.values)}, {sure.value}"
        await interaction.response.send_message(said, ephemeral=True)


@app_commands.command(description="Answer a question")
async def ask(interaction: Interaction) -> None:
    await interaction.response.send_modal(Question())


class Picker(discord.ui.View):
    """Classic rows: a select of each of two kinds and a button that ends it all."""

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Who?", custom_id="pick:user", max_values=2)
    async def user(self, interaction: Interaction, select: discord.ui.UserSelect["Picker"]) -> None:
        names = " and ".join(user.mention for user in select.values)
        await interaction.response.edit_message(content=f"Picked {names}", allowed_mentions=QUIET)

    @discord.ui.select(
        placeholder="What?",
        custom_id="pick:word",
        options=[discord.SelectOption(label="One", description="The first")],
    )
    async def word(self, interaction: Interaction, select: discord.ui.Select["Picker"]) -> None:
        await interaction.response.send_message(f"Picked {select.values[0]}", ephemeral=True)

    @discord.ui.button(label="End", style=discord.ButtonStyle.danger, custom_id="pick:end")
    async def end(self, interaction: Interaction, _: discord.ui.Button["Picker"]) -> None:
        await interaction.response.edit_message(content="Ended", view=None)
        self.stop()


@app_commands.command(description="Pick somebody")
async def pick(interaction: Interaction) -> None:
    await interaction.response.send_message("Pick", view=Picker())


@app_commands.command(description="Say this and that")
async def talk(interaction: Interaction, member: discord.Member) -> None:
    pings = discord.AllowedMentions(users=[member])
    said = await interaction.response.send_message(f"Hello {member.mention}", allowed_mentions=pings)
    assert isinstance(said.resource, discord.InteractionMessage)
    await said.resource.edit(content="Hello")
    await interaction.edit_original_response(content="Hello again", embed=discord.Embed(title="Again"))
    found = await interaction.original_response()
    assert found.content == "Hello again"
    await interaction.followup.send(file=picture(), content="More", silent=True)
    await interaction.delete_original_response()


@app_commands.command(description="Think, and say nothing")
async def nothing(interaction: Interaction) -> None:
    await interaction.response.defer(thinking=True, ephemeral=True)
    await interaction.delete_original_response()


@app_commands.command(description="Talk in threads")
async def out_of_the_way(interaction: Interaction) -> None:
    await interaction.response.send_message("In threads")
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="A game", type=discord.ChannelType.public_thread)
    async with thread.typing():
        post = await thread.send(view=Panel(), file=picture())
    await post.edit(view=Panel(3), attachments=[picture(99)])
    start = await channel.send("A start")
    await start.pin()
    assert [(message.id, message.pinned) async for message in channel.pins()] == [(start.id, True)]
    async for line in channel.history(limit=1, after=start):
        assert line.type is discord.MessageType.pins_add
        assert line.reference is not None
        assert line.reference.message_id == start.id
        await line.delete()
    await start.unpin()
    assert [message async for message in channel.pins()] == []
    below = await start.create_thread(name="Below", auto_archive_duration=1440)
    reply = await below.send("First", nonce="n1")
    await reply.reply("Second", mention_author=False)
    await reply.delete()
    await below.edit(archived=True, name="Below, done")
    assert (await thread.fetch_message(post.id)).flags.components_v2
    assert [message.id async for message in channel.history(limit=5, before=start)]
    await interaction.edit_original_response(content="Done")


@app_commands.command(description="Write to somebody")
async def write_to(interaction: Interaction, user: discord.User) -> None:
    message = await user.send("Your turn", file=picture())
    await message.edit(content="Your turn!")
    await interaction.response.send_message("Written", ephemeral=True)


@app_commands.command(description="Read a file")
async def read(interaction: Interaction, file: discord.Attachment) -> None:
    words = (await file.read()).decode()
    await interaction.response.send_message(
        f"{file.filename}, {file.size}, {file.content_type}, {file.ephemeral}: {words}", ephemeral=True
    )


@app_commands.context_menu(name="Quote")
async def quote(interaction: Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"> {message.content or 'a message'}", ephemeral=True)


@app_commands.context_menu(name="Greet")
async def greet(interaction: Interaction, member: discord.Member) -> None:
    pings = discord.AllowedMentions(users=[member])
    await interaction.response.send_message(f"Hello {member.mention}", allowed_mentions=pings)


class Games(app_commands.Group):
    """Commands under one name."""

    def __init__(self) -> None:
        super().__init__(name="games", description="About games", guild_only=True)

    @app_commands.command(description="Those that are running")
    async def running(self, interaction: Interaction) -> None:
        await interaction.response.send_message("None", ephemeral=True)
