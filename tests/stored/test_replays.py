"""Data of commit 50da8a01 is read as that commit read it: positions, results, ratings, challenges, choices."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.app.matches.forgotten import END_AFTER, REMIND_AFTER, WARN_AFTER
from bot.app.matches.loaded import LoadedMatch
from db.address import address
from db.engine import make_engine, open_store
from db.models import AwardRow
from db.store import Store
from db.values.standings import PeriodKind
from tests.db.given import match_of
from tests.stored.version import EXPECTED, NAMED, STORED_AT, digest, plain, unpack

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

USERS = {name: int(user) for name, user in EXPECTED["users"].items()}
GUILD = int(EXPECTED["guild"])
GAMES = {"skull", "alaric", "xlines", "polygons", "spaghetti", "palindromes", "maze", "cocomposite"}
"""The games whose stored matches must replay."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the stored database, which the tests only read."""
    folder = tmp_path_factory.mktemp("stored")
    unpack(folder)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def store(folder: Path) -> AsyncIterator[Store]:
    """The stored database, migrated to the tables of today."""
    async with open_store(None, folder) as opened:
        yield opened


async def test_every_match_replays_to_the_same_position(store: Store) -> None:
    matches = EXPECTED["matches"]
    for outcomes in ("finished", "running"):
        games = {it["game"] for it in matches.values() if (it["outcomes"] is None) == (outcomes == "running")}
        assert games == GAMES, f"not all are {outcomes}"
    for number, expected in matches.items():
        assert await read(store, int(number)) == expected, f"match {number}"


async def read(store: Store, number: int) -> dict[str, Any]:
    """All that can be told of a stored match."""
    stored = await match_of(store, number)
    loaded = LoadedMatch.of(stored)
    match = loaded.match
    legal = match.legal()
    changes = await store.ratings.changes(number)
    return {
        "game": match.game.key,
        "options": dict(match.setup.options),
        "version": stored.version,
        "users": [str(user) for user in stored.users],
        "entries": len(stored.log),
        "moves": len(match.log),
        "shown": loaded.shown,
        "taken_back": loaded.taken_back,
        "secret": loaded.secret,
        "to_move": plain(match.to_move),
        "phase": match.game.phase(match.state),
        "scores": plain(match.scores),
        "winners": plain(match.winners),
        "left": plain(match.left),
        "agreed": match.agreed,
        "void": stored.void,
        "rated": stored.rated,
        "outcomes": plain(stored.outcomes),
        "clock": plain(stored.time_control) and [it and it.left.total_seconds() for it in stored.clocks],
        "legal": [len(legal), digest(legal)] if legal else plain(legal),
        "state": digest(match.state),
        "seen": [digest(match.seen(seat)) for seat in (None, *range(match.setup.players))],
        "changes": changes and [digest(it) for it in changes],
    }


async def test_ratings_and_leaderboards_are_the_same(store: Store) -> None:
    for name, user in USERS.items():
        assert [
            [
                it.leaderboard.period,
                it.leaderboard.game,
                str(it.leaderboard.guild),
                it.held.skill.mu,
                it.held.skill.sigma,
                it.won,
                it.drawn,
                it.lost,
                it.listed,
            ]
            for it in await store.ratings.of_member(user)
        ] == EXPECTED["ratings"][name]
    for board, expected in EXPECTED["leaderboards"].items():
        game, where, period_kind = board.split()
        page = await store.leaderboards.page(
            None if game == "all" else game,
            GUILD if where == "here" else None,
            PeriodKind(period_kind),
            STORED_AT,
            USERS["Ada"],
            10,
        )
        assert [[plain(it)[0], *ranked(it.rating)] for it in page.rows] == expected, board
    assert EXPECTED["leaderboards"]["all everywhere always"]


def ranked(rating: Any) -> list[Any]:
    """The contents of a row of a leaderboard."""
    return [str(rating.user), rating.held.skill.score, rating.won, rating.drawn, rating.lost]


async def test_achievements_are_the_same(store: Store, folder: Path) -> None:
    engine = make_engine(address(None, folder))
    async with engine.connect() as connection:
        rows = await connection.execute(select(AwardRow.match_id, AwardRow.user_id, AwardRow.key))
        found = sorted([match, str(user), key] for match, user, key in rows)
    await engine.dispose()
    assert found == EXPECTED["awards"] != []


async def test_what_was_chosen_is_the_same(store: Store) -> None:
    for name, user in USERS.items():
        member = await store.members.get(user)
        chosen = [member.theme, member.notice.value, member.forced, member.listed]
        assert chosen == EXPECTED["members"][name]
        assert [str(it) for it in await store.members.blocked(user)] == EXPECTED["blocked"][name]
    server = await store.servers.settings(GUILD)
    clock = server.time_control
    assert clock is not None
    settings = [str(server.results), [str(clock.span), clock.increment], server.podium, server.threads]
    assert settings == EXPECTED["server"]
    assert clock.cap is None  # There were no caps then.
    # Nothing is posted that was not posted then, and a manager is asked once whether to set the server up.
    assert str(server.puzzle_channel) == NAMED["puzzle of the day"]["channel"]
    assert (server.weekly_moment, server.reports) == (False, None)
    assert server.setup_due


async def test_matches_without_a_clock_are_left_alone(store: Store) -> None:
    """They are neither reminded of nor ended, however long they wait: their players agreed to no such end."""
    running = [it for it in EXPECTED["matches"].values() if it["outcomes"] is None]
    assert any(it["clock"] is None for it in running)
    later = STORED_AT + timedelta(days=60)
    bounds = [later - span for span in (REMIND_AFTER, WARN_AFTER, END_AFTER)]
    assert await store.forgotten.due(bounds, later, later, 100) == []


async def test_open_challenges_and_proposals_are_the_same(store: Store) -> None:
    assert {
        str(it.id): [
            it.terms.game,
            it.public,
            str(it.challenger),
            [[str(one.user), one.reply.value] for one in it.participants],
        ]
        for it in await store.challenges.open()
    } == EXPECTED["challenges"]
    assert {
        str(it.id): [it.match, it.matter.value, it.seat, list(it.agreed)]
        for it in await store.proposals.open()
    } == EXPECTED["proposals"]
    assert EXPECTED["challenges"]
    assert EXPECTED["proposals"]
