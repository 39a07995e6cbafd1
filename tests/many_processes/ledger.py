"""Everything that members tried and were told, and that must be stored and shown in the end."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.app.matches.loaded import LoadedMatch
from bot.sandbox.world.events import Event, MessageSent
from db.engine import open_to_read
from db.inspection import matches_after
from db.stores.base import HIGHEST
from db.values.matches import StoredMatch
from db.values.members import is_computer
from rules.core.match import LEAVING
from tests.bench.moves.playing import boards_on
from tests.many_processes.deployment import Deployment

Move = tuple[int | None, str]


@dataclass
class Ledger:
    """The moves of members, by match, and the messages that showed each board."""

    begun: dict[int, int] = field(default_factory=dict)
    """The number of moves that a match had before the run."""
    tried: defaultdict[int, Counter[Move]] = field(default_factory=lambda: defaultdict(Counter))
    accepted: defaultdict[int, Counter[Move]] = field(default_factory=lambda: defaultdict(Counter))
    boards: defaultdict[tuple[int, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    """By match and number of moves: the ids of the messages that were posted with this board."""
    uncertain: int = 0
    """Presses that got no answer in time, so that the member cannot know what became of them."""

    def hear(self, event: Event) -> None:
        """Note a new board."""
        if isinstance(event, MessageSent) and event.message.ephemeral_for is None:
            for board in boards_on(event.message):
                self.boards[board].add(event.message.id)

    @property
    def moves(self) -> int:
        """The number of moves that members were told are made."""
        return sum(counts.total() for counts in self.accepted.values())

    def check(self, stored: StoredMatch) -> None:
        """Fail unless a match is what its members did: nothing lost, nothing doubled, nothing that nobody did."""
        assert LoadedMatch.of(stored).match is not None, "it replays"
        number = stored.id
        members: Counter[Move] = Counter(
            (entry.seat, entry.text)
            for entry in stored.log[self.begun.get(number, 0) :]
            if entry.seat is not None
            and not is_computer(stored.users[entry.seat])
            and entry.text not in LEAVING
        )
        lost = self.accepted[number] - members
        assert not lost, f"match {number} has lost {lost}"
        unknown = members - self.tried[number]
        assert not unknown, f"match {number} has {unknown}, more often than anybody tried"
        assert sum(entry.text == "timeout" for entry in stored.log) <= 1, f"match {number} was decided twice"

    def doubled(self) -> list[tuple[int, int]]:
        """Return the boards that several messages show, as match and number of moves."""
        return [board for board, ids in self.boards.items() if len(ids) > 1]


async def all_matches(deployment: Deployment) -> AsyncIterator[StoredMatch]:
    """Yield every match that is stored, in the order of their numbers."""
    async with open_to_read(deployment.url or None, deployment.folder) as sessions:
        last, more = 0, True
        while more:
            async with sessions.read() as session:
                batch = await matches_after(session, last, HIGHEST)
            for examined in batch:
                yield examined.stored
            last, more = batch[-1].stored.id if batch else last, bool(batch)
