"""Clocks change together with the move, and lost time is given back once."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import AliveRow
from db.store import Store
from db.values.clocks import Clocks, ClocksMoved, Reminder, SeatClock, Ticking, TimeControl
from db.values.matches import Ending, MovedOn, NewEntry, StoredMatch
from db.values.members import Member
from db.values.proposals import Matter, NewProposal
from rules.core.match import Ply
from tests.db.given import ANNA, BERT, FIRST, LATER, LOST, NOW, WON, accepted, match_of, new_challenge, terms

SECOND_OF_TIME, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
PATIENCE = timedelta(seconds=30)
DEADLINE = NOW + HOUR
ON_TURN = SeatClock(HOUR, DEADLINE, NOW + 45 * MINUTE)
RESTING = SeatClock(HOUR)
HOUR_PER_MOVE = TimeControl(HOUR)
CLOCKS: Clocks = (ON_TURN, RESTING)
TIMEOUT = Ply(0, "timeout")
RACERS = 3


async def timed(
    store: Store, clocks: Clocks = CLOCKS, time_control: TimeControl = HOUR_PER_MOVE
) -> StoredMatch:
    """Start a match in which the clock of the first seat runs."""
    challenge = await store.challenges.add(
        replace(new_challenge(), terms=replace(terms(), time_control=time_control))
    )
    return await store.challenges.accept(challenge, accepted(challenge), (ANNA, BERT), 1, NOW, clocks)


def reminder_of(match: int, seat: int = 0) -> Reminder:
    """Return the reminder of the clock ON_TURN."""
    assert ON_TURN.remind_at is not None
    return Reminder(match, seat, DEADLINE, ON_TURN.remind_at)


async def clocks_of(store: Store, match: int) -> Clocks:
    found = await match_of(store, match)
    return found.clocks


@pytest.mark.parametrize(
    "time_control",
    [
        TimeControl(HOUR),
        TimeControl(HOUR, timedelta(seconds=10)),
        TimeControl(HOUR, timedelta(0)),
        TimeControl(72 * HOUR, 12 * HOUR, 168 * HOUR),
    ],
)
@pytest.mark.both_databases
async def test_time_control_and_clocks_are_kept_exactly(store: Store, time_control: TimeControl) -> None:
    odd = SeatClock(timedelta(days=40, microseconds=1), NOW + timedelta(microseconds=7))
    match = await timed(store, (odd, None), time_control)
    assert (match.time_control, match.clocks) == (time_control, (odd, None))
    assert time_control in [it.terms.time_control for it in [await store.challenges.get(1)] if it]
    assert await store.matches.load(match.id) == match


@pytest.mark.parametrize("before", [(RESTING, RESTING), (None, RESTING), (ON_TURN, None)])
async def test_a_move_that_knows_other_clocks_changes_nothing(store: Store, before: Clocks) -> None:
    match = await timed(store)
    with pytest.raises(ClocksMoved):
        await store.matches.append(
            match.id, 0, NewEntry(FIRST, LATER, ticking=Ticking(before, (RESTING, ON_TURN)))
        )
    assert await store.matches.load(match.id) == match


async def test_the_seats_that_are_out_of_time(store: Store) -> None:
    late = (await timed(store, (RESTING, SeatClock(HOUR, DEADLINE + MINUTE)))).id
    both = (await timed(store, (ON_TURN, ON_TURN))).id
    over = (await timed(store)).id
    await store.matches.append(over, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))

    assert await store.clocks.out_of_time(DEADLINE - timedelta(microseconds=1)) == ()
    assert await store.clocks.out_of_time(DEADLINE) == (both,)
    assert await store.clocks.out_of_time(DEADLINE + HOUR) == (both, late)


async def test_the_next_end_or_reminder_is_known(store: Store) -> None:
    assert await store.clocks.next_due() is None
    match = (await timed(store)).id
    assert await store.clocks.next_due() == ON_TURN.remind_at
    assert await store.clocks.next_due(ON_TURN.remind_at) == DEADLINE
    assert await store.clocks.next_due(DEADLINE) is None
    await store.clocks.reminded(reminder_of(match))
    assert await store.clocks.next_due() == DEADLINE
    await store.matches.append(
        match, 0, NewEntry(TIMEOUT, DEADLINE, ticking=Ticking(CLOCKS, (None, RESTING))), Ending((LOST, WON))
    )
    assert await store.clocks.next_due() is None


async def test_reminder_is_due_until_it_was_sent(store: Store) -> None:
    match = (await timed(store)).id
    assert await store.clocks.due_reminders(NOW + 44 * MINUTE) == []
    for minute in (45, 46):
        assert await store.clocks.due_reminders(NOW + minute * MINUTE) == [reminder_of(match)]
    await store.clocks.reminded(replace(reminder_of(match), due=NOW))
    assert await store.clocks.due_reminders(NOW + 46 * MINUTE) == [reminder_of(match)], (
        "it was put off meanwhile"
    )
    await store.clocks.reminded(reminder_of(match))
    assert await store.clocks.due_reminders(NOW + 46 * MINUTE) == []


async def test_pages_of_clocks_are_limited(store: Store) -> None:
    first, second, _ = [(await timed(store, (ON_TURN, ON_TURN))).id for _ in range(3)]
    assert await store.clocks.out_of_time(DEADLINE, limit=2) == (first, second)
    found = await store.clocks.due_reminders(NOW + 50 * MINUTE, limit=3)
    assert found == [reminder_of(first), reminder_of(first, 1), reminder_of(second)]


async def test_a_reminder_sent_while_another_moves_is_not_given_again(store: Store) -> None:
    """Both seats are to move; the move of one was made with an older state of the other's clock."""
    clocks = (ON_TURN, ON_TURN)
    match = (await timed(store, clocks)).id
    await store.clocks.reminded(reminder_of(match))
    await store.clocks.reminded(reminder_of(match, 1))
    await store.matches.append(match, 0, NewEntry(FIRST, NOW, ticking=Ticking(clocks, (RESTING, ON_TURN))))
    assert await clocks_of(store, match) == (RESTING, SeatClock(HOUR, DEADLINE))


