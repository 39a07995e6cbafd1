"""The secret moves of a computer player reach nobody: not a message, not a log, before the end."""

import re

import pytest

from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.computers.against import begun, my_turn, newest, opened, to_the_end
from tests.e2e.messages import answer_saying, buttons, text_of, until
from tests.e2e.panels import boards_in, removed


async def test_a_hidden_row_and_finds_stay_hidden(club: Club) -> None:
    private = await begun(club.ada, "palindromes", order="first")
    await opened(club.ada, private)
    await removed(club.ada, private)
    first = await newest(club.ada)
    if first.plies < 2:
        # Only the deal is shown yet.
        first = await my_turn(club.ada, first.match, first.plies)
    # It seals its row without waiting for the member's, and everybody sees that it did, as of any player.
    assert re.search(r"Crayon( \S+)? has laid their cards face down\.", first.text)
    row = await secret_rows.lay(club.ada, first, reds_first=True)
    search = await my_turn(club.ada, first.match, first.plies)
    last = await to_the_end(club.ada, search)
    assert "Crayon (computer)" in last.text
    boards = [board for board in boards_in(await club.emmy.messages()) if board.match == first.match]
    # The phases have a board each, and so has each player who is done; finds have none.
    assert 0 < len(boards) <= 6
    assert not any("find " in text_of(board.message) for board in boards[:-1])
    for secret in (row, "arrange", "find "):
        assert secret not in club.bot.log


async def test_private_board_holds_the_hand_and_the_search(club: Club) -> None:
    """Its player lays the cards and searches on the board itself, in one message, which nobody else sees."""
    first = await begun(club.ada, "palindromes", order="first")
    assert secret_rows.opener(first.buttons) is None
    hand = await secret_rows.press(club.ada, first.message, "Arrange", "♦ and ♣ begin a row of your own")
    hand = await secret_rows.press(club.ada, hand, "Swap two", "Which ♦")
    hand = await secret_rows.press(club.ada, hand, "Back", "begin a row of your own")
    reds, blacks = secret_rows.held(hand)
    hand = await secret_rows.type_row(club.ada, hand, "R" * reds + "B" * blacks)
    await club.ada.press(hand, buttons(hand)["Seal it"])
    search = await my_turn(club.ada, first.match, first.plies)
    named = await secret_rows.name(club.ada, search.message, "R BRRRRB")
    assert "**1 new:** ♦" in text_of(named)
    assert "- ♣♦♦♦♦♣ does not begin and end with ♦." in text_of(named)
    last = await to_the_end(club.ada, search)
    assert re.search(r"\d red − \d found = \d, .+ \d − \d = \d\.", last.text)
    assert [it["id"] for it in await club.ada.messages()] == [first.message["id"]]
    assert await club.emmy.messages() == []
    profile = text_of(await answer_saying(club.ada, "No rated game yet", "profile"))
    assert re.search(r"Against the computer: \d won, \d drawn, \d lost", profile)


@pytest.mark.soak
async def test_private_board_says_that_the_last_guess_was_wrong(club: Club) -> None:
    """No other message says it, so nothing pushes the board away."""
    first = await begun(club.ada, "palindromes", order="first")
    reds, blacks = secret_rows.held(first.message)
    hand = await secret_rows.type_row(club.ada, first.message, "R" * reds + "B" * blacks)
    await club.ada.press(hand, buttons(hand)["Seal it"])
    search = await my_turn(club.ada, first.match, first.plies)
    form = await secret_rows.open_form(club.ada, search.message)
    await club.ada.submit(form, words="RRBR RBRR RRBBR")
    board = await until(club.ada, first.message, "It was your last guess, so your search is over.")
    assert "♦♦♣♣♦ reads differently backwards." in text_of(board)
    over = await my_turn(club.ada, first.match, search.plies)
    assert "last guess" in over.text
    assert [it["id"] for it in await club.ada.messages()] == [first.message["id"]]


@pytest.mark.soak
async def test_private_board_shows_parts_of_the_moves_and_leads_back(club: Club) -> None:
    first = await begun(club.ada, "spaghetti", "standard", order="last")
    board = first
    while "Others" not in board.buttons:
        assert board.parts, board.text
        part = await secret_rows.press(
            club.ada, board.message, next(iter(board.buttons)), "Choose a square in"
        )
        move = next(it for it in buttons(part).values() if it.startswith("play:"))
        await club.ada.press(part, move)
        board = await my_turn(club.ada, first.match, board.plies)
    ends = await secret_rows.press(club.ada, board.message, "Others", "Choose where your strand starts")
    again = await secret_rows.press(club.ada, ends, "Back", "Here are 14 of")
    assert set(buttons(again)) == set(board.buttons)
    assert [it["id"] for it in await club.ada.messages()] == [first.message["id"]]
