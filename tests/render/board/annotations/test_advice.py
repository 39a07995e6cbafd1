"""Advice on a board: the better move has a tick, the move that was played is dashed, both are named below."""

import random

import pytest

from render import Advice, alt, draw
from render.picture import scene
from rules.core.match import Match
from rules.games import GAMES, find
from tests.render.board.test_every_picture import texts_can_be_read
from tests.rules.walks import AnyGame, finish, key

OPEN = [game for game in GAMES if Match.start(game, {}, game.seats[0]).legal() is not None]


@pytest.mark.parametrize("game", OPEN, ids=key)
@pytest.mark.parametrize("plies", [0, 9, 12, 20])
def test_moves_are_marked_and_named_on_every_board(game: AnyGame, plies: int) -> None:
    match = finish(Match.start(game, {}, game.seats[0]), random.Random(plies), plies)
    while match.over or len(match.legal() or ()) < 2:
        match = Match.replay(match.game, match.setup, match.log[:-1])
    legal = match.legal() or ()
    advice = Advice(legal[-1], legal[0])
    seen = match.observe(None)
    shown = scene(seen, advice=advice)
    names = shown.named()
    assert {f"better {legal[-1]}", f"played {legal[0]}"} <= set(names)
    assert set(scene(seen).named()) <= set(names)
    texts = [text.words for text in shown.texts()]
    assert f"better {legal[-1]}" in texts
    assert f"played {legal[0]}" in texts
    texts_can_be_read(shown)


def test_hint_marks_one_move() -> None:
    seen = Match.start(find("alaric"), {"size": 5}, 2).observe(0)
    shown = scene(seen, advice=Advice("3"))
    assert [name for name in shown.named() if name.startswith(("better", "played"))] == ["better 3"]
    assert "best found 3" in [text.words for text in shown.texts()]
    assert draw(seen, advice=Advice("3")) != draw(seen)


def test_move_without_a_place_on_the_board_is_left_out() -> None:
    seen = Match.start(find("palindromes"), {}, 2).play(0, "resign").observe(None)
    rows = Advice("arrange " + "RB" * 8, "arrange " + "BR" * 8)
    assert scene(seen, advice=rows) == scene(seen)


def test_words_say_what_is_marked() -> None:
    seen = Match.start(find("alaric"), {"size": 5}, 2).observe(0)
    assert "The move 3 is marked with a tick." in alt(seen, advice=Advice("3"))
    assert "The better move, 3, is marked with a tick; 1, which was played, is dashed." in alt(
        seen, advice=Advice("3", "1")
    )
