"""Moves over the wire: commands, refusals, pings, stale buttons, restarts."""

import asyncio
import re

import pytest

from bot.sandbox import Fault
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    LOADING,
    choose,
    components,
    found_in,
    gone,
    message_with,
    open_preferences,
    pinged,
    press,
    text_of,
    told,
    until,
)
from tests.e2e.page_events import listening
from tests.e2e.panels import called, calls_in, newer_panel, opened_part, panel_at, panels, removed
from tests.e2e.play import by_button, by_command, challenge, legal
from tests.faults.of_discord import ANSWER, CALLBACK


async def test_moves_that_do_not_count(club: Club) -> None:
    """Out of turn, unreadable, illegal, a stranger's, on a stale board: each told to its maker, nothing changed."""
    first = await challenge(club.ada, club.grace, "skull")
    mover, waiter = club.by_turn(first)
    # The move is answered only after the next press was refused, and deletes older refusals only.
    club.local.faults.plan("DELETE", ANSWER[1], Fault.SLOW, seconds=0.5)
    await by_command(mover, first, "c3")
    second = await panel_at(mover, first.match, 1)
    assert second.turn == waiter.id
    await by_button(mover, second, "c4")
    refusal = await told(mover, f"It is <@{waiter.id}>'s turn in Amazon Skull #{first.match}, not yours.")
    await found_in(mover, lambda seen: all(not it["flags"] & LOADING for it in seen) or None)
    await by_command(waiter, second, "c9")
    await told(waiter, "c9 is off the board")
    await by_command(waiter, second, "@everyone")
    await told(waiter, "is no cell; name one by its letter and number")
    await by_command(waiter, second, "a1")
    await told(waiter, "a1 lies beside no skull")
    await by_button(club.emmy, second, "c4")
    await told(club.emmy, "is played by")
    assert refusal["id"] in {it["id"] for it in await mover.messages()}
    assert (await panels(mover))[-1].plies == 1

    # Two clicks on the same board at once: the second one is stale before its buttons are gone. The move that counts
    # deletes the refusal if it is answered after it.
    async with listening(club.local.url, waiter) as (page,):
        await asyncio.gather(by_button(waiter, second, "c4"), by_button(waiter, second, "d3"))
        await page.received("has moved on; play on its newest board")
    assert (await panel_at(mover, first.match, 2)).plies == 2


async def test_each_turn_mentions_its_player_once(club: Club) -> None:
    """One message shows the game until it ends; each mention below it is deleted when its player has moved."""
    async with listening(club.local.url, club.ada, club.grace) as pages:
        panel = first = await challenge(club.ada, club.grace, "alaric", "4")
        for events in pages:
            await events.forget()
        assert pinged(first.message) == [first.turn]
        turns: list[str] = []
        while panel.turn is not None:
            mover, waiter = club.by_turn(panel)
            await by_command(mover, panel, (await legal(mover, panel))[0])
            panel = await panel_at(mover, panel.match, panel.plies + 1)
            if panel.turn is not None:
                assert panel.message["id"] == first.message["id"]
                turns.append((await called(club.emmy, panel))["id"])
        assert len(turns) > 2
        # The last board stands at the end of the channel, and mentions the one who did not move.
        assert pinged(panel.message) == [waiter.id]
        await removed(club.ada, first)
        await found_in(club.emmy, lambda seen: not calls_in(seen) or None)
        assert [board.plies for board in await panels(club.ada)] == [panel.plies]
        received = [message for events in pages for message in await events.calls()]
        assert sorted(received) == sorted([*turns, panel.message["id"]])


async def test_boards_on_demand(club: Club) -> None:
    """A player's board moves down without calling anybody; letters and strangers' boards are seen by them alone."""
    first = await challenge(club.ada, club.grace, "alaric")
    await club.ada.command("board")
    again = await newer_panel(club.grace, first)
    await removed(club.grace, first)
    assert pinged(again.message) == []
    assert set(again.buttons) == {*again.moves, "Type a move", "More"}
    await club.emmy.command("board")
    mine = await newer_panel(club.emmy, again)
    assert mine.message["ephemeral_for"] == club.emmy.id
    assert set(mine.buttons) == {"More"}
    await club.grace.command("board", as_text=True)
    await told(club.grace, "A ring of 13 cells.")


