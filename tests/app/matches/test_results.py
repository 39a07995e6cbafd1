"""Ranks in a result, and which results count for ratings."""

import random

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import counts, places
from bot.ui.challenges.wording import challenge_text
from bot.ui.matches.panel import Gains, panel
from bot.ui.standings.ratings import rating_lines
from db.values.matches import MatchOptions
from db.values.places import Place
from db.values.standings import NEWCOMER, Change, Skill
from rules.core.match import DRAW, VOID, Match
from rules.games import find
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.ui.words import words


async def played(
    host: Host, game: str, moves: int, *others: int, place: Place = HERE, rated: bool = True
) -> LoadedMatch:
    """A match after so many moves."""
    loaded = await host.begin(game, "quick", place, others or (GRACE,), rated=rated)
    for _ in range(moves):
        legal = loaded.match.legal()
        assert legal
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], legal[0])
    return loaded


async def test_who_left_first_comes_last(host: Host) -> None:
    loaded = await played(host, "maze", 9, GRACE, EMMY, 104)
    match = loaded.match.play(2, "resign").play(0, "timeout").play(3, "resign")
    assert match.winners == (1,)
    assert places(match) == (3, 1, 4, 2)
    draw = loaded.match.play(2, "resign").play(None, DRAW)
    assert places(draw) == (1, 1, 4, 1)


async def test_the_others_stand_by_their_points(host: Host) -> None:
    loaded = await host.begin("cocomposite", "8", others=(GRACE, EMMY))
    while not loaded.match.over:
        legal = loaded.match.legal()
        assert legal
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], legal[-1])
    points = loaded.match.scores
    assert points is not None
    assert places(loaded.match) == tuple(1 + sum(other > mine for other in points) for mine in points)


@pytest.mark.parametrize(("game", "size", "seed"), [("maze", 3, 2), ("cocomposite", 5, 8)])
def test_a_player_who_leads_on_points_does_not_win_by_leaving(game: str, size: int, seed: int) -> None:
    chance, match = random.Random(seed), Match.start(find(game), {"size": size}, 3)

    def played(match: Match) -> Match:
        return match.play(match.to_move[0], chance.choice(match.legal() or ()))

    while max(match.scores or ()) < 3:
        match = played(match)
    leader = (match.scores or ()).index(3)
    match = match.play(leader, "timeout")
    while not match.over:
        match = played(match)
    assert [seat for seat, points in enumerate(match.scores or ()) if points >= 3] == [leader]
    assert match.winners == tuple(seat for seat in range(3) if seat != leader)
    assert places(match)[leader] == 3


@pytest.mark.parametrize(("moves", "rated"), [(0, False), (3, False), (4, True)])
async def test_a_few_moves_by_each_side_make_it_count(host: Host, moves: int, rated: bool) -> None:
    loaded = await played(host, "alaric", moves)
    after = await host.services.matches.resign(loaded.id, GRACE)
    assert counts(after.match) == rated
    changes = await host.store.ratings.changes(loaded.id)
    assert (changes is not None) == rated
    if changes is not None:
        assert changes[0].after.score > 1000 > changes[1].after.score


async def test_who_leaves_early_spoils_it_for_nobody_but_nobody_wins_by_it(host: Host) -> None:
    loaded = await played(host, "maze", 3, GRACE, EMMY)
    loaded = await host.services.matches.resign(loaded.id, EMMY)
    while not loaded.match.over:
        legal = loaded.match.legal()
        assert legal
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], legal[0])
    assert not counts(loaded.match)


async def test_what_was_broken_off_counts_for_nobody(host: Host) -> None:
    loaded = await played(host, "alaric", 4)
    assert not counts(loaded.match.play(None, VOID))
    await host.services.matches.break_off(loaded.id, HERE, "spam")
    assert await host.store.ratings.of_member(ADA) == []


async def test_a_casual_game_changes_nothing_and_is_played_again_as_one(host: Host) -> None:
    terms = terms_of("alaric", "quick", 2, 2, options=MatchOptions(rated=False))
    offer = await host.services.challenges.make(HERE, ADA, terms, [GRACE])
    assert "casual, not rated" in challenge_text(offer)
    loaded = await host.accept(offer.id, GRACE)
    for cell in ("1", "3", "5", "7"):
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], cell)
    loaded = await host.services.matches.resign(loaded.id, GRACE)
    assert counts(loaded.match)
    assert await host.store.ratings.changes(loaded.id) is None
    again, _ = await host.services.rematches.ask(loaded.id, ADA, HERE)
    assert not again.terms.rated


