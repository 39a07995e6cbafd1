"""Time decides a match once, without anybody acting; downtime does not count."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.app.errors import Refused
from bot.app.matches.matches import Matches
from bot.app.matches.timekeeper import Timekeeper
from bot.app.tasks.rounds import Rounds
from bot.ui.matches.panel import panel
from db.engine import open_store
from db.values.clocks import SeatClock
from db.values.matches import Outcome
from db.values.places import Ownership, Place, Shards
from db.values.proposals import Matter
from rules.core.match import Ply
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host, NoLot
from tests.db.migrated import lay
from tests.ui.words import texts

pytestmark = pytest.mark.slow

SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))


def another(host: Host) -> Timekeeper:
    """A second process on the same database."""
    return Timekeeper(
        host.store.clocks,
        host.clock,
        Matches(host.store, host.clock, NoLot()),
        Rounds(host.store.failed_items, host.clock),
    )


async def test_who_does_not_move_loses_without_anybody_asking(host: Host) -> None:
    loaded = await host.begin("skull", clock="24h")
    await host.services.timekeeper.round()
    await host.pass_time(DAY - SECOND)
    assert (await host.services.timekeeper.round()).decided == []
    await host.pass_time(SECOND)
    assert (await host.services.timekeeper.round()).decided == [loaded.id]
    over = await host.services.matches.load(loaded.id)
    assert over.match.log == (Ply(0, "timeout"),)
    assert over.stored.outcomes == (Outcome.LOST, Outcome.WON)
    assert over.stored.finished_at == host.clock.now()


async def test_a_match_in_one_sitting_counts_all_moves_together(host: Host) -> None:
    loaded = await host.begin("skull", clock="10m+5s")
    await host.pass_time(9 * MINUTE)
    await host.services.matches.play(loaded.id, ADA, "c3")
    await host.pass_time(MINUTE)
    after = await host.services.matches.play(loaded.id, GRACE, "d3")
    ada, grace = after.stored.clocks
    assert ada is not None
    assert grace is not None
    assert (ada.left, grace.left) == (MINUTE + 5 * SECOND, 9 * MINUTE + 5 * SECOND)
    assert (await host.store.matches.load(loaded.id)) == after.stored
    await host.pass_time(MINUTE + 5 * SECOND)
    assert (await host.services.timekeeper.round()).decided == [loaded.id]


async def test_a_move_after_the_end_does_not_count_even_before_the_timekeeper_comes(host: Host) -> None:
    """Neither does anything else: the deadline has decided."""
    loaded = await host.begin("skull", clock="24h")
    await host.pass_time(DAY)
    for doing in (
        host.services.matches.play(loaded.id, ADA, "c3"),
        host.services.matches.resign(loaded.id, ADA),
        host.services.matches.resign(loaded.id, GRACE),
    ):
        with pytest.raises(Refused, match=f"The time of <@{ADA}> in .* is over"):
            await doing
    assert (await host.services.timekeeper.round()).decided == [loaded.id]
    assert (await host.services.matches.load(loaded.id)).stored.outcomes == (Outcome.LOST, Outcome.WON)


async def test_a_move_right_after_coming_back_is_judged_with_the_time_given_back(host: Host) -> None:
    """Nobody has gone round the clocks yet when it arrives."""
    loaded = await host.begin("skull", clock="10m+0s")
    await host.services.timekeeper.round()
    await host.pass_time(5 * MINUTE)

    host.clock.push(2 * HOUR)
    restarted = Matches(host.store, host.clock, NoLot())
    after = await restarted.play(loaded.id, ADA, "c3")
    clock = after.stored.clocks[0]
    assert clock is not None
    assert clock.left == 5 * MINUTE
    rounds = Rounds(host.store.failed_items, host.clock)
    assert (await Timekeeper(host.store.clocks, host.clock, restarted, rounds).round()).put_off == {loaded.id}


async def test_a_lost_connection_gives_back_to_the_second(host: Host) -> None:
    loaded = await host.begin("skull", clock="10m+0s")
    await host.services.timekeeper.round()
    host.services.matches.move_log.shard_clocks.note_disconnected()
    host.clock.push(7 * SECOND)
    assert (await host.services.timekeeper.round()).put_off == {loaded.id}
    clock = (await host.services.matches.load(loaded.id)).stored.clocks[0]
    assert clock is not None
    assert clock.deadline == host.clock.now() + 10 * MINUTE


async def test_a_second_process_that_was_there_all_the_time(host: Host) -> None:
    """Then the host was there, and nothing is given back."""
    loaded = await host.begin("skull", clock="24h")
    await host.services.timekeeper.round()
    await host.pass_time(25 * HOUR)
    assert (await another(host).round()).decided == [loaded.id]


async def test_with_three_players_the_others_play_on(host: Host) -> None:
    loaded = await host.begin("maze", "quick", others=(GRACE, EMMY), clock="24h")
    await host.pass_time(DAY)
    await host.services.timekeeper.round()
    after = await host.services.matches.load(loaded.id)
    assert (after.match.over, after.waiting_for) == (False, (GRACE,))
    assert after.stored.clocks[0] is None
    await host.pass_time(DAY)
    await host.services.timekeeper.round()
    over = await host.services.matches.load(loaded.id)
    assert over.match.winners == (2,)
    assert over.stored.outcomes == (Outcome.LOST, Outcome.LOST, Outcome.WON)


async def test_a_move_ends_the_pause_only_for_an_earlier_deadline(host: Host) -> None:
    matches, move_log = host.services.matches, host.services.matches.move_log
    quick, slow = await host.begin("skull", clock="1m+0s"), await host.begin("skull", clock="24h")
    await host.pass_time(50 * SECOND)
    await matches.play(quick.id, ADA, "c3")
    await host.pass_time(57 * SECOND)
    await matches.play(quick.id, GRACE, "d3")
    async with asyncio.timeout(9):  # a whole pause takes ten seconds
        waiting = asyncio.create_task(host.services.timekeeper.wait())
        while move_log.next_check is None:
            await asyncio.sleep(0.01)
        await matches.play(slow.id, ADA, "c3")
        assert not move_log.ticked.is_set()
        await matches.play(quick.id, ADA, "c4")  # Grace has three seconds left, and Ada had ten.
        await waiting


async def test_a_takeback_turns_the_clocks_and_gives_nothing_back(host: Host) -> None:
    loaded = await host.begin("skull", clock="10m+5s")
    await host.pass_time(MINUTE)
    await host.services.matches.play(loaded.id, ADA, "c3")
    await host.pass_time(2 * MINUTE)
    asked = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
    await host.services.proposals.agree(asked.id, GRACE)
    ada, grace = (await host.services.matches.load(loaded.id)).stored.clocks
    assert ada == SeatClock(9 * MINUTE + 5 * SECOND, host.clock.now() + 9 * MINUTE + 5 * SECOND)
    assert grace == SeatClock(8 * MINUTE)


async def test_nothing_is_agreed_on_once_time_is_over(host: Host) -> None:
    loaded = await host.begin("skull", clock="24h")
    asked = await host.services.proposals.propose(loaded.id, GRACE, Matter.DRAW)
    await host.pass_time(DAY)
    with pytest.raises(Refused, match="is over; that decides the game"):
        await host.services.proposals.agree(asked.id, ADA)
    assert await host.services.store.proposals.get(asked.id) == asked
    await host.services.timekeeper.round()
    assert (await host.services.matches.load(loaded.id)).stored.outcomes == (Outcome.LOST, Outcome.WON)


async def test_the_board_says_how_time_ended_it(host: Host) -> None:
    alone = await host.begin("skull", clock="24h")
    both = await host.begin("palindromes", clock="24h")
    await host.services.matches.load(both.id)
    await host.pass_time(DAY)
    await host.services.timekeeper.round()
    for match, words in ((alone.id, " on time."), (both.id, "Time ran out for everybody")):
        view = panel(await host.services.matches.load(match), "paper", live=True)
        assert words in texts(view)[-1]
        assert "time ends" not in texts(view)[-1]


async def test_shard_whose_presence_fails_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own games are not judged meanwhile, since lost time is given back first."""
    lay(tmp_path)
    both = Shards.some(2, {0, 1})
    ownership = Ownership(both)
    async with open_store(None, tmp_path, ownership, prepared=True) as store:
        host, alive = Host(store, ownership=ownership), store.clocks.alive
        there = Place(1 << 22, 21)
        matches = [(await host.begin("skull", place=place, clock="24h")).id for place in (HERE, there)]
        await host.services.timekeeper.round(both)
        await host.pass_time(2 * DAY)
        await store.clocks.alive(host.clock.now(), timedelta.max, 1)

        async def failing(at: datetime, patience: timedelta, shard: int = 0, **known: Any) -> Sequence[int]:
            if shard == 0:
                raise OverflowError
            return await alive(at, patience, shard, **known)

        with monkeypatch.context() as patched, structlog.testing.capture_logs() as lines:
            patched.setattr(store.clocks, "alive", failing)
            assert (await host.services.timekeeper.round(both)).decided == matches[1:]
        failed = [it["shard"] for it in lines if it["event"] == "shard.presence_failed"]
        assert set(failed) == {0}
        assert (await host.services.timekeeper.round(both)).decided == matches[:1]
