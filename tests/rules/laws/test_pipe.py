"""The referee's text interface says what the Match says, ply by ply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core import record
from rules.core.match import Match
from rules.games import GAMES
from tests.rules.pipe import ask
from tests.rules.walks import AnyGame, key, matches, trials


def said(match: Match) -> dict[str, object]:
    """Return the answer that the interface must give for this match, as JSON brings it back."""
    legal = match.legal()
    scores, winners = match.scores, match.winners
    return {
        "to_move": list(match.to_move),
        "phase": match.observe(None).phase,
        "legal": None if legal is None else sorted(legal),
        "scores": None if scores is None else list(scores),
        "winners": None if winners is None else list(winners),
    }


def asked(**fields: object) -> dict[str, object]:
    (reply,) = ask([fields])
    return reply


@pytest.mark.parametrize("game", GAMES, ids=key)
@trials(25)
@given(data=st.data())
def test_the_pipe_and_the_match_agree(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    fields = record.write(match)
    assert asked(**fields) == said(match)
    on_the_way = [Match.replay(game, match.setup, match.log[:ply]) for ply in range(len(match.log) + 1)]
    assert asked(**fields, trace=True) == {"trace": [said(position) for position in on_the_way]}


@pytest.mark.parametrize("game", GAMES, ids=key)
@trials(25)
@given(data=st.data(), trace=st.booleans())
def test_the_first_wrong_move_is_named_by_its_ply(game: AnyGame, data: st.DataObject, trace: bool) -> None:
    match = data.draw(matches(game))
    fields = record.write(match)
    more = [*([seat, text] for seat, text in match.log), [0, "no move at all"], [0, "resign"]]
    with pytest.raises(ValueError) as refused:
        match.play(0, "no move at all")
    reply = asked(**(fields | {"moves": more}), trace=trace)
    assert reply == {"error": str(refused.value), "ply": len(match.log)}
