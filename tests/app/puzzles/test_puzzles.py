"""The puzzle of a day, the archive, attempts and streaks."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.app.errors import Refused
from bot.app.puzzles.puzzles import KEPT_BACK, Puzzles, Standing, kinds, streak
from bot.app.review.fair_play import FairPlay
from db.rating_math import first_skill
from db.values.puzzles import Attempt
from rules.puzzles.puzzle import Puzzle
from rules.puzzles.stock import of_day, of_game, retired
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host, NoLot
from tests.app.puzzles import wrong_move

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)


async def solve(host: Host, user: int, puzzle: Puzzle, *, well: bool = True) -> Standing:
    """Do a puzzle: find all moves, or play a wrong one as the last."""
    for found in range(puzzle.only_moves):
        exercise = await host.services.puzzles.exercise(user, puzzle.name, HERE)
        right = puzzle.answers[found]
        last = found + 1 == puzzle.only_moves
        wrong = wrong_move(puzzle, found)
        await exercise.play(0, user, wrong if last and not well else right)
        standing = await host.services.puzzles.save(exercise)
    assert standing.solved is well
    return standing


async def test_a_day_keeps_its_puzzle_and_the_next_ones_stay_secret(host: Host) -> None:
    puzzles = host.services.puzzles
    today = puzzles.today
    chosen = await puzzles.of_day(today)
    assert chosen == of_day(today)
    assert await puzzles.days(chosen.name) == (today,)
    with pytest.raises(Refused, match="There is no puzzle for that day yet"):
        await puzzles.of_day(today + DAY)
    # Another version of the stock may choose another one, and the day keeps its own.
    await host.store.puzzles.choose(today - DAY, of_game("skull")[0].name)
    assert await puzzles.of_day(today - DAY) == of_game("skull")[0]


async def test_a_day_ends_at_midnight_utc(host: Host) -> None:
    puzzles, today = host.services.puzzles, host.services.puzzles.today
    host.clock.push(DAY - timedelta(seconds=1))
    assert puzzles.today == today
    host.clock.push(timedelta(seconds=1))
    assert puzzles.today == today + DAY


async def test_a_streak_grows_day_by_day_and_ends_with_a_day_that_is_missed(host: Host) -> None:
    puzzles = host.services.puzzles
    for days in range(1, 4):
        await solve(host, ADA, await puzzles.of_day(puzzles.today))
        assert (await puzzles.record(ADA)).streak == (days, days)
        host.clock.push(DAY)
    assert (await puzzles.record(ADA)).streak == (3, 3), "today's may still be solved"
    missed = await puzzles.of_day(puzzles.today)
    host.clock.push(DAY)
    assert (await puzzles.record(ADA)).streak == (0, 3)
    await solve(host, ADA, missed)
    assert (await puzzles.record(ADA)).streak == (0, 3), "too late for its day"
    await solve(host, ADA, await puzzles.of_day(puzzles.today), well=False)
    assert (await puzzles.record(ADA)).streak == (0, 3)
    record = await puzzles.record(ADA)
    assert (record.solver.ended, record.solver.solved) == (5, 4)
    assert (await puzzles.record(GRACE)).streak == (0, 0)


def test_a_puzzle_that_was_solved_before_its_day_counts_for_it() -> None:
    noon = datetime.combine(date(2026, 3, 1), time(12), UTC)
    days = [(noon.date() + day * DAY, noon - DAY) for day in range(3)]
    assert streak(days, date(2026, 3, 3)) == (3, 3)
    assert streak([(noon.date() - DAY, noon)], noon.date()) == (0, 0)
    assert streak([], noon.date()) == (0, 0)


async def test_the_archive_offers_what_was_begun_then_what_is_new_and_nothing_of_the_coming_days(
    host: Host,
) -> None:
    puzzles = host.services.puzzles
    coming = {of_day(puzzles.today + day * DAY).name for day in range(KEPT_BACK.days)}
    seen: set[str] = set()
    for _ in range(8):
        name = await puzzles.choose(ADA, "skull", 2)
        assert name not in seen | coming
        seen.add(name)
        puzzle = await puzzles.find(name)
        assert (puzzle.game, puzzle.only_moves) == ("skull", 2)
        exercise = await puzzles.exercise(ADA, name, HERE)
        await exercise.play(0, ADA, puzzle.line[0])
        await puzzles.save(exercise)
        assert await puzzles.choose(ADA, "skull", 2) == name, "it was begun"
        exercise = await puzzles.exercise(ADA, name, HERE)
        await exercise.play(0, ADA, puzzle.line[2])
        await puzzles.save(exercise)
    assert await puzzles.choose(GRACE, "skull", 2) in seen


async def test_the_archive_begins_with_the_last_days(host: Host) -> None:
    host.clock.push(timedelta(days=200))
    puzzles = host.services.puzzles
    last = next(
        puzzle
        for days in range(1, 200)
        if (puzzle := of_day(puzzles.today - days * DAY)).game == "alaric" and puzzle.only_moves == 2
    )
    assert await puzzles.choose(ADA, "alaric", 2) == last.name


class Likeliest(NoLot):
    """Takes what is likeliest."""

    def pick(self, weights: Sequence[int]) -> int:
        return max(range(len(weights)), key=weights.__getitem__)


async def test_difficulty_follows_the_first_attempts_of_a_member(host: Host) -> None:
    """A newcomer is offered two only moves, who solves hard puzzles harder ones, and who fails with easy ones one."""
    services = host.services
    puzzles = Puzzles(host.store, host.clock, Likeliest(), FairPlay(host.store.positions), services.moments)
    offered = {}
    for user, hard, solved in ((EMMY, 1, None), (ADA, 3, True), (GRACE, 1, False)):
        tried = [it for it in of_game("alaric") if min(it.only_moves, 3) == hard][:15]
        for puzzle in tried if solved is not None else ():
            attempt = Attempt(user, puzzle.name, host.clock.now())
            after = replace(attempt, moves=("1",), solved=solved, ended=host.clock.now())
            await host.store.puzzles.keep_attempt(attempt, after, first_skill(puzzle.only_moves))
        offered[user] = (await puzzles.find(await puzzles.choose(user, None, None))).only_moves
    assert offered[EMMY] == 2
    assert offered[ADA] >= 3
    assert offered[GRACE] == 1


async def test_a_member_who_has_done_all_is_offered_them_again(host: Host) -> None:
    puzzles = host.services.puzzles
    every = [it for it in of_game("skull") if it.only_moves >= 4]
    for puzzle in every:
        done = (await puzzles.open(ADA, puzzle.name, HERE)).attempt
        after = replace(done, moves=("a1",), solved=False, ended=host.clock.now())
        await host.store.puzzles.keep_attempt(done, after, (await host.store.puzzles.solver(GRACE)).skill)
    assert await puzzles.choose(ADA, "skull", 4) in {it.name for it in every}


async def test_an_attempt_names_the_server_in_which_it_was_begun(host: Host) -> None:
    puzzle = of_game("alaric")[0]
    for place, guild in ((ELSEWHERE, ELSEWHERE.guild), (replace(HERE, guild=None), None)):
        user = ADA if guild else GRACE
        exercise = await host.services.puzzles.exercise(user, puzzle.name, place)
        await exercise.play(0, user, puzzle.line[0])
        await host.services.puzzles.save(exercise)
        attempt = await host.store.puzzles.attempt(user, puzzle.name)
        assert attempt is not None
        assert attempt.guild == guild


async def test_results_of_a_retired_puzzle_stay_valid(host: Host) -> None:
    puzzles, puzzle = host.services.puzzles, retired()[0]
    await host.store.puzzles.choose(puzzles.today, puzzle.name)
    assert await puzzles.of_day(puzzles.today) == puzzle
    await solve(host, ADA, puzzle)
    record = await puzzles.record(ADA)
    assert (record.streak.now, record.solver.solved) == (1, 1)
    assert (await puzzles.ended(ADA, puzzle.name, HERE)).solved
    offered = {it.name for kind in kinds(None, None, puzzles.today) for it in kind}
    assert puzzle.name not in offered


async def test_a_puzzle_that_is_not_there(host: Host) -> None:
    with pytest.raises(Refused, match="This puzzle is no longer there"):
        await host.services.puzzles.open(ADA, "chess-00000000", HERE)