async def test_the_time_of_an_absence_is_given_back(store: Store) -> None:
    match = (await timed(store)).id
    fresh = SeatClock(HOUR, DEADLINE + 10 * MINUTE)  # started ten minutes after the last sign of life
    young = (await timed(store, (RESTING, fresh))).id
    over = (await timed(store)).id
    await store.matches.append(over, 0, NewEntry(FIRST, NOW), Ending((WON, LOST)))
    await store.clocks.alive(NOW, PATIENCE)

    assert await store.clocks.alive(NOW + 2 * HOUR, PATIENCE) == [match, young]
    back = SeatClock(HOUR, DEADLINE + 2 * HOUR, NOW + 2 * HOUR + 45 * MINUTE)
    assert await clocks_of(store, match) == (back, RESTING)
    assert await clocks_of(store, young) == (RESTING, SeatClock(HOUR, NOW + 3 * HOUR))
    assert await store.clocks.out_of_time(NOW + 2 * HOUR + 59 * MINUTE) == ()
    assert await store.clocks.alive(NOW + 2 * HOUR, timedelta(0)) == ()


async def test_clock_set_back_moves_deadlines_back(store: Store) -> None:
    """After a start, when nothing but the record is known: each clock shows the same time as before."""
    match = (await timed(store)).id
    await store.clocks.alive(NOW, PATIENCE)
    assert await store.clocks.alive(NOW - HOUR, timedelta(0)) == [match]
    assert await clocks_of(store, match) == (SeatClock(HOUR, NOW, NOW - 15 * MINUTE), RESTING)
    assert await store.clocks.alive(NOW, PATIENCE) == [match]
    assert await clocks_of(store, match) == CLOCKS


@pytest.mark.parametrize("jump", [-HOUR, -2 * SECOND_OF_TIME, 2 * SECOND_OF_TIME, PATIENCE, HOUR])
async def test_jump_between_own_records_moves_deadlines_exactly(store: Store, jump: timedelta) -> None:
    match = (await timed(store)).id
    await store.clocks.alive(NOW, PATIENCE)
    at = NOW + 10 * SECOND_OF_TIME + jump
    assert await store.clocks.alive(at, PATIENCE, last=NOW, passed=10 * SECOND_OF_TIME) == [match]
    assert ON_TURN.remind_at is not None
    moved = SeatClock(HOUR, DEADLINE + jump, ON_TURN.remind_at + jump)
    assert await clocks_of(store, match) == (moved, RESTING)
    assert await store.clocks.alive(at, PATIENCE, last=at) == ()


@pytest.mark.parametrize("ahead", [10 * SECOND_OF_TIME, HOUR])
async def test_machine_that_is_ahead_costs_no_time(store: Store, ahead: timedelta) -> None:
    """Another process, on a machine with another time, records between two records of the owner."""
    match = (await timed(store)).id
    await store.clocks.alive(NOW, PATIENCE)
    await store.clocks.alive(NOW + ahead, PATIENCE, owned=False)
    await store.clocks.alive(NOW + SECOND_OF_TIME, PATIENCE, last=NOW, passed=SECOND_OF_TIME)
    clock = (await clocks_of(store, match))[0]
    assert clock is not None
    assert clock.deadline is not None
    assert DEADLINE <= clock.deadline <= NOW + SECOND_OF_TIME + HOUR


async def test_record_in_the_future_of_another_shard_count_is_ignored(
    stores: tuple[Store, Store], engine: AsyncEngine
) -> None:
    """Its time may be from before the wall clock was set back."""
    match = (await timed(stores[0])).id
    await stores[0].clocks.alive(NOW, PATIENCE)
    async with engine.begin() as connection:
        await connection.execute(insert(AliveRow).values(shards=2, shard=1, at=NOW + HOUR))
    assert await stores[0].clocks.alive(NOW + PATIENCE, PATIENCE) == ()
    assert await clocks_of(stores[0], match) == CLOCKS


async def said_first(store: Store, at: datetime) -> None:
    assert await store.clocks.alive(at, PATIENCE) == ()


