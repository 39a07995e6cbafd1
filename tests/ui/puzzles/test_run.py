"""Puzzle runs are played by the buttons of their one message, without Discord."""

from datetime import timedelta

from bot.app.puzzles.puzzles import LASTS
from bot.ui.interactions.reply import change
from bot.ui.puzzles.run import RunButton, RunTarget, best_line, run_message, show_end
from tests.app.conftest import ADA, Host
from tests.app.puzzles import wrong_move
from tests.ui.exercises import LoneMember, item


async def test_run_is_played_in_one_message(host: Host) -> None:
    runs, member = host.services.puzzle_runs, LoneMember(host)
    await member.use(RunButton())
    assert "three minutes" in member.text
    await member.use(RunButton("start"))
    member.check()
    assert "### Puzzle run · 0 solved" in member.text
    run = await runs.find(1, ADA)
    exercise = await runs.exercise(run)
    await member.enter(exercise.match, RunTarget(1, 0), exercise.seat, exercise.puzzle.line[0])
    assert "### Puzzle run · 1 solved" in member.text
    assert "✓ **Solved.**" in member.text
    run = await runs.find(1, ADA)
    exercise = await runs.exercise(run)
    wrong = wrong_move(exercise.puzzle, 0)
    await member.enter(exercise.match, RunTarget(1, 1), exercise.seat, wrong)
    assert "1 of 3 mistakes" in member.text
    assert "✗ **That was a mistake.**" in member.text
    # The time is over at the next press, whatever it is.
    host.clock.push(LASTS + timedelta(seconds=1))
    last = next(it for it in member.buttons if it.startswith("run:1:2:"))
    await member.use(item(last))
    assert "The three minutes are over. You solved 1 puzzle and made 1 mistake." in member.text
    assert "Your best run this week: **1**." in member.text
    assert "Best puzzle runs here this week: <@101> 1" in member.text
    assert set(member.buttons) == {"run:again"}


async def test_end_is_shown_when_the_time_is_over(host: Host) -> None:
    member = LoneMember(host)
    await member.use(RunButton("start"))
    await show_end(member.context, 1)
    assert "### Puzzle run · 0 solved\nEnds " in member.text, "it is not over yet"
    host.clock.push(LASTS)
    await show_end(member.context, 1)
    assert "The three minutes are over. You solved 0 puzzles and made 0 mistakes." in member.text


async def test_what_comes_late_replaces_nothing_newer(host: Host) -> None:
    """A move just before the end may be drawn after it, and the end be shown when another run has begun."""
    runs, member = host.services.puzzle_runs, LoneMember(host)
    await member.use(RunButton("start"))
    puzzle = await run_message(member.context, await runs.standing(await runs.find(1, ADA)))
    host.clock.push(LASTS)
    await show_end(member.context, 1)
    await change(member.context, puzzle)
    assert set(member.buttons) == {"run:again"}
    await member.use(RunButton("again"))
    await show_end(member.context, 1)
    assert any(it.startswith("run:2:0:") for it in member.buttons)


def test_best_runs_are_one_line() -> None:
    assert best_line(()) == ""
    assert best_line(((1, 5), (2, 3))) == "-# Best puzzle runs here this week: <@1> 5, <@2> 3"
