"""The secret moves of a computer player reach nobody: not a message, not a log, before the end."""

import re

from tests.e2e import secret_rows
from tests.e2e.club import Club
from tests.e2e.computers.against import begun, my_turn, newest, opened, to_the_end
from tests.e2e.messages import text_of
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
    assert re.search(r"Crayon( \S+)? has sealed a move\.", first.text)
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
