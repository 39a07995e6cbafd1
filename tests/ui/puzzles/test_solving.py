"""Puzzles are played by the buttons of their messages, without Discord."""

from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.puzzles.puzzles import DayStreak, Record
from bot.ui.moves.play import PlayButton
from bot.ui.puzzles.buttons import (
    AnotherButton,
    ArchiveSelect,
    PuzzleButton,
    PuzzleTarget,
    ShowPuzzleButton,
    choose_puzzle,
)
from bot.ui.puzzles.wording import record_line
from db.values.puzzles import Solver
from db.values.standings import NEWCOMER
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import RECIPES, in_turn, of_game
from tests.app.conftest import ADA, GRACE, HERE, Host
from tests.app.puzzles import wrong_move
from tests.ui.exercises import LoneMember


def a_puzzle(game: str, only_moves: int, value: float = 1) -> Puzzle:
    return next(it for it in of_game(game) if (it.only_moves, it.value) == (only_moves, value))


async def opened(host: Host, name: str) -> LoneMember:
    member = LoneMember(host)
    await member.use(PuzzleButton(name))
    member.check()
    return member


async def solve(member: LoneMember, puzzle: Puzzle, first: int = 0) -> None:
    for found in range(first, puzzle.only_moves):
        await member.enter(
            puzzle.after(found), PuzzleTarget(puzzle.name), puzzle.seat, puzzle.line[2 * found]
        )


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.soak] if number % 4 else [])
        for number, game in enumerate(RECIPES)
    ],
)
async def test_a_puzzle_is_solved_by_its_buttons(host: Host, game: str) -> None:
    puzzle = a_puzzle(game, 2)
    member = await opened(host, puzzle.name)
    assert "Two moves to find: each time only one" in member.text
    await member.enter(puzzle.match, PuzzleTarget(puzzle.name), puzzle.seat, puzzle.line[0])
    assert f"`{puzzle.line[0]}` is the only move. I answer `{puzzle.line[1]}`." in member.text
    assert await host.store.puzzles.attempted(ADA) == {puzzle.name: None}
    again = await opened(host, puzzle.name)
    assert "1 move to go" in again.text, "it goes on where it was left"
    await solve(again, puzzle, 1)
    assert f"**Solved.** You found all 2 moves: `{puzzle.line[0]}`, `{puzzle.line[2]}`." in again.text
    assert "1 of 1 solved" in again.text
    assert await host.store.puzzles.attempted(ADA) == {puzzle.name: True}
    with pytest.raises(Refused, match="You have done this puzzle already"):
        await PlayButton(PuzzleTarget(puzzle.name), len(puzzle.moves), puzzle.line[0]).answer(again.context)


async def test_answer_is_told_after_a_second_attempt_and_in_the_line(host: Host) -> None:
    puzzle = a_puzzle("alaric", 3)
    member = await opened(host, puzzle.name)
    with pytest.raises(Refused, match="You have not done this puzzle yet"):
        await host.services.puzzles.ended(ADA, puzzle.name, HERE)
    start, wrong = PuzzleTarget(puzzle.name), wrong_move(puzzle, 1)
    await member.enter(puzzle.match, start, puzzle.seat, puzzle.line[0])
    await member.enter(puzzle.after(1), start, puzzle.seat, wrong)
    said = f"**Not yet.** `{wrong}` gives the win away. Try once more, or look at the moves."
    assert said in member.text
    assert "0 of 1 solved" in member.text
    await member.press(f"puzzle:{puzzle.name}:again")
    await member.enter(puzzle.match, start, puzzle.seat, puzzle.line[0])
    await member.enter(puzzle.after(1), start, puzzle.seat, wrong)
    solution = f"Only `{puzzle.line[2]}` wins; it is marked with a tick."
    assert f"**Not solved.** `{wrong}` gives the win away. {solution}" in member.text
    picture = member.seen[-1].file
    assert picture is not None
    assert f"The better move, {puzzle.line[2]}, is marked" in (picture.description or "")
    line = f"puzzle-line:{puzzle.name}"
    await member.press(f"{line}:0:open")
    assert f"Only `{puzzle.line[0]}` wins" in member.text
    for plies in range(1, len(puzzle.line) + 1):
        await member.press(f"{line}:{plies}:next")
        assert f"`{puzzle.line[plies - 1]}` was played." in member.text
    assert f"{line}:{len(puzzle.line)}:next" not in member.buttons, "the line is at its end"
    await member.press(f"{line}:{len(puzzle.line) - 1}:back")
    await member.press(f"puzzle:{puzzle.name}:result")
    assert said in member.text


