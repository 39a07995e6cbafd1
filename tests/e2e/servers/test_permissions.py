"""Missing permissions are named to the member who acted, and to those who run the server. Ada owns it."""

import asyncio
from contextvars import ContextVar
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import Engine, event

from bot.client import ShardClient
from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from bot.ui.posts import outbox, outbox_task
from bot.ui.posts.outbox import TASK
from tests.contract.checker import Contract
from tests.contract.player import Player, players, players_by_server
from tests.e2e.bot_in_process import bot_here
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    choose,
    direct,
    found_in,
    message_with,
    newest,
    open_settings,
    pinged,
    text_of,
    told,
)
from tests.e2e.panels import board_in, panel_at, panels
from tests.e2e.play import ask, by_command, by_more, challenge, press_accept
from tests.e2e.proposals.test_proposals import asked, board_saying
from tests.e2e.servers.test_settings import new_thread
from tests.e2e.shared_server import CHANNELS
from tests.waiting import PATIENCE, wait_until


async def last(player: Player, channel: str, words: str) -> Json:
    """The last message in a channel, once it says `words`."""
    return await found_in(
        player, lambda seen: seen[-1] if seen and words in text_of(seen[-1]) else None, channel
    )


async def test_missing_permissions_are_named_and_no_game_begins(club: Club) -> None:
    """A move counts and its board comes later; no game begins where no board could be shown."""
    club.local.system_channel("general")
    panel = await challenge(club.ada, club.grace, "skull")
    offer = await ask(club.ada, [club.emmy], "alaric")
    cases = (
        ("view_channel", "View Channel"),
        ("send_messages", "Send Messages"),
        ("attach_files", "Attach Files"),
    )
    for permission, words in cases:
        club.local.deny("general", permission)
        mover, _ = club.by_turn(panel)
        await by_command(mover, panel, ("c3", "d3", "e3")[panel.plies])
        if permission != "attach_files":  # The board is edited, and what calls the other has no file.
            await told(
                mover, f"What you did counts, but I may not post in <#{mover.channel}>: I lack {words}."
            )
        refusal = f"I cannot show the boards of a game here: I lack {words}; "
        await press_accept(club.emmy, offer["id"])
        await told(club.emmy, refusal)
        await club.grace.command("challenge", member=club.emmy.id, game="maze")
        await told(club.grace, refusal)
        await club.ada.command("challenge", game="maze")
        await told(club.ada, refusal)
        club.local.allow("general", permission)
        # The board comes by itself, now that it may.
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    club.local.deny("general", "send_messages")
    await by_more(club.grace, panel.match, "draw")
    await told(club.grace, f"I may not post in <#{club.grace.channel}>: I lack Send Messages.")
    await board_saying(club.ada, panel, "offers a draw.")
    club.local.allow("general", "send_messages")
    # The others are asked now that the bot may.
    await asked(club.ada, panel, club.ada)

    await press_accept(club.emmy, offer["id"])
    assert (await panel_at(club.emmy, panel.match + 1, 0)).plies == 0
    assert {board.match for board in await panels(club.ada)} == {panel.match, panel.match + 1}
    await club.grace.command("games")
    listed = text_of(await message_with(club.grace, "Also played here (1)"))
    assert "Challenges" not in listed
    assert "Open to join" not in listed
    # The channel for such news was denied, too, so the owner was told, once for all of that.
    assert [text_of(message).split(", which")[0] for message in await direct(club.ada)] == [
        f"**Local server**: In <#{club.ada.channel}> I lack View Channel"
    ]


@pytest.mark.soak
async def test_alerts_go_to_the_channel_for_system_messages(club: Club) -> None:
    club.local.system_channel("general")
    lounge = str(club.local.channel("lounge")["id"])
    there = club.grace.elsewhere(lounge)
    club.local.deny("lounge", "attach_files")
    club.local.deny("lounge", "send_messages")
    await there.command("challenge", member=club.emmy.id, game="alaric")
    await told(there, "here: I lack Send Messages and Attach Files;")
    alert = await last(club.emmy, club.emmy.channel, f"In <#{lounge}> I lack Send Messages and Attach Files")
    assert alert["mentions"] == []
    club.local.allow("lounge", "attach_files")
    club.local.allow("lounge", "send_messages")

    thread = (await club.grace.post("thread", channel=club.grace.channel, name="quiet"))["id"]
    inside = {player.id: player.elsewhere(thread) for player in (club.ada, club.grace)}
    panel = await challenge(inside[club.ada.id], inside[club.grace.id], "alaric")
    club.local.deny("general", "send_messages_in_threads")
    assert panel.turn is not None
    await by_command(inside[panel.turn], panel, "3")

    await told(inside[panel.turn], f"I may not post in <#{thread}>: I lack Send Messages in Threads.")
    await inside[club.ada.id].command("challenge", member=club.emmy.id, game="alaric")
    await told(inside[club.ada.id], "a game here: I lack Send Messages in Threads;")
    await last(club.emmy, club.emmy.channel, f"In <#{club.emmy.channel}> I lack Send Messages in Threads")
    club.local.allow("general", "send_messages_in_threads")

    # Where games have threads of their own, the channel itself need not be written in.
    await choose(club.ada, await open_settings(club.ada), "setting:threads", "threads")
    club.local.deny("general", "send_messages")
    offer = await ask(club.ada, [club.emmy], "alaric")
    known = set(club.local.world.channels)
    await press_accept(club.emmy, offer["id"])
    own = await new_thread(club, known)
    assert (await board_in(club.emmy, own["id"], 0)).plies == 0
    assert await direct(club.ada) == []


