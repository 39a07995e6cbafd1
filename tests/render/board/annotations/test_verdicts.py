"""The worth of moves on a board: a badge on each move, with a legend."""

import random

import pytest

from render import draw
from render.engine.scene import Group
from render.picture import scene
from rules.core.match import Match
from rules.games import GAMES, find
from rules.players.explore import Worth
from tests.render.board.test_every_picture import texts_can_be_read
from tests.rules.walks import AnyGame, finish, key

OPEN = [game for game in GAMES if Match.start(game, {}, game.seats[0]).legal() is not None]


def some_worths(match: Match) -> tuple[Worth, ...]:
    kinds = ((1.0, True), (0.5, True), (0.0, True), (0.3, False))
    return tuple(Worth(text, *kinds[number % 4]) for number, text in enumerate(match.legal() or ()))


@pytest.mark.parametrize("game", OPEN, ids=key)
@pytest.mark.parametrize("plies", [0, 14])
def test_moves_are_marked_and_explained_on_every_board(game: AnyGame, plies: int) -> None:
    match = finish(Match.start(game, {}, game.seats[0]), random.Random(plies), plies)
    while match.over or len(match.legal() or ()) < 4:
        match = Match.replay(match.game, match.setup, match.log[:-1])
    worths = some_worths(match)
    shown = scene(match.observe(None), worths=worths)
    marked = {name.removeprefix("worth ") for name in shown.named() if name.startswith("worth ")}
    assert marked <= {it.move for it in worths}
    assert worths[0].move in marked
    texts = [text.words for text in shown.texts()]
    assert {"won", "drawn", "lost", "estimated"} <= set(texts)
    assert (f"the best {len(marked)} of {len(worths)}" in texts) == (len(marked) < len(worths))
    texts_can_be_read(shown)


def test_signs_differ_and_not_by_colour_alone() -> None:
    """Each kind has shapes of its own: with all colours the same, no two pictures are alike."""
    match = Match.start(find("alaric"), {"size": 5}, 2)
    shapes = set()
    for value, exact in ((1.0, True), (0.5, True), (0.0, True), (0.4, False), (0.6, False)):
        shown = scene(match.observe(None), worths=(Worth("3", value, exact),))
        (badge,) = (it for it, _, _ in shown.placed() if isinstance(it, Group) and it.name == "worth 3")
        shapes.add(tuple((type(it), getattr(it, "points", getattr(it, "radius", 0))) for it in badge.shapes))
    assert len(shapes) == 5


def test_moves_without_a_known_worth_are_left_out() -> None:
    seen = Match.start(find("alaric"), {"size": 5}, 2).observe(None)
    assert scene(seen, worths=(Worth("3", None, False),)).named() == scene(seen).named()
    assert draw(seen, worths=(Worth("3", 1.0, True),)) != draw(seen)
