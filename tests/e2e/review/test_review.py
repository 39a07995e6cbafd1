"""A finished game is reviewed, with real search processes: the strip, its moments, and a line from one of them."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

from bot.sandbox import Sandbox
from bot.search.workers import SearchWorkers
from bot.ui.interactions import waiting
from rules.players.player import Choice
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.bot_process import BotProcess
from tests.e2e.club import Club
from tests.e2e.messages import (
    ANSWERED,
    Json,
    buttons,
    components,
    gone,
    message_with,
    once,
    planted,
    press,
    press_late,
    shown_to_all,
    text_of,
    told,
    usable_buttons,
)
from tests.e2e.panels import Panel, panel_at
from tests.e2e.play import accept, by_command, challenge, more, offered

BLUNDER = ("2", "6", "1", "5", "3", "7", "4")
"""A game of Alaric on 7 cells in which the second player throws the win away by the second move."""


async def play(club: Club, panel: Panel, moves: tuple[str, ...]) -> Panel:
    for move in moves:
        mover, _ = club.by_turn(panel)
        await by_command(mover, panel, move)
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    return panel


def pictures(message: Json) -> list[Any]:
    """The galleries of a message, each as the addresses of its pictures."""
    galleries = [part["items"] for part in components(message) if part["type"] == 12]
    return [[item["media"]["url"] for item in items] for items in galleries]


async def pressed(player: Player, message: Json, label: str, words: str) -> Json:
    """Press a button on a message that changes in place; the message once it says `words`."""
    answer = await player.press(message, usable_buttons(message)[label])
    assert answer["outcome"] == "update", answer
    return await once(player, message, lambda now: words in text_of(now))


async def test_game_is_reviewed_and_played_on_from_its_blunder(club: Club) -> None:
    board = await play(club, await challenge(club.ada, club.grace, "alaric", "7"), BLUNDER)
    assert board.turn is None
    await club.emmy.press(board.message, buttons(board.message)["Review"])
    overview = await told(club.emmy, f"Review of Alaric #{board.match}")
    assert re.search(r"was better: \S+ turned a won game into a lost one \(proved\)", text_of(overview))
    (strip,) = pictures(overview)
    assert "review-" in strip[0]
    numbers = [label for label in buttons(overview) if label.startswith("Moment ")]
    assert numbers == [f"Moment {number}" for number in range(1, text_of(overview).count("was better") + 1)]

    posted = await shown_to_all(club.emmy, overview)
    assert set(buttons(posted)) == {"Review"}

    # The blunder is one of the moments; go to it by stepping.
    message = await pressed(club.emmy, overview, "Moment 1", "moment 1 of")
    number = 1
    while "Move 2," not in text_of(message):
        number += 1
        message = await pressed(club.emmy, message, "Forward", f"moment {number} of")
    posted = await shown_to_all(club.emmy, message)
    assert f"moment {number} of" in text_of(posted)
    for shown in (message, posted):
        ((item,),) = (part["items"] for part in components(shown) if part["type"] == 12)
        assert item["spoiler"]
    # Every move of this position is judged in a message of its own.
    await press(club.emmy, message, "Explore")
    explored = await told(club.emmy, f"Explore: Alaric #{board.match}")
    assert "**Lost**: " in text_of(explored)
    assert any(label.startswith("✓ ") for label in usable_buttons(explored))
    blunder = next(label for label in usable_buttons(explored) if label.startswith(f"✗ {BLUNDER[1]} "))
    after = await pressed(club.emmy, explored, blunder, "after 2 moves")
    assert "**Won**: " in text_of(after)
    line = await pressed(club.emmy, message, "Try other moves", "What if: Alaric")
    better = next(label for label in usable_buttons(line) if label.startswith("Play "))
    line = await pressed(club.emmy, line, better, f"you **{better.removeprefix('Play ')}**, I **")
    assert "lost for me (proved)" in text_of(line)

    # Any other move is typed.
    form = await club.emmy.press(line, usable_buttons(line)["Type a move"])
    assert form["outcome"] == "modal", form
    refused = await club.emmy.submit(form, move="99")
    assert refused["outcome"] in ANSWERED, refused
    await message_with(club.emmy, "99")
    back = await pressed(club.emmy, line, "Take back", "What would you play instead?")
    await pressed(club.emmy, back, "Back", f"moment {number} of")

    # A line begins at any move of the game, too, from the menu of a line that an earlier version of the bot left.
    second = planted(club.local, club.emmy, f"-# 2. <@1> 3 · [Alaric #{board.match}](<https://discord.com>)")
    await club.emmy.menu("Play on from here", second["id"], 3)
    line = await told(club.emmy, f"What if: Alaric #{board.match}, from move 3")
    assert set(usable_buttons(line)) == {"Type a move", "Explore"}
    form = await club.emmy.press(line, usable_buttons(line)["Type a move"])
    await club.emmy.submit(form, move="5")
    await once(club.emmy, line, lambda now: "you **5**, I **" in text_of(now))

    # The command takes the member's last game; what was found is kept.
    await club.ada.command("review")
    again = await told(club.ada, f"Review of Alaric #{board.match}")
    assert pictures(again)[0][0].split("?")[0].endswith(f"review-{board.match}.png")
    await club.emmy.command("review")
    await told(club.emmy, "You have finished no game here yet")


@pytest.mark.soak
async def test_slow_review_replaces_its_progress(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search waits until its progress was shown; then the answer takes the place of the progress."""
    monkeypatch.setattr(waiting, "FIRST", 0)
    search, shown = SearchWorkers.choose, asyncio.Event()

    async def slow(*args: Any, **options: Any) -> Choice:
        await shown.wait()
        return await search(*args, **options)

    monkeypatch.setattr(SearchWorkers, "choose", slow)
    async with (
        Sandbox(observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
    ):
        club = Club(local, cast(BotProcess, None), tmp_path, ada, grace, emmy)
        board = await play(club, await challenge(ada, grace, "alaric", "7"), BLUNDER)

        await ada.command("review", number=board.match)
        note = await told(ada, " positions.")
        shown.set()
        review = await told(ada, f"Review of Alaric #{board.match}")
        assert review["id"] == note["id"]

        await bot.finish_answers()
        assert "Review of Alaric" in text_of(await ada.get(f"messages/{review['id']}"))


@pytest.mark.soak
async def test_hint_is_told_on_the_board(club: Club) -> None:
    answer = await offered(
        club.ada, club.ada.command("challenge", game="alaric", member=club.grace.id, size="5", games="casual")
    )
    board = await accept(club.grace, answer["id"])
    mover, waits = club.by_turn(board)
    await mover.press(board.message, board.buttons["Hint"])
    hint = await told(mover, "The others can see that you took a hint.")
    assert [one["filename"] for one in hint["attachments"]] == [f"alaric-{board.match}-0-hint.png"]
    assert "tick" in hint["attachments"][0]["description"]
    await once(waits, board.message, lambda now: f"<@{mover.id}> took a hint." in text_of(now))
    await waits.press(board.message, board.buttons["Hint"])
    await told(waits, "It is not your turn")
    await press(mover, hint, "Play it")
    after = await panel_at(waits, board.match, 1)
    assert "took a hint." in after.text
    await gone(mover, hint)


@pytest.mark.soak
async def test_hint_and_menu_are_deleted_after_the_move(club: Club) -> None:
    answer = await offered(
        club.ada, club.ada.command("challenge", game="alaric", member=club.grace.id, size="5", games="casual")
    )
    board = await accept(club.grace, answer["id"])
    mover, waits = club.by_turn(board)
    menu = await more(mover, board)
    await mover.press(board.message, board.buttons["Hint"])
    first = await told(mover, "The others can see that you took a hint.")
    await mover.press(board.message, board.buttons["Hint"])
    await gone(mover, first)
    second = await told(mover, "The others can see that you took a hint.")
    await waits.press(board.message, board.buttons["Hint"])
    refusal = await told(waits, "It is not your turn")
    await by_command(mover, board, "1")
    await gone(mover, menu)
    await gone(mover, second)
    assert refusal["id"] in {message["id"] for message in await waits.messages()}


async def test_hint_for_a_hidden_move_is_seen_by_its_player_alone(club: Club) -> None:
    asked = await offered(
        club.ada,
        club.ada.command("challenge", game="palindromes", member=club.grace.id, size="8", games="casual"),
    )
    board = await accept(club.grace, asked["id"])
    await club.ada.press(board.message, board.buttons["Hint"])
    hint = await told(club.ada, "The others can see that you took a hint.")
    row = re.search(r"lay \*\*([♦♣]{8})\*\*", hint["content"])
    assert row is not None
    notations = row[1], row[1].replace("♦", "R").replace("♣", "B")
    now = await once(club.grace, board.message, lambda now: "took a hint." in text_of(now))
    for message in (now, *await club.grace.messages()):
        assert not any(it in json.dumps(message, ensure_ascii=False) for it in notations)


@pytest.mark.soak
async def test_hint_is_refused_where_a_rated_game_stands(club: Club) -> None:
    rated = await challenge(club.ada, club.grace, "alaric", "6")
    assert "Hint" not in rated.buttons
    await press_late(club.local, club.ada, f"hint:{rated.match}")
    await told(club.ada, "hints are for casual games")
    asked = await offered(
        club.ada, club.ada.command("challenge", game="alaric", member=club.emmy.id, size="6", games="casual")
    )
    casual = await accept(club.emmy, asked["id"])
    by_id = {player.id: player for player in (club.ada, club.emmy)}
    assert casual.turn is not None
    mover = by_id[casual.turn]
    await mover.press(casual.message, casual.buttons["Hint"])
    await told(mover, "A rated game that is being played is at this position")
    unchanged = await panel_at(mover, casual.match, 0)
    assert "took a hint" not in unchanged.text
