"""The shards that a process takes and gives up, so that all processes of a database come to fair shares."""

from collections.abc import Collection
from dataclasses import dataclass, field

from db.processes.link import Look

SETTLED = 3.0
"""Seconds for which a shard must be free before another process than its last takes it.

A process whose connection was cut takes its own shards again within this time, and one that cannot has ended them.
"""
PATIENT = 15.0
"""Seconds after which a free shard is taken even by a process that has more shards than others: they do not take it."""


@dataclass(slots=True)
class Shares:
    """Decides about `count` shards, or only about those that a setting gives to this process (`fixed`)."""

    count: int
    fixed: Collection[int] | None = None
    _free_since: dict[int, float] = field(default_factory=dict)
    _begun: bool = False

    def freed(self, shard: int, now: float) -> None:
        """Note that a process has given up a shard in order, so that it may be taken at once."""
        self._free_since[shard] = now - SETTLED

    def to_take(self, look: Look, mine: Collection[int], now: float) -> list[int]:
        """Return the shards to try to take now, in this order; all that succeed are taken if they are several.

        One at a time where processes share, so that each gets some.
        """
        free = [shard for shard in range(self.count) if shard not in look.taken]
        self._free_since = {shard: self._free_since.get(shard, now) for shard in free}
        first, self._begun = not self._begun, True
        settled = [shard for shard in free if now - self._free_since[shard] >= SETTLED]
        if self.fixed is not None:
            return [shard for shard in (free if first else settled) if shard in self.fixed]
        if first and look.alone:
            return free
        if not look.others:
            return settled
        if len(mine) <= min(map(len, look.others.values())):
            return settled[:1]
        return [shard for shard in settled if now - self._free_since[shard] >= PATIENT][:1]

    def to_give(self, look: Look, mine: Collection[int]) -> int | None:
        """Return the shard to give up now, so that a process that has fewer can take it; None if there is none.

        The last of several, since the first carries more than the others.
        """
        if self.fixed is not None or len(look.taken) < self.count:
            return None
        fewest = min(map(len, look.others.values()), default=len(mine))
        return max(mine) if len(mine) >= fewest + 2 else None
