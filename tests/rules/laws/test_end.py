"""Every match ends: played out, left, agreed or broken off."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import Illegal
from rules.core.match import LEAVING, Match
from tests.rules.walks import SUBJECTS, AnyGame, finish, key, matches, trials

BOUND = 5000
"""Plies. The longest of 1,500 random games of Alaric on 21 cells took 343; nothing else comes near."""


def check_form(match: Match) -> None:
    """Check what holds in every position, also after somebody has won or left."""
    players = range(match.setup.players)
    scores, winners = match.scores, match.winners
    assert scores is None or len(scores) == match.setup.players
    assert len(match.game.phase(match.state).split()) == 1
    if winners is None:
        assert match.to_move == (None,) or set(match.to_move) <= set(match.playing)
        assert match.to_move
        assert list(match.to_move) == sorted(set(match.to_move), key=str)
        assert match.legal() != ()
    else:
        assert winners
        assert set(winners) <= set(match.playing) <= set(players)
        assert list(winners) == sorted(set(winners))
        assert match.to_move == ()
        assert match.legal() == ()


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(40)
@given(data=st.data())
def test_positions_have_the_form_that_the_contract_says(game: AnyGame, data: st.DataObject) -> None:
    check_form(data.draw(matches(game)))


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
def test_random_games_of_every_named_size_end(game: AnyGame) -> None:
    fewest, most = game.seats
    for options in game.sizes.values():
        for seed, players in enumerate((fewest, most)):
            match = finish(Match.start(game, options, players), random.Random(seed), BOUND)
            assert match.over
            check_form(match)
            assert match.playing == tuple(range(players))


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(15)
@given(data=st.data())
def test_a_seat_that_leaves_keeps_its_points_but_cannot_win(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    if match.over:
        return
    for seat in match.playing:
        word = data.draw(st.sampled_from(LEAVING))
        after = match.play(seat, f" {word.upper()} ")
        assert after.log == (*match.log, (seat, word))
        assert after.left == (*match.left, (seat, word))
        assert after.playing == tuple(other for other in match.playing if other != seat)
        check_form(after)
        if len(after.playing) == 1:
            assert after.winners == after.playing
        if match.scores is not None and after.scores is not None:
            assert after.scores[seat] >= match.scores[seat]
        end = finish(after, random.Random(data.draw(st.integers(0, 99))), BOUND)
        assert end.winners is not None
        assert seat not in end.winners
        assert all(ply.seat != seat for ply in end.log[len(after.log) :])


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(15)
@given(data=st.data())
def test_a_seat_that_has_left_cannot_leave_again(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    for seat, _ in match.left:
        for word in LEAVING:
            with pytest.raises(Illegal) as refused:
                match.play(seat, word)
            assert refused.value.rule == ("over" if match.over else "left")
    for nobody in (None, -1, match.setup.players):
        with pytest.raises(ValueError):
            match.play(nobody, "resign")


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(15)
@given(data=st.data())
def test_an_agreed_draw_is_shared_by_all_who_still_play(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    if match.over:
        return
    after = match.play(None, "Draw")
    assert after.log == (*match.log, (None, "draw"))
    assert after.agreed
    assert after.winners == match.playing
    assert after.scores == match.scores
    check_form(after)
    for seat in match.playing:
        with pytest.raises(ValueError):
            match.play(seat, "draw")


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(15)
@given(data=st.data())
def test_a_match_broken_off_is_nobodys_and_keeps_its_secrets(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    if match.over:
        return
    after = match.play(None, "void")
    assert (after.over, after.winners, after.to_move, after.legal()) == (True, (), (), ())
    for seat in (None, *range(match.setup.players)):
        assert after.seen(seat) == (*match.seen(seat), (None, "void"))
        assert after.observe(seat).board == match.observe(seat).board
        with pytest.raises(Illegal):
            after.play(seat, "resign")
        with pytest.raises(ValueError):
            match.play(0 if seat is None else seat, "void")


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(15)
@given(data=st.data(), text=st.sampled_from([*LEAVING, "draw", "a1", "1", "", "no move at all"]))
def test_nothing_follows_the_end(game: AnyGame, data: st.DataObject, text: str) -> None:
    match = data.draw(matches(game, longest=6))
    over = finish(match, random.Random(data.draw(st.integers(0, 99))), BOUND)
    for seat in (None, *range(match.setup.players)):
        with pytest.raises(Illegal) as refused:
            over.play(seat, text)
        assert refused.value.rule == "over"
    assert all(over.observe(seat).prompt is None for seat in range(match.setup.players))
