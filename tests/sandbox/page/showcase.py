"""A small bot on an unmodified discord.py that uses everything the page can show."""

import asyncio
import io
from typing import Any

import discord
from discord import app_commands, ui
from PIL import Image, ImageDraw

COLOURS = (
    "amber",
    "azure",
    "beige",
    "black",
    "blue",
    "brown",
    "coral",
    "crimson",
    "cyan",
    "gold",
    "green",
    "indigo",
)
ALT = "A red disc on a white ground."
FLOWERS = ("Aster", "Begonia", "Clover", "Daisy")


def disc(colour: str = "#c0392b", size: int = 360) -> discord.File:
    """Return a picture of a disc, `size` pixels wide and high."""
    image = Image.new("RGB", (size, size), "white")
    ImageDraw.Draw(image).ellipse((40, 40, size - 40, size - 40), fill=colour)
    data = io.BytesIO()
    image.save(data, "PNG")
    data.seek(0)
    return discord.File(data, "disc.png", description=ALT)


class Panel(ui.LayoutView):
    """A container with a picture and controls; its first button counts presses on the message."""

    def __init__(self, presses: int = 0) -> None:
        super().__init__(timeout=None)
        self.presses = presses
        press = ui.Button[Panel](label="Press me", style=discord.ButtonStyle.primary, custom_id="press")
        whisper = ui.Button[Panel](label="Whisper", custom_id="whisper")
        silent = ui.Button[Panel](label="Stay silent", style=discord.ButtonStyle.danger, custom_id="silent")
        form = ui.Button[Panel](label="Fill in", style=discord.ButtonStyle.success, custom_id="form")
        off = ui.Button[Panel](label="Not now", disabled=True, custom_id="off")
        link = ui.Button[Panel](label="Docs", url="https://discordpy.readthedocs.io/")
        press.callback = self.on_press  # type: ignore[method-assign]  # discord.py lets a callback be assigned
        whisper.callback = self.on_whisper  # type: ignore[method-assign]  # as above
        silent.callback = self.on_silent  # type: ignore[method-assign]  # as above
        form.callback = self.on_form  # type: ignore[method-assign]  # as above
        menu = ui.Select[Panel](
            placeholder="A flower",
            custom_id="flower",
            options=[discord.SelectOption(label=name) for name in FLOWERS],
        )
        menu.callback = self.on_flower  # type: ignore[method-assign]  # as above
        many = ui.Select[Panel](
            placeholder="Two or three flowers", custom_id="flowers", min_values=2, max_values=3,
            options=[discord.SelectOption(label=name, description=f"A {name.lower()}") for name in FLOWERS],
        )  # fmt: skip
        many.callback = self.on_flowers  # type: ignore[method-assign]  # as above
        people = ui.UserSelect[Panel](placeholder="A friend", custom_id="friend")
        people.callback = self.on_friend  # type: ignore[method-assign]  # as above
        self.menu, self.many, self.people = menu, many, people
        self.add_item(
            ui.Container(
                ui.TextDisplay(
                    f"## The panel\nPressed **{presses}** times. Ends <t:1900000000:R>.\n-# small print"
                ),
                ui.Section(
                    ui.TextDisplay("A section with a thumbnail beside it."),
                    accessory=ui.Thumbnail("attachment://disc.png", description=ALT),
                ),
                ui.MediaGallery(discord.MediaGalleryItem("attachment://disc.png", description=ALT)),
                ui.Separator(spacing=discord.SeparatorSpacing.large),
                ui.ActionRow(press, whisper, silent, form, off),
                ui.ActionRow(menu),
                ui.ActionRow(many),
                ui.ActionRow(people),
                ui.ActionRow(link),
                accent_colour=discord.Colour(0xC0392B),
            )
        )

    async def on_press(self, interaction: discord.Interaction) -> None:
        again = Panel(self.presses + 1)
        colour = "#2980b9" if again.presses % 2 else "#c0392b"
        await interaction.response.edit_message(view=again, attachments=[disc(colour)])

    async def on_whisper(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"For {interaction.user.mention} alone.", ephemeral=True)

    async def on_silent(self, interaction: discord.Interaction) -> None:
        """Give no answer, so that the interaction fails."""

    async def on_form(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())

    async def on_flower(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"You chose {self.menu.values[0]}.")

    async def on_flowers(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"You chose {' and '.join(self.many.values)}.")

    async def on_friend(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Your friend: {self.people.values[0].mention}")


class Form(ui.Modal, title="A few questions"):
    """Every kind of input that a modal can hold."""

    name: ui.Label["Form"] = ui.Label(
        text="Name",
        description="As your friends call you.",
        component=ui.TextInput(min_length=2, max_length=20),
    )
    about: ui.Label["Form"] = ui.Label(
        text="About you",
        component=ui.TextInput(style=discord.TextStyle.paragraph, required=False, max_length=300),
    )
    flower: ui.Label["Form"] = ui.Label(
        text="Flower", component=ui.Select(options=[discord.SelectOption(label=name) for name in FLOWERS])
    )
    size: ui.Label["Form"] = ui.Label(
        text="Size",
        component=ui.RadioGroup(
            options=[discord.RadioGroupOption(label="Small"), discord.RadioGroupOption(label="Large")]
        ),
    )
    days: ui.Label["Form"] = ui.Label(
        text="Days",
        component=ui.CheckboxGroup(
            max_values=2,
            options=[discord.CheckboxGroupOption(label=day) for day in ("Monday", "Tuesday", "Friday")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.name.component, ui.TextInput)
        assert isinstance(self.about.component, ui.TextInput)
        assert isinstance(self.flower.component, ui.Select)
        assert isinstance(self.size.component, ui.RadioGroup)
        assert isinstance(self.days.component, ui.CheckboxGroup)
        who, words = self.name.component.value, self.about.component.value
        flowers, days = ", ".join(self.flower.component.values), ", ".join(self.days.component.values)
        await interaction.response.send_message(
            f"{who} ({words}): {flowers}; {self.size.component.value}; {days}"
        )


class Survey(ui.Modal, title="A survey"):
    """Inputs that the other form has no room for, and an input of the older layout, without a label component."""

    intro: ui.TextDisplay[Any] = ui.TextDisplay("All of this is **quite** optional.")
    friend: ui.Label["Survey"] = ui.Label(text="Friend", component=ui.UserSelect(required=False))
    news: ui.Label["Survey"] = ui.Label(text="Send me news", component=ui.Checkbox())
    note: ui.TextInput["Survey"] = ui.TextInput(label="Note", required=False, default="none")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.friend.component, ui.UserSelect)
        assert isinstance(self.news.component, ui.Checkbox)
        friends = ", ".join(friend.mention for friend in self.friend.component.values)
        await interaction.response.send_message(
            f"Survey: {friends}; {self.news.component.value}; {self.note.value}"
        )


class Showcase(discord.Client):
    """Logs in, registers its commands and sets `ready`; `/slow` waits until `released` is set."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)
        self.ready = asyncio.Event()
        self.released = asyncio.Event()
        for command in COMMANDS:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        await self.tree.sync()
        self.ready.set()


@app_commands.command(description="Greet a member, who is pinged")
@app_commands.describe(member="Whom to greet", words="What to say", loud="In capitals")
async def greet(
    interaction: discord.Interaction, member: discord.User, words: str = "Hello", loud: bool = False
) -> None:
    await interaction.response.send_message(
        f"{words.upper() if loud else words}, {member.mention}!",
        allowed_mentions=discord.AllowedMentions(users=[member]),
    )


@app_commands.command(description="Paint something in a colour of your choice")
@app_commands.describe(colour="One of many colours", coats="How many coats", finish="How it is to look")
@app_commands.choices(
    finish=[app_commands.Choice(name="Matt", value="m"), app_commands.Choice(name="Gloss", value="g")]
)
async def paint(
    interaction: discord.Interaction,
    colour: str,
    coats: app_commands.Range[int, 1, 9],
    finish: app_commands.Choice[str] | None = None,
) -> None:
    await interaction.response.send_message(
        f"Painted {colour}, {coats} coats, {finish.name if finish else 'plain'}."
    )


@paint.autocomplete("colour")
async def colours(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    if current == "b":
        # The answer to the first letter arrives after the answer to the second.
        await asyncio.sleep(0.6)
    return [
        app_commands.Choice(name=name, value=name) for name in COLOURS if name.startswith(current.lower())
    ]


@app_commands.command(description="A panel with a picture and every kind of control")
async def panel(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Panel(), file=disc())


@app_commands.command(description="Something for your eyes only")
async def secret(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("The password is ||swordfish||.", ephemeral=True)


@app_commands.command(description="An answer that takes its time")
async def slow(interaction: discord.Interaction) -> None:
    await interaction.response.defer(thinking=True)
    assert isinstance(interaction.client, Showcase)
    assert isinstance(interaction.channel, discord.TextChannel)
    async with interaction.channel.typing():
        await interaction.client.released.wait()
    await interaction.edit_original_response(content="Done at last.")


@app_commands.command(description="Opens a form at once")
async def survey(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Survey())


@app_commands.command(description="Never answers")
async def silent(interaction: discord.Interaction) -> None:
    """Give no answer, so that the interaction fails."""


@app_commands.command(description="An embed, a file and a row of buttons")
async def classic(interaction: discord.Interaction) -> None:
    embed = discord.Embed(title="An embed", description="With *text*.", colour=0x2980B9)
    embed.add_field(name="One", value="1").add_field(name="Two", value="2").set_footer(text="The foot")
    files = [disc(), discord.File(io.BytesIO(b"plain text"), "notes.txt")]
    await interaction.response.send_message(
        "Content with a [link](https://example.org).", embed=embed, files=files
    )


@app_commands.command(description="Weigh a file")
@app_commands.describe(file="Which one", note="What it is")
async def weigh(interaction: discord.Interaction, file: discord.Attachment, note: str = "a file") -> None:
    data = await file.read()
    await interaction.response.send_message(f"{file.filename} ({note}) has {len(data)} bytes.")


@app_commands.command(description="Say exactly this")
@app_commands.describe(text="What to say")
async def say(interaction: discord.Interaction, text: str) -> None:
    await interaction.response.send_message(text, allowed_mentions=discord.AllowedMentions.none())


@app_commands.command(description="Open a thread and speak in it")
@app_commands.describe(name="The thread's name")
async def thread(interaction: discord.Interaction, name: str) -> None:
    assert isinstance(interaction.channel, discord.TextChannel)
    made = await interaction.channel.create_thread(name=name, type=discord.ChannelType.public_thread)
    await made.send("First words here.")
    await interaction.response.send_message(f"Opened {made.mention}.")


garden = app_commands.Group(name="garden", description="What grows")


@garden.command(description="Plant a flower")
@app_commands.describe(flower="Which one")
@app_commands.choices(flower=[app_commands.Choice(name=name, value=name) for name in FLOWERS])
async def plant(interaction: discord.Interaction, flower: app_commands.Choice[str]) -> None:
    await interaction.response.send_message(f"Planted: {flower.name}.")


@garden.command(description="Water everything")
async def water(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("Everything is wet.")


@app_commands.context_menu(name="Wave")
async def wave(interaction: discord.Interaction, member: discord.User) -> None:
    await interaction.response.send_message(f"{interaction.user.mention} waves at {member.mention}.")


@app_commands.context_menu(name="Quote")
async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"> {message.content}")


COMMANDS: tuple[app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu, ...]
COMMANDS = (
    greet,
    paint,
    panel,
    secret,
    slow,
    silent,
    classic,
    say,
    survey,
    thread,
    garden,
    wave,
    quote,
    weigh,
)
