"""A jump of the wall clock costs no player time and gives none, whatever happens around it."""

import asyncio
from collections.abc import Awaitable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.app.challenges.terms import terms_of
from bot.app.clocks.arithmetic import started
from bot.app.clocks.downtime import BEAT
from bot.app.clocks.time_controls import read_time_control
from bot.app.matches.matches import Matches
from bot.operators.check import check
from db.engine import open_store
from db.inspection import Finding
from db.store import Store
from db.values.clocks import JUMP
from db.values.matches import MatchOptions, StoredMatch
from db.values.places import Ownership, Shards
from db.values.proposals import Matter
from rules.core.match import Match
from rules.games import find
from tests.app.conftest import ADA, GRACE, HERE, DrivenClock, Host, NoLot
from tests.db.given import accepted, match_of
from tests.db.migrated import lay
from tests.rules.walks import trials

pytestmark = pytest.mark.slow

SECOND, MINUTE, HOUR = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours"))
ZERO = timedelta(0)


class JumpingClock(DrivenClock):
    """A clock whose wall time also jumps in the middle of an operation, at a later reading."""

    def __init__(self) -> None:
        super().__init__()
        self.planned: list[tuple[int, timedelta]] = []
        """Jumps, each after so many more readings of the wall clock."""

    def now(self) -> datetime:
        due = sum((span for readings, span in self.planned if not readings), ZERO)
        self.planned = [(readings - 1, span) for readings, span in self.planned if readings]
        self.jump(due)
        return super().now()


def shown(host: Host, stored: StoredMatch) -> list[timedelta]:
    """Return the time that each clock of a match shows now."""
    now = host.services.matches.move_log.shard_clocks.now(0)
    return [clock.left_at(now) for clock in stored.clocks if clock is not None]


