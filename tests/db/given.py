"""What tests of the store begin with."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from db.store import SqlStore
from db.values import Challenge, NewChallenge, Outcome, Place, StoredMatch
from rules.core.match import Ply, Setup

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
DEADLINE = NOW + timedelta(days=1)

ANNA, BERT, CLEO = 2**62 + 1, 102, 103
GUILD, CHANNEL = 2**61 + 1, 202
PLACE = Place(GUILD, CHANNEL)
SKULL = Setup("skull", (("rows", 5), ("columns", 6)), 2)

FIRST, SECOND = Ply(0, "a1"), Ply(1, "b2")
WON, DRAWN, LOST = Outcome


def new_challenge(
    challenger: int = ANNA,
    opponent: int = BERT,
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
    made_at: datetime = NOW,
    expires_at: datetime = DEADLINE,
) -> NewChallenge:
    return NewChallenge(setup, place, challenger, opponent, made_at, expires_at)


async def challenged(store: SqlStore, challenger: int = ANNA, opponent: int = BERT) -> Challenge:
    return await store.add_challenge(new_challenge(challenger, opponent))


async def started(
    store: SqlStore,
    users: tuple[int, int] = (ANNA, BERT),
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
    at: datetime = NOW,
) -> StoredMatch:
    """A new match, `users` by seat."""
    challenge = await store.add_challenge(new_challenge(*users, place=place, setup=setup))
    return await store.accept(challenge.id, users, 1, at)


async def finished(
    store: SqlStore,
    users: tuple[int, int],
    outcomes: Sequence[Outcome],
    *,
    place: Place = PLACE,
    setup: Setup = SKULL,
) -> int:
    """The id of a match that ended with its first ply."""
    match = await started(store, users, place=place, setup=setup)
    await store.append(match.id, 0, FIRST, NOW, outcomes)
    return match.id
