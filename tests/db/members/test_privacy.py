"""The data of a member is found, exported and deleted in all tables."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import BigInteger, Boolean, Date, DateTime, Double, Enum, Integer
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from db.engine import open_store
from db.models import Base
from db.models.base import HOLDS
from db.store import Store
from db.stores import privacy
from db.stores.privacy import TRACES, WITHHELD, WORDS
from db.types import OptionsJson, Span, TimeControlText, UtcTime
from db.values.challenges import Answer, Challenge
from db.values.matches import Ending, NewEntry, PositionKeys
from db.values.members import StillNeeded
from db.values.places import FORMER, former
from rules.core.match import Ply
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    FIRST,
    IN,
    LOST,
    NOW,
    SECOND,
    WON,
    challenge_of,
    challenged,
    finished,
    match_of,
    new_lobby,
    standing,
    started,
)
from tests.db.life import MAZE, holding, lived, rows
from tests.db.migrated import lay
from tests.db.statements import fails_at

NO_MEMBER = (Boolean, Date, DateTime, Double, UtcTime, Enum, OptionsJson, TimeControlText, Span)
"""Types whose values contain no Discord id."""

WHAT_ELSE = {
    "failed_items.task": "a background task",
    "failed_items.item": "the id of a match, message or server",
    "failed_items.error": "a type and a line of code",
    "bans.digest": "a hash",
    "guilds.theme": "the name of a theme",
    "guilds.league_clock": "a clock",
    "guilds.league_size": "the name of a size",
    "guilds.channels": "ids of channels",
    "guilds.withheld": "keys of games",
    "posts.companions": "ids of messages and channels, and numbers of seats",
    "posts.key": "a month or a day",
    "interests.games": "keys of games",
    "digests.zone": "the name of a time zone",
    "vote_games.zone": "the name of a time zone",
    "vote_invitations.zone": "the name of a time zone",
    "interests.zone": "the name of a time zone",
    "awards.key": "the key of an achievement",
    "maintenance.text": "what the owner of the bot has told to everybody",
    "matches.game": "the key of a game",
    "matches.turns": "times and numbers of seats",
    "matches.newest_key": "a hash of a position",
    "matches.key_before": "a hash of a position",
    "matches.earliest_key": "a hash of a position",
    "members.theme": "the name of a theme",
    "challenges.call": "the mention of a role",
    "challenges.game": "the key of a game",
    "events.game": "the key of a game",
    "events.season": "a month",
    "titles.key": "the id of an event, a day or a month",
    "guilds.leagues": "keys of games",
    "guilds.leagues_opened": "a month",
    "lessons.game": "the key of a game",
    "lessons.moves": "moves as the referee writes them",
    "moments.line": "moves as the referee writes them",
    "moments.played": "a move as the referee writes it",
    "puzzle_attempts.puzzle": "the name of a puzzle",
    "puzzle_runs.puzzle": "the name of a puzzle",
    "puzzle_runs.moves": "moves as the referee writes them",
    "puzzle_attempts.moves": "moves as the referee writes them",
    "puzzle_attempts.again": "moves as the referee writes them",
    "puzzle_days.puzzle": "the name of a puzzle",
    "puzzle_skills.puzzle": "the name of a puzzle",
    "plies.text": "a move as the referee writes it",
    "plies.salt": "random digits",
    "volunteers.phase": "a part of a game",
    "votes.move": "a move as the referee writes it",
    "events.code": "random digits",
    "vote_invitations.code": "random digits",
    "vote_invitations.game": "the key of a game",
    "variations.moves": "moves as the referee writes them",
    "seats.faced": "what a player sees of a position",
    "corrected_skills.period": "a month or a week",
    "corrected_skills.game": "the key of a game",
    "reverted_seats.before": "skills",
    "reverted_seats.game": "the key of a game",
    "ratings.period": "a month or a week",
    "ratings.game": "the key of a game",
    "tallies.period": "a month or a week",
    "tallies.game": "the key of a game",
    "rated.game": "the key of a game",
    "rated_seats.before": "skills",
    "rated_seats.game": "the key of a game",
}
"""Columns that could hold a member's id, and what they hold instead."""

COLUMNS = [column for table in Base.metadata.sorted_tables for column in table.columns]


def test_every_column_declares_what_becomes_of_a_member() -> None:
    """A new table fails here until its column types say what they hold and TRACES says what becomes of members."""
    unknown = [
        str(column)
        for column in COLUMNS
        if HOLDS not in column.info
        and str(column) not in WHAT_ELSE
        and not isinstance(column.type, NO_MEMBER)
        and not (isinstance(column.type, Integer) and not isinstance(column.type, BigInteger))
    ]
    assert unknown == [], "say in db.models with UserId, Snowflake or Typed, or in WHAT_ELSE, what these hold"
    assert {str(it.column.expression) for it in TRACES} == {
        str(it) for it in COLUMNS if it.info.get(HOLDS) == "member"
    }
    assert {str(it.expression) for it in WORDS} == {
        str(it) for it in COLUMNS if it.info.get(HOLDS) == "words"
    }
    assert set(WHAT_ELSE) <= {str(column) for column in COLUMNS}
    assert set(WITHHELD) <= {str(column) for column in COLUMNS}