@pytest.mark.soak
async def test_updates_of_other_servers_cost_no_statement(contract: Contract, tmp_path: Path) -> None:
    """A board that may not be posted in one server has nothing read when roles of another server change."""
    counting: ContextVar[bool] = ContextVar("counting", default=False)
    statements: list[str] = []

    def count(*of: Any) -> None:
        if counting.get():
            statements.append(of[2])

    async def updated(bot: Pencilbox, guild: Json) -> int:
        """Tell the bot of 30 updates of a role; the number of statements that it executes for them."""
        client = bot.clients.of(0)
        assert isinstance(client, ShardClient)
        there = client.get_guild(int(guild["id"]))
        assert there is not None
        token, before = counting.set(True), len(statements)
        for _ in range(30):
            await client.on_guild_role_update(there.default_role, there.default_role)
        counting.reset(token)
        return len(statements) - before

    event.listen(Engine, "before_cursor_execute", count)
    try:
        async with (
            Sandbox(servers=2, channels=CHANNELS, observe=contract) as local,
            bot_here(local.url, tmp_path) as bot,
            players_by_server(local.url, local.world) as (here, _),
        ):
            panel = await challenge(here[0], here[1], "skull")
            mover = next(it for it in here if it.id == panel.turn)
            local.deny("general", "view_channel")
            await by_command(mover, panel, "c3")
            await told(mover, "I lack View Channel.")
            async with asyncio.timeout(PATIENCE):
                while not await bot.services.rounds.waiting(TASK):
                    await bot.outbox_task.publish_pending()
                    await asyncio.sleep(0.05)
            (other,) = (it for it in local.world.guilds.values() if it["id"] != local.world.guild["id"])
            token = counting.set(True)
            await bot.services.store.failed_items.listed(1)
            counting.reset(token)
            assert statements, "Statements are counted."
            assert await updated(bot, other) == 0
            # Nor is anything tried again where the same permission is still missing.
            assert await updated(bot, local.world.guild) == 0
            local.allow("general", "view_channel")
            assert (await panel_at(mover, panel.match, 1)).message["id"] == panel.message["id"]
    finally:
        event.remove(Engine, "before_cursor_execute", count)


@pytest.mark.soak
async def test_permission_granted_while_a_mention_is_refused(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player is mentioned later, although the permission is back when the refusal of the mention is read."""
    monkeypatch.setattr(outbox, "RETRY_AFTER", timedelta(seconds=0.2))
    monkeypatch.setattr(outbox_task, "PAUSE", 0.2)
    async with (
        Sandbox(channels=CHANNELS, observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, *_),
    ):
        panel = await challenge(ada, grace, "skull")
        mover, other = (ada, grace) if panel.turn == ada.id else (grace, ada)
        notices = bot.display.boards._turn_notices
        mention = notices.mention

        async def refused(*args: Any, **options: Any) -> Any:
            line = await mention(*args, **options)
            if line is None:
                local.allow("general", "send_messages")
                await _permitted(bot, local)
            return line

        with patch.object(notices, "mention", refused):
            local.deny("general", "send_messages")
            await by_command(mover, panel, "c3")
            moved = await panel_at(mover, panel.match, 1)
            await newest(other, lambda it: pinged(it) == [other.id])
        assert moved.message["id"] == panel.message["id"]


async def _permitted(bot: Pencilbox, local: Sandbox) -> None:
    """Wait until the bot knows that it may post in #general."""
    guild = bot.clients.get_guild(int(local.world.guild["id"]))
    assert guild is not None
    (channel,) = (it for it in guild.text_channels if it.name == "general")
    await wait_until(lambda: channel.permissions_for(guild.me).send_messages)
