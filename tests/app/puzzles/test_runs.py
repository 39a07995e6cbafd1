"""Puzzle runs: easy puzzles first, three mistakes or three minutes by the clock of the bot, and the best of a week."""

from contextlib import suppress
from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.puzzles.puzzles import LASTS, PuzzleExercise, RunStanding
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.app.puzzles import wrong_move

pytestmark = pytest.mark.slow

RIGHT, WRONG = True, False


async def move(host: Host, standing: RunStanding, *, right: bool) -> RunStanding:
    """Play one move in the puzzle of a run: the only move, or another one."""
    run = await host.services.puzzle_runs.find(standing.run.id, standing.run.user)
    exercise = await host.services.puzzle_runs.exercise(run)
    puzzle, found = exercise.puzzle, len(run.moves)
    text = puzzle.answers[found] if right else wrong_move(puzzle, found)
    await exercise.play(0, run.user, text)
    return await host.services.puzzle_runs.save(run, exercise)


async def solve(host: Host, standing: RunStanding) -> RunStanding:
    solved = standing.run.solved
    while standing.run.solved == solved:
        standing = await move(host, standing, right=True)
    return standing


async def test_run_leads_from_easy_puzzles_to_hard_ones(host: Host) -> None:
    standing = await host.services.puzzle_runs.begin(ADA, HERE)
    difficulties, names = [], []
    for _ in range(11):
        assert standing.exercise is not None
        difficulties.append(standing.exercise.puzzle.difficulty)
        names.append(standing.exercise.name)
        assert standing.exercise.puzzle.value == 1
        standing = await solve(host, standing)
    assert difficulties == [1] * 4 + [2] * 5 + [3] * 2
    assert len(set(names)) == len(names)
    assert standing.run.solved == 11
    assert await host.store.puzzles.attempted(ADA) == {}, "a run is no attempt"


async def test_third_mistake_ends_the_run(host: Host) -> None:
    standing = await solve(host, await host.services.puzzle_runs.begin(ADA, HERE))
    for number in range(1, 4):
        standing = await move(host, standing, right=False)
        assert standing.run.mistakes == number
    assert standing.exercise is None
    assert (standing.best, standing.server) == (1, ((ADA, 1),))
    assert host.services.puzzle_runs.over(standing.run)


async def test_time_is_over_by_the_clock_of_the_bot(host: Host) -> None:
    runs = host.services.puzzle_runs
    standing = await solve(host, await runs.begin(ADA, HERE))
    host.clock.push(LASTS - timedelta(seconds=1))
    assert not runs.over(standing.run)
    host.clock.push(timedelta(seconds=1))
    assert runs.over(standing.run)
    assert (await runs.standing(standing.run)).exercise is None


async def test_illegal_move_and_a_second_press_change_nothing(host: Host) -> None:
    runs = host.services.puzzle_runs
    standing = await runs.begin(ADA, HERE)
    first, second = await runs.exercise(standing.run), await runs.exercise(standing.run)
    with suppress(Exception):
        await first.play(0, ADA, "nonsense")
    assert (await runs.save(standing.run, first)).run == standing.run
    for exercise in (first, second):
        assert isinstance(exercise, PuzzleExercise)
        await exercise.play(0, ADA, exercise.puzzle.line[0])
    await runs.save(standing.run, first)
    with pytest.raises(Refused, match="has moved on"):
        await runs.save(standing.run, second)
    # A press reads the run again before it stores the move, and may then find the next puzzle.
    now = await runs.find(standing.run.id, ADA)
    with pytest.raises(Refused, match="has moved on"):
        await runs.save(now, second)
    assert (await runs.find(standing.run.id, ADA)).solved == 1
    with pytest.raises(Refused, match="belongs to another member"):
        await runs.find(standing.run.id, GRACE)


async def test_best_of_a_server_counts_each_listed_member_once_a_week(host: Host) -> None:
    runs = host.services.puzzle_runs
    for user, solved in ((ADA, 1), (ADA, 2), (GRACE, 1), (EMMY, 1)):
        standing = await runs.begin(user, HERE)
        for _ in range(solved):
            standing = await solve(host, standing)
    await host.store.members.change(EMMY, listed=False)
    assert await runs.best(1) == ((ADA, 2), (GRACE, 1))
    assert await runs.best(2) == ()
    host.clock.push(timedelta(days=7))
    assert await runs.best(1) == ()


async def test_old_runs_are_deleted_by_a_new_one(host: Host) -> None:
    old = await host.services.puzzle_runs.begin(ADA, HERE)
    host.clock.push(timedelta(days=15))
    await host.services.puzzle_runs.begin(ADA, HERE)
    assert await host.store.puzzle_runs.get(old.run.id) is None