async def test_the_result_of_a_finished_game_is_taken_back(host: Host) -> None:
    loaded = await played(host, "alaric", 4)
    await host.services.matches.resign(loaded.id, GRACE)
    assert len(await host.services.ratings.changes(await host.services.matches.load(loaded.id))) == 2
    for place in (Place(2, 5), Place(None, 5)):
        with pytest.raises(Refused, match="no game"):
            await host.services.matches.break_off(loaded.id, place, "two accounts")
    after = await host.services.matches.break_off(loaded.id, HERE, " two\n accounts")
    assert (after.stored.void, after.stored.outcomes) == ("two accounts", None)
    assert await host.store.ratings.of_member(ADA) == []
    with pytest.raises(Refused, match="has already ended without a result"):
        await host.services.matches.break_off(loaded.id, HERE, "again")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (NEWCOMER, Skill(26, 8), "1080? (+80)"),
        (Skill(26, 8), Skill(27, 7.5), "1180? (+100)"),
        (Skill(25, 3), Skill(24, 3), "1600 (−40)"),
        (Skill(25, 3), Skill(25, 3), "1640 (+0)"),
    ],
)
async def test_how_a_change_is_told(host: Host, before: Skill, after: Skill, said: str) -> None:
    loaded = await host.begin("alaric")
    line, *about = rating_lines(loaded, [Change(ADA, before, after)])
    assert line == f"-# Rating: <@{ADA}> {said}"
    assert [it.startswith('-# "?": few rated games') for it in about] == [True] * (before == NEWCOMER)
    assert rating_lines(loaded, [Change(-ADA, before, after)]) == []


async def resigned(host: Host, moves: int, *, rated: bool = True) -> LoadedMatch:
    """A game that its second player leaves after so many moves."""
    loaded = await played(host, "alaric", moves, rated=rated)
    return await host.services.matches.resign(loaded.id, GRACE)


async def said(host: Host, loaded: LoadedMatch) -> str:
    """The lines of the last board about ratings."""
    changes = await host.services.ratings.changes(loaded)
    line, *_ = rating_lines(loaded, changes)
    board = panel(loaded, "paper", live=True, gains=Gains((), changes))
    assert line in words(board)
    return line


async def test_the_last_board_says_why_a_game_does_not_count(host: Host) -> None:
    short = await resigned(host, 3)
    assert (
        await said(host, short)
        == "-# Too short to count for ratings: every player must make at least 2 moves."
    )
    casual = await resigned(host, 4, rated=False)
    assert await said(host, casual) == "-# A casual game: ratings do not change."
    running = await played(host, "alaric", 3, rated=False)
    assert rating_lines(running, ()) == []
    broken = await host.services.matches.break_off(running.id, HERE, "spam")
    assert rating_lines(broken, ()) == []
    rated = await resigned(host, 4)
    back = await host.services.matches.break_off(rated.id, HERE, "spam")
    assert rating_lines(back, await host.services.ratings.changes(back)) == []


async def test_the_last_board_says_that_a_game_counts_less(host: Host) -> None:
    """Tests of db find out by which weight a match counts."""
    loaded = await host.begin("alaric")
    for weight, told in (
        (1, "(+80)"),
        (0.5, "The fourth game of Alaric that the same two players finished within 24 hours counts half."),
        (
            0.25,
            "The fifth game of Alaric that the same two players finished within 24 hours counts a quarter.",
        ),
        (
            0.125,
            "The sixth game of Alaric that the same two players finished within 24 hours counts an eighth.",
        ),
        (
            0,
            (
                "This game changes no ratings: the same two players had finished six rated games of Alaric"
                " in the 24 hours before."
            ),
        ),
    ):
        changes = [Change(user, Skill(25, 25 / 3), Skill(26, 8), weight) for user in (ADA, GRACE, EMMY)]
        line, _ = rating_lines(loaded, changes[:2])
        assert line.endswith(told)
        of_three, _ = rating_lines(loaded, changes)
        assert of_three.endswith(told.replace("the same two players", "two of the players"))
