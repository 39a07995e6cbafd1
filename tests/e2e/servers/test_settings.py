"""A server's settings: channels and games that are allowed, threads, the channel for results. Ada owns the server."""

import re
from typing import Any

import pytest

from bot.sandbox.world.events import ChannelGone
from tests.e2e.club import Club
from tests.e2e.messages import (
    choose,
    components,
    found_in,
    open_settings,
    pinged,
    text_of,
    written,
)
from tests.e2e.panels import Panel, board_in, boards_in, panel_at
from tests.e2e.play import ask, challenge, end, resigned

Json = dict[str, Any]


@pytest.fixture
def lounge(club: Club) -> str:
    """The id of a second channel."""
    return str(club.local.channel("lounge")["id"])


async def test_results_are_announced(club: Club, lounge: str) -> None:
    await choose(club.ada, await open_settings(club.ada, "Posts in channels"), "setting:results", lounge)
    panel = await challenge(club.ada, club.grace, "alaric")
    await end(club.ada, panel.match, "too late")
    there = await found_in(club.emmy, lambda seen: seen or None, lounge)
    assert len(there) == 1
    last = await panel_at(club.ada, panel.match, 1)
    link = f"{club.local.world.guild['id']}/{club.ada.channel}/{last.message['id']}"
    assert f"[Alaric #{panel.match}](https://discord.com/channels/{link})" in text_of(there[0])
    assert "too late. Nobody wins." in text_of(there[0])
    assert pinged(there[0]) == [club.ada.id, club.grace.id] or pinged(there[0]) == []
    # A game that not all readers of the results can see is not announced to them.
    club.local.deny(club.ada.channel, "view_channel", club.emmy.id)
    hidden = await challenge(club.ada, club.grace, "alaric")
    await end(club.ada, hidden.match, "hidden")
    games = club.local.add_channel("games", "text")
    ada, grace = club.ada.elsewhere(games), club.grace.elsewhere(games)
    known = await challenge(ada, grace, "alaric")
    await end(ada, known.match, "known")
    there = await found_in(club.ada, lambda seen: seen if len(seen) > 1 else None, lounge)
    assert [f"#{known.match}]" in text_of(it) for it in there] == [False, True]


@pytest.mark.soak
async def test_results_show_the_game(club: Club, lounge: str) -> None:
    message = await choose(
        club.ada, await open_settings(club.ada, "Posts in channels"), "setting:results", lounge
    )
    await choose(club.ada, message, "setting:result-picture", "film")
    first = await challenge(club.ada, club.grace, "alaric", "3")
    await resigned(club.grace, first)

    def found(seen: list[Json]) -> Json | None:
        told = next((one for one in seen if f"#{first.match}]" in text_of(one)), None)
        return told if told and [it.endswith(".gif") for it in pictures(told)] == [True] else None

    assert " by resignation." in text_of(await found_in(club.emmy, found, lounge))


def pictures(message: Json) -> list[str]:
    """The addresses of the pictures of a message, without what follows their names."""
    galleries = [part["items"] for part in components(message) if part["type"] == 12]
    return [item["media"]["url"].partition("?")[0] for items in galleries for item in items]


async def test_a_missing_permission_is_named_to_managers(club: Club, lounge: str) -> None:
    club.local.deny("lounge", "send_messages")
    club.local.deny("general", "create_public_threads")
    message = await choose(
        club.ada, await open_settings(club.ada, "Posts in channels"), "setting:results", lounge
    )
    assert f"In <#{lounge}> I lack Send Messages." in text_of(message)
    message = await choose(club.ada, await open_settings(club.ada), "setting:threads", "threads")
    assert f"In <#{club.ada.channel}> I lack Create Public Threads." in text_of(message)
    # The game is played in the channel then, its result is told nowhere, and the owner learns why.
    panel = await challenge(club.ada, club.grace, "alaric")
    assert panel.message["channel_id"] == club.ada.channel
    assert [letter["content"].split(", which")[0] for letter in await written(club.ada, 1)] == [
        f"**Local server**: In <#{club.ada.channel}> I lack Create Public Threads"
    ]
    await end(club.ada, panel.match, "too late")
    letter = (await written(club.ada, 2))[-1]["content"]
    assert letter.startswith(
        f"**Local server**: In <#{lounge}> I lack Send Messages, which I need there for games."
    )
    assert await club.emmy.messages(lounge) == []


async def test_every_game_has_a_thread_of_its_own(club: Club) -> None:
    thread = await game_in_thread(club)
    assert thread["type"] == 11
    assert thread["parent_id"] == club.ada.channel
    assert re.fullmatch(r"Alaric #[0-9]+: (Ada against Grace|Grace against Ada)", thread["name"])
    ada, grace = (player.elsewhere(thread["id"]) for player in (club.ada, club.grace))
    panel = first = await board_in(ada, thread["id"], 0)
    while panel.turn is not None:
        mover = ada if panel.turn == ada.id else grace
        # A folded thread comes back with the next board, or with the call below it.
        thread = club.local.world.channels[thread["id"]]
        thread["thread_metadata"]["archived"] = True
        await mover.press(panel.message, next(id_ for id_ in panel.buttons.values() if id_[:5] == "play:"))
        panel = await board_in(ada, thread["id"], panel.plies + 1)

        async def unfolded(metadata: Json = thread["thread_metadata"]) -> bool | None:
            return not metadata["archived"] or None

        await ada.until(unfolded)
        boards = [it for it in boards_in(await ada.messages()) if it.message["id"] != panel.message["id"]]
        assert [it.message["id"] for it in boards] in ([], [first.message["id"]])
    assert not any(Panel.of(message) for message in await club.ada.messages())


async def test_a_game_whose_thread_is_deleted_goes_on_in_the_channel(club: Club) -> None:
    thread = await game_in_thread(club)
    panel = await board_in(club.emmy, thread["id"], 0)
    club.local.world.remove_channel(thread)
    club.local.world.publish(ChannelGone(thread))
    mover = club.ada if panel.turn == club.ada.id else club.grace
    await mover.command("move", move="1", number=panel.match)
    again = await panel_at(club.emmy, panel.match, 1)
    assert again.message["channel_id"] == club.ada.channel
    other = club.ada if again.turn == club.ada.id else club.grace
    await other.command("move", move="2")
    await panel_at(club.emmy, panel.match, 2)


async def game_in_thread(club: Club) -> Json:
    """Ada and Grace begin a game where every game has its own thread; the thread."""
    await choose(club.ada, await open_settings(club.ada), "setting:threads", "threads")
    asked = await ask(club.ada, [club.grace], "alaric", "3")
    known = set(club.local.world.channels)
    await club.grace.press(asked, next(iter(accepting(asked))))
    return await new_thread(club, known)


def accepting(message: Json) -> list[str]:
    return [
        part["custom_id"]
        for part in components(message)
        if part["type"] == 2 and part["custom_id"].startswith("accept:")
    ]


async def new_thread(club: Club, known: set[str]) -> Json:
    """The channel or thread that was not known, once there is one."""
    channels = club.local.world.channels

    async def look() -> Json | None:
        return next((channel for id_, channel in channels.items() if id_ not in known), None)

    return await club.ada.until(look)
