"""A snapshot of everything that members could notice."""

from dataclasses import dataclass

from db.store import Store
from db.values.challenges import Challenge
from db.values.matches import Search, StoredMatch
from db.values.proposals import Proposal
from tests.app.stateful.strategies import DIRECT, GUILDS

ALL = 10**6


@dataclass(frozen=True)
class Snapshot:
    """Everything that players could notice; matches by number."""

    matches: dict[int, StoredMatch]
    challenges: list[Challenge]
    proposals: list[Proposal]


async def read_snapshot(store: Store) -> Snapshot:
    """A finished match is where members look for it: in the history of its server, or of its direct messages."""
    running = await store.matches.running()
    searches = [*map(Search, GUILDS), Search(None, channel=DIRECT.channel)]
    finished = [match for search in searches for match in (await store.history.page(search, ALL)).matches]
    assert all(match.finished_at is None for match in running)
    assert all(match.finished_at is not None for match in finished)
    matches = {match.id: match for match in (*running, *finished)}
    assert len(matches) == len(running) + len(finished)
    return Snapshot(matches, await store.challenges.open(), await store.proposals.open())
