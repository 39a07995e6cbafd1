"""Finished games over the wire: listed, watched, exported and imported."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.app.replay import SHOWN
from bot.ui.members.overview import SHOWN as SHOWN_GAMES
from db.engine import open_store
from db.values.places import Place
from rules.core.match import Match
from rules.games import find
from tests.contract.player import Player
from tests.db import given
from tests.db.given import LOST, WON
from tests.e2e.club import Club
from tests.e2e.messages import (
    answer_saying,
    answered,
    components,
    files,
    menus,
    message_with,
    once,
    press,
    shown_to_all,
    text_of,
    told,
    until,
    usable_buttons,
)
from tests.e2e.panels import panel_at
from tests.e2e.play import by_command, challenge, offered, resigned
from tests.waiting import PATIENCE

Json = dict[str, Any]
SKULL = Match.start(find("skull"), find("skull").sizes["quick"], 2).setup


def numbers(message: Json) -> list[int]:
    """The matches that a page of a history lets one watch."""
    found = (part for part in components(message) if part.get("custom_id") == "history:watch")
    select = next(found, None)
    return [int(option["value"]) for option in select["options"]] if select else []


async def finished(player: Player) -> Json:
    """The games that were finished here."""
    await press(player, await answered(player, "games"), "Finished games")
    return await told(player, "### Finished games")


async def games_of(player: Player, **options: Any) -> Json:
    """The page of the games of a profile."""
    await press(player, await answered(player, "profile", **options), "Games")
    if "opponent" in options:
        return await told(player, f"against <@{options['opponent']}> · newest first")
    game = find(options["game"]).sheet.title if "game" in options else "all games"
    return await told(player, f"{game} of <@{options.get('member', player.id)}> · newest first")


def nowhere(club: Club) -> Place:
    """A channel of the server that does not exist, so that the bot posts no board of a match that is stored there."""
    return Place(int(club.local.world.guild["id"]), 1)


@pytest.mark.soak
async def test_a_history_is_filtered_and_leads_to_its_games(club: Club) -> None:
    first = await challenge(club.ada, club.grace, "alaric", "5")
    over = await resigned(club.grace, first)
    second = await challenge(club.emmy, club.ada, "skull", "quick")
    await resigned(club.emmy, second)
    shown = await finished(club.grace)
    assert numbers(shown) == [second.match, first.match]
    lines = text_of(shown).splitlines()
    one = next(line for line in lines if f"#{first.match}]" in line)
    assert f"<@{club.ada.id}> beat <@{club.grace.id}>" in one
    assert "by resignation" in one
    assert f"/{over.message['id']})**" in one
    for options, chosen, found in (
        ({"game": "skull", "member": club.ada.id}, {}, [second.match]),
        ({"member": club.grace.id}, {}, [first.match]),
        ({}, {}, [first.match]),
        ({"member": club.ada.id}, {"result": "won", "game": "alaric"}, [first.match]),
        ({"member": club.ada.id, "opponent": club.emmy.id}, {"result": "won"}, [second.match]),
        ({"opponent": club.ada.id}, {}, [first.match]),
        ({}, {"result": "won"}, []),
    ):
        page = await games_of(club.grace, **options)
        for what, value in chosen.items():
            (menu,) = (it for it in menus(page) if it.startswith(f"history-by:{what}:"))
            await club.grace.choose(page, menu, value)
            page = await until(club.grace, page, f", {value}" if what == "result" else "Alaric of")
        assert numbers(page) == found, (options, chosen)
    assert "No matching game" in text_of(page)

    watch = next(part["custom_id"] for part in components(shown) if part["type"] == 3)
    await club.grace.choose(shown, watch, str(first.match))
    film = await message_with(club.grace, f"**Alaric #{first.match}**, move by move")
    assert film["ephemeral_for"] == club.grace.id
    posted = await shown_to_all(club.grace, film)
    (gallery,) = (part for part in components(posted) if part["type"] == 12)
    assert (await club.emmy.fetch(gallery["items"][0]["media"]["url"])).startswith(b"GIF8")
    assert set(usable_buttons(posted)) == {"Replay"}
    await press(club.grace, film, "First")
    await until(club.grace, film, "before the first move")

    choices = (await club.grace.autocomplete("replay", "number", number=""))["choices"]
    assert [choice["value"] for choice in choices] == [second.match, first.match]
    assert choices[1]["name"].endswith(", you lost")
    choices = (await club.grace.autocomplete("replay", "number", number="skull"))["choices"]
    assert [choice["value"] for choice in choices] == [second.match]


@pytest.mark.soak
async def test_pages_turn(club: Club) -> None:
    players = int(club.ada.id), int(club.grace.id)
    played: list[int] = []
    async with open_store(None, club.folder) as store:
        for _ in range(SHOWN + 1):
            at = datetime.now(UTC)
            played.insert(
                0, await given.finished(store, players, (LOST, WON), place=nowhere(club), setup=SKULL, at=at)
            )
    shown = await games_of(club.ada, game="skull")
    assert numbers(shown) == played[:SHOWN]
    assert set(usable_buttons(shown)) == {"Older", "Show to the channel"}
    await club.ada.press(shown, usable_buttons(shown)["Older"])
    older = await once(club.ada, shown, lambda now: numbers(now) == played[SHOWN:])
    assert set(usable_buttons(older)) == {"Newer", "Show to the channel"}
    assert numbers(await shown_to_all(club.ada, older)) == played[SHOWN:]
    await club.ada.press(older, usable_buttons(older)["Newer"])
    await once(club.ada, older, lambda now: numbers(now) == played[:SHOWN])


async def test_a_game_is_exported_and_read_again(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric", "5")
    mover = club.ada if panel.turn == club.ada.id else club.grace
    await by_command(mover, panel, "3")
    panel = await panel_at(mover, panel.match, 1)
    running = await files(club.emmy, await saved(club.emmy, panel.match))
    assert json.loads(running[f"alaric-{panel.match}.json"])["moves"] == [[0, "3"]]
    await resigned(mover, panel)
    given = await files(mover, await saved(mover, panel.match))
    assert set(given) == {f"alaric-{panel.match}.json", f"alaric-{panel.match}-about.json"}
    beside = json.loads(given[f"alaric-{panel.match}-about.json"])
    assert (beside["your_seat"], beside["outcomes"]) == (0, ["lost", "won"])
    assert not any(member.id.encode() in b"".join(given.values()) for member in (club.ada, club.grace))

    record = given[f"alaric-{panel.match}.json"]
    file = await mover.upload("game.json", record)
    shown = await answer_saying(mover, "**Alaric, from a file**, move by move", "replay", file=file)
    assert shown["ephemeral_for"] == mover.id
    for way, words in (("First", "before the first move"), ("Forward", "move 1 of 2: 3")):
        await mover.press(shown, usable_buttons(shown)[way])
        shown = await until(mover, shown, words)
    await press(mover, shown, "Explore")
    explored = text_of(await told(mover, "Explore: Alaric, from a file"))
    assert "The position after 1 move." in explored
    assert "**Won**: " in explored or "**Drawn**: " in explored or "**Lost**: " in explored
    assert numbers(await finished(mover)) == [panel.match], "a file counts for nothing"


async def saved(player: Player, match: int) -> Json:
    """The message with the files of a match."""
    shown = await answer_saying(player, "before the first move", "replay", number=match, move=0)
    await press(player, shown, "Save as a file")
    return await told(player, "as a file")


async def leading_to(player: Player, *messages: Json) -> str:
    """The answer to `/games` once it links to these messages: their ids are stored after they are posted."""
    async with asyncio.timeout(PATIENCE):
        while True:
            listed = text_of(await answer_saying(player, "Waiting for you (1)", "games"))
            if all(f"/{message['id']})" in listed for message in messages):
                return listed


@pytest.mark.soak
async def test_the_list_of_games_begins_with_what_waits(club: Club) -> None:
    """Games that wait for the member come first, then challenges to answer; a long list has pages."""
    panel = await challenge(club.ada, club.grace, "alaric", "5")
    mover, other = (club.ada, club.grace) if panel.turn == club.ada.id else (club.grace, club.ada)
    offer = await offered(club.emmy, club.emmy.command("challenge", member=mover.id, game="skull"))
    listed = await leading_to(mover, panel.message, offer)
    headings = [line for line in listed.splitlines() if line.startswith("**")]
    assert headings == ["**Waiting for you (1)**", "**Challenges to answer (1)**"]
    assert f"/{panel.message['id']}), against <@{other.id}> · your turn came <t:" in listed
    assert f"/{offer['id']}): <@{club.emmy.id}> challenges" in listed
    await answer_saying(other, "Waiting for others (1)", "games")
    seen = text_of(await answer_saying(club.emmy, "Challenges that wait for others (1)", "games"))
    assert seen.index("wait for others") < seen.index("**Also played here (1)**") < seen.index("#")
    players = int(club.ada.id), int(club.grace.id)
    async with open_store(None, club.folder) as store:
        for _ in range(SHOWN_GAMES):
            await given.started(store, players, place=nowhere(club), setup=SKULL, at=datetime.now(UTC))
    first = await answer_saying(club.ada, "page 1 of 2", "games")
    await club.ada.press(first, usable_buttons(first)["More"])
    second = await until(club.ada, first, "page 2 of 2")
    await club.ada.press(second, usable_buttons(second)["Back"])
    await until(club.ada, second, "page 1 of 2")
