"""Pages of leaderboards compared with a plain sort in Python."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from db.rating_math import periods_of, week_of
from db.store import Store
from db.values.standings import HeldSkill, Leaderboard, PageTurn, PeriodKind, Ranked, Rating, Skill, Standings
from tests.db.ladder import keep

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
WEEK, LAST = week_of(NOW), week_of(NOW - timedelta(days=7))
SERVER, OTHER = 2**61 + 1, 202
ALWAYS, SEASON, THIS = periods_of(NOW)
LASTING = Leaderboard()
STRANGER = 5


def rated(
    user: int, score: int, board: Leaderboard = LASTING, week: int = LAST, was: int | None = None
) -> Rating:
    """Return the rating of a member with two wins, one loss and exactly this score."""
    return Rating(user, board, HeldSkill(Skill(score / 40, 25 / 3), week, was), 2, 0, 1)


def crowd(seed: int, count: int) -> list[Rating]:
    """Members of one leaderboard, many with equal scores; a third has played this week, and some of those are new."""
    chance = Random(seed)
    return [
        rated(
            user,
            chance.randint(990, 1010 + count // 4),
            week=(week := chance.choice((LAST, LAST, WEEK))),
            was=chance.choice((None, 1000, 1004)) if week == WEEK else 1001,
        )
        for user in chance.sample(range(10, 20 * count), count)
    ]


def plain(ratings: Sequence[Rating]) -> list[Ranked]:
    """Return the whole leaderboard, the best first, with all ranks counted."""
    scores = {it.user: it.held.skill.score for it in ratings}
    were = {it.user: it.held.was if it.held.week == WEEK else scores[it.user] for it in ratings}
    past = [was for was in were.values() if was is not None]
    return [
        Ranked(
            1 + sum(other > scores[it.user] for other in scores.values()),
            it,
            None if (was := were[it.user]) is None else 1 + sum(other > was for other in past),
        )
        for it in sorted(ratings, key=lambda it: (scores[it.user], it.user), reverse=True)
    ]


async def page(
    store: Store, viewer: int = STRANGER, turn: PageTurn = PageTurn.FIRST, mark: tuple[int, int] = (0, 0)
) -> Standings:
    return await store.leaderboards.page(None, None, PeriodKind.ALWAYS, NOW, viewer, 10, turn, mark)


@pytest.mark.parametrize("count", [1, 9, 10, 11, 57])
async def test_pages_forward_and_back_show_everybody_once(store: Store, count: int) -> None:
    ratings = crowd(count, count)
    await keep(store, ratings)
    expected = plain(ratings)
    seen = await page(store)
    pages = [seen]
    assert not seen.higher
    while seen.lower:
        seen = await page(store, turn=PageTurn.FORWARD, mark=seen.rows[-1].mark)
        pages.append(seen)
    assert [row for each in pages for row in each.rows] == expected
    assert {each.members for each in pages} == {count}
    assert all(each.higher for each in pages[1:])
    for earlier, later in zip(pages[-2::-1], pages[:0:-1], strict=True):
        assert await page(store, turn=PageTurn.BACK, mark=later.rows[0].mark) == earlier


async def test_the_viewer_is_shown_with_their_neighbours(store: Store) -> None:
    ratings = crowd(3, 40)
    await keep(store, ratings)
    expected = plain(ratings)
    for number in (0, 9, 10, 11, 25, 38, 39):
        own = expected[number]
        first = await page(store, own.rating.user)
        assert first.rows == tuple(expected[:10])
        near = expected[max(10, number - 1) : number + 2]
        assert first.around == (() if number < 10 else tuple(near))
        mine = await page(store, own.rating.user, PageTurn.MINE)
        assert own in mine.rows
        assert mine.around == ()
        start = expected.index(mine.rows[0])
        assert mine.rows == tuple(expected[start : start + 10])
        assert (mine.higher, mine.lower) == (start > 0, start + len(mine.rows) < 40)


async def test_members_without_a_rating_see_the_top(store: Store) -> None:
    await keep(store, crowd(4, 15))
    first = await page(store, STRANGER)
    assert await page(store, STRANGER, PageTurn.MINE) == first
    assert first.around == ()


async def test_a_page_that_is_gone_leads_to_the_end_of_the_board(store: Store) -> None:
    ratings = crowd(5, 15)
    await keep(store, ratings)
    expected = plain(ratings)
    beyond = await page(store, turn=PageTurn.FORWARD, mark=(0, 0))
    assert beyond.rows == tuple(expected[-9:])
    above = await page(store, turn=PageTurn.BACK, mark=expected[3].mark)
    assert above.rows == tuple(expected[:10])
    assert (await page(store, turn=PageTurn.BACK, mark=(10**6, 1))).rows == tuple(expected[:10])


async def test_an_empty_board_is_empty(store: Store) -> None:
    for turn in PageTurn:
        seen = await page(store, turn=turn)
        assert (seen.rows, seen.around, seen.members, seen.higher, seen.lower) == ((), (), 0, False, False)


async def test_boards_are_told_apart(store: Store) -> None:
    asked = {
        (game, guild, period_kind): Leaderboard(period, game or "", guild or 0)
        for game in (None, "skull", "alaric")
        for guild in (None, SERVER, OTHER)
        for period_kind, period in (
            (PeriodKind.ALWAYS, ALWAYS),
            (PeriodKind.SEASON, SEASON),
            (PeriodKind.WEEK, THIS),
        )
    }
    for number, board in enumerate(asked.values()):
        week = 0 if board.period else WEEK
        await keep(store, [rated(100 + number, 1000 + number, board, week)])
    for (game, guild, period_kind), board in asked.items():
        seen = await store.leaderboards.page(game, guild, period_kind, NOW, STRANGER, 10)
        assert seen.leaderboard == board
        assert [row.rating.leaderboard for row in seen.rows] == [board]
        assert [row.before for row in seen.rows] == [None]
    next_month = await store.leaderboards.page(
        None, None, PeriodKind.SEASON, NOW + timedelta(days=31), STRANGER, 10
    )
    assert next_month.rows == ()
