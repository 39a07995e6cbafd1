"""Games of three members, played over the wire: to the end, and with one of them leaving."""

import re

import pytest

from tests.e2e.club import Club
from tests.e2e.messages import components, message_with, pinged, text_of, told
from tests.e2e.panels import no_controls, outcome, panel_at, panels
from tests.e2e.play import ask, by_command, challenge, legal, press_accept, to_the_end


@pytest.mark.parametrize("game", ["maze", "cocomposite"])
async def test_three_play_to_the_end(club: Club, game: str) -> None:
    three = (club.ada, club.grace, club.emmy)
    first = await challenge(club.ada, (club.grace, club.emmy), game, "quick")
    assert all(f"<@{member.id}>" in first.text for member in three)
    last, used = await to_the_end(three, first)
    assert {"typed", "autocomplete"} <= used
    assert " beat " in last.text or " drew " in last.text or " share the win" in last.text
    for board in await panels(club.ada):
        await no_controls(club.ada, board)
    await club.emmy.command("leaderboard", game=game)
    listed = text_of(await message_with(club.emmy, "Leaderboard:"))
    assert all(f"<@{member.id}>" in listed for member in three)


async def test_the_game_begins_when_all_have_accepted(club: Club) -> None:
    message = await ask(club.ada, (club.grace, club.emmy), "maze")
    assert pinged(message) == [club.grace.id, club.emmy.id]
    assert f"Waiting for <@{club.grace.id}> and <@{club.emmy.id}>" in text_of(message)
    await press_accept(club.emmy, message["id"])
    waiting = await message_with(club.ada, f"Accepted by <@{club.emmy.id}>; waiting for <@{club.grace.id}>")
    assert waiting["id"] == message["id"]
    await press_accept(club.emmy, message["id"])
    await told(club.emmy, "You have joined already")
    assert await panels(club.ada) == []
    buttons = {part["label"]: part["custom_id"] for part in components(waiting) if part["type"] == 2}
    await club.grace.press(waiting, buttons["Decline"])
    closed = await message_with(club.ada, f"declined by <@{club.grace.id}>")
    assert not any(part["type"] == 2 for part in components(closed))


async def test_one_leaves_and_the_others_play_on(club: Club) -> None:
    first = await challenge(club.ada, (club.grace, club.emmy), "maze", "quick")
    by_id = {player.id: player for player in (club.ada, club.grace, club.emmy)}
    assert first.turn is not None
    leaver = by_id.pop(first.turn)
    await leaver.command("resign", game=first.match)
    question = await message_with(leaver, "Do you really want to resign")
    sure = next(part["custom_id"] for part in components(question) if part["type"] == 2)
    await leaver.press(question, sure)
    panel = await panel_at(leaver, first.match, 1)
    assert panel.turn in by_id
    assert panel.text.count("(has left)") == 1
    assert re.search(rf"<@{leaver.id}> \S+ \(has left\)", panel.text)
    await leaver.command("resign", game=first.match)
    await told(leaver, "You have left")
    await by_command(leaver, panel, (await legal(by_id[panel.turn or ""], panel))[0])
    await told(leaver, "You have left")
    last, _ = await to_the_end(tuple(by_id.values()), panel)
    assert f"<@{leaver.id}>" not in outcome(last)
    assert all(leaver.id not in pinged(board.message) for board in await panels(club.ada) if board.plies > 0)
