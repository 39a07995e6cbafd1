"""The preferences of members and the settings of a server, over the wire. Ada owns the server."""

import io
from typing import Any

import discord
import pytest
from PIL import Image

from render.engine.scene import Role
from render.engine.theme import SEATS, THEMES
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    called,
    choose,
    chosen,
    components,
    direct,
    message_with,
    only_written,
    open_preferences,
    open_settings,
    pinged,
    press,
    text_of,
    told,
    written,
)
from tests.e2e.panels import Panel, newer_panel, panel_at, panels, removed
from tests.e2e.play import accept, ask, by_command, by_more, challenge, legal, resigned
from tests.e2e.proposals.test_proposals import board_saying, settled

Json = dict[str, Any]


async def theme_of(player: Player, message: Json) -> str:
    """The theme that the picture of a message is drawn in, read off the corner of its page."""
    gallery = next(part for part in components(message) if part["type"] == 12)
    with Image.open(io.BytesIO(await player.fetch(gallery["items"][0]["media"]["url"]))) as picture:
        corner = picture.convert("RGB").getpixel((1, 1))
    return next(name for name, theme in THEMES.items() if theme.rgb(Role.PAGE) == corner)


def accent(message: Json) -> int:
    return int(next(part["accent_color"] for part in components(message) if part["type"] == 17))


def colours(theme: str) -> set[int]:
    """The accent colours of the two seats of a game."""
    return {discord.Colour.from_rgb(*THEMES[theme].rgb(seat)).value for seat in SEATS[:2]}


async def private_board(player: Player, panel: Panel) -> Json:
    newest = (await panels(player))[-1]
    await player.command("board", number=panel.match)
    mine = (await newer_panel(player, newest)).message
    assert mine["ephemeral_for"] == player.id
    return mine


async def test_a_member_s_look_is_their_own(club: Club) -> None:
    message = await open_preferences(club.emmy, "Play")
    assert chosen(message, "prefer:theme") == ["same"]
    assert len(next(part for part in components(message) if part["type"] == 12)["items"]) == len(THEMES)
    message = await choose(club.emmy, message, "prefer:theme", "paper")
    assert chosen(message, "prefer:theme") == ["paper"]
    panel = await challenge(club.ada, club.grace, "alaric")
    assert await theme_of(club.ada, panel.message) == "slate"
    assert accent(panel.message) in colours("slate")
    mine = await private_board(club.emmy, panel)
    assert await theme_of(club.emmy, mine) == "paper"
    assert accent(mine) in colours("paper")
    await club.emmy.command("replay", number=panel.match, move=0)
    assert await theme_of(club.emmy, await message_with(club.emmy, "before the first move")) == "paper"
    await choose(club.emmy, message, "prefer:theme", "same")
    assert await theme_of(club.emmy, await private_board(club.emmy, panel)) == "slate"


@pytest.mark.soak
async def test_a_server_s_look_is_for_all(club: Club) -> None:
    first = await challenge(club.ada, club.grace, "alaric")
    message = await choose(club.ada, await open_settings(club.ada), "setting:theme", "paper")
    assert chosen(message, "setting:theme") == ["paper"]
    mover = club.ada if first.turn == club.ada.id else club.grace
    await by_command(mover, first, "3")
    panel = await panel_at(club.emmy, first.match, 1)
    assert await theme_of(club.emmy, panel.message) == "paper"
    assert accent(panel.message) in colours("paper")
    assert await theme_of(club.emmy, await private_board(club.emmy, panel)) == "paper"
    await choose(club.emmy, await open_preferences(club.emmy, "Play"), "prefer:theme", "slate")
    assert await theme_of(club.emmy, await private_board(club.emmy, panel)) == "slate"


async def _challenge_by_letter(club: Club) -> Panel:
    """A game of Ada and Grace, who accepts once the direct message about the challenge has arrived."""
    asked = await ask(club.ada, [club.grace], "alaric", "3")
    await only_written(club.grace, 1)
    return await accept(club.grace, asked["id"])


async def test_turn_notices_reach_a_player_as_chosen(club: Club) -> None:
    """Grace wants to be written to, Ada nothing at all."""
    await choose(club.grace, await open_preferences(club.grace), "prefer:notice", "direct")
    await choose(club.ada, await open_preferences(club.ada), "prefer:notice", "none")
    panel = await _challenge_by_letter(club)
    while panel.turn is not None:
        assert pinged(panel.message) == []
        # After the challenge only the newest turn is told of: what told her of earlier ones is gone.
        letters = await only_written(club.grace, 1 + int(panel.turn == club.grace.id))
        if panel.turn == club.grace.id:
            assert letters[-1]["content"] == (
                f"It is your turn in **Alaric #{panel.match}**. https://discord.com/channels/"
                f"{club.local.world.guild['id']}/{club.ada.channel}/{panel.message['id']}"
            )
        mover, _ = club.by_turn(panel)
        await by_command(mover, panel, (await legal(mover, panel))[0])
        panel = await panel_at(mover, panel.match, panel.plies + 1)
    assert await direct(club.ada) == []