@pytest.mark.on_postgresql
async def test_the_first_sign_of_life_of_two_processes(stores: tuple[Store, Store]) -> None:
    await asyncio.gather(*(said_first(store, NOW) for store in stores * 5))


@pytest.mark.on_postgresql
async def test_two_processes_that_come_back_together_give_back_once(
    stores: tuple[Store, Store],
) -> None:
    matches = [(await timed(stores[0])).id for _ in range(5)]
    await stores[0].clocks.alive(NOW, PATIENCE)
    back = NOW + 2 * HOUR
    given = await asyncio.gather(*(store.clocks.alive(back, timedelta(0)) for store in stores * 5))
    assert [list(it) for it in given if it] == [matches]
    for match in matches:
        clock = (await clocks_of(stores[0], match))[0]
        assert clock is not None
        assert clock.deadline == DEADLINE + 2 * HOUR


async def outcome(store: Store, match: int, ply: Ply, at: datetime, ticking: Ticking) -> str:
    outcomes = (LOST, WON) if ply == TIMEOUT else None
    try:
        await store.matches.append(
            match, 0, NewEntry(ply, at, ticking=ticking), None if outcomes is None else Ending(outcomes)
        )
    except MovedOn:
        return "moved on"
    except ClocksMoved:
        return "clocks moved"
    return ply.text


@pytest.mark.on_postgresql
async def test_of_racing_sweeps_and_a_move_one_counts(stores: tuple[Store, Store]) -> None:
    for _ in range(RACERS):
        match = (await timed(stores[0])).id
        decided = Ticking(CLOCKS, (None, RESTING))
        played = Ticking(CLOCKS, (RESTING, SeatClock(HOUR, LATER + HOUR)))
        results = await asyncio.gather(
            outcome(stores[0], match, TIMEOUT, DEADLINE, decided),
            outcome(stores[1], match, FIRST, LATER, played),
            outcome(stores[1], match, TIMEOUT, DEADLINE, decided),
        )
        found = await match_of(stores[0], match)
        assert len(found.log) == 1
        assert sorted(results) == sorted([found.log[0].text, "moved on", "moved on"])
        assert (found.outcomes == (LOST, WON)) == (found.log[0] == TIMEOUT) == (found.clocks == decided.after)


@pytest.mark.soak
@pytest.mark.on_postgresql
async def test_a_sweep_that_races_with_what_is_given_back_decides_nothing_wrongly(
    stores: tuple[Store, Store], engine: AsyncEngine
) -> None:
    """In either order: a deadline that was moved never decides a match."""
    for _ in range(RACERS):
        match = (await timed(stores[0])).id
        async with engine.begin() as connection:
            await connection.execute(delete(AliveRow))
        await stores[0].clocks.alive(NOW, PATIENCE)
        decided = Ticking(CLOCKS, (None, RESTING))
        results = await asyncio.gather(
            outcome(stores[0], match, TIMEOUT, DEADLINE, decided),
            stores[1].clocks.alive(DEADLINE, timedelta(0)),
        )
        clocks = await clocks_of(stores[0], match)
        if results[0] == "timeout":
            assert clocks == decided.after
        else:
            assert results[0] == "clocks moved"
            assert clocks[0] == SeatClock(HOUR, DEADLINE + HOUR, DEADLINE + 45 * MINUTE)


async def test_clocks_stand_still_during_absences_and_pauses(store: Store) -> None:
    """An outage gives back only what passed after them."""
    lasting, away_until, paused_until = TimeControl(24 * HOUR), NOW + 10 * HOUR, NOW + 20 * HOUR
    match = (await timed(store, time_control=lasting)).id
    await store.clocks.alive(NOW, PATIENCE)
    away = Member(ANNA, absent_since=NOW, absent_until=away_until)
    await store.clocks.absent(away, NOW)
    assert await store.members.get(ANNA) == away
    assert [it.id for it in await store.clocks.lasting(ANNA)] == [match]
    assert (await clocks_of(store, match))[0] == _until(away_until)
    new = await timed(store, time_control=lasting)
    assert new.clocks[0] == _until(away_until), "a match that begins meanwhile"

    proposal = await store.proposals.add(NewProposal(match, Matter.PAUSE, 0, 0, NOW), 0)
    with pytest.raises(MovedOn):
        await store.clocks.carry_out(proposal, 1, NOW, until=paused_until)
    await store.clocks.carry_out(proposal, 0, NOW, until=paused_until)
    assert (await clocks_of(store, match))[0] == _until(paused_until)
    assert await store.clocks.alive(NOW + 12 * HOUR, PATIENCE) == [match, new.id]
    assert (await clocks_of(store, match))[0] == _until(paused_until)
    assert (await clocks_of(store, new.id))[0] == _until(NOW + 12 * HOUR)
    assert await store.clocks.end_pause(match, NOW + 12 * HOUR)
    assert not await store.clocks.end_pause(match, NOW + 12 * HOUR)
    assert (await clocks_of(store, match))[0] == _until(NOW + 12 * HOUR)


def _until(start: datetime) -> SeatClock:
    """Return the clock ON_TURN, which stands still until then."""
    return SeatClock(HOUR, start + HOUR, start + 45 * MINUTE)