async def test_a_later_try_does_not_count(host: Host) -> None:
    puzzle = a_puzzle("skull", 2)
    member = await opened(host, puzzle.name)
    await member.enter(puzzle.match, PuzzleTarget(puzzle.name), puzzle.seat, wrong_move(puzzle, 0))
    first = await host.store.puzzles.attempt(ADA, puzzle.name)
    before = await host.store.puzzles.solver(ADA)
    await member.press(f"puzzle:{puzzle.name}:again")
    assert "which does not count" in member.text
    await member.enter(puzzle.match, PuzzleTarget(puzzle.name), puzzle.seat, puzzle.line[0])
    again = await opened(host, puzzle.name)
    assert "1 move to go" in again.text, "a later try goes on where it was left, too"
    await solve(again, puzzle, 1)
    assert "**Solved.**" in again.text
    assert await host.store.puzzles.attempt(ADA, puzzle.name) == first
    assert await host.store.puzzles.solver(ADA) == before
    assert "**Not yet.**" in (await opened(host, puzzle.name)).text


async def test_an_illegal_move_costs_nothing(host: Host) -> None:
    puzzle = a_puzzle("skull", 1)
    member = await opened(host, puzzle.name)
    played = puzzle.match.log[-1].text
    await member.use(PlayButton(PuzzleTarget(puzzle.name), len(puzzle.moves), played))
    member.check()
    picture = member.seen[-1].file
    assert picture is not None
    assert picture.filename.endswith("-refused.png")
    assert await host.store.puzzles.attempted(ADA) == {}
    # A press on a board that has moved on is told in the message, too.
    await member.use(PlayButton(PuzzleTarget(puzzle.name), 1, puzzle.line[0]))
    assert "has moved on" in member.text
    await solve(member, puzzle)
    assert "**Solved.** You found the only move" in member.text


async def test_what_is_asked_where_a_draw_is_to_be_kept(host: Host) -> None:
    one, two = a_puzzle("polygons", 1, 0.5), a_puzzle("polygons", 2, 0.5)
    assert "**One move keeps the draw, all others lose: find it.**" in (await opened(host, one.name)).text
    member = await opened(host, two.name)
    assert "**Two moves to find: each time only one keeps the draw.**" in member.text
    await member.enter(two.match, PuzzleTarget(two.name), two.seat, wrong_move(two, 0))
    assert f"`{wrong_move(two, 0)}` loses. Try once more" in member.text


async def test_the_archive_is_chosen_from_by_menus(host: Host) -> None:
    member = LoneMember(host)
    member.seen.append(await choose_puzzle(member.context, "alaric", 2))
    member.check()
    assert "Alaric" in member.text
    assert "Two moves to find: each time only one" in member.text
    await member.use(AnotherButton("alaric", 2))
    other = ArchiveSelect("alaric", 2, "difficulty")
    other.item._values = ["3"]  # as Discord fills them in
    await member.use(other)
    assert "Alaric" in member.text
    assert "Three moves to find: each time only one" in member.text
    # X's and Lines has no puzzle of three moves, so any other is shown.
    other = ArchiveSelect("alaric", 3, "game")
    other.item._values = ["xlines"]
    await member.use(other)
    member.check()
    assert "X's and Lines" in member.text
    with pytest.raises(Refused, match="There is no such puzzle; choose another game or difficulty"):
        await choose_puzzle(member.context, "xlines", 4)


async def test_what_is_shown_to_a_channel_gives_nothing_away(host: Host) -> None:
    today = in_turn(host.services.puzzles.today)[0]
    member = LoneMember(host)
    member.seen.append(await choose_puzzle(member.context, None, None))
    assert "Puzzle of 1 January" in member.text
    await solve(member, today)
    shown = await ShowPuzzleButton(today.name).public(member.context, "paper")
    member.seen.append(shown)
    member.check()
    count = today.only_moves
    moves = f"{count} of {count} move{'' if count == 1 else 's'}"
    assert (
        f"**Pencilbox puzzle of 1 January**, {today.match.game.sheet.title}: solved, {moves}" in member.text
    )
    assert "1 day in a row" in member.text
    assert shown.file is not None
    assert not any(text in member.text for text in today.line)
    assert "tick" not in (shown.file.description or "")
    with pytest.raises(Refused, match="You have not done this puzzle yet"):
        await ShowPuzzleButton(today.name).public(LoneMember(host, GRACE).context, "paper")
    host.clock.push(timedelta(days=1))
    text = (await opened(host, today.name)).text
    assert "1 day in a row" in text, "the puzzle of today may still be solved"


async def test_the_fullest_message_stays_within_the_limits_of_discord(host: Host) -> None:
    fullest = max(
        of_game("spaghetti"), key=lambda it: (len(it.match.legal() or ()) <= 20, len(it.match.legal() or ()))
    )
    assert len(fullest.match.legal() or ()) == 20, "as many buttons as a board has"
    member = await opened(host, fullest.name)
    await member.use(PlayButton(PuzzleTarget(fullest.name), 1, fullest.line[0]))
    member.check()
    assert "has moved on" in member.text


def test_a_record_names_the_longest_streak_unless_it_is_the_present_one() -> None:
    solver = Solver(NEWCOMER, 12, 10)
    present = record_line(Record(solver, DayStreak(2, 9)))
    assert "2 days in a row · longest streak 9 days · 10 of 12 solved" in present
    assert record_line(Record(solver, DayStreak(0, 9))).startswith(
        "-# Puzzles: longest streak 9 days · 10 of"
    )
    assert "longest" not in record_line(Record(solver, DayStreak(9, 9)))
