"""Games put into a database as the bot would have stored them, without playing them through it."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from db.address import address
from db.engine import make_engine
from db.models import MatchRow, PlyRow, PostRow, SeatRow
from db.values.matches import Outcome, Turns
from db.values.posts import PostKind
from rules.core.match import Match
from tests.rules.walks import AnyGame, finish

BEGUN = datetime.now(UTC) - timedelta(hours=1)


@dataclass(frozen=True)
class Placed:
    """A match to store: where, whose, and the message that shows it; without one, the bot posts its board."""

    match: Match
    guild: int
    channel: int
    users: Sequence[int]
    panel: int | None = None


async def store_matches(folder: Path, placed: Iterable[Placed], url: str | None = None) -> list[int]:
    """Store matches in the SQLite file of a folder, or in the database at `url`; return their numbers."""
    engine = make_engine(address(url, folder))
    numbers = []
    async with AsyncSession(engine) as session, session.begin():
        for one in placed:
            row = _row(one)
            session.add(row)
            await session.flush()
            session.add(_post(one, row.id))
            session.add_all(
                PlyRow(match_id=row.id, ply=ply, seat=entry.seat, text=entry.text, played_at=BEGUN)
                for ply, entry in enumerate(one.match.log)
            )
            await session.flush()
            numbers.append(row.id)
    await engine.dispose()
    return numbers


def _row(one: Placed) -> MatchRow:
    setup, plies = one.match.setup, len(one.match.log)
    ended = BEGUN if one.match.over else None
    due = (BEGUN if seat in one.match.to_move else None for seat in range(setup.players))
    return MatchRow(
        game=setup.game,
        options=setup.options,
        players=setup.players,
        version=one.match.game.version,
        guild=one.guild,
        channel=one.channel,
        plies=plies,
        started_at=BEGUN,
        finished_at=ended,
        searched=ended is not None,
        turns=None if one.match.over else Turns(tuple(due)),
        seats=[
            SeatRow(
                seat=seat, user_id=user, outcome=None if ended is None else Outcome.DRAWN, finished_at=ended
            )
            for seat, user in enumerate(one.users)
        ],
    )


def _post(one: Placed, number: int) -> PostRow:
    plies = len(one.match.log)
    shown = {} if one.panel is None else {"message": one.panel, "shown": 1, "progress": plies}
    place = {"guild": one.guild, "channel": one.channel}
    return PostRow(kind=PostKind.BOARD, subject=number, **place, due_at=BEGUN, **shown)


STAGES = {"early": 0.12, "middle": 0.45, "late": 0.75}
"""The share of a random game that has been played."""


def at_stage(game: AnyGame, stage: str, seed: int, moves: int) -> Match:
    """Return a position of a random game of the standard size, in which people move next.

    At least `moves` plies are left, where the game is long enough.
    """
    whole = _whole(game, seed)
    plies = min(round(STAGES[stage] * len(whole.log)), max(len(whole.log) - moves - 1, 0))
    match = Match.replay(game, whole.setup, whole.log[:plies])
    while match.to_move == (None,):
        match = match.play(*whole.log[len(match.log)])
    return match


@cache
def _whole(game: AnyGame, seed: int) -> Match:
    """Return a random game of the standard size, of some that were tried the one of median length."""
    size = game.sizes["standard"]
    tried = [
        finish(Match.start(game, dict(size), game.seats[0]), random.Random(f"{seed} {index}"), 10_000)
        for index in range(5)
    ]
    return sorted(tried, key=lambda match: len(match.log))[2]
