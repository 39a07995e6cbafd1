"""Legal moves are accepted, everything else is refused, and a refusal changes nothing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import Illegal, RuleError
from rules.core.match import Match
from tests.rules.walks import SUBJECTS, AnyGame, key, matches, texts, trials

picks = st.integers(0, 9999)


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(25)
@given(data=st.data())
def test_every_legal_move_is_accepted_and_means_itself(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    chance = random.Random(data.draw(picks))
    for seat in match.to_move:
        moves = texts(match, seat, chance)
        assert len(set(moves)) == len(moves) > 0
        for text in chance.sample(moves, min(len(moves), 12)):
            move = game.parse(match.state, seat, text)
            assert game.format(move) == text
            assert game.parse(match.state, seat, game.format(move)) == move
            after = match.play(seat, text)
            assert after.log == (*match.log, (seat, text))
            assert after.state == game.apply(match.state, seat, move)
        puzzling = [game.format(move) for move in game.puzzling(match.state)]
        assert [move for move, _ in match.refusals()] == puzzling
        assert set(puzzling).isdisjoint(moves)


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(25)
@given(data=st.data())
def test_chance_has_moves_with_weights_where_it_is_to_move(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, longest=12))
    chances = () if match.over else game.chances(match.state)
    assert bool(chances) == (match.to_move == (None,))
    assert len({move for move, _ in chances}) == len(chances)
    for move, weight in chances:
        assert weight > 0
        assert match.play(None, game.format(move)).state == game.apply(match.state, None, move)


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(25)
@given(data=st.data())
def test_texts_of_another_position_are_refused_unless_legal(game: AnyGame, data: st.DataObject) -> None:
    match, other = data.draw(matches(game)), data.draw(matches(game, longest=5))
    chance = random.Random(data.draw(picks))
    moves = [text for seat in other.to_move for text in texts(other, seat, chance)]
    judge_all(match, chance.sample(moves, min(len(moves), 12)))


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(60)
@given(data=st.data(), text=st.text("abcdefghijkmnz0123456789 -:.#`", max_size=9))
def test_any_other_text_is_refused(game: AnyGame, data: st.DataObject, text: str) -> None:
    judge_all(data.draw(matches(game, longest=15)), [text])


def judge_all(match: Match, moves: list[str]) -> None:
    """Check that each text of each seat on turn is refused or read as a legal move."""
    before = hash(match.state), match.observe(None), match.log
    legal = match.legal()
    for seat in match.to_move:
        for text in moves:
            try:
                after = match.play(seat, text)
            except RuleError:
                assert legal is None or text not in legal
            else:
                assert legal is None or after.log[-1].text in legal
                assert match.play(seat, after.log[-1].text) == after
    assert (hash(match.state), match.observe(None), match.log) == before


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(25)
@given(data=st.data())
def test_out_of_turn_is_refused(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    if match.over:
        return
    text = texts(match, match.to_move[0], random.Random(0))[0]
    for seat in {None, -1, *range(match.setup.players + 1), 10**9} - set(match.to_move):
        with pytest.raises(Illegal) as refused:
            match.play(seat, text)
        assert refused.value.rule == "turn"


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(25)
@given(data=st.data())
def test_a_prompt_asks_for_what_may_be_played(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    for seat in (None, *range(match.setup.players)):
        prompt = match.observe(seat).prompt
        assert (prompt is not None) == (seat is not None and seat in match.to_move)
        if prompt is None or seat is None:
            continue
        assert prompt.ask.endswith((".", "?"))
        game.parse(match.state, seat, prompt.example)
        if prompt.choices:
            assert prompt.choices == match.legal()
            assert prompt.example in prompt.choices
