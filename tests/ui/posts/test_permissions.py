"""The bot asks for exactly the permissions that it needs, and names those that are missing."""

import re
from pathlib import Path
from typing import Any

import discord
import pytest
from discord.state import ConnectionState

from bot.client import ShardClient
from bot.pencilbox import Pencilbox
from bot.sandbox.world import objects
from bot.ui.posts.clients import Clients
from bot.ui.posts.permissions import (
    OWN_THREAD,
    PINNING,
    is_open_to_readers,
    not_held,
    permission_list,
    posting_permissions,
)
from db.values.places import Place
from tests.app.conftest import Host

README = Path(__file__).parents[3] / "README.md"


async def test_the_bot_subscribes_to_servers_only(host: Host, tmp_path: Path) -> None:
    client = ShardClient(Pencilbox(host.services, tmp_path))
    assert client.intents == discord.Intents(guilds=True)


def test_the_readme_asks_for_exactly_the_needed_permissions() -> None:
    (listed,) = re.findall(r"and these\s+permissions\. (.*?)\n\n4\. ", README.read_text(), re.DOTALL)
    posting = {*posting_permissions(thread=False), *posting_permissions(thread=True)}
    needed = {*posting, *OWN_THREAD, *PINNING, "manage_roles"}
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


SEES, HIDDEN = {"allow": "1024", "deny": "0"}, {"allow": "0", "deny": "1024"}
EVERYONE, VERIFIED, MUTED = 1, 2, 3
RESULTS, GAMES, PRIVATE, PUBLIC = 11, 12, 13, 14


def server(permissions: int, results: dict[int, Any], games: dict[int, Any]) -> Clients:
    """Return clients that know a server with two channels, by role what each hides, and two threads of the second."""
    client = discord.Client(intents=discord.Intents(guilds=True))
    state: ConnectionState[Any] = client._connection
    user = objects.user("9", "Bot")
    state.user = discord.ClientUser(state=state, data=user)  # type: ignore[arg-type]
    roles = [objects.role(str(it), str(it), permissions if it == EVERYONE else 0, it) for it in (1, 2, 3)]
    channels = []
    for number, hides in ((RESULTS, results), (GAMES, games)):
        channel = objects.guild_channel(str(number), "1", str(number), 0, 0)
        channel["permission_overwrites"] = [{"id": str(it), "type": 0, **how} for it, how in hides.items()]
        channels.append(channel)
    threads = []
    for number, kind in ((PRIVATE, 12), (PUBLIC, 11)):
        about = {
            "archived": False,
            "auto_archive_duration": 60,
            "archive_timestamp": "2026-01-01T00:00:00+00:00",
        }
        threads.append(
            {
                "id": str(number),
                "type": kind,
                "parent_id": str(GAMES),
                "owner_id": "9",
                "name": "t",
                "guild_id": "1",
                "message_count": 0,
                "member_count": 0,
                "thread_metadata": about,
            }
        )
    me = objects.member(user, [], "2026-01-01T00:00:00+00:00")
    made = {
        "id": "1",
        "name": "Server",
        "owner_id": "8",
        "roles": roles,
        "channels": channels,
        "threads": threads,
        "members": [me],
    }
    state._add_guild(discord.Guild(data=made, state=state))  # type: ignore[arg-type]
    clients = Clients()
    clients.add(client)
    return clients


EVERYBODY = 1 << 10


@pytest.mark.parametrize(
    ("permissions", "results", "games", "open_"),
    [
        (EVERYBODY, {}, {}, True),
        (EVERYBODY, {VERIFIED: HIDDEN}, {}, True),
        (EVERYBODY, {}, {EVERYONE: HIDDEN, VERIFIED: SEES}, False),
        (EVERYBODY, {}, {MUTED: HIDDEN}, False),
        (EVERYBODY, {MUTED: HIDDEN}, {MUTED: HIDDEN}, True),
        (EVERYBODY, {EVERYONE: HIDDEN, VERIFIED: SEES}, {EVERYONE: HIDDEN, VERIFIED: SEES}, True),
        (
            EVERYBODY,
            {EVERYONE: HIDDEN, VERIFIED: SEES, MUTED: SEES},
            {EVERYONE: HIDDEN, VERIFIED: SEES},
            False,
        ),
        (0, {}, {}, True),
        (0, {VERIFIED: SEES}, {}, False),
        (0, {}, {VERIFIED: SEES}, True),
        (0, {VERIFIED: SEES}, {EVERYONE: SEES}, True),
    ],
)
async def test_place_is_open_if_all_readers_see_it(
    permissions: int, results: dict[int, Any], games: dict[int, Any], *, open_: bool
) -> None:
    clients = server(permissions, results, games)
    for place in (Place(1, GAMES), Place(1, PUBLIC, GAMES), Place(1, PUBLIC)):
        assert await is_open_to_readers(clients, place, RESULTS) is open_
    assert not await is_open_to_readers(clients, Place(1, PRIVATE, GAMES), RESULTS)
    assert not await is_open_to_readers(clients, Place(1, PRIVATE, GAMES), GAMES)
    assert await is_open_to_readers(clients, Place(1, PUBLIC, GAMES), GAMES)
    assert await is_open_to_readers(clients, Place(1, GAMES), GAMES)
    assert not await is_open_to_readers(clients, Place(None, GAMES), RESULTS)
