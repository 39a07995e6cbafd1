"""Games against the computer in a server, which their player alone sees."""

import pytest

from tests.e2e.club import Club
from tests.e2e.computers.against import begun, move, my_turn, newest, opened
from tests.e2e.messages import answered, buttons, text_of
from tests.e2e.panels import boards_in, removed
from tests.e2e.play import by_button, legal


async def test_private_game_keeps_one_board_for_its_player(club: Club) -> None:
    """A long search and moves by a command, by a form and by a private choice change the same message."""
    panel = first = await begun(club.ada, "xlines", "quick", level=5, order="last")
    assert "🖋️ **Nib**, level 5 of 5 · quick" in first.text
    for number in range(4):
        await move(club.ada, panel, (await legal(club.ada, panel))[0], number)
        panel = await my_turn(club.ada, first.match, panel.plies)
    seen = await club.ada.messages()
    assert [it["id"] for it in seen] == [first.message["id"]], [text_of(it) for it in seen]
    assert first.message["ephemeral_for"] == club.ada.id
    assert await club.grace.messages() == []
    refused = await answered(club.grace, "board", number=first.match)
    assert f"There is no game #{first.match} in this server." in text_of(refused)
    assert "Also played here" not in text_of(await answered(club.grace, "games"))
    for player, suggested in ((club.ada, [first.match]), (club.grace, [])):
        offered = await player.autocomplete("board", "number", number="")
        assert [choice["value"] for choice in offered["choices"]] == suggested


@pytest.mark.soak
async def test_games_shows_a_private_board_again(club: Club) -> None:
    first = await begun(club.ada, "alaric", order="first")
    listed = await answered(club.ada, "games")
    await club.ada.press(listed, buttons(listed)["Show the board"])
    await removed(club.ada, first)
    again = await newest(club.ada)
    assert again.message["ephemeral_for"] == club.ada.id
    await by_button(club.ada, again, "1")
    after = await my_turn(club.ada, first.match, again.plies)
    assert after.message["id"] == again.message["id"]


async def test_private_move_elsewhere_posts_the_board_there(club: Club) -> None:
    """No token can change the board after a restart, so the command is answered by another one."""
    first = await begun(club.ada, "alaric", order="first")
    await club.restart()
    await club.ada.command("move", move="1", number=first.match)
    after = await my_turn(club.ada, first.match, first.plies)
    assert after.message["id"] != first.message["id"]
    await club.ada.press(first.message, first.moves["3"])
    await removed(club.ada, first)


@pytest.mark.soak
async def test_private_game_is_opened_to_the_channel(club: Club) -> None:
    first = await begun(club.ada, "alaric", order="first")
    await opened(club.ada, first)
    await removed(club.ada, first)
    (board,) = boards_in(await club.grace.messages())
    assert "Go public" not in board.buttons
    await by_button(club.ada, board, "1")
    after = await my_turn(club.ada, first.match, board.plies)
    assert after.message["ephemeral_for"] is None
