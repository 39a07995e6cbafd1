"""All that is stored, as members could notice it."""

from dataclasses import dataclass

from db.store import SqlStore
from db.values import Challenge, Proposal, Search, StoredMatch
from tests.bot.evening.given import GUILDS

ALL = 10**6


@dataclass(frozen=True)
class World:
    """Everything that players could notice; matches by number."""

    matches: dict[int, StoredMatch]
    challenges: list[Challenge]
    proposals: list[Proposal]


async def read_world(store: SqlStore, begun: set[int]) -> World:
    """A finished match is where members look for it: in the history of its server. Some have `begun` in none."""
    running = await store.running()
    pages = [await store.finished(Search(guild), ALL) for guild in GUILDS]
    finished = [match for page in pages for match in page.matches]
    for match in begun - {match.id for match in (*running, *finished)}:
        found = await store.load(match)
        assert found is not None
        assert found.place.guild is None, "a match of a server is neither running nor in its history"
        finished.append(found)
    assert all(match.finished_at is None for match in running)
    assert all(match.finished_at is not None for match in finished)
    matches = {match.id: match for match in (*running, *finished)}
    assert len(matches) == len(running) + len(finished)
    return World(matches, await store.challenges(), await store.open_proposals())
