"""A member leaves the server during a game: the others can go on or end it, and a member who returns plays on."""

from datetime import UTC, datetime

import pytest

from tests.contract.player import Player, Refused
from tests.e2e.club import Club
from tests.e2e.messages import (
    answer_saying,
    choose,
    components,
    direct,
    gone,
    message_with,
    open_preferences,
    open_settings,
    pinged,
    press,
    text_of,
    told,
)
from tests.e2e.panels import Panel, board_in, outcome, panel_at
from tests.e2e.play import accept, ask, by_button, by_command, legal, offered, press_accept, resign
from tests.e2e.servers.test_settings import new_thread
from tests.e2e.stored_times import age_clock


async def begun(club: Club, game: str = "alaric", *, clock: str = "none") -> Panel:
    """The first board of a quick game in which Ada, who stays, begins against Grace, who will leave."""
    asking = club.ada.command(
        "challenge", member=club.grace.id, game=game, size="quick", clock=clock, order="first"
    )
    return await accept(club.grace, (await offered(club.ada, asking))["id"])


async def moved(player: Player, panel: Panel, text: str) -> Panel:
    """The board after a move by command."""
    await by_command(player, panel, text)
    return await panel_at(player, panel.match, panel.plies + 1)


async def test_player_on_turn_leaves_and_returns(club: Club) -> None:
    panel = await moved(club.ada, await begun(club), "1")
    await club.grace.post("leave")
    for doing in (by_button(club.grace, panel, "3"), club.grace.command("move", move="3")):
        with pytest.raises(Refused, match="do not see it"):
            await doing
    await by_command(club.ada, panel, "3")
    await told(club.ada, f"It is <@{club.grace.id}>'s turn in Alaric #{panel.match}, not yours.")
    await answer_saying(club.ada, f"<@{club.grace.id}>", "games")
    await club.emmy.command("board", number=panel.match, as_text=True)
    assert f"<@{club.grace.id}>" in text_of(await message_with(club.emmy, "```"))

    await club.grace.post("join")
    panel = await moved(club.grace, panel, "3")
    assert panel.turn == club.ada.id


@pytest.mark.soak
async def test_player_who_waits_leaves_and_returns(club: Club) -> None:
    """The call in direct messages, which the player chose, does not reach them; the channel calls them instead."""
    await choose(club.grace, await open_preferences(club.grace), "prefer:notice", "direct")
    panel = await begun(club)
    await club.grace.post("leave")
    panel = await moved(club.ada, panel, "1")
    assert panel.turn == club.grace.id
    assert pinged(await message_with(club.ada, "I could not send you a direct message")) == [club.grace.id]
    assert not any("your turn" in text_of(it) for it in await direct(club.grace))
    await club.grace.post("join")
    assert (await moved(club.grace, panel, "3")).turn == club.ada.id


@pytest.mark.soak
async def test_member_who_left_loses_on_time(club: Club) -> None:
    """The result is rated, the leaderboard names both, and a rematch can be asked for and withdrawn."""
    panel = await begun(club, clock="24h")
    for player, move in ((club.ada, "1"), (club.grace, "3"), (club.ada, "5"), (club.grace, "7")):
        panel = await moved(player, panel, move)
    panel = await moved(club.ada, panel, "9")
    await club.grace.post("leave")
    await age_clock(club.folder, deadline=datetime.now(UTC), remind_at=None)
    last = await panel_at(club.ada, panel.match, 6)
    assert f"<@{club.ada.id}>" in outcome(last)
    assert " on time." in outcome(last)
    assert f"<@{club.grace.id}> 9" in last.text, "the rating of who left has fallen"
    shown = await answer_saying(club.emmy, f"<@{club.grace.id}>", "leaderboard")
    (gallery,) = (part for part in components(shown) if part["type"] == 12)
    assert "Ada" in gallery["items"][0]["description"]
    assert "Grace" in gallery["items"][0]["description"]
    await answer_saying(club.ada, f"<@{club.ada.id}>", "profile")
    await club.ada.press(last.message, last.buttons["Rematch"])
    offer = await message_with(club.ada, f"for a rematch of #{last.match}")
    await press(club.ada, offer, "Decline")
    await gone(club.ada, offer)


@pytest.mark.soak
async def test_member_who_left_acts_in_direct_messages(club: Club) -> None:
    """Their direct messages with the bot stay, and so does what they may do there in their own games."""
    panel = await moved(club.ada, await begun(club), "1")
    away = club.grace.elsewhere((await club.grace.post("direct"))["id"])
    await club.grace.post("leave")
    await resign(away, panel.match)
    assert f"<@{club.ada.id}>" in outcome(await panel_at(club.ada, panel.match, 2))


async def test_game_that_begins_without_a_member_gets_its_thread(club: Club) -> None:
    """The member had accepted before they left. They are called to their turn, and play after their return."""
    await choose(club.ada, await open_settings(club.ada), "setting:threads", "threads")
    made = await ask(club.ada, [club.grace, club.emmy], "maze", "quick", order="listed")
    await press_accept(club.grace, made["id"])
    await club.grace.post("leave")
    known = set(club.local.world.channels)
    await press_accept(club.emmy, made["id"])
    thread = await new_thread(club, known)
    assert thread["name"].endswith(": Ada, a member who left and Emmy")
    panel = await board_in(club.ada, thread["id"], 0)
    move = (await legal(club.ada, panel))[0]
    await by_command(club.ada, panel, move)
    panel = await board_in(club.emmy, thread["id"], 1)
    assert panel.turn == club.grace.id
    await club.grace.post("join")
    await by_command(club.grace.elsewhere(thread["id"]), panel, (await legal(club.grace, panel))[0])
    assert (await board_in(club.emmy, thread["id"], 2)).turn == club.emmy.id
