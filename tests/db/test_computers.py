"""Computer players in the store: their matches, their fixed ratings, what others are told of them."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db import rating_math
from db.store import Store
from db.values.members import COMPUTER_PLAYERS, computer_player, is_computer
from db.values.standings import TOGETHER
from tests.db.given import (
    ANNA,
    BERT,
    LOST,
    NOW,
    WON,
    finished,
    started,
)
from tests.db.ladder import Played, assert_counted, everything

CRAYON, NIB = computer_player(1), computer_player(5)
END = NOW + timedelta(days=6)
SCORES = {1: 1000, 2: 1100, 3: 1200, 4: 1300, 5: 1400}


@pytest.fixture
def _scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of the levels that do not change when the levels are measured again."""
    monkeypatch.setattr(rating_math, "score", lambda game, level: SCORES[level])


async def test_an_export_names_no_computer_player_by_a_number(store: Store) -> None:
    await finished(store, (ANNA, NIB), (WON, LOST))
    exported = await store.privacy.export(ANNA)
    assert str(NIB) not in str(exported)


@pytest.mark.usefixtures("_scores")
async def test_the_rating_of_a_level_never_changes(store: Store, engine: AsyncEngine) -> None:
    played = Played()
    for number, (users, outcomes, ranks) in enumerate(
        [
            ((ANNA, NIB), (WON, LOST), (1, 2)),
            ((CRAYON, ANNA), (WON, LOST), (1, 2)),
            ((ANNA, BERT), (LOST, WON), (2, 1)),
            ((NIB, BERT), (WON, LOST), (1, 2)),
        ]
    ):
        at = NOW + timedelta(days=2 * number)
        match = await finished(store, users, outcomes, ranks=ranks, at=at)
        played.ranks[match] = ranks
        await assert_counted(engine)
        for change in await store.ratings.changes(match) or ():
            if is_computer(change.user):
                assert change.before == change.after
                assert change.before.score in (1000, 1400)
    for level, user in ((1, CRAYON), (5, NIB)):
        ratings = await store.ratings.of_member(user)
        assert {it.held.skill.score for it in ratings} == {SCORES[level]}
        assert TOGETHER not in {it.leaderboard.game for it in ratings}
        assert not any(it.held.skill.provisional for it in ratings)
    anna = {it.leaderboard.game for it in await store.ratings.of_member(ANNA)}
    assert anna == {TOGETHER, "skull"}

    stored = await everything(engine)
    assert await store.ratings.rebuild(played.judge, END) == 4
    assert await everything(engine) == stored

    # Beating the strongest is worth more than beating the beginner: taking it back costs more.
    first = next(iter(played.ranks))
    rating = next(it for it in await store.ratings.of_member(ANNA) if it.leaderboard.game == "skull")
    await store.matches.void(first, END, "unfair")
    again = next(it for it in await store.ratings.of_member(ANNA) if it.leaderboard == rating.leaderboard)
    assert again.held.skill.score < rating.held.skill.score
    await assert_counted(engine)
    assert {it.held.skill.score for it in await store.ratings.of_member(NIB)} == {SCORES[5]}
    reverted = await everything(engine)
    assert await store.ratings.rebuild(played.judge, END) == 3
    assert await everything(engine) == reverted


async def test_games_of_computer_players_are_read_in_pages(store: Store) -> None:
    games = [(await started(store, (ANNA, CRAYON))).id for _ in range(3)]
    await started(store, (ANNA, BERT))
    assert [it.id for it in await store.lists.running(users=COMPUTER_PLAYERS, limit=2)] == games[:2]
    page = await store.lists.running(users=COMPUTER_PLAYERS, after=games[1], limit=2)
    assert [(it.id, it.users) for it in page] == [(games[2], (ANNA, CRAYON))]