@pytest.mark.soak
async def test_several_games_in_one_channel(club: Club) -> None:
    """Completion says which game a move is for, and a move without a game is not guessed."""
    one = await challenge(club.ada, club.grace, "skull")
    two = await challenge(club.ada, club.grace, "alaric")
    if one.turn != two.turn:
        mover, _ = club.by_turn(one)
        await by_command(mover, one, "c3")
        one = await panel_at(mover, one.match, 1)
    mover, _ = club.by_turn(one)
    await mover.command("move", move="3")
    menu = await told(mover, "Which game is your move for?")
    (select,) = (part for part in components(menu) if part["type"] == 3)
    assert {option["label"].rpartition(" ")[2] for option in select["options"]} == {
        f"#{it.match}" for it in (one, two)
    }
    choices = (await mover.autocomplete("move", "move", move="3"))["choices"]
    value = next(choice["value"] for choice in choices if choice["name"] == f"3 in Alaric #{two.match}")
    assert value == f"#{two.match} 3"
    await mover.choose(menu, "which-move:3", str(two.match))
    assert (await panel_at(mover, two.match, 1)).plies == 1
    games = (await mover.autocomplete("move", "number", move="", number=""))["choices"]
    assert {choice["value"] for choice in games} == {one.match, two.match}
    await _lose_suggestions(club, mover)
    await mover.command("games")
    listed = text_of(await message_with(mover, "**Waiting for you (1)**"))
    assert listed.index("Skull") < listed.index("**Waiting for others (1)**") < listed.index("Alaric")


async def _lose_suggestions(club: Club, member: Player) -> None:
    """However Discord loses the suggestions for an option, nothing alarming is logged, and the next letter has some."""
    faults = (Fault.RESET, Fault.LOST, Fault.BANNED, Fault.FORBIDDEN)
    club.bot.forget_log()
    for fault in faults:
        club.local.faults.plan(*CALLBACK, fault)
    await asyncio.gather(*(member.autocomplete("move", "number", move="", number="") for _ in faults))
    assert (await member.autocomplete("move", "number", move="", number=""))["choices"]
    assert club.bot.log.count("suggestions.delivery_failed") == len(faults)
    assert not re.search(r"Traceback|\[(warning|error|critical)|WARNING|ERROR", club.bot.log), club.bot.log


async def test_parts_are_for_the_one_on_turn_and_for_the_newest_board(club: Club) -> None:
    """Others are refused; one private message leads to the move, however often a part of the board is pressed, and goes
    once the move is played; afterwards it plays nothing."""
    first = await challenge(club.ada, club.grace, "polygons", "4 26")
    mover, waiter = club.by_turn(first)
    assert list(first.parts) == [f"{number}." for number in range(9)]
    for other, words in ((waiter, ", not yours."), (club.emmy, "is played by")):
        await other.press(first.message, first.parts["0."])
        await told(other, words)
    await mover.press(first.message, first.parts["3."])
    replaced, _, _ = await opened_part(mover, first.match, 0, "3.")
    await mover.press(first.message, first.parts["6."])
    outer, _, parts = await opened_part(mover, first.match, 0, "6.")
    await found_in(mover, lambda seen: replaced["id"] not in [it["id"] for it in seen] or None)
    assert outer["ephemeral_for"] == mover.id
    await mover.press(outer, parts["6.2."])
    inner, points, _ = await opened_part(mover, first.match, 0, "6.2.")
    assert inner["id"] == outer["id"]
    await mover.press(inner, f"among:{first.match}:0:6.")
    await mover.press(await until(mover, inner, "Choose a point in **a1–h8**."), parts["6.2."])
    await mover.press(await until(mover, inner, "Choose a point in **a1–d4**."), points["a4"])
    second = await panel_at(waiter, first.match, 1)
    assert "placed dot 1 of 8 on a4" in second.text
    await found_in(mover, lambda seen: outer["id"] not in [it["id"] for it in seen] or None)

    await waiter.press(second.message, second.parts["4."])
    late, _, parts = await opened_part(waiter, first.match, 1, "4.")
    async with listening(club.local.url, waiter) as (page,):
        await by_command(waiter, second, "k9")
        await panel_at(waiter, first.match, 2)
        await waiter.press(late, next(iter(parts.values())))
        # What the command still deletes may be this answer.
        await page.received("has moved on; play on its newest board")
    assert (await panels(waiter))[-1].plies == 2


async def test_a_pressed_move_counts_once_it_is_confirmed(club: Club) -> None:
    panel = await challenge(club.ada, club.grace, "alaric", "quick")
    mover, other = club.by_turn(panel)
    await choose(mover, await open_preferences(mover, "Play"), "prefer:confirm", "on")
    await mover.press(panel.message, panel.moves["3"])
    await told(mover, "Do you want to play `3` in **Alaric #")
    await mover.press(panel.message, panel.moves["4"])
    question = await told(mover, "Do you want to play `4` in **Alaric #")
    assert (await panels(other))[-1].plies == 0
    await press(mover, question, "Play it")
    await gone(mover, question)
    after = await panel_at(other, panel.match, 1)
    assert not any("Do you want to play" in text_of(it) for it in await mover.messages())
    # The other player did not choose it.
    await by_button(other, after, next(iter(after.moves)))
    await panel_at(other, panel.match, 2)
