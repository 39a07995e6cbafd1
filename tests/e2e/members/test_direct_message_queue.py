"""Direct messages: refusals are told apart, new channels are opened one after the other, and nothing waits for them."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox import Fault, Sandbox
from db.engine import open_store
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.messages import (
    choose,
    direct,
    message_with,
    only_written,
    open_preferences,
    open_settings,
    text_of,
)
from tests.e2e.monitor import Pages
from tests.e2e.panels import panel_at
from tests.e2e.play import ask, by_command, challenge
from tests.waiting import PATIENCE

OPENING = ("POST", "/users/@me/channels")
NAMES = ("Ada", "Grace", "Emmy", "Alan", "Edsger", "Barbara", "Donald")


async def by_direct_message(player: Player) -> None:
    await choose(player, await open_preferences(player), "prefer:notice", "direct")


async def queued(folder: Path) -> None:
    """Wait until a direct message is queued."""
    later = datetime.now(UTC) + timedelta(hours=1)
    async with asyncio.timeout(PATIENCE), open_store(None, folder) as store:
        while not await store.direct_messages.due(later, 1):
            await asyncio.sleep(0.1)


async def test_commands_are_answered_below_a_message_that_the_bot_wrote(club: Club) -> None:
    """discord.py describes direct messages that it knows in another way than channels of a server."""
    await by_direct_message(club.ada)
    panel = await challenge(club.ada, club.grace, "skull", "quick")
    if panel.turn == club.grace.id:
        await by_command(club.grace, panel, next(iter(panel.moves)))
    alone = club.ada.elsewhere((await club.ada.post("direct"))["id"])
    await message_with(alone, "It is your turn")
    await alone.command("play")
    await message_with(alone, "### Play against the computer")


@pytest.mark.soak
async def test_refused_direct_messages_are_told_apart(contract: Contract, tmp_path: Path) -> None:
    """Only a member who is known to have closed their direct messages reads that they are closed.

    After a quarantine no channel is opened for hours.
    """
    async with (
        Sandbox(observe=contract) as local,
        players(local.url, local.world) as (ada, grace, _),
        bot_at(local.url, tmp_path, PENCILBOX_METRICS_PORT="0") as bot,
    ):
        await by_direct_message(grace)
        for size, fault, words in (
            ("5", Fault.CLOSED, "Your direct messages are closed to me, so"),
            ("6", Fault.NO_SHARED_SERVER, "I could not send you a direct message, so"),
            ("7", Fault.QUARANTINED, "I could not send you a direct message, so"),
        ):
            local.faults.plan(*OPENING, fault)
            card = await ask(ada, [grace], "alaric", size)
            said = await message_with(grace, f"/{card['id']} ")
            assert words in text_of(said)
            assert len(local.faults) == 0
        local.faults.plan(*OPENING, Fault.CLOSED)
        card = await ask(ada, [grace], "skull")
        await message_with(grace, f"/{card['id']} I could not send you a direct message, so")
        assert len(local.faults) == 1
        await bot.says("direct_messages.paused")
        counted = (await Pages(bot.log).samples())["pencilbox_direct_messages_total"]
        assert {outcome: number for (outcome,), number in counted.items() if number} == {
            "closed": 1,
            "no shared server": 1,
            "quarantined": 1,
            "paused": 1,
        }


@pytest.mark.soak
async def test_new_channels_are_opened_one_after_the_other(contract: Contract, tmp_path: Path) -> None:
    """The bot opens five new channels at once; it asks for the sixth later, also after a restart.

    The clock of the first bot stands still, so that the sixth is early however long the test takes.
    """
    clock = tmp_path / "clock"
    clock.write_text(datetime.now(UTC).isoformat())
    async with (
        Sandbox(members=NAMES, observe=contract) as local,
        players(local.url, local.world) as (ada, *others),
    ):
        local.services.new_direct_messages.most = 5
        module = "tests.e2e.owned_clock"
        async with bot_at(local.url, tmp_path, module=module, CLOCK=str(clock)) as bot:
            for other in others:
                await by_direct_message(other)
                # A member may have five open challenges in one channel.
                await ask(ada if other is not others[5] else others[0], [other], "alaric")
            for other in others[:5]:
                await only_written(other, 1)
            await queued(tmp_path)
            await bot.kill()
        assert local.services.new_direct_messages.refused == 0
        local.services.new_direct_messages.most = 10
        async with bot_at(local.url, tmp_path):
            await only_written(others[5], 1)
        assert not any("so I mention you here" in text_of(it) for it in await ada.messages())
        assert [len(await direct(other)) for other in others] == [1] * 6


async def test_moves_do_not_wait_for_direct_messages(contract: Contract, tmp_path: Path) -> None:
    async with (
        Sandbox(observe=contract) as local,
        players(local.url, local.world) as (ada, grace, emmy),
        bot_at(local.url, tmp_path),
    ):
        await by_direct_message(ada)
        await by_direct_message(grace)
        local.faults.plan(*OPENING, Fault.SLOW, seconds=600.0, times=2)
        board = await challenge(ada, grace, "alaric")
        members = {player.id: player for player in (ada, grace)}
        for text in ("1", "3", "5"):
            await by_command(members[board.turn or ""], board, text)
            board = await panel_at(emmy, board.match, board.plies + 1)


@pytest.mark.parametrize("chosen", ["moderators", "results", "next"])
async def test_alerts_go_to_channels_of_the_server_first(club: Club, chosen: str) -> None:
    """If a channel refuses the alert, the next channel gets it."""
    lounge = club.local.channel("lounge")["id"]
    if chosen == "next":
        club.local.moderators_channel(club.local.add_channel("staff", "text"))
        club.local.system_channel("lounge")
        club.local.faults.plan("POST", "/channels/{channel_id}/messages", Fault.FORBIDDEN)
    elif chosen == "moderators":
        club.local.moderators_channel("lounge")
    else:
        await choose(club.ada, await open_settings(club.ada, "Posts in channels"), "setting:results", lounge)
    club.local.deny("general", "send_messages")
    await club.grace.command("challenge", member=club.emmy.id, game="alaric")
    said = await message_with(club.ada.elsewhere(lounge), f"In <#{club.ada.channel}> I lack Send Messages")
    assert said["mentions"] == []
    assert await direct(club.ada) == []
