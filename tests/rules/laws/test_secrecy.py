"""A secret move changes nothing that anybody else can observe, until the game shows it."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.core.game import Seat
from rules.core.match import HIDDEN, Match, Ply
from rules.games.palindromes import PalindromesState
from tests.rules.sealed import SealedState
from tests.rules.walks import SAMPLERS, SUBJECTS, AnyGame, key, matches, texts, trials

WITH_SECRETS = tuple(game for game in SUBJECTS if game.key in SAMPLERS)


def leaks(match: Match, actor: Seat | None, one: str, other: str) -> list[Seat | None]:
    """Return the observers who can tell whether `actor` has played `one` or `other`, though they should not.

    What chance deals is for the seats to know; only a spectator must not. Where the move ends the secrecy
    (the last of those who act at the same time has acted) nobody leaks.
    """
    after, instead = match.play(actor, one), match.play(actor, other)
    waiting = set(after.to_move) & set(match.to_move) - {actor}
    if after.to_move != instead.to_move or (actor is not None and not waiting):
        return []
    seats = () if actor is None else range(match.setup.players)
    return [
        seat
        for seat in (None, *seats)
        if (seat is None or seat != actor)
        and (after.observe(seat) != instead.observe(seat) or after.seen(seat) != instead.seen(seat))
    ]


@pytest.mark.parametrize("game", WITH_SECRETS, ids=key)
@trials(60)
@given(data=st.data())
def test_nobody_can_tell_two_secret_moves_apart(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, longest=12))
    chance = random.Random(data.draw(st.integers(0, 99)))
    assume(not match.over and game.secret(match.state))
    for actor in match.to_move:
        moves = texts(match, actor, chance)
        for text in moves[1:]:
            assert leaks(match, actor, moves[0], text) == []


@pytest.mark.parametrize("game", WITH_SECRETS, ids=key)
@trials(30)
@given(data=st.data())
def test_the_log_shows_secret_moves_to_their_own_seat_and_to_all_when_it_is_over(
    game: AnyGame, data: st.DataObject
) -> None:
    match = data.draw(matches(game, longest=12))
    for seat in (None, *range(match.setup.players)):
        expected = []
        for index, (who, text) in enumerate(match.log):
            if index not in match.secrets or match.over or (who is not None and who == seat):
                expected.append((who, text))
            elif index not in match.unseen:
                expected.append((who, HIDDEN))
        assert list(match.seen(seat)) == expected
        assert match.observe(seat).plies == len(expected)


@pytest.mark.parametrize("game", WITH_SECRETS, ids=key)
@trials(60)
@given(data=st.data())
def test_nobody_notices_a_secret_move_that_leaves_the_same_seats_on_turn(
    game: AnyGame, data: st.DataObject
) -> None:
    match = data.draw(matches(game, longest=12))
    chance = random.Random(data.draw(st.integers(0, 99)))
    assume(not match.over and game.secret(match.state))
    for actor in match.to_move:
        for text in texts(match, actor, chance):
            after = match.play(actor, text)
            if after.to_move == match.to_move:
                others = [seat for seat in (None, *range(match.setup.players)) if seat != actor]
                assert [after.observe(seat) for seat in others] == [match.observe(seat) for seat in others]
                assert [after.seen(seat) for seat in others] == [match.seen(seat) for seat in others]


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(30)
@given(data=st.data())
def test_secret_moves_are_never_listed(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    if not match.over and game.secret(match.state):
        assert match.legal() is None
        prompts = [match.observe(seat).prompt for seat in range(match.setup.players)]
        assert all(not prompt.choices for prompt in prompts if prompt is not None)
    if game.key not in SAMPLERS:
        assert match.secrets == frozenset()
        assert match.legal() is not None


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(60)
@given(data=st.data())
def test_sealed_moves_are_opened_all_together(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, longest=12))
    bids: tuple[object, ...]
    match match.state:
        case SealedState():
            bids = match.state.bids
        case PalindromesState():
            bids = match.state.rows if not match.state.arranged else ()
        case _:
            assert match.sealed == ()
            return
    made = [seat for seat, bid in enumerate(bids) if bid is not None]
    assert match.opened == (match.over or not made)
    if not match.opened:
        assert sorted(match.log[index].seat or 0 for index in match.sealed) == made
        assert all(match.seen(None).count(Ply(seat, HIDDEN)) for seat in made)
    assert set(match.sealed) <= match.secrets
    assert all(match.log[index].text.split()[0] in ("bid", "arrange") for index in match.sealed)
