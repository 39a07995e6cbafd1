"""Games that anybody may join, over the wire: joined, left, removed from, started, full, expired, raced for."""

from typing import Any

import pytest

from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    buttons,
    choose,
    found_in,
    gone,
    message_with,
    pinged,
    press,
    text_of,
    told,
    until,
    usable_labels,
)
from tests.e2e.panels import Panel, boards_in
from tests.e2e.play import by_command, legal, offered


async def opened(host: Player, game: str = "maze", **options: Any) -> Json:
    """The message of a game that its host opens."""
    return await offered(host, host.command("challenge", game=game, **options))


async def seats(host: Player, message: Json, count: int) -> None:
    """The host changes the number of seats of an open game."""
    await press(host, message, "Change…")
    number = buttons(message)["Join"].removeprefix("accept:")
    await choose(host, await told(host, "**Seats**"), f"table:{number}:seats", str(count))


async def board(player: Player) -> Panel:
    """The only board in the channel, once it is there."""
    (only,) = await found_in(player, lambda seen: boards_in(seen) or None)
    return only


async def test_the_host_starts_with_three(club: Club) -> None:
    message = await opened(club.ada, size="quick", order="listed", clock="3d")
    assert f"<@{club.ada.id}> opens a game for 2 to 6" in text_of(message)
    assert "3 days" in text_of(message)
    assert "expires" in text_of(message)
    assert pinged(message) == []
    assert usable_labels(message) == {"Join", "Leave", "Change…", "Close", "How it is played", "Learn it"}

    await press(club.emmy, message, "Join")
    await until(club.ada, message, "**2 of 6 have joined:**")  # she is the first
    await press(club.grace, message, "Join")
    full = f"**3 of 6 have joined:** <@{club.ada.id}>, <@{club.emmy.id}> and <@{club.grace.id}>"
    seen = await until(club.ada, message, full)
    assert usable_labels(seen) == {
        "Join",
        "Leave",
        "Start",
        "Change…",
        "Close",
        "How it is played",
        "Learn it",
    }

    for player, label, words in (
        (club.emmy, "Join", "You have joined already"),
        (club.emmy, "Start", f"Only <@{club.ada.id}> can change, start or withdraw this game."),
        (club.emmy, "Change…", f"Only <@{club.ada.id}> can change, start or withdraw this game."),
        (club.emmy, "Close", f"Only <@{club.ada.id}> can change, start or withdraw this game."),
        (club.ada, "Leave", "close it instead of leaving it"),
    ):
        await press(player, message, label)
        await told(player, words)

    await press(club.emmy, message, "Leave")
    await until(club.ada, message, "**2 of 6 have joined:**")
    await press(club.emmy, message, "Leave")
    await told(club.emmy, "You have not joined this game.")
    await press(club.emmy, message, "Join")
    await until(club.ada, message, "**3 of 6 have joined:**")

    await press(club.ada, message, "Start")
    await gone(club.grace, message)
    first = await board(club.grace)
    assert first.turn == club.ada.id
    assert all(f"<@{player.id}>" in first.text for player in (club.ada, club.grace, club.emmy))
    await by_command(club.ada, first, (await legal(club.ada, first))[0])


@pytest.mark.soak
async def test_a_full_lobby_starts_and_is_listed_until_then(club: Club) -> None:
    message = await opened(club.ada, "cocomposite")
    await seats(club.ada, message, 3)
    await club.grace.command("games")
    listed = await message_with(club.grace, "Open to join here (1)")
    assert listed["ephemeral_for"] == club.grace.id
    await press(club.grace, message, "Join")
    await until(club.ada, message, "1 more may join")
    await club.grace.command("games")
    await message_with(club.grace, "Challenges that wait for others (1)")
    await press(club.emmy, message, "Join")
    await gone(club.ada, message)
    first = await board(club.ada)
    assert all(f"<@{player.id}>" in first.text for player in (club.ada, club.grace, club.emmy))