async def test_nothing_is_left_of_a_member(store: Store, engine: AsyncEngine) -> None:
    await lived(store, ANNA)
    held = await holding(engine, ANNA)
    assert {str(it.column.expression) for it in TRACES} | {str(it.expression) for it in WORDS} <= held, (
        "a trace that is not tried"
    )
    before = await rows(engine)
    with fails_at(20), pytest.raises(ZeroDivisionError):
        await store.privacy.erase(ANNA)
    assert await rows(engine) == before, "nothing is deleted before everything is"
    await store.privacy.erase(ANNA)
    assert await holding(engine, ANNA) == set()
    assert await store.privacy.export(ANNA) == {}
    before = await rows(engine)
    await store.privacy.erase(ANNA)
    assert await rows(engine) == before


async def test_nothing_is_left_in_the_file_either(tmp_path: Path) -> None:
    """SQLite would leave deleted data in the free parts of its file."""
    traces = (ANNA.to_bytes(8, "big"), str(ANNA).encode())

    def there() -> bool:
        return any(trace in file.read_bytes() for file in tmp_path.iterdir() for trace in traces)

    lay(tmp_path)
    async with open_store(None, tmp_path) as store:
        await lived(store, ANNA)
        for _ in range(3):
            await finished(store, (ANNA, BERT), (WON, LOST))
    assert there()
    async with open_store(None, tmp_path) as store:
        await store.privacy.erase(ANNA)
    assert not there()


async def test_a_former_member_is_somebody_else_in_every_match(store: Store) -> None:
    matches = [await finished(store, (ANNA, BERT), (WON, LOST)) for _ in range(3)]
    matches += [await finished(store, (BERT, CLEO), (WON, LOST))]
    before = [await store.matches.load(match) for match in matches]
    await store.privacy.erase(ANNA)
    await store.privacy.erase(BERT)
    after = [await store.matches.load(match) for match in matches]
    ids: list[int] = []
    for old, new in zip(before, after, strict=True):
        assert old is not None
        assert new is not None
        ids += [user for user in new.users if former(user)]
        assert (new.setup, new.log, new.times, new.outcomes) == (old.setup, old.log, old.times, old.outcomes)
    assert len(ids) == len(set(ids)) == 7
    assert not former(0)


