"""Ratings change with the result, on every leaderboard, as openskill says."""

from datetime import UTC, datetime, timedelta

import pytest
from openskill.models import PlackettLuce

from db.rating_math import leaderboards_of
from db.store import Store
from db.values.places import Place
from db.values.standings import ALWAYS, EVERYWHERE, NEWCOMER, TOGETHER, Leaderboard, Rating, Skill
from tests.db.given import ANNA, BERT, CLEO, DRAWN, GUILD, LOST, NOW, WON, changes_of, finished, started

OVERALL = Leaderboard()
HERE = Leaderboard(ALWAYS, "skull", GUILD)
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
TIRED = (1.0, 1.0, 1.0, 0.5, 0.25, 0.125, 0.0)


async def on(store: Store, user: int, board: Leaderboard = OVERALL) -> Rating:
    (found,) = (it for it in await store.ratings.of_member(user) if it.leaderboard == board)
    return found


async def skills(store: Store, *users: int, board: Leaderboard = OVERALL) -> list[Skill]:
    return [(await on(store, user, board)).held.skill for user in users]


async def test_a_result_without_ranks_changes_nothing(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST))
    assert await store.ratings.of_member(ANNA) == []
    assert await store.ratings.changes(match) is None
    assert await store.ratings.changes((await started(store)).id) is None


async def test_a_match_counts_on_these_leaderboards(store: Store) -> None:
    await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2), at=AT)
    periods = (ALWAYS, "2026-11", "2026-W47")
    assert [it.leaderboard for it in await store.ratings.of_member(ANNA)] == [
        Leaderboard(period, game, guild)
        for guild in (EVERYWHERE, GUILD)
        for period in periods
        for game in (TOGETHER, "skull")
    ]
    assert {(it.won, it.drawn, it.lost) for it in await store.ratings.of_member(BERT)} == {(0, 0, 1)}
    await finished(store, (CLEO, BERT), (DRAWN, DRAWN), ranks=(1, 1), place=Place(None, 5), at=AT)
    assert {it.leaderboard.guild for it in await store.ratings.of_member(CLEO)} == {EVERYWHERE}
    assert (await on(store, BERT)).games == 2
    assert (await on(store, BERT, HERE)).games == 1


def test_weeks_and_months_are_told_apart_at_the_turn_of_the_year() -> None:
    assert [it.period for it in leaderboards_of("skull", None, datetime(2027, 1, 2, tzinfo=UTC))[::2]] == [
        "",
        "2027-01",
        "2026-W53",
    ]


async def test_the_same_two_count_less_and_less_within_a_day(store: Store) -> None:
    moved = []
    for number, _ in enumerate(TIRED):
        match = await finished(
            store, (ANNA, BERT), (WON, LOST), ranks=(1, 2), at=AT + timedelta(hours=number)
        )
        changes = await changes_of(store, match)
        full = openskill_after(changes[0].before, changes[1].before)
        moved.append((changes[0].after.mu - changes[0].before.mu) / (full - changes[0].before.mu))
    assert moved == pytest.approx(TIRED)
    # With somebody else it counts, and so it does with the same one on another day.
    for users, at in (
        ((ANNA, CLEO), AT + timedelta(hours=7)),
        ((ANNA, BERT), AT + timedelta(hours=30, minutes=1)),
    ):
        match = await finished(store, users, (WON, LOST), ranks=(1, 2), at=at)
        changes = await changes_of(store, match)
        full = openskill_after(changes[0].before, changes[1].before)
        assert changes[0].after.mu == full


def openskill_after(winner: Skill, loser: Skill) -> float:
    model = PlackettLuce()
    teams = [[model.rating(winner.mu, winner.sigma)], [model.rating(loser.mu, loser.sigma)]]
    return model.rate(teams)[0][0].mu


async def test_what_a_match_has_changed(store: Store) -> None:
    match = await finished(store, (ANNA, BERT), (WON, LOST), ranks=(1, 2))
    changes = await changes_of(store, match)
    assert [(it.user, it.before) for it in changes] == [(ANNA, NEWCOMER), (BERT, NEWCOMER)]
    assert [it.after for it in changes] == await skills(store, ANNA, BERT, board=HERE)
    assert (changes[0].before.score, changes[0].before.provisional) == (1000, True)
    await finished(store, (ANNA, CLEO), (LOST, WON), ranks=(2, 1), at=NOW + timedelta(days=1))
    assert await store.ratings.changes(match) == changes
