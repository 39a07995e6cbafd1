"""Games in direct messages among members, where the bot is not: all is shown through what the members do."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from tests.contract.checker import Contract
from tests.contract.player import Player, Refused
from tests.e2e import secret_rows
from tests.e2e.challenges.test_lobbies import seats
from tests.e2e.clocks.test_clocks import timed
from tests.e2e.club import Club
from tests.e2e.messages import (
    ANSWERED,
    Json,
    answer_saying,
    buttons,
    components,
    found_in,
    message_with,
    pinged,
    shown_to_all,
    text_of,
    told,
)
from tests.e2e.panels import Panel, boards_in, newer_panel, no_controls, panel_at, panels
from tests.e2e.play import accept, by_command, by_more, challenge, legal, offered, to_the_end
from tests.e2e.replay.test_history import finished
from tests.e2e.stored_times import age_clock, all_published

POSTED = "create_message"
"""Discord's name of the call that posts a message of the bot's own."""


async def among(club: Club, *members: Player, installed: Sequence[Player] | None = None) -> list[Player]:
    """These members in their direct messages; all of them have the bot, or only some."""
    for member in members if installed is None else installed:
        club.local.install(member.id)
    others = [member.id for member in members[1:]]
    channel = (await members[0].post("direct", **{"with": others}))["id"]
    return [member.elsewhere(channel) for member in members]


async def with_bot(member: Player) -> Player:
    """The member in the bot's direct messages with them."""
    return member.elsewhere((await member.post("direct"))["id"])


def on_turn(panel: Panel, *members: Player) -> Player:
    return next(member for member in members if member.id == panel.turn)


async def pressed(player: Player, message: dict[str, object], label: str) -> None:
    custom_id = next(part["custom_id"] for part in components(message) if part.get("label") == label)
    assert (await player.press(message, custom_id))["outcome"] in ANSWERED


async def asked_on_board(player: Player, words: str) -> tuple[Json, Json]:
    """The board that shows an offer and the message that mentions who is to answer, once both say `words`."""

    def find(seen: list[Json]) -> tuple[Json, Json] | None:
        saying = [it for it in seen if words in text_of(it) and it["ephemeral_for"] is None]
        boards = [it.message for it in boards_in(saying)]
        calls = [it for it in saying if it not in boards]
        return (boards[-1], calls[-1]) if boards and calls else None

    return await found_in(player, find)


async def test_two_play_in_their_direct_messages(club: Club, contract: Contract) -> None:
    """A whole game by every way of entering a move, a rematch, a draw; the bot posts nothing by itself."""
    ada, grace = await among(club, club.ada, club.grace)
    first = await challenge(ada, grace, "skull", "3x2")
    assert pinged(first.message) == [first.turn]
    assert first.message["ephemeral_for"] is None
    stranger = await club.emmy.command("board", number=first.match)
    assert stranger["outcome"] == "message"
    await told(club.emmy, f"There is no game #{first.match} in this server")
    last, used = await to_the_end((ada, grace), first)
    assert {"button", "typed", "autocomplete"} <= used
    assert " beat " in last.text
    for board in await panels(ada):
        await no_controls(ada, board)

    await pressed(ada, last.message, "Rematch")
    offer = await message_with(grace, "for a rematch of")
    assert pinged(offer) == [grace.id]
    second = await accept(grace, offer["id"])
    mover = on_turn(second, ada, grace)
    await mover.command("board")
    again = await newer_panel(mover, second)
    await no_controls(mover, second)
    await by_more(mover, second.match, "draw")
    waiter = grace if mover is ada else ada
    asked, call = await asked_on_board(waiter, "offers a draw")
    assert pinged(call) == [waiter.id]
    await pressed(waiter, asked, "Accept the draw")
    drawn = await panel_at(ada, second.match, again.plies + 1)
    assert " drew " in drawn.text
    await found_in(ada, lambda seen: all(it["id"] != call["id"] for it in seen) or None)
    for board in await panels(ada):
        await no_controls(ada, board)
    listed = await finished(ada)
    assert f"#{second.match}" in text_of(listed)
    posted = await shown_to_all(ada, listed)
    assert posted["channel_id"] == ada.channel
    alone = await answer_saying(await with_bot(club.ada), "against", "profile", opponent=club.grace.id)
    assert "Show to the channel" not in buttons(alone)
    assert contract.seen[POSTED] == 0


async def test_a_member_without_the_app_presses_buttons(club: Club, contract: Contract) -> None:
    """One member brings the bot along; a hidden move stays hidden, and what is used up loses its buttons."""
    ada, grace = await among(club, club.ada, club.grace, installed=[club.ada])
    first = await challenge(ada, grace, "palindromes", "8")
    row = await secret_rows.lay(grace, first, reds_first=True)
    ready = await panel_at(ada, first.match, first.plies + 1)
    assert "has laid their cards face down" in ready.text
    seen = "".join(text_of(message) for message in await ada.messages())
    assert row not in seen.replace(" ", "")
    await no_controls(ada, first)
    await secret_rows.resign(ada, ready)
    last = await panel_at(grace, first.match, ready.plies + 1)
    assert f"<@{grace.id}>" in last.text
    await no_controls(grace, ready)
    assert contract.seen[POSTED] == 0


