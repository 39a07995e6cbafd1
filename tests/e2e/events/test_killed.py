"""Real processes of the bot that are killed while a cup starts and ends: nothing is missing, doubled or half done."""

import asyncio
import sqlite3
from contextlib import suppress
from functools import partial
from random import Random

import pytest

from db.address import FILE_NAME
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import Json, answered, buttons, found_in, message_with, newest, press, text_of, until
from tests.e2e.panels import boards_in
from tests.waiting import wait_until

KILLS = 8

pytestmark = [
    pytest.mark.soak,
    pytest.mark.takes_long(reason="the bot is killed and started again many times"),
]


def stored(club: Club, query: str) -> list[tuple[object, ...]]:
    """Return what a query of the bot's store returns."""
    with sqlite3.connect(club.folder / FILE_NAME) as database:
        return database.execute(query).fetchall()


async def killed_during(club: Club, doing: asyncio.Task[object], after: float) -> None:
    """Kill the bot some seconds after something began, and start it again."""
    await asyncio.sleep(after)
    await club.bot.kill()
    with suppress(AssertionError, TimeoutError):
        await doing
    await club.start_again()


async def with_id(player: Player, custom_id: str) -> Json:
    """Return the newest message with this custom id, once it is there."""
    return await newest(player, lambda it: f"{custom_id}'" in str(it["components"]))


async def all_shown(player: Player, matches: set[object]) -> bool:
    """Wait until all these matches have boards."""
    return await found_in(player, lambda seen: matches <= {it.match for it in boards_in(seen)} or None)


async def cups(club: Club, words: str) -> list[Json]:
    """The messages of cups that say something."""
    return [it for it in await club.ada.messages() if words in text_of(it) and not it["ephemeral_for"]]


async def whole(club: Club, cup: int) -> bool:
    """Return True if a cup is over, without running games, and its only message says so."""
    left = stored(club, "SELECT 1 FROM matches WHERE finished_at IS NULL")
    over = stored(club, f"SELECT 1 FROM events WHERE id = {cup} AND state = 'over'")
    ((shown,),) = stored(club, f"SELECT message FROM posts WHERE kind = 'event' AND subject = {cup}")
    there = {it["id"] for it in await cups(club, "ended the cup")}
    outdated = [it for words in ("0 of 6 games are over", "opens a cup") for it in await cups(club, words)]
    return bool(over) and not left and str(shown) in there and not outdated


async def test_a_cup_that_is_killed_at_its_start_and_end_is_whole(club: Club) -> None:
    random = Random(7)
    for cup in range(1, KILLS + 1):
        await answered(club.ada, "cup", game="skull", size="quick", players=3)
        card = await with_id(club.ada, f"cup-join:{cup}")
        for member in (club.ada, club.grace):
            await press(member, card, "Join")
            await until(club.ada, card, f"<@{member.id}>")
        await until(club.ada, card, "**2 of 3 take part:**")
        joining = asyncio.create_task(club.emmy.press(card, buttons(card)["Join"]))
        await killed_during(club, joining, random.random() * 0.5)
        if not stored(club, f"SELECT 1 FROM stages WHERE event_id = {cup}"):
            entrants = stored(club, f"SELECT number FROM entrants WHERE event_id = {cup}")
            if len(entrants) == 2:  # The process ended before Emmy had joined.
                await press(club.emmy, card, "Join")
        table = await message_with(club.ada, "0 of 6 games are over")
        pairs = stored(club, f"SELECT first, second, match_id FROM pairings WHERE event_id = {cup}")
        assert sorted(it[:2] for it in pairs) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
        assert stored(club, "SELECT count(*) FROM matches") == [(6 * cup,)]
        await all_shown(club.ada, {it[2] for it in pairs})

        await press(club.ada, table, "Manage…")
        manage = await with_id(club.ada, f"cup-end:{cup}")
        opened = await club.ada.press(manage, buttons(manage)["End the cup…"])
        await killed_during(club, asyncio.create_task(club.ada.submit(opened)), random.random() * 0.5)
        if not stored(club, f"SELECT 1 FROM deeds WHERE event_id = {cup} AND deed = 'ended'"):
            opened = await club.ada.press(manage, buttons(manage)["End the cup…"])
            await club.ada.submit(opened)

        await wait_until(partial(whole, club, cup))
        assert stored(club, "SELECT 1 FROM failed_items") == []
