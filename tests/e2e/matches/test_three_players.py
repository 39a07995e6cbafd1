"""Games of three members, played over the wire: to the end, and with one of them leaving."""

import pytest

from tests.e2e.club import Club
from tests.e2e.messages import choose, message_with, open_preferences, pinged, text_of, told
from tests.e2e.panels import no_controls, panels
from tests.e2e.play import challenge, resign, to_the_end
from tests.e2e.proposals.test_proposals import board_saying


@pytest.mark.soak
@pytest.mark.parametrize("game", ["maze", "cocomposite"])
async def test_three_play_to_the_end(club: Club, game: str) -> None:
    """In `make test`, `test_the_host_starts_with_three` and `test_a_lobby_in_a_group` begin such games."""
    three = (club.ada, club.grace, club.emmy)
    first = await challenge(club.ada, (club.grace, club.emmy), game, "quick")
    assert all(f"<@{member.id}>" in first.text for member in three)
    last, used = await to_the_end(three, first)
    assert {"typed", "autocomplete"} <= used
    assert (
        " beat " in last.text
        or " drew " in last.text
        or " shared the win" in last.text
        or " won with " in last.text
    )
    for board in await panels(club.ada):
        await no_controls(club.ada, board)
    await club.emmy.command("leaderboard", game=game)
    listed = text_of(await message_with(club.emmy, "Leaderboard:"))
    assert all(f"<@{member.id}>" in listed for member in three)


@pytest.mark.soak
async def test_a_computer_takes_the_seat_of_a_player_who_left(club: Club) -> None:
    """The board offers it to the others at once; if they agree, the computer player moves by itself."""
    panel = await challenge(club.ada, (club.grace, club.emmy), "maze", "quick")
    leaver = next(it for it in (club.ada, club.grace, club.emmy) if it.id == panel.turn)
    first, second = (it for it in (club.ada, club.grace, club.emmy) if it is not leaver)
    await choose(second, await open_preferences(second), "prefer:notice", "none")
    await resign(leaver, panel.match)
    offer = await board_saying(first, panel, "can play on in their place")
    assert "has left: Crayon, level 1, can play on in their place, and the game is casual" in offer.text
    assert offer.turn in (first.id, second.id), "the game goes on at once"
    asked = await message_with(
        first, "can play on in their place, and the game is casual from then on. Answer"
    )
    assert pinged(asked) == [first.id]
    await leaver.press(offer.message, offer.buttons["Let the computer play on"])
    await told(leaver, "Only those who play")
    await first.press(offer.message, offer.buttons["Let the computer play on"])
    await board_saying(first, panel, "agreed.")
    await second.press(offer.message, offer.buttons["Let the computer play on"])
    await board_saying(first, panel, f"plays on for <@{leaver.id}>, who resigned.")
    await board_saying(first, panel, "Crayon", without="is thinking")
    board = (await panels(first))[-1]
    assert board.turn in (first.id, second.id)
    assert "· casual" in board.text
    # What happened stands after the end, too.
    for member in (first, second):
        await resign(member, panel.match)
        if member is first:
            seen = await board_saying(second, panel, "can play on in their place")
            await second.press(seen.message, seen.buttons["Go on without it"])
    last = await board_saying(second, panel, f"played on for <@{leaver.id}>, who resigned.")
    assert last.turn is None