@pytest.mark.soak
async def test_a_lobby_in_a_group(club: Club, contract: Contract) -> None:
    ada, grace, emmy = await among(club, club.ada, club.grace, club.emmy)
    opened = await offered(ada, ada.command("challenge", game="cocomposite", size="4"))
    await seats(ada, opened, 3)
    for guest in (grace, emmy):
        await pressed(guest, opened, "Join")
    (first,) = await found_in(ada, lambda seen: boards_in(seen) or None)
    mover = on_turn(first, ada, grace, emmy)
    await by_command(mover, first, (await legal(mover, first))[0])
    assert (await panel_at(ada, first.match, 1)).turn != mover.id
    await no_controls(ada, first)
    assert contract.seen[POSTED] == 0
    await ada.command("challenge", member=club.local.world.bot["id"], game="skull")
    await told(ada, "### Play against the computer")


@pytest.mark.soak
async def test_a_timeout_is_shown_with_the_next_interaction(club: Club, contract: Contract) -> None:
    """A timeout is written to those who want to hear of it, and shown with the next thing that is done there."""
    ada, grace = await among(club, club.ada, club.grace)
    panel = await timed(ada, grace, "24h")
    await age_clock(club.folder, deadline=datetime.now(UTC), remind_at=None)
    loser = on_turn(panel, ada, grace)
    winner = grace if loser is ada else ada
    news = await message_with(winner.elsewhere((await winner.post("direct"))["id"]), "is over")
    assert f"#{panel.match}" in text_of(news)
    assert [board.plies for board in await panels(ada)] == [0]
    await pressed(loser, panel.message, "Type a move")
    last = await panel_at(loser, panel.match, 1)
    assert " on time." in last.text
    await told(loser, "is over")
    await no_controls(loser, panel)

    # A move from elsewhere counts; its board comes with the next thing that is done in the direct messages, or with
    # the end of what was done there before.
    game = await challenge(ada, grace, "alaric")
    await all_published(club.folder)
    mover = on_turn(game, ada, grace)
    waiter = grace if mover is ada else ada
    away = club.ada if mover is ada else club.grace
    await by_command(away, game, "1")
    await message_with(waiter.elsewhere((await waiter.post("direct"))["id"]), f"Alaric #{game.match}")
    with suppress(Refused):  # Its board has come already, and this one is deleted.
        await pressed(waiter, game.message, "More")
    assert (await panel_at(waiter, game.match, 1)).turn == waiter.id
    await no_controls(waiter, game)

    # With the bot itself there is nobody to play with.
    alone = club.ada.elsewhere((await club.ada.post("direct"))["id"])
    posted = contract.seen[POSTED]
    await alone.command("challenge", game="skull")
    await told(alone, "Here you can play against me")
    assert contract.seen[POSTED] == posted

    # A server that does not have the bot is to it what direct messages are.
    club.local.remove_bot()
    await club.bot.says("server.left")
    guest = await challenge(club.ada, club.grace, "skull", "3x2")
    await by_command(on_turn(guest, club.ada, club.grace), guest, "a1")
    await panel_at(club.ada, guest.match, 1)
    await no_controls(club.ada, guest)
    # A server in which the bot is not has no board of its own.
    await club.ada.command("leaderboard")
    shown = await message_with(club.ada, "Leaderboard: All games")
    assert "global" in text_of(shown)
    assert "This server" not in str(shown)
    assert contract.seen[POSTED] == posted


@pytest.mark.soak
async def test_a_takeback_in_direct_messages(club: Club, contract: Contract) -> None:
    """Asked for and agreed to there, the board goes back, and the game goes on."""
    ada, grace = await among(club, club.ada, club.grace)
    first = await challenge(ada, grace, "skull")
    mover = on_turn(first, ada, grace)
    waiter = grace if mover is ada else ada
    await by_command(mover, first, "c3")
    undone = await panel_at(mover, first.match, 1)
    await by_more(mover, first.match, "takeback")
    await told(mover, "It stays open until the next move.")
    asking, call = await asked_on_board(waiter, "asks to take back `c3`")
    assert pinged(call) == [waiter.id]
    await pressed(mover, asking, "Allow the takeback")
    await told(mover, f"This waits for <@{waiter.id}>")
    await pressed(waiter, asking, "Allow the takeback")
    board = await panel_at(waiter, first.match, 2)
    assert (board.turn, pinged(board.message)) == (mover.id, [mover.id])
    assert "the game goes on from its start" in board.text
    await no_controls(waiter, undone)
    await found_in(ada, lambda seen: all(it["id"] != call["id"] for it in seen) or None)
    await by_command(mover, board, "d3")
    assert (await panel_at(waiter, first.match, 3)).turn == waiter.id
    assert contract.seen[POSTED] == 0