@pytest.mark.soak
async def test_requests_in_a_game_reach_a_player_as_chosen(club: Club) -> None:
    """Draws and rematches, too; what waits for an answer stands in `/games` and in `/help`."""
    await choose(club.grace, await open_preferences(club.grace), "prefer:notice", "direct")
    await choose(club.ada, await open_preferences(club.ada), "prefer:notice", "none")
    panel = await _challenge_by_letter(club)
    told = len(await written(club.grace, 1 + int(panel.turn == club.grace.id)))

    await by_more(club.ada, panel.match, "draw")
    offer = await board_saying(club.grace, panel, "offers a draw.** ")
    letter = (await written(club.grace, told + 1))[-1]["content"]
    assert letter.startswith(f"**Alaric #{panel.match}**: <@{club.ada.id}>")
    assert letter.endswith(
        f" offers a draw. https://discord.com/channels/{club.local.world.guild['id']}/{club.ada.channel}/{offer.message['id']}"
    )
    for command, words in (
        ("games", "Offers and requests to answer (1)"),
        ("help", "You are asked to agree"),
    ):
        await club.grace.command(command)
        assert f"Alaric #{panel.match}" in text_of(await message_with(club.grace, words))
    await press(club.grace, offer.message, "Decline the draw")
    await settled(club.grace, panel, "declined")
    # The letter that asked is gone, and what told her of her turn is left.
    assert len(await only_written(club.grace, told)) == told

    await by_more(club.grace, panel.match, "draw")
    await board_saying(club.ada, panel, f"<@{club.ada.id}>, do you agree?")
    assert [it for it in await club.emmy.messages() if pinged(it)] == []

    last = await resigned(club.grace, panel)
    await press(club.ada, last.message, "Rematch")
    again = await message_with(club.grace, f"for a rematch of #{panel.match}")
    assert pinged(again) == []
    there = club.grace.elsewhere((await club.grace.post("direct"))["id"])
    letter = (await message_with(there, "for a rematch"))["content"]
    assert letter.startswith(
        f"<@{club.ada.id}> asks <@{club.grace.id}> for a rematch of #{panel.match}. https://"
    )
    assert letter.endswith(again["id"])
    assert await direct(club.ada) == []


async def test_closed_direct_messages_fall_back_to_a_ping(club: Club) -> None:
    for player in (club.ada, club.grace):
        await choose(player, await open_preferences(player), "prefer:notice", "direct")
        club.local.close_direct(player.id)
    panel = await challenge(club.ada, club.grace, "alaric")
    mover, waiter = club.by_turn(panel)
    # Before it, the challenge called Grace in the same way.
    call = await message_with(waiter, f"<@{mover.id}>: It is your turn in **Alaric")
    assert "Your direct messages are closed to me" in text_of(call)
    assert pinged(call) == [mover.id]
    assert pinged(panel.message) == []
    assert await direct(mover) == []


async def test_forced_moves_play_themselves(club: Club) -> None:
    """Three cells in a row: after the first skull there is one legal move each, and then none."""
    waiting = await challenge(club.ada, club.grace, "skull", "3x1")
    mover, waiter = club.by_turn(waiting)
    await by_command(mover, waiting, "a1")
    waiting = await panel_at(waiter, waiting.match, 1)
    message = await choose(waiter, await open_preferences(waiter, "Play"), "prefer:forced", "on")
    assert chosen(message, "prefer:forced") == ["on"]
    # It was due when it was chosen; the other goes on by hand.
    shown = await panel_at(mover, waiting.match, 2)
    assert shown.message["id"] == waiting.message["id"]
    assert f"<@{waiter.id}>" in shown.text.splitlines()[-2]
    assert "had only one legal move, which was played automatically: b1" in shown.text.splitlines()[-2]
    await called(mover)
    await by_command(mover, shown, "c1")
    assert (await panel_at(mover, shown.match, 3)).turn is None

    await choose(mover, await open_preferences(mover, "Play"), "prefer:forced", "on")
    panel = await challenge(club.ada, club.grace, "skull", "3x1")
    mover, waiter = club.by_turn(panel)
    await by_command(mover, panel, "a1")
    last = await panel_at(club.emmy, panel.match, 3)
    assert last.turn is None
    assert "played a1" in last.text
    alone = [
        line.partition("automatically: ")[2] for line in last.text.splitlines() if "automatically" in line
    ]
    assert [told[:2] for told in alone] == ["b1", "c1"]
    await removed(club.emmy, panel)
    boards = [board.plies for board in await panels(club.emmy) if board.match == panel.match]
    assert boards == [3]


@pytest.mark.soak
async def test_away_and_blocked_are_refused_in_the_same_words(club: Club) -> None:
    message = await choose(club.grace, await open_preferences(club.grace, "Members"), "prefer:away", "hours")
    assert "You cannot be challenged before" in text_of(message)
    await club.ada.command("challenge", member=club.grace.id, game="alaric")
    refusal = f"<@{club.grace.id}> takes no challenges at present."
    await told(club.ada, refusal)
    message = await choose(club.grace, message, "prefer:away", "no")
    assert "You can be challenged." in text_of(message)

    message = await choose(club.grace, message, "prefer:blocked", club.emmy.id)
    await club.emmy.command("challenge", member=club.grace.id, game="alaric")
    await told(club.emmy, refusal)
    await club.grace.command("challenge", member=club.emmy.id, game="alaric")
    await told(club.grace, "`/preferences` lets you unblock them")
    await club.grace.choose(message, "prefer:blocked", club.emmy.id, club.grace.id)
    await told(club.grace, "You cannot block yourself")
    # Others are not concerned.
    await challenge(club.ada, club.grace, "alaric")
    await choose(club.grace, message, "prefer:blocked")
    await challenge(club.emmy, club.grace, "skull")
    assert chosen(await open_preferences(club.grace, "Members"), "prefer:blocked") == []
