"""Rated matches at random, and checks of the ratings after them."""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from sqlalchemy import Connection, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.models import (
    CorrectedSkillRow,
    RatedRow,
    RatedSeatRow,
    RatingJobRow,
    RatingRow,
    RevertedSeatRow,
    TallyRow,
)
from db.rating_math import outcomes_of
from db.store import Store
from db.stores.standings import recompute
from db.stores.standings.rows import Shift, keep_count, write_ratings
from db.values.matches import StoredMatch
from db.values.places import Place
from db.values.standings import ALWAYS, CHUNK, Rating
from rules.core.match import Setup
from tests.db.given import GUILD, LOST, NOW, PLACE, SKULL, WON, finished

MONDAY = datetime(2026, 11, 16, tzinfo=UTC)
USERS = (2**62 + 11, 12, 13, 14, 15)
PLACES = (Place(GUILD, 1), Place(GUILD + 1, 2), Place(None, 3))


class Played:
    """Rated matches, each with its ranks."""

    def __init__(self) -> None:
        self.ranks: dict[int, tuple[int, ...]] = {}

    async def play(self, store: Store, chance: random.Random, at: datetime) -> int:
        """Play a match of two or three members with a random result."""
        players = chance.sample(USERS, chance.choice((2, 2, 3)))
        ranks = tuple(chance.choices((1, 2, 3), k=len(players)))
        ranks = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        setup = Setup(chance.choice(("maze", "skull")), SKULL.options, len(players))
        match = await finished(
            store,
            players,
            outcomes_of(ranks),
            ranks=ranks,
            at=at,
            place=chance.choice(PLACES),
            setup=setup,
        )
        self.ranks[match] = ranks
        return match

    async def evening(self, store: Store, seed: int, matches: int) -> list[int]:
        """Play this number of matches over about two weeks, some of them on the same day."""
        chance = random.Random(seed)
        at, ids = MONDAY + timedelta(days=chance.randrange(5)), []
        for _ in range(matches):
            at += timedelta(hours=chance.choice((0, 1, 5, 40)))
            ids.append(await self.play(store, chance, at))
        return ids

    def judge(self, match: StoredMatch) -> Sequence[int] | None:
        return self.ranks.get(match.id)


async def keep(store: Store, ratings: Sequence[Rating]) -> None:
    """Store these ratings, of members who had none."""

    def write(connection: Connection) -> None:
        write_ratings(connection, ratings)
        keep_count(connection, [Shift(it.leaderboard, None, it.held) for it in ratings])

    await store.sessions.write_at_once(write)


async def recomputed(store: Store, at: datetime, games: int = CHUNK) -> int:
    """Recompute all ratings that depend on reverted results. Return the number of chunks."""
    chunks = 1
    while await store.ratings.recompute(at, games):
        chunks += 1
    return chunks


async def begin_job(store: Store, users: Sequence[int], place: Place = PLACE) -> int:
    """Revert a result so that ratings are to be recomputed. Return the match that is to be rated again."""
    first, later = [await finished(store, users, (WON, LOST), ranks=(1, 2), place=place) for _ in range(2)]
    with patch.object(recompute, "AT_ONCE", 0):
        await store.matches.void(first, NOW, "two accounts")
    return later


async def job(engine: AsyncEngine) -> list[tuple[object, ...]]:
    """Return all rows of the job that recomputes ratings."""
    async with engine.connect() as connection:
        return [
            tuple(row)
            for table in (RatingJobRow.__table__, RevertedSeatRow.__table__, CorrectedSkillRow.__table__)
            for row in await connection.execute(select(table).order_by(*table.primary_key))
        ]


Everything = tuple[list[tuple[object, ...]], list[tuple[object, ...]]]


async def everything(engine: AsyncEngine) -> Everything:
    """Return all rows of ratings and of rated matches."""
    ratings = select(RatingRow.__table__).order_by(*RatingRow.__table__.primary_key)
    matches = (
        select(RatedSeatRow.__table__, RatedRow.weight)
        .join(RatedRow, RatedRow.match_id == RatedSeatRow.match_id)
        .order_by(RatedSeatRow.match_id, RatedSeatRow.seat)
    )
    async with engine.connect() as connection:
        return (
            [tuple(row) for row in await connection.execute(ratings)],
            [tuple(row) for row in await connection.execute(matches)],
        )


async def assert_counted(engine: AsyncEngine) -> None:
    """Check that the tallies equal a count of the ratings, now and at the beginning of the latest week."""
    async with engine.connect() as connection:
        ratings = (await connection.execute(select(RatingRow.__table__))).all()
        tallies = (await connection.execute(select(TallyRow.__table__))).all()
    members = Counter((it.period, it.game, it.guild, it.score) for it in ratings if it.listed)
    assert members == Counter(
        {(it.period, it.game, it.guild, it.score): it.members for it in tallies if it.members}
    )
    latest: Counter[tuple[str, str, int]] = Counter()
    for it in (*ratings, *tallies):  # Whoever played last may not be listed any more.
        board = (it.period, it.game, it.guild)
        latest[board] = max(latest[board], it.week)
    for tally in tallies:
        board = (tally.period, tally.game, tally.guild)
        theirs = [it for it in ratings if it.listed and (it.period, it.game, it.guild) == board]
        week = latest[board]
        began = sum((it.was if it.week == week else it.score) == tally.score for it in theirs)
        gained = tally.gained if tally.week == week else 0
        assert gained == (tally.members - began if tally.period == ALWAYS else 0), tally
        assert tally.members or tally.gained, "an empty tally was left behind"
