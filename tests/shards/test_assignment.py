"""Shards are distributed equally over the processes after starts, stops and crashes."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from bot.shards.manager import FREE_FOR, LOOK_INTERVAL, UNWANTED_FOR, ShardAssignment
from db.processes.link import Look


@dataclass
class Process:
    """A process that takes and releases shards."""

    assignment: ShardAssignment
    mine: set[int] = field(default_factory=set)


@dataclass
class Locks:
    """The locks of a database and the processes that compete for them."""

    count: int
    processes: dict[int, Process] = field(default_factory=dict)
    now: float = 0.0
    moved: int = 0

    def start(self, process: int, fixed: set[int] | None = None) -> None:
        self.processes[process] = Process(ShardAssignment(self.count, fixed))

    def die(self, process: int) -> None:
        del self.processes[process]

    def stop(self, process: int) -> None:
        """Make a process release its shards."""
        for shard in self.processes.pop(process).mine:
            self._tell(shard)

    def look(self, process: int) -> None:
        """Make a process act on one read of the locks."""
        this = self.processes[process]
        others = {
            number: frozenset(it.mine)
            for number, it in self.processes.items()
            if number != process and it.assignment.fixed is None
        }
        taken = {shard for it in self.processes.values() for shard in it.mine}
        look = Look(frozenset(taken), others, alone=len(self.processes) == 1)
        for shard in this.assignment.shards_to_take(look, this.mine, self.now):
            assert shard not in taken
            this.mine.add(shard)
        given_up = this.assignment.shard_to_give(look, this.mine)
        if given_up is not None:
            this.mine.remove(given_up)
            self.moved += 1
            self._tell(given_up)

    def settle(self, seconds: float) -> None:
        """Make all processes act repeatedly for this time."""
        end = self.now + seconds
        while self.now < end:
            for process in list(self.processes):
                self.look(process)
            self.now += LOOK_INTERVAL

    def held(self) -> list[list[int]]:
        return [sorted(it.mine) for it in self.processes.values()]

    def _tell(self, shard: int) -> None:
        for it in self.processes.values():
            it.assignment.freed(shard)


def test_new_process_gets_shards_one_by_one() -> None:
    locks = Locks(4)
    locks.start(1)
    locks.look(1)
    assert locks.held() == [[0, 1, 2, 3]]
    locks.start(2)
    locks.look(2)
    assert locks.held() == [[0, 1, 2, 3], []]
    locks.look(1)
    assert locks.held() == [[0, 1, 2], []]
    locks.settle(30)
    assert locks.held() == [[0, 1], [2, 3]]
    moved = locks.moved
    locks.settle(60)
    assert locks.moved == moved


def test_shards_of_a_dead_process_are_taken_later() -> None:
    locks = Locks(4)
    for process in (1, 2):
        locks.start(process)
        locks.settle(30)
    locks.die(2)
    locks.look(1)
    assert locks.held() == [[0, 1]]
    locks.now += FREE_FOR
    locks.settle(2 * LOOK_INTERVAL)
    assert locks.held() == [[0, 1, 2, 3]]


def test_shards_of_a_stopped_process_are_taken_at_once() -> None:
    locks = Locks(2)
    for process in (1, 2):
        locks.start(process)
        locks.settle(30)
    locks.stop(2)
    locks.look(1)
    assert locks.held() == [[0, 1]]


def test_shards_that_others_lost_are_not_taken_at_once() -> None:
    """Process 2 takes the shard that process 1 releases, and loses its connection before process 1 reads again."""
    locks = Locks(2)
    locks.start(1)
    locks.look(1)
    locks.start(2)
    locks.look(1)
    locks.look(1)
    locks.look(2)
    assert locks.held() == [[0], [1]]
    locks.die(2)
    locks.now += FREE_FOR / 2
    locks.look(1)
    assert locks.held() == [[0]]


def test_unwanted_shard_is_taken_in_the_end() -> None:
    sleeping = Look(frozenset({0, 1}), {2: frozenset()}, alone=False)
    assignment = ShardAssignment(3)
    assert assignment.shards_to_take(sleeping, {0, 1}, 100.0) == []
    assert assignment.shards_to_take(sleeping, {0, 1}, 100.0 + UNWANTED_FOR - 1) == []
    assert assignment.shards_to_take(sleeping, {0, 1}, 100.0 + UNWANTED_FOR) == [2]


def test_setting_fixes_the_shards() -> None:
    locks = Locks(4)
    locks.start(1, {0, 2})
    locks.start(2, {1, 3})
    locks.settle(10)
    assert locks.held() == [[0, 2], [1, 3]]
    locks.die(2)
    locks.settle(30)
    assert locks.held() == [[0, 2]]


def test_process_waits_for_shards_of_another() -> None:
    locks = Locks(2)
    locks.start(1, {0, 1})
    locks.start(2, {0, 1})
    locks.settle(30)
    assert locks.held() == [[0, 1], []]
    locks.stop(1)
    locks.look(2)
    assert locks.held() == [[0, 1]]


@given(
    st.integers(1, 12),
    st.lists(
        st.tuples(st.sampled_from(["start", "die", "stop"]), st.integers(0, 9)), min_size=1, max_size=12
    ),
)
def test_any_events_lead_to_fair_shares(count: int, events: list[tuple[str, int]]) -> None:
    locks = Locks(count)
    locks.start(100)
    for number, (event, which) in enumerate(events):
        running = list(locks.processes)
        if event == "start" or len(running) == 1:
            locks.start(number)
        else:
            getattr(locks, event)(running[which % len(running)])
        locks.settle(LOOK_INTERVAL * (which % 4))
    locks.settle(UNWANTED_FOR + 10 * LOOK_INTERVAL * count)
    sizes = [len(shards) for shards in locks.held()]
    assert sorted(shard for shards in locks.held() for shard in shards) == list(range(count))
    assert max(sizes) - min(sizes) <= 1
    moved = locks.moved
    locks.settle(20 * LOOK_INTERVAL)
    assert locks.moved == moved