async def live(host: Host, span: timedelta) -> None:
    """Let time pass while the background task looks at the clocks again and again."""
    for _ in range(span // (20 * SECOND)):
        host.clock.push(20 * SECOND)
        assert (await host.services.timekeeper.round()).decided == []


@pytest.mark.parametrize("jump", [pytest.param(-HOUR, marks=pytest.mark.soak), 20 * SECOND])
async def test_jump_and_correction_cost_no_time(host: Host, jump: timedelta) -> None:
    loaded = await host.begin("skull", clock="6m+0s")
    idle = await host.begin("skull", clock="24h")
    await live(host, MINUTE)
    host.clock.jump(jump)
    await live(host, MINUTE)
    await host.services.matches.play(loaded.id, ADA, "c3")
    await live(host, MINUTE)
    with capture_logs() as logs:
        host.clock.jump(-jump)
        after = (await host.services.matches.play(loaded.id, GRACE, "d3")).stored
    assert shown(host, after) == [4 * MINUTE, 5 * MINUTE]
    assert [it["seconds"] for it in logs if it["event"] == "clock.jumped"] == [-jump.total_seconds()]
    assert (await host.services.timekeeper.round()).put_off == {loaded.id, idle.id}
    waiting = (await host.services.matches.load(idle.id)).stored
    assert shown(host, waiting) == [24 * HOUR - 3 * MINUTE, 24 * HOUR]
    await live(host, 4 * MINUTE - 20 * SECOND)
    host.clock.push(20 * SECOND)
    assert (await host.services.timekeeper.round()).decided == [loaded.id]


async def test_slow_correction_of_the_clock_is_no_jump(host: Host) -> None:
    """The wall clock is slewed by half a second in five, as fast as any time service does it, and followed."""
    loaded = await host.begin("skull", clock="30m+0s")
    await host.services.timekeeper.round()
    for _ in range(20):
        host.clock.push(5 * SECOND)
        host.clock.jump(SECOND / 2)
        assert (await host.services.timekeeper.round()).put_off == frozenset()
    (first, _) = shown(host, (await host.services.matches.load(loaded.id)).stored)
    assert first == 30 * MINUTE - 20 * 5.5 * SECOND


async def test_suspended_machine_gives_time_back_once(host: Host) -> None:
    """The monotonic clock stands still meanwhile; afterwards the connection is found to be lost, too."""
    loaded = await host.begin("skull", clock="30m+0s")
    await live(host, MINUTE)
    host.clock.jump(8 * HOUR)
    await live(host, MINUTE)
    host.services.matches.move_log.shard_clocks.note_disconnected()
    await host.services.timekeeper.round()
    first, _ = shown(host, (await host.services.matches.load(loaded.id)).stored)
    assert 28 * MINUTE <= first <= 28 * MINUTE + BEAT


@pytest.mark.parametrize("jump", [-HOUR, pytest.param(HOUR, marks=pytest.mark.soak)])
async def test_jump_that_no_process_saw_costs_no_time(host: Host, jump: timedelta) -> None:
    """The bot is stopped between the jump and its correction, and then during the correction."""
    loaded = await host.begin("skull", clock="30m+0s")
    await live(host, 3 * MINUTE)
    host.clock.jump(jump)
    host = Host(host.store, host.clock)
    await live(host, 2 * MINUTE)
    host.clock.push(2 * MINUTE)
    host.clock.jump(-jump)
    host = Host(host.store, host.clock)
    assert (await host.services.timekeeper.round()).put_off == {loaded.id}
    first, _ = shown(host, (await host.services.matches.load(loaded.id)).stored)
    assert 25 * MINUTE <= first <= 25 * MINUTE + 2 * BEAT


async def test_game_that_begins_during_a_correction_keeps_its_time(host: Host) -> None:
    """Its clock is computed before the jump, and stored when the background task has noticed the jump."""
    await host.services.timekeeper.round()
    control = read_time_control("30m+0s")
    terms = terms_of("skull", "", 2, 2, options=MatchOptions(time_control=control))
    offer = await host.services.challenges.make(HERE, ADA, terms, (GRACE,))
    game = find("skull")
    async with host.services.matches.move_log.shard_clocks.storing(HERE.guild, control) as now:
        host.clock.jump(HOUR)
        looking = asyncio.create_task(host.services.timekeeper.round())
        await asyncio.wait({looking}, timeout=0.2)  # it has to wait for the end of this block
        clocks = started(control, Match.start(game, dict(terms.options), 2), now)
        stored = await host.store.challenges.accept(
            offer, accepted(offer), (ADA, GRACE), game.version, now, clocks
        )
    assert (await looking).put_off == {stored.id}
    assert shown(host, (await host.services.matches.load(stored.id)).stored) == [30 * MINUTE, 30 * MINUTE]


@pytest.mark.parametrize("first", ["round", "move"])
async def test_machine_that_is_behind_costs_no_time(host: Host, first: str) -> None:
    """A process that does not own the shard moves its deadlines, as its member acts in a match of the shard."""
    loaded = await host.begin("skull", clock="30m+0s")
    await host.services.timekeeper.round()
    behind = DrivenClock()
    behind.jump(-HOUR)
    other = Matches(host.store, behind, NoLot(), Ownership(Shards.some(1, ())))
    await other.move_log.shard_clocks.note_connected(0)
    if first == "move":
        await host.services.matches.play(loaded.id, ADA, "c3")
    assert (await host.services.timekeeper.round()).decided == []
    assert shown(host, (await host.services.matches.load(loaded.id)).stored) == [30 * MINUTE, 30 * MINUTE]


@pytest.mark.parametrize("taken_back", [pytest.param(False, marks=pytest.mark.soak), True])
async def test_clock_set_back_between_moves_is_no_damage(
    host: Host, tmp_path: Path, *, taken_back: bool
) -> None:
    """The times of a match's entries then decrease. The check of the database finds the record sound."""
    await host.begin("skull")  # in which nobody moves
    loaded = await host.begin("skull", clock="24h")
    await host.services.matches.play(loaded.id, ADA, "c3")
    if taken_back:
        asked = await host.services.proposals.propose(loaded.id, ADA, Matter.TAKEBACK)
        await host.services.proposals.agree(asked.id, GRACE)
    host.clock.jump(-2 * HOUR)
    user, move = (ADA, "c3") if taken_back else (GRACE, "d3")
    await host.services.matches.play(loaded.id, user, move)
    findings: list[Finding] = []
    assert (await check(None, tmp_path, findings.append, host.clock.now())).matches == 2
    assert findings == []


jumps = st.one_of(
    st.integers(2, 120), st.integers(-120, -2), st.integers(-(10**6), -2), st.integers(2, 10**6)
)
steps = st.one_of(
    st.tuples(st.just("look"), st.integers(0, 9)),
    st.tuples(st.just("move"), st.integers(0, 9)),
    st.tuples(st.just("both"), st.integers(0, 9)),
    st.tuples(st.just("slew"), st.sampled_from((-9, 9))),
    st.tuples(st.just("restart"), st.integers(0, 7200)),
    *(st.tuples(st.just(f"jump {readings}"), jumps) for readings in range(8)),
)


async def follow(store: Store, done: Sequence[tuple[str, int]]) -> None:
    """Do these steps in a game of 30 minutes and hold its clocks against the time that players really had."""
    clock = JumpingClock()
    host = Host(store, clock)
    loaded = await host.begin("skull", clock="30m+5s")
    await host.services.timekeeper.round()
    owed, seat, spare = [30 * MINUTE, 30 * MINUTE], 0, ZERO
    for what, size in done:
        if what == "restart":  # time since the last record is given back as well
            clock.push(size * SECOND)
            host, spare = Host(store, clock), spare + BEAT
        elif what == "slew":
            clock.jump(size * SECOND / 10)
            spare += JUMP
        elif what.startswith("jump"):
            clock.planned.append((int(what[5:]), size * SECOND))
        else:
            clock.push(size * SECOND)
            owed[seat] -= size * SECOND
            board = await host.services.matches.load(loaded.id)
            tasks: list[Awaitable[object]] = [host.services.timekeeper.round()] if what != "move" else []
            if what != "look" and not board.match.over:
                move = (board.match.legal() or ())[0]
                tasks.insert(
                    size % 2 * len(tasks), host.services.matches.play(loaded.id, (ADA, GRACE)[seat], move)
                )
                owed[seat] += 5 * SECOND
                seat = 1 - seat
            await asyncio.gather(*tasks)
        await host.services.timekeeper.round()
        stored = await match_of(store, loaded.id)
        if stored.finished_at is not None:
            assert stored.log[-1].text != "timeout"
            break
        for time, due in zip(shown(host, stored), owed, strict=True):
            assert due - spare <= time <= due + spare


@example([("look", 5), ("jump 0", -3600), ("move", 5), ("look", 9), ("jump 0", 3600), ("move", 5)])
@trials(30)
@given(st.lists(steps, max_size=30))
def test_random_jumps_cost_no_player_time(done: list[tuple[str, int]]) -> None:
    async def run() -> None:
        with TemporaryDirectory() as folder:
            lay(Path(folder))
            async with open_store(None, Path(folder), prepared=True) as store:
                await follow(store, done)

    asyncio.run(run())
