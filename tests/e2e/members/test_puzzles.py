"""An evening of puzzles over the wire: solved, shown, left and gone on with after a restart, failed, kept secret."""

import re

from rules.core.notation import suits
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import stock
from tests.contract.player import Player
from tests.e2e.club import Club
from tests.e2e.messages import (
    Json,
    answer_saying,
    components,
    press,
    shown_to_all,
    text_of,
    told,
    until,
    usable_buttons,
    usable_labels,
)


def puzzle_in(message: Json) -> Puzzle:
    """The puzzle that a message is about."""
    found = re.search(r"'(?:solve|puzzle):([a-z0-9-]+):", str(message["components"]))
    assert found is not None
    return stock()[found[1]]


async def type_move(player: Player, message: Json, puzzle: Puzzle, found: int, text: str) -> None:
    """Type a move after so many right ones."""
    shown = len(puzzle.reached(puzzle.answers[:found]).seen(None))
    form, field = (
        ("type", "move") if not puzzle.cards else ("row", "row") if puzzle.lays else ("name", "words")
    )
    opened = await player.press(message, f"solve:{puzzle.name}:{form}:0:{shown}")
    await player.submit(opened, **{field: text.split()[-1]})
    if form == "row":
        await until(player, message, f"Your row: {suits(text.split()[-1])}")
        await press(player, message, "Seal it")


async def solve(player: Player, message: Json, puzzle: Puzzle, first: int = 0) -> Json:
    for found in range(first, puzzle.only_moves):
        if found > first:
            told = f"Found {found} of" if puzzle.cards else f"I answer `{puzzle.line[2 * found - 1]}`"
            await until(player, message, told)
        await type_move(player, message, puzzle, found, puzzle.answers[found])
    return await until(player, message, "**Solved.**")


async def test_an_evening_of_puzzles(club: Club) -> None:
    # Ada solves the puzzle of today and shows it without giving it away.
    today = await answer_saying(club.ada, "Puzzle of ", "puzzle")
    puzzle = puzzle_in(today)
    done = await solve(club.ada, today, puzzle)
    assert "1 day in a row · 1 of 1 solved" in text_of(done)
    shown = await shown_to_all(club.ada, done)
    moves = f"{puzzle.only_moves} of {puzzle.only_moves} {'palindrome' if puzzle.cards and not puzzle.lays else 'move'}"
    assert f"{puzzle.match.game.sheet.title}: solved, {moves}" in text_of(shown)
    assert "1 day in a row" in text_of(shown)
    assert not any(f"`{text}`" in text_of(shown) for text in puzzle.line)
    pictures = [part["items"] for part in components(shown) if part["type"] == 12]
    assert [item["spoiler"] for items in pictures for item in items] == [True]

    # Grace solves the same from there. Emmy begins another, and plays a move that is not legal.
    await press(club.grace, shown, "Solve it")
    await solve(club.grace, await told(club.grace, "Puzzle of "), puzzle)
    other = await answer_saying(
        club.emmy, "Two moves to find: each time only one", "puzzle", game="alaric", difficulty=2
    )
    alaric = puzzle_in(other)
    assert "Any game" in str(other["components"])
    illegal = alaric.moves[-1]
    await type_move(club.emmy, other, alaric, 0, illegal)
    refused = await until(club.emmy, other, "> ")
    assert "-refused.png" in str(refused["components"])
    await type_move(club.emmy, other, alaric, 0, alaric.line[0])
    await until(club.emmy, other, "1 move to go")

    await club.restart()
    # It goes on in the same message; a wrong move ends it, and the line is seen.
    wrong = next(text for text in alaric.after(1).legal() or () if text != alaric.line[2])
    await type_move(club.emmy, other, alaric, 1, wrong)
    failed = await until(club.emmy, other, f"**Not yet.** `{wrong}` gives the win away.")
    assert {"Show the moves", "Try it again", "Another like this"} <= usable_labels(failed)
    await press(club.emmy, failed, "Show the moves")
    await until(club.emmy, other, f"Only `{alaric.line[0]}` wins")
    await press(club.emmy, other, "Next")
    await until(club.emmy, other, f"`{alaric.line[0]}` was played.")

    profile = await answer_saying(club.ada, "Puzzles: ", "profile")
    assert "1 day in a row · 1 of 1 solved" in text_of(profile)
    assert usable_buttons(profile)
