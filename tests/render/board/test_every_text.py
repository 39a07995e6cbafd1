"""Properties of the texts of every game, at any stage."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import alt, caption, text_board
from render.board.seats import SEAT_MARKS, seat_mark
from render.board.text import ALT_LIMIT, TEXT_LIMIT
from render.games import HOSTED_GAMES
from rules.core.game import Game
from rules.core.match import Match, Observation
from tests.render.positions import matches
from tests.rules.walks import played, trials

every_game = pytest.mark.parametrize("game", HOSTED_GAMES, ids=[game.key for game in HOSTED_GAMES])


@every_game
@trials(100)
@given(data=st.data())
def test_texts_of_any_position(game: Game[Any, Any], data: st.DataObject) -> None:
    """One match is tried with all properties, because most of the time goes into playing it."""
    match = data.draw(matches(game))
    seen = match.observe(None)
    alt_keeps_within_its_limit(game, seen, data.draw(st.integers(40, ALT_LIMIT)))
    assert alt(seen) == alt(seen, 1_000_000), "a file description leaves nothing out"
    texts_say_whose_turn_it_is_or_who_has_won(match, seen)
    text_board_fits_a_message_and_a_phone(seen)


def alt_keeps_within_its_limit(game: Game[Any, Any], seen: Observation, limit: int) -> None:
    short = alt(seen, limit)
    assert 0 < len(short) <= limit
    assert short.startswith(game.sheet.title)
    assert short.endswith((".", "…"))
    assert len(alt(seen, 256)) > 60


def texts_say_whose_turn_it_is_or_who_has_won(match: Match, seen: Observation) -> None:
    for first in (text_board(seen).splitlines()[0], alt(seen).removeprefix(f"{match.game.sheet.title}. ")):
        if match.to_move == (None,):
            assert first.startswith("Waiting for the deal")
        elif match.winners is None:
            assert first.startswith(f"The {SEAT_MARKS[match.to_move[0] or 0].word}")
            assert " to play" in first
        elif len(match.winners) == 1:
            assert first.startswith(f"The {SEAT_MARKS[match.winners[0]].word}")
            assert " has won" in first
        elif match.winners == match.playing:
            assert first.startswith("A draw")
        else:
            assert first.startswith(f"The {SEAT_MARKS[match.winners[0]].word}")
            assert " share the win" in first


def text_board_fits_a_message_and_a_phone(seen: Observation) -> None:
    text = text_board(seen)
    assert len(text) <= TEXT_LIMIT
    assert "`" not in text
    _, *rows = text.splitlines()
    assert all(len(row) <= 40 for row in rows)


@every_game
def test_captions_before_the_first_move_and_after_leaving(game: Game[Any, Any]) -> None:
    start = played(game)
    assert caption(start.observe(None)) == ""
    assert caption(start.play(0, "resign").observe(None)) == "the first player (ring) resigned"
    assert caption(start.play(1, "timeout").observe(None)) == "the second player (bars) ran out of time"
    assert caption(start.play(None, "draw").observe(None)) == "a draw was agreed"


@every_game
def test_the_reason_of_an_early_end_is_given(game: Game[Any, Any]) -> None:
    start = played(game)
    assert "has won, by resignation" in alt(start.play(0, "resign").observe(None))
    assert "has won, on time" in alt(start.play(0, "timeout").observe(None))
    assert "A draw, by agreement" in alt(start.play(None, "draw").observe(None))


def test_every_seat_has_marks_of_its_own() -> None:
    seats = range(6)
    assert len({seat_mark(seat) for seat in seats}) == 6
    assert len({SEAT_MARKS[seat].letter for seat in seats}) == 6
    assert len({SEAT_MARKS[seat].mark for seat in seats}) == 6
    assert all(len(seat_mark(seat)) == 1 for seat in seats)
