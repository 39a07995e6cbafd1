"""Reviews of finished games, over real search processes."""

import asyncio
from dataclasses import replace

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.review import reviews as module
from bot.app.review.fair_play import FairPlay
from bot.app.review.reviews import Reviews
from bot.app.searches import Purpose
from rules.core.game import Seat
from rules.core.match import Match
from rules.players.levels import Budget
from rules.players.player import Choice
from rules.players.review import Judged
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host

BLUNDER = ("2", "6", "1", "5", "3", "7", "4")
"""A game of Alaric on 7 cells, which the second player wins from the start: with 6 they throw it away."""


async def finished(host: Host, size: str = "7", moves: tuple[str, ...] = BLUNDER) -> LoadedMatch:
    loaded = await host.begin("alaric", size)
    for ply, move in enumerate(moves):
        loaded = await host.services.matches.play(loaded.id, (ADA, GRACE)[ply % 2], move)
    return loaded


async def searched(reviews: Reviews, user: int, loaded: LoadedMatch) -> list[tuple[int, int]]:
    return [step async for step in reviews.progress(user, loaded)]


async def test_thrown_away_win_is_the_moment(host: Host) -> None:
    loaded = await finished(host)
    steps = await searched(host.services.reviews, ADA, loaded)
    assert steps[0] == (0, 7)
    assert steps == sorted(steps)
    review = await host.services.reviews.review(loaded)
    assert review.whole
    assert not review.withheld
    assert len(review.stages) == len(review.outlooks) == 8
    thrown = next(move for move in review.moments if move.ply == 1)
    assert (thrown.seat, thrown.before, thrown.after, thrown.exact) == (1, 1, 0, True)
    assert thrown.better in (review.stages[1].legal() or ())


MOMENT = Judged(1, 0, "arrange RB", 1.0, 0.0, True, 0.0, "arrange BR")


class Counting:
    """A thinker that counts its searches and passes them on."""

    def __init__(self, host: Host) -> None:
        self.host, self.count, self.waits = host, 0, asyncio.Event()
        self.waits.set()

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        self.count += 1
        await self.waits.wait()
        return await self.host.search.choose(match, seat, Budget(nodes=20), seed)


def counting(host: Host) -> tuple[Counting, Reviews]:
    thinker = Counting(host)
    services = host.services
    fair_play = FairPlay(host.store.positions)
    return thinker, Reviews(services.matches, services.history, thinker, fair_play)


async def test_review_is_searched_once(host: Host) -> None:
    thinker, reviews = counting(host)
    loaded = await finished(host)
    await asyncio.gather(searched(reviews, ADA, loaded), searched(reviews, GRACE, loaded))
    once = thinker.count
    alone, other = counting(host)
    await searched(other, ADA, loaded)
    assert alone.count == once >= 7
    assert await searched(reviews, EMMY, loaded) == []
    await reviews.review(loaded)
    assert thinker.count == once


async def test_each_member_has_one_review_at_a_time(host: Host) -> None:
    thinker, reviews = counting(host)
    first, second = await finished(host), await finished(host)
    thinker.waits.clear()
    task = asyncio.create_task(searched(reviews, ADA, first))
    while not thinker.count:
        await asyncio.sleep(0)
    with pytest.raises(Refused, match=f"I am still reviewing {first.name}"):
        await searched(reviews, ADA, second)
    with pytest.raises(Refused, match="no longer there"):
        await reviews.review(first)
    thinker.waits.set()
    await task
    once = thinker.count
    await searched(reviews, ADA, second)
    assert thinker.count == 2 * once


async def test_few_reviews_run_at_once(host: Host) -> None:
    thinker, reviews = counting(host)
    tables = [await finished(host) for _ in range(4)]
    thinker.waits.clear()
    tasks = [asyncio.create_task(searched(reviews, user, loaded)) for user, loaded in enumerate(tables)]
    while thinker.count < module.MOST_AT_ONCE:
        await asyncio.sleep(0)
    for _ in range(50):
        await asyncio.sleep(0)
    assert thinker.count == module.MOST_AT_ONCE
    thinker.waits.set()
    await asyncio.gather(*tasks)
    for loaded in tables:
        assert (await reviews.review(loaded)).whole


async def test_review_that_takes_too_long_is_shown_as_far_as_it_came(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, reviews = counting(host)
    monkeypatch.setattr(module, "LONGEST", 0)
    loaded = await finished(host)
    await searched(reviews, ADA, loaded)
    review = await reviews.review(loaded)
    assert not review.whole
    assert review.outlooks[-1] is not None
    assert review.moments == ()


async def test_oldest_reviews_are_forgotten(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    _, reviews = counting(host)
    monkeypatch.setattr(module, "KEPT", 1)
    first, second = await finished(host), await finished(host)
    await searched(reviews, ADA, first)
    await searched(reviews, ADA, second)
    await reviews.review(second)
    with pytest.raises(Refused, match="no longer there"):
        await reviews.review(first)


async def test_positions_of_a_running_rated_game_are_left_out(host: Host) -> None:
    _, reviews = counting(host)
    loaded = await finished(host)
    await searched(reviews, ADA, loaded)
    rated = await host.begin("alaric", "7", ELSEWHERE)
    for ply, move in enumerate(BLUNDER[:2]):
        await host.services.matches.play(rated.id, (ADA, GRACE)[ply], move)
    review = await reviews.review(loaded)
    assert review.withheld
    assert [it is None for it in review.outlooks] == [True] * 5 + [False] * 3
    assert all(move.ply >= 5 for move in review.moments)
    await host.services.matches.resign(rated.id, ADA)
    assert not (await reviews.review(loaded)).withheld


async def test_last_own_game_is_picked(host: Host) -> None:
    reviews = host.services.reviews
    with pytest.raises(Refused, match="You have finished no game here yet"):
        await reviews.pick(ADA, HERE, None)
    first, second = await finished(host), await finished(host)
    assert (await reviews.pick(ADA, HERE, None)).id == second.id
    assert (await reviews.pick(EMMY, HERE, first.id)).id == first.id
    running = await host.begin("alaric")
    with pytest.raises(Refused, match="is still being played"):
        await reviews.pick(ADA, HERE, running.id)
    broken = await host.services.matches.break_off(running.id, HERE, "no reason")
    with pytest.raises(Refused, match="ended without a result; there is nothing to review"):
        await reviews.pick(ADA, HERE, broken.id)
    with pytest.raises(Refused, match="There is no game"):
        await reviews.pick(ADA, HERE, 999)


async def test_game_with_hidden_moves_is_reviewed_without_any_search(host: Host) -> None:
    thinker, reviews = counting(host)
    loaded = await host.begin("palindromes")
    loaded = await host.services.matches.resign(loaded.id, ADA)
    await searched(reviews, ADA, loaded)
    review = await reviews.review(loaded)
    assert thinker.count == 0
    assert review.hidden
    assert review.moments == ()
    with pytest.raises(Refused, match="Moves are hidden"):
        host.services.lines.begin(ADA, replace(review, moments=(MOMENT,)), 0)


async def test_rows_are_not_judged_while_any_rated_game_lays_rows(host: Host) -> None:
    _, reviews = counting(host)
    loaded = await host.begin("palindromes")
    loaded = await host.services.matches.resign(loaded.id, ADA)
    await searched(reviews, ADA, loaded)
    assert (await reviews.review(loaded)).remarks == ()
    await host.begin("palindromes", place=ELSEWHERE)
    with pytest.raises(Refused, match="A rated game"):
        await reviews.review(loaded)
