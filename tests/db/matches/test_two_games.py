"""Two-game matches: the second game begins in the transaction that ends the first, and both are rated as one."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from db.store import Store
from db.values.challenges import Terms
from db.values.clocks import SeatClock, TimeControl
from db.values.matches import Beginning, Ending, MovedOn, NewEntry, StoredMatch
from db.values.places import Place
from db.values.posts import PostKind
from tests.db.given import (
    ANNA,
    BERT,
    CHANNEL,
    DRAWN,
    FIRST,
    GUILD,
    LATER,
    LOST,
    NOW,
    SECOND,
    WON,
    accept,
    changes_of,
    finished,
    match_of,
    new_challenge,
    pending,
    post_of,
    second_game,
    second_of_two,
)
from tests.db.ladder import assert_counted, everything
from tests.db.life import rows
from tests.db.statements import statements

DAY = TimeControl(timedelta(days=1))
CLOCKS = (SeatClock(timedelta(days=1), NOW + timedelta(days=1)), SeatClock(timedelta(days=1)))


async def test_the_second_game_begins_when_the_first_ends_with_swapped_seats(store: Store) -> None:
    new = new_challenge(ANNA, BERT)
    terms = replace(new.terms, games=2, time_control=DAY, rated=False)
    offer = await store.challenges.add(replace(new, terms=terms))
    assert offer.terms.games == 2
    assert await store.challenges.get(offer.id) == offer
    first = await accept(store, offer, (BERT, ANNA))
    await store.matches.move(first.id, CHANNEL + 1, CHANNEL)
    assert (await post_of(store, PostKind.BOARD, first.id)).channel == CHANNEL + 1
    await store.matches.append(first.id, 0, NewEntry(FIRST, NOW))
    assert await store.matches.second_game(first.id) is None
    assert len(await store.matches.running()) == 1

    ended = await store.matches.append(
        first.id, 1, NewEntry(SECOND, LATER), Ending((WON, LOST), then=Beginning(7, CLOCKS))
    )
    second = await second_game(store, first.id)
    assert await store.matches.second_game(second) is None
    now = await match_of(store, first.id)
    assert ended == now
    assert await store.matches.load(second) == StoredMatch(
        id=second,
        setup=first.setup,
        version=7,
        place=Place(GUILD, CHANNEL + 1, CHANNEL),
        users=(ANNA, BERT),
        log=(),
        salts=(),
        started_at=LATER,
        finished_at=None,
        outcomes=None,
        time_control=DAY,
        clocks=CLOCKS,
        rated=False,
        games=2,
        first=now,
    )
    assert (now.games, now.first, now.outcomes) == (2, None, (WON, LOST))
    assert [it.id for it in await store.matches.running(user=ANNA)] == [second]
    assert await pending(store) == [first.id, second]
    assert await store.clocks.out_of_time(NOW + timedelta(days=1)) == (second,)


@pytest.mark.parametrize("terms", [Terms("maze", (), 2, 3, games=2), Terms("maze", (), 2, 2, games=3)])
async def test_only_two_play_and_only_two_games(store: Store, terms: Terms) -> None:
    with pytest.raises(IntegrityError):
        await store.challenges.add(replace(new_challenge(), terms=terms))


async def test_both_games_are_rated_as_one_when_the_second_ends(store: Store, engine: AsyncEngine) -> None:
    second = await second_of_two(store, (ANNA, BERT), (WON, LOST))
    assert await store.ratings.of_member(ANNA) == []
    await store.matches.append(second.id, 0, NewEntry(FIRST, LATER), Ending((LOST, WON), ranks=(2, 1)))
    assert second.first is not None
    assert await store.ratings.changes(second.first.id) is None
    changes = await changes_of(store, second.id)
    assert [(it.user, it.after.score > it.before.score, it.weight) for it in changes] == [
        (BERT, False, 1.0),
        (ANNA, True, 1.0),
    ]
    profile = await store.profiles.get(ANNA, "skull", GUILD, ("skull",))
    assert [(it.won, it.drawn, it.lost) for it in profile.ratings] == [(1, 0, 0)] * 2
    assert profile.runs.won == 1
    assert profile.seats == ()  # she had both
    assert (await store.profiles.duels(ANNA, BERT, GUILD)).games == (("skull", (1, 0, 0)),)
    # It is one meeting of the two: the third game after it is their fourth, and counts half.
    for weight in (1, 1, 0.5):
        again = await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2), at=LATER)
        later = await changes_of(store, again)
        assert later[0].weight == weight
    assert (await store.profiles.get(ANNA, "skull", GUILD, ("skull",))).seats == ((0, (3, 0, 0)),)
    await assert_counted(engine)


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.soak)])
async def test_taking_back_either_game_takes_back_the_ratings(
    number: int, store: Store, engine: AsyncEngine
) -> None:
    await finished(store, (BERT, ANNA), (WON, LOST), ranks=(1, 2))
    before = await everything(engine)
    second = await second_of_two(store)
    assert second.first is not None
    await store.matches.append(second.id, 0, NewEntry(FIRST, NOW), Ending((DRAWN, DRAWN), ranks=(2, 1)))
    assert await everything(engine) != before
    gone, kept = (second.first.id, second.id) if number == 0 else (second.id, second.first.id)
    await store.matches.void(gone, LATER, "two accounts")
    assert await everything(engine) == before
    assert (await match_of(store, kept)).outcomes is not None
    assert (await match_of(store, gone)).outcomes is None
    with pytest.raises(MovedOn):
        await store.matches.void(gone, LATER, "again")
    await store.matches.void(kept, LATER, "both")
    assert await everything(engine) == before


@pytest.mark.soak
async def test_rebuilding_judges_both_games_by_the_second(store: Store, engine: AsyncEngine) -> None:
    """A two-game match is judged once, with its first game; a first game alone is judged never."""
    alone = await finished(store, (ANNA, BERT), (DRAWN, DRAWN), ranks=(1, 1))
    second = await second_of_two(store)
    await store.matches.append(second.id, 0, NewEntry(FIRST, LATER), Ending((WON, LOST), ranks=(1, 1)))
    lonely = await second_of_two(store)
    before = await everything(engine)
    seen: list[StoredMatch] = []

    def judge(match: StoredMatch) -> tuple[int, ...]:
        seen.append(match)
        return (1, 1)

    for lost in (False, True):
        if lost:
            async with engine.begin() as connection:
                for table in ("rated_seats", "rated", "ratings", "tallies"):
                    await connection.exec_driver_sql(f"DELETE FROM {table}")
        seen.clear()
        assert await store.ratings.rebuild(judge, LATER) == 2
        assert await everything(engine) == before
        assert [it.id for it in seen] == [alone, second.id]
        assert seen[1].first == second.first
    assert lonely.first is not None


async def test_both_games_go_with_their_server(store: Store, engine: AsyncEngine) -> None:
    second = await second_of_two(store)
    await store.matches.append(second.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), ranks=(1, 1)))
    await second_of_two(store)
    elsewhere = await second_of_two(store, place=Place(None, 5))
    await store.servers.depart(NOW, GUILD)
    assert await store.servers.forget(GUILD, NOW)
    left = await rows(engine)
    assert elsewhere.first is not None
    assert len(left["matches"]) == 2
    assert await store.matches.load(elsewhere.id) == elsewhere
    # The result still counts globally.
    assert (await store.profiles.get(ANNA, None, None, ("skull",))).runs.most_unbeaten == 1
    await assert_counted(engine)


async def test_second_games_take_two_queries_more_however_many(store: Store) -> None:
    for _ in range(3):
        await second_of_two(store)
        with statements() as asked:
            await store.matches.running()
        assert len(asked.beginning("SELECT")) == 4


@pytest.mark.soak
@pytest.mark.on_postgresql
async def test_a_first_game_that_is_taken_back_while_the_second_ends_leaves_no_rating(
    stores: tuple[Store, Store], engine: AsyncEngine
) -> None:
    one, other = stores
    seconds = [await second_of_two(one, (ANNA + n, BERT + n)) for n in range(2)]
    firsts = [it.first.id for it in seconds if it.first is not None]
    async with asyncio.timeout(120):
        await asyncio.gather(
            *(
                one.matches.append(it.id, 0, NewEntry(FIRST, NOW), Ending((WON, LOST), ranks=(1, 1)))
                for it in seconds
            ),
            *(other.matches.void(first, NOW, "two accounts") for first in firsts),
        )
    assert await everything(engine) == ([], [])
    await assert_counted(engine)
