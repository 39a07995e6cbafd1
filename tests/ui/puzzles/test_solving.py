"""Puzzles are played by the buttons of their messages, without Discord."""

import pytest

from bot.app.errors import Refused
from bot.ui.puzzles.buttons import PuzzleButton, prefix
from bot.ui.puzzles.solving import SolveButton
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.recipes import RECIPES
from rules.puzzles.stock import of_game
from tests.app.conftest import ADA, Host
from tests.ui.alone import Alone


def a_puzzle(game: str, only_moves: int, value: float = 1) -> Puzzle:
    return next(it for it in of_game(game) if (it.only_moves, it.value) == (only_moves, value))


async def opened(host: Host, name: str) -> Alone:
    member = Alone(host)
    await member.use(PuzzleButton(name))
    member.check()
    return member


async def solve(member: Alone, puzzle: Puzzle, first: int = 0) -> None:
    for found in range(first, puzzle.only_moves):
        await member.enter(puzzle.after(found), prefix(puzzle.name), puzzle.seat, puzzle.line[2 * found])


def wrong_move(puzzle: Puzzle, found: int) -> str:
    return next(text for text in puzzle.after(found).legal() or () if text != puzzle.line[2 * found])


@pytest.mark.parametrize("game", RECIPES)
async def test_a_puzzle_is_solved_by_its_buttons(host: Host, game: str) -> None:
    puzzle = a_puzzle(game, 2)
    member = await opened(host, puzzle.name)
    assert "find all 2.**" in member.text
    await member.enter(puzzle.match, prefix(puzzle.name), puzzle.seat, puzzle.line[0])
    assert f"`{puzzle.line[0]}` is the only move. I answer `{puzzle.line[1]}`." in member.text
    assert await host.store.attempted(ADA) == {puzzle.name: None}
    again = await opened(host, puzzle.name)
    assert "1 move to go" in again.text, "it goes on where it was left"
    await solve(again, puzzle, 1)
    assert f"**Solved.** You found all 2 only moves: `{puzzle.line[0]}`, `{puzzle.line[2]}`." in again.text
    assert "1 of 1 puzzle solved" in again.text
    assert await host.store.attempted(ADA) == {puzzle.name: True}
    with pytest.raises(Refused, match="You have done this puzzle already"):
        await SolveButton(puzzle.name, f"play:0:{len(puzzle.moves)}:{puzzle.line[0]}").answer(again.acting)