async def test_what_others_have_stays(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    await store.members.change(BERT, theme="slate")
    await store.members.block(BERT, CLEO, NOW)
    kept = await store.privacy.export(BERT)
    await store.privacy.erase(ANNA)
    after = await store.privacy.export(BERT)
    assert [{**row, "challenger": None} for row in kept["challenges"]] == after["challenges"]
    assert {**after, "challenges": kept["challenges"]} == kept
    found = await match_of(store, match)
    assert (former(found.users[0]), found.users[1]) == (True, BERT)


async def test_the_challenge_names_the_former_member_once(store: Store) -> None:
    """The challenger is also a participant, and both have the same number."""
    closed = await challenged(store, ANNA)
    await store.challenges.change(closed, standing(closed, answer=Answer.EXPIRED), NOW)
    await store.privacy.erase(ANNA)
    found = await challenge_of(store, closed.id)
    assert former(found.challenger)
    assert found.users(*type(found.participants[0].reply)) == (found.challenger, BERT)
    assert found.others == (BERT,)


async def test_words_in_which_somebody_was_named(store: Store) -> None:
    await lived(store, ANNA)
    matches = (await store.privacy.export(CLEO))["matches"]
    (broken,) = (it for it in matches if "rude" in str(it["void"]))
    await store.privacy.erase(ANNA)
    found = await match_of(store, int(str(broken["id"])))
    assert found.void == f"{FORMER} and {FORMER} ({FORMER}) were rude to <@{CLEO}>"


async def test_an_export_has_all_that_concerns_a_member(store: Store, engine: AsyncEngine) -> None:
    await lived(store, ANNA)
    kept = await store.privacy.export(ANNA)
    told = {name: [tuple(map(str, row.values())) for row in found] for name, found in kept.items()}
    personal = {column.table.name for column in COLUMNS if column.info.get(HOLDS) == "member"}
    seated = {column.table.name for column in COLUMNS if column.name == "seat"}
    assert set(kept) == personal | seated | {"matches"}
    for column in await holding(engine, ANNA):
        table, name = column.split(".")
        assert any(str(ANNA) in str(row[name]) for row in kept[table]) == (column != "blocks.blocked_id"), (
            column
        )
    assert [(row["user_id"], row["blocked_id"]) for row in kept["blocks"]] == [(str(ANNA), str(BERT))]
    assert [row["text"] for row in kept["plies"]] == [FIRST.text, "resign", "resign"]
    assert [row["played_at"] for row in kept["plies"]] == [NOW.isoformat()] * 3
    assert [row["matter"] for row in kept["proposals"]] == ["draw", "seat"]
    assert len(kept["consents"]) == 1
    assert (kept["members"], told["members"]) != ([], [])
    assert kept["members"][0] == {
        "user_id": str(ANNA),
        "theme": "slate",
        "notice": "direct",
        "away_until": "2026-03-02T12:00:00.123456+00:00",
        "forced": True,
        "listed": True,
        "next_game": True,
        "confirms": False,
        "conditional": True,
        "computer": False,
        "absent_since": None,
        "absent_until": None,
        "absent_before": 0.0,
        "active_on": None,
        "look_up_on": None,
    }


async def test_an_export_tells_nothing_of_what_others_have_played(store: Store) -> None:
    """Neither the moves nor their number: Anna's export is the same for all moves of Bert."""
    match = (await started(store, (ANNA, BERT))).id
    await store.matches.append(match, 0, NewEntry(FIRST, NOW))
    before = await store.privacy.export(ANNA)
    await store.matches.append(match, 1, NewEntry(SECOND, NOW, salt="ab" * 16))
    await store.matches.append(match, 2, NewEntry(SECOND, NOW))
    assert await store.privacy.export(ANNA) == before
    await store.matches.append(match, 3, NewEntry(FIRST, NOW))
    assert [row["text"] for row in (await store.privacy.export(ANNA))["plies"]] == [FIRST.text] * 2


async def test_members_must_leave_everything_before_deletion(store: Store, engine: AsyncEngine) -> None:
    asked = await challenged(store, BERT, ANNA)
    made = await challenged(store, ANNA, CLEO)
    lobby = await store.challenges.add(new_lobby(challenger=BERT))
    await store.challenges.change(lobby, standing(lobby, (BERT, IN), (ANNA, IN)), NOW)
    two = (await started(store, (ANNA, BERT))).id
    three = (await started(store, (BERT, CLEO, ANNA), setup=MAZE)).id
    await store.members.change(ANNA, forced=True)
    before = await rows(engine)
    with pytest.raises(StillNeeded) as met:
        await store.privacy.erase(ANNA)
    assert met.value.challenges == (asked.id, made.id, lobby.id)
    assert met.value.matches == (two, three)
    assert await rows(engine) == before

    for challenge in (asked, made):
        await store.challenges.change(challenge, standing(challenge, answer=Answer.WITHDRAWN), NOW)
    found = await challenge_of(store, lobby.id)
    await store.challenges.change(found, lobby, NOW)
    await store.matches.append(two, 0, NewEntry(Ply(0, "resign"), NOW), Ending((LOST, WON)))
    with pytest.raises(StillNeeded) as met:
        await store.privacy.erase(ANNA)
    assert (met.value.challenges, met.value.matches) == ((), (three,))
    await store.matches.append(three, 0, NewEntry(Ply(2, "timeout"), NOW))
    await store.privacy.erase(ANNA)
    assert await holding(engine, ANNA) == set()
    assert [match.id for match in await store.matches.running()] == [three]


@pytest.fixture
async def other(threads: None, store_url: str, tmp_path: Path, store: Store) -> Any:
    """The same database, opened as by another process."""
    async with open_store(store_url, tmp_path) as opened:
        yield opened


async def test_rows_that_are_stored_during_a_deletion_stay(
    migrated_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only PostgreSQL lets two processes write at once: here right after the check that nothing is open."""
    async with open_store(migrated_url, tmp_path) as store, open_store(migrated_url, tmp_path) as other:
        over = await finished(store, (ANNA, BERT), (WON, LOST))

        async def then_others_begin(session: AsyncSession, user: int) -> None:
            await check_free(session, user)
            begun.append((await started(other, (BERT, ANNA))).id)
            offered.append(await challenged(other, ANNA, CLEO))

        begun: list[int] = []
        offered: list[Challenge] = []
        check_free = privacy._check_free
        monkeypatch.setattr(privacy, "_check_free", then_others_begin)
        async with asyncio.timeout(60):
            await store.privacy.erase(ANNA)
        matches = [await store.matches.load(match) for match in (over, *begun)]
        assert [match and match.users.count(ANNA) for match in matches] == [0, 1]
        assert await store.challenges.open(user=ANNA) == offered


@pytest.mark.soak
@pytest.mark.on_postgresql
async def test_two_who_have_blocked_each_other_leave_together(
    store: Store, other: Store, engine: AsyncEngine
) -> None:
    for _ in range(3):
        await store.members.block(ANNA, CLEO, NOW)
        await store.members.block(CLEO, ANNA, NOW)
        async with asyncio.timeout(60):
            await asyncio.gather(store.privacy.erase(ANNA), other.privacy.erase(CLEO))
        assert await holding(engine, ANNA) == set()


async def test_export_tells_no_position_of_a_running_match(store: Store) -> None:
    """The position of the other player is their secret, and so is the number of moves."""
    match = await started(store)
    position = PositionKeys((11, 12, 13), ("secret row", "secret hand"))
    await store.matches.append(match.id, 0, NewEntry(Ply(0, "a1"), NOW, position=position))
    rows = await store.privacy.export(ANNA)
    assert "secret" not in str(rows)
    names = {name for it in ("matches", "seats") for row in rows[it] for name in row}
    assert names.isdisjoint(("newest_key", "key_before", "earliest_key", "keyed_plies", "faced"))
    assert "rated" in names
