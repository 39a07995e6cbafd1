"""A cup over the wire, from the opening to the podium, with five members."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from db.values.events import Event
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.given import event_of
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import (
    Json,
    answered,
    buttons,
    found_in,
    gone,
    message_with,
    pinged,
    press,
    text_of,
    told,
    usable_labels,
)
from tests.e2e.panels import boards_in
from tests.e2e.play import by_command, legal

PEOPLE = ("Ada", "Grace", "Emmy", "Lise", "Hypatia")


@asynccontextmanager
async def club_of_five(contract: Contract, folder: Path) -> AsyncIterator[tuple[Pencilbox, list[Player]]]:
    async with (
        Sandbox(members=PEOPLE, observe=contract) as local,
        bot_here(local.url, folder) as bot,
        players(local.url, local.world) as people,
    ):
        yield bot, people


async def cup_saying(player: Player, words: str) -> Json:
    """The newest message of a cup, once it says `words`."""

    def find(seen: list[Json]) -> Json | None:
        cups = [it for it in seen if it["ephemeral_for"] is None and "cup-" in str(it["components"])]
        over = [it for it in seen if it["ephemeral_for"] is None and "🥇" in text_of(it)]
        newest = next(reversed([*cups, *over]), None)
        return newest if newest is not None and words in text_of(newest) else None

    return await found_in(player, find)


async def stored(bot: Pencilbox) -> Event:
    return await event_of(bot.services.store, 1)


@pytest.mark.soak
async def test_five_members_play_a_cup_from_opening_to_podium(contract: Contract, tmp_path: Path) -> None:
    async with club_of_five(contract, tmp_path) as (bot, people):
        ada, grace, emmy, lise, hypatia = people
        await answered(ada, "cup", game="alaric", size="quick", players=6, clock="3d")
        card = await cup_saying(ada, "opens a cup for up to 6 players")
        assert "**0 of 6 take part:** nobody yet" in text_of(card)
        assert usable_labels(card) == {"Join", "Leave", "Manage…", "How it is played", "Learn it"}
        for person in people:
            await press(person, card, "Join")
            await told(person, "You take part in this cup")
        card = await cup_saying(ada, "**5 of 6 take part:**")
        await press(grace, card, "Manage…")
        await told(grace, "Only")
        await press(ada, card, "Manage…")
        await press(ada, await told(ada, "Everything that you do here is announced"), "Start now")

        table = await cup_saying(ada, "0 of 20 games are over")
        assert {*pinged(table)} == {it.id for it in people}
        assert f"<@{ada.id}> started the cup early" in text_of(table)
        assert usable_labels(table) == {"Leave", "Manage…"}
        assert "table1.png" in str(table["components"])
        boards = await found_in(ada, lambda seen: found if len(found := boards_in(seen)) == 20 else None)
        games = text_of(await answered(emmy, "games"))
        assert "Alaric #" in games
        assert f"/{table['id']}) · 0 of 20 games are over" in games

        # One move and one resignation over the wire; the others resign in turn, so that Ada wins.
        first = boards[0]
        mover = next(it for it in people if it.id == first.turn)
        await by_command(mover, first, (await legal(mover, first))[0])
        event = await stored(bot)
        for loser in (hypatia, lise, emmy, grace):
            for pairing in (await stored(bot)).pairings:
                loaded = await bot.services.matches.load(pairing.match)
                if pairing.running and int(loser.id) in loaded.stored.users:
                    await bot.services.matches.resign(pairing.match, int(loser.id))
            bot.outbox.wake()
        podium = await cup_saying(ada, "🥇")
        lines = text_of(podium).splitlines()
        assert [it for it in lines if it[:1] in "🥇🥈🥉" and it] == [
            f"🥇 <@{ada.id}> · 8 points",
            f"🥈 <@{grace.id}> · 6 points",
            f"🥉 <@{emmy.id}> · 4 points",
        ]
        assert podium["id"] != table["id"]
        assert "table1.png" in str(podium["components"])
        assert len({it.match for it in event.pairings}) == 20
        await gone(ada, table)
        assert buttons(podium) == {}


async def test_a_member_leaves_and_a_moderator_corrects_and_ends(contract: Contract, tmp_path: Path) -> None:
    async with club_of_five(contract, tmp_path) as (bot, people):
        ada, grace, emmy = people[:3]
        await answered(grace, "cup", game="skull", size="quick", players=3)
        card = await cup_saying(ada, "It starts when 3 have joined, and is cancelled <t:")
        for person in (ada, grace, emmy):
            await press(person, card, "Join")
            await told(person, "You take part in this cup")
        table = await cup_saying(ada, "0 of 6 games are over")
        event = await stored(bot)
        match = event.pairings[0].match
        await bot.services.matches.resign(match, int(ada.id))
        bot.outbox.wake()
        await cup_saying(ada, "1 of 6 games are over")

        # Ada owns the server, so that she moderates it.
        await press(ada, table, "Manage…")
        manage = await told(ada, "Everything that you do here is announced")
        opened = await ada.press(manage, buttons(manage)["Correct a result…"])
        await ada.submit(opened, number=f"#{match}", result="drawn")
        await cup_saying(ada, f"<@{ada.id}> corrected the result of #{match}: it was a draw.")

        opened = await emmy.press(table, buttons(table)["Leave"])
        await emmy.submit(opened)
        await cup_saying(ada, f"<@{emmy.id}> left the cup.")
        opened = await ada.press(manage, buttons(manage)["End the cup…"])
        await ada.submit(opened)
        over = await message_with(ada, f"<@{ada.id}> ended the cup.")
        assert buttons(over) == {}

        await answered(grace, "cup", game="skull")
        await press(grace, await message_with(grace, "up to 8 players"), "Manage…")
        manage = await told(grace, "Everything that you do here is announced")
        await grace.submit(await grace.press(manage, buttons(manage)["End the cup…"]))
        closed = await message_with(grace, "It was closed before it started.")
        assert f"<@{grace.id}> ended the cup." in text_of(closed)
