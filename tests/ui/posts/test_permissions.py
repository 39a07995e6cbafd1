"""The bot asks for exactly the permissions that it needs, and names those that are missing."""

import re
from pathlib import Path

import discord

from bot.client import ShardClient
from bot.pencilbox import Pencilbox
from bot.ui.posts.permissions import (
    OWN_THREAD,
    PINNING,
    not_held,
    permission_list,
    posting_permissions,
)
from tests.app.conftest import Host

README = Path(__file__).parents[3] / "README.md"


async def test_the_bot_subscribes_to_servers_only(host: Host, tmp_path: Path) -> None:
    client = ShardClient(Pencilbox(host.services, tmp_path))
    assert client.intents == discord.Intents(guilds=True)


def test_the_readme_asks_for_exactly_the_needed_permissions() -> None:
    (listed,) = re.findall(
        r"and the\s+permissions (.*?)\. Open\s+the install link", README.read_text(), re.DOTALL
    )
    needed = {*posting_permissions(thread=False), *posting_permissions(thread=True), *OWN_THREAD, *PINNING}
    # Discord's page of permissions calls the first one by its plural.
    names = {permission_list([name]).replace("View Channel", "View Channels") for name in needed}
    assert set(re.findall(r"[*]{2}(.+?)[*]{2}", listed)) == names


def test_missing_permissions_are_named_as_discord_names_them() -> None:
    for held, words in (
        (discord.Permissions(), "View Channel, Send Messages and Attach Files"),
        (discord.Permissions(view_channel=True, send_messages=True), "Attach Files"),
        (discord.Permissions(view_channel=True, attach_files=True), "Send Messages"),
        (discord.Permissions(send_messages=True, attach_files=True), "View Channel"),
        (discord.Permissions(administrator=True), ""),
        (discord.Permissions(view_channel=True, send_messages=True, attach_files=True), ""),
    ):
        assert not_held(held, posting_permissions(thread=False)) == words
    in_channels = discord.Permissions(view_channel=True, send_messages=True, attach_files=True)
    assert not_held(in_channels, posting_permissions(thread=True)) == "Send Messages in Threads"
    in_channels.attach_files = False
    assert not_held(in_channels, posting_permissions(thread=False, pictures=False)) == ""
