"""A killed process loses nothing that was confirmed and leaves nothing half done."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, Row, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.engine import open_store
from db.models import (
    AwardRow,
    ChallengeRow,
    MatchRow,
    ParticipantRow,
    PlyRow,
    PostRow,
    RatedSeatRow,
    SeatRow,
)
from tests.db.database.killed import FIRST_CHANNEL, story
from tests.db.ladder import assert_counted

ROOT = Path(__file__).parents[3]
Told = tuple[list[Row[Any]], ...]


async def told(engine: AsyncEngine, channel: int) -> Told:
    """Return all rows of one run, by its channel, without ids and other differences between runs."""
    of_match = MatchRow.channel == channel
    queries: list[Executable] = [
        select(ChallengeRow.answer, ChallengeRow.match_id.is_(None), MatchRow.plies)
        .outerjoin(MatchRow, MatchRow.id == ChallengeRow.match_id)
        .where(ChallengeRow.channel == channel)
        .order_by(ChallengeRow.id),
        select(ParticipantRow.number, ParticipantRow.user_id, ParticipantRow.reply, ParticipantRow.settled_at)
        .join(ChallengeRow, ChallengeRow.id == ParticipantRow.challenge_id)
        .where(ChallengeRow.channel == channel)
        .order_by(ChallengeRow.id, ParticipantRow.number),
        select(MatchRow.plies, MatchRow.finished_at, MatchRow.void).where(of_match),
        select(
            *(PostRow.kind, PostRow.key, PostRow.version, PostRow.shown, PostRow.due_at),
            *(PostRow.message, PostRow.progress, func.length(PostRow.companions) > len("[]")),
        )
        .where(PostRow.channel == channel)
        .order_by(PostRow.id),
        select(AwardRow.user_id, AwardRow.key, AwardRow.earned_at)
        .join(MatchRow, MatchRow.id == AwardRow.match_id)
        .where(of_match),
        select(SeatRow.seat, SeatRow.user_id, SeatRow.outcome)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .where(of_match)
        .order_by(SeatRow.seat),
        select(RatedSeatRow.seat, RatedSeatRow.rank)
        .join(MatchRow, MatchRow.id == RatedSeatRow.match_id)
        .where(of_match)
        .order_by(RatedSeatRow.seat),
        select(PlyRow.ply, PlyRow.seat, PlyRow.text)
        .join(MatchRow, MatchRow.id == PlyRow.match_id)
        .where(of_match)
        .order_by(PlyRow.ply),
    ]
    async with engine.connect() as connection:
        return tuple([list(await connection.execute(query)) for query in queries])


async def test_killed_at_any_statement(
    database: str, store_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    """Every second statement on SQLite, and the others on PostgreSQL; `make soak` takes all on both."""
    await killed(store_url, tmp_path, engine, first=int(database == "postgresql"), stride=2)


@pytest.mark.soak
async def test_killed_at_every_statement(store_url: str, tmp_path: Path, engine: AsyncEngine) -> None:
    await killed(store_url, tmp_path, engine, first=0, stride=1)


async def killed(store_url: str, tmp_path: Path, engine: AsyncEngine, first: int, stride: int) -> None:
    async with open_store(store_url, tmp_path) as store:
        chapters = [await told(engine, 1)]
        chapters += [await told(engine, 1) async for _ in story(store, 1)]
    assert len({repr(chapter) for chapter in chapters}) == len(chapters) == 12

    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "tests.db.database.killed",
            store_url,
            str(tmp_path),
            str(first),
            str(stride),
        ),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    lives = [tuple(map(int, line.split())) for line in output.splitlines()]

    for channel, steps in lives[:-1]:
        # The step that it died in is there as a whole, or not at all.
        assert await told(engine, channel) in chapters[steps : steps + 2], (
            f"statement {channel - FIRST_CHANNEL}"
        )
    channel, steps = lives[-1]
    assert steps == len(chapters) - 1
    assert await told(engine, channel) == chapters[-1]
    assert {steps for _, steps in lives} == set(range(len(chapters)))
    await assert_counted(engine)
