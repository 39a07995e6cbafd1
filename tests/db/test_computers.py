"""Computer players in the store: their matches, their fixed ratings, what others are told of them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from db import rating_math
from db.store import Store
from db.values.challenges import Reply
from db.values.members import COMPUTER_PLAYERS, computer_player, is_computer
from db.values.proposals import Matter, NewProposal
from db.values.standings import TOGETHER
from rules.core.match import Setup
from tests.db.given import (
    ANNA,
    BERT,
    CLEO,
    LOST,
    NOW,
    SKULL,
    WON,
    finished,
    new_challenge,
    started,
)
from tests.db.ladder import Played, assert_counted, everything

CRAYON, NIB = computer_player(1), computer_player(5)
ALARIC = Setup("alaric", (("size", 13),), 2)
END = NOW + timedelta(days=6)
SCORES = {1: 1000, 2: 1100, 3: 1200, 4: 1300, 5: 1400}


@pytest.fixture
def _scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of the levels that do not change when the levels are measured again."""
    monkeypatch.setattr(rating_math, "score", lambda game, level: SCORES[level])


async def test_the_last_computer_player_in_a_game_is_found(store: Store) -> None:
    await started(store, (ANNA, NIB))
    await started(store, (CRAYON, ANNA))
    await started(store, (ANNA, NIB), setup=ALARIC)
    await started(store, (BERT, NIB))
    await started(store, (ANNA, CLEO))
    assert await store.history.last_computer(ANNA, "skull") == (CRAYON, SKULL.options)
    assert await store.history.last_computer(ANNA, "alaric") == (NIB, ALARIC.options)
    assert await store.history.last_computer(ANNA, "maze") is None
    assert await store.history.last_computer(CLEO, "skull") is None


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


async def test_proposals_that_wait_for_computer_players_are_found(store: Store) -> None:
    """In a game of three, two computer players are asked; those who have agreed are not."""
    of_three = Setup("maze", (), 3)
    games = [
        await started(store, (ANNA, CRAYON, NIB), setup=of_three),
        await started(store, (ANNA, CRAYON)),
        await started(store, (ANNA, BERT)),
    ]
    offers = [await store.proposals.add(NewProposal(it.id, Matter.DRAW, 0, 0, NOW), 0) for it in games]
    waiting, agreed, _ = [it.id for it in offers]
    assert await store.proposals.unanswered_by_computers(5) == [waiting, agreed]
    assert await store.proposals.unanswered_by_computers(1) == [waiting]
    await store.proposals.agree(agreed, 1, NOW)
    assert await store.proposals.unanswered_by_computers(5) == [waiting]


async def test_games_of_computer_players_are_read_in_pages(store: Store) -> None:
    games = [(await started(store, (ANNA, CRAYON))).id for _ in range(3)]
    await started(store, (ANNA, BERT))
    assert [it.id for it in await store.lists.running(users=COMPUTER_PLAYERS, limit=2)] == games[:2]
    page = await store.lists.running(users=COMPUTER_PLAYERS, after=games[1], limit=2)
    assert [(it.id, it.users) for it in page] == [(games[2], (ANNA, CRAYON))]


async def test_challenges_that_all_agreed_to_are_found(store: Store) -> None:
    asked = await store.challenges.add(new_challenge())
    assert await store.challenges.agreed(5) == []
    everybody = tuple(replace(it, reply=Reply.IN) for it in asked.participants)
    agreed = await store.challenges.add(replace(new_challenge(), participants=everybody))
    assert await store.challenges.agreed(5) == [agreed.id]
