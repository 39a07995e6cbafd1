"""A match is its record: whatever was played, the log alone brings it back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core import record
from rules.core.match import Match
from tests.rules.walks import SUBJECTS, AnyGame, key, matches, trials


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(40)
@given(data=st.data())
def test_replay_restores_the_match(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    again = Match.replay(game, match.setup, match.log)
    assert again == match
    assert again.state == match.state
    assert hash(again.state) == hash(match.state)
    for seat in (None, *range(match.setup.players)):
        assert again.observe(seat) == match.observe(seat)
        assert hash(again.observe(seat)) == hash(match.observe(seat))


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(20)
@given(data=st.data())
def test_every_ply_of_the_log_is_a_position_on_the_way(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, longest=15))
    on_the_way = Match.start(game, dict(match.setup.options), match.setup.players)
    for ply, (seat, text) in enumerate(match.log):
        assert on_the_way == Match.replay(game, match.setup, match.log[:ply])
        assert not on_the_way.over
        on_the_way = on_the_way.play(seat, text)
    assert on_the_way == match


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(30)
@given(data=st.data())
def test_a_record_is_read_as_it_was_written(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    fields = json.loads(json.dumps(record.write(match)))
    assert fields["game"] == game.key
    assert record.read_match(game, fields) == match


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
def test_an_empty_record_has_the_defaults_and_the_fewest_players(game: AnyGame) -> None:
    options, players = record.read_options(game, {"game": game.key})
    match = Match.start(game, options, players)
    assert dict(match.setup.options) == {option.key: option.default for option in game.options}
    assert list(game.sizes["standard"]) == [option.key for option in game.options]
    assert match.setup.players == game.seats[0]
