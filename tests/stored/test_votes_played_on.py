"""The current bot on vote games that 22786844 stored (at_22786844/README.md)."""

import json
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.e2e.events.meeting import PushedClock, meeting
from tests.e2e.messages import found_in, press, text_of, told, until
from tests.e2e.panels import Json, Panel, boards_in
from tests.e2e.secret_rows import lay
from tests.stored.version import WORLD, unpack

pytestmark = pytest.mark.slow

STORED = Path(__file__).parent / "at_22786844"


def board_of(seen: list[Json], game: str, plies: int) -> Panel | None:
    return next((it for it in boards_in(seen) if game in it.text and it.plies >= plies), None)


async def test_vote_games_are_played_on(contract: Contract, tmp_path: Path) -> None:
    """A vote counts, the drawn volunteer lays the row, and volunteers are drawn for the search."""
    unpack(tmp_path, STORED)
    clock = PushedClock.resumed(json.loads((STORED / "expected.json").read_text())["at"])
    async with meeting(contract, tmp_path, clock, tmp_path / WORLD) as it:
        ada, grace, lise, emmy = it.ada, it.grace, it.lise, it.emmy
        board = await found_in(ada, partial(board_of, game="Skull", plies=2))
        move, pressed = next(iter(board.moves.items()))
        await ada.press(board.message, pressed)
        await told(ada, f"You vote for `{move}`")
        await until(grace, board.message, f"Votes: `{move}` 1 (<@{ada.id}>)")
        board = await found_in(emmy, partial(board_of, game="Palindromes", plies=2))
        assert f"<@{emmy.id}> was drawn by lot" in board.text
        await lay(emmy, board, reds_first=False)
        board = await found_in(lise, partial(board_of, game="Palindromes", plies=3))
        await press(lise, board.message, "Volunteer")
        await told(lise, "You volunteer.")
        for _ in range(2):
            clock.later += timedelta(minutes=10)
            await it.bot.services.votes.round()
        it.bot.outbox.wake()
        shown = await until(emmy, board.message, "was drawn by lot")
        assert f"<@{lise.id}> was drawn by lot" in text_of(shown)
        await found_in(ada, partial(board_of, game="Skull", plies=4))
