"""Puzzles of days, attempts at puzzles, and skills at puzzles, in the store."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import pytest

from db.rating_math import first_skill
from db.store import Store
from db.values.puzzles import Attempt, AttemptMovedOn
from db.values.standings import NEWCOMER
from tests.db.given import ANNA, BERT, CLEO, GUILD, LATER, NOW

PUZZLE = "skull-3fa9c1d0"
HARD = first_skill(3)
DAY = date(2026, 3, 1)


def fresh(user: int, puzzle: str = PUZZLE) -> Attempt:
    return Attempt(user, puzzle, NOW, guild=GUILD)


async def done(store: Store, user: int, *, solved: bool, puzzle: str = PUZZLE) -> Attempt:
    after = replace(fresh(user, puzzle), moves=("d4",), solved=solved, ended=LATER)
    await store.puzzles.keep_attempt(fresh(user, puzzle), after, HARD)
    return after


async def test_the_first_choice_of_a_day_stands(store: Store) -> None:
    assert await store.puzzles.of_day(DAY) is None
    assert await store.puzzles.choose(DAY, PUZZLE) == PUZZLE
    assert await store.puzzles.choose(DAY, "alaric-00000000") == PUZZLE
    assert await store.puzzles.of_day(DAY) == PUZZLE
    tomorrow = DAY + timedelta(days=1)
    await store.puzzles.choose(tomorrow, PUZZLE)
    assert await store.puzzles.days_of(PUZZLE) == [tomorrow, DAY]
    assert await store.puzzles.days_of("alaric-00000000") == []


async def test_an_attempt_that_has_moved_on_is_not_changed(store: Store) -> None:
    ended = await done(store, ANNA, solved=False)
    skill = await store.puzzles.solver(ANNA)
    for before in (fresh(ANNA), ended):
        with pytest.raises(AttemptMovedOn):
            await store.puzzles.keep_attempt(
                before, replace(before, moves=("a1",), solved=True, ended=LATER), HARD
            )
    assert await store.puzzles.attempt(ANNA, PUZZLE) == ended
    assert await store.puzzles.solver(ANNA) == skill


@pytest.mark.on_postgresql
async def test_of_two_presses_at_once_one_counts(store: Store) -> None:
    results = await asyncio.gather(
        *(done(store, ANNA, solved=solved) for solved in (True, False)), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Attempt", "AttemptMovedOn"]
    assert (await store.puzzles.solver(ANNA)).ended == 1


async def test_who_solves_gains_what_the_puzzle_loses(store: Store) -> None:
    await done(store, ANNA, solved=True)
    await done(store, BERT, solved=False)
    anna, bert = await store.puzzles.solver(ANNA), await store.puzzles.solver(BERT)
    assert (anna.ended, anna.solved, bert.ended, bert.solved) == (1, 1, 1, 0)
    assert anna.skill.mu > NEWCOMER.mu > bert.skill.mu
    assert anna.skill.score > NEWCOMER.score
    # The same puzzle is easier after Anna than it was, so Cleo gains less from it.
    await done(store, CLEO, solved=True)
    easier = await store.puzzles.solver(CLEO)
    await store.puzzles.keep_attempt(
        fresh(CLEO, "skull-11111111"),
        replace(fresh(CLEO, "skull-11111111"), moves=("a1",), solved=True, ended=LATER),
        first_skill(1),
    )
    assert (await store.puzzles.solver(CLEO)).skill.mu > easier.skill.mu
