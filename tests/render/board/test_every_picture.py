"""Properties of the picture of every game, at any stage."""

import random
import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.game_board import draw_board
from render.board.players import Player
from render.engine import fonts
from render.engine.scene import SMALLEST_TEXT, Disc, Group, Scene, Text
from render.games import HOSTED_GAMES
from render.picture import scene
from rules.core.game import Game
from rules.core.match import Match, Observation
from rules.games import find
from tests.render.positions import matches
from tests.rules.walks import finish, step, trials

every_game = pytest.mark.parametrize("game", HOSTED_GAMES, ids=[game.key for game in HOSTED_GAMES])


@every_game
@trials(60)
@given(data=st.data())
def test_pictures_of_any_position(game: Game[Any, Any], data: st.DataObject) -> None:
    """One match is tried with all properties, because most of the time goes into playing and drawing it."""
    match = data.draw(matches(game))
    seen = match.observe(None)
    picture = scene(seen)
    texts_can_be_read(picture)
    the_page_says_whose_turn_it_is_or_who_has_won(match, seen, picture)
    texts_of_the_board_stay_within_its_size(seen)
    round_things_lie_on_the_page(picture)
    only_legal_moves_are_offered_and_none_at_the_end(match, picture)


PHONE, LEGIBLE = 400, 11
"""The width of a small picture, and the least size of its letters, in pixels."""


SMALLER = "palindromes"
"""The game whose many cards are smaller on the standard board."""


@pytest.mark.parametrize("key", [game.key for game in HOSTED_GAMES if game.key != SMALLER])
@pytest.mark.parametrize("plies", [0, 6, 13])
def test_letters_of_the_standard_board_can_be_read_on_a_phone(key: str, plies: int) -> None:
    game = find(key)
    match = finish(Match.start(game, game.sizes["standard"], 2), random.Random(plies), plies)
    if match.over:
        match = Match.replay(game, match.setup, match.log[:-1])
    picture = scene(match.observe(None))
    assert min(text.size for text in picture.texts()) * PHONE / picture.width >= LEGIBLE


IN_FRAME, SMALL, SMALL_WITH_NAMES = 303, 10, 9
"""The width of a picture in the frame of a message on such a phone, and the least sizes of its texts, in pixels: with
names of usual length, and where a reason with two long names fills the width of the poster."""
NAMES = Player(0, "Grace"), Player(1, "Ada")


@every_game
def test_texts_of_a_whole_game_can_be_read_in_a_message(game: Game[Any, Any]) -> None:
    for options in game.sizes.values():
        texts_of_a_game_can_be_read(Match.start(game, options, 2))


def texts_of_a_game_can_be_read(match: Match) -> None:
    chance = random.Random(3)
    while not match.over:
        texts_can_be_read_in_a_message(scene(match.observe(None)))
        match = step(match, chance)
    texts_can_be_read_in_a_message(scene(match.observe(None), players=NAMES))


@every_game
def test_posters_with_the_longest_names_can_be_read_in_a_message(game: Game[Any, Any]) -> None:
    """Also the reason of the end, which holds a name, fills the width of the poster."""
    names = Player(0, "Wilhelmina Wuthering"), Player(1, "Maximilian Montgomery")
    match = finish(Match.start(game, next(iter(game.sizes.values())), 2), random.Random(5), 400)
    assert match.over
    texts_can_be_read_in_a_message(scene(match.observe(None), players=names), SMALL_WITH_NAMES)


def texts_can_be_read_in_a_message(picture: Scene, least: float = SMALL) -> None:
    size, words = min((text.size, text.words) for text in picture.texts())
    assert size * IN_FRAME / picture.width >= least, words


def texts_can_be_read(picture: Scene) -> None:
    texts = list(picture.texts())
    boxes = [(text.words, fonts.box(text)) for text in texts]
    assert min(text.size for text in texts) >= SMALLEST_TEXT - 1e-6
    for words, (left, top, right, bottom) in boxes:
        assert 0 <= left < right <= picture.width, words
        assert 0 <= top < bottom <= picture.height, words
    for (words, one), (others, other) in combinations(boxes, 2):
        assert not overlapping(one, other), (words, others)


def the_page_says_whose_turn_it_is_or_who_has_won(match: Match, seen: Observation, picture: Scene) -> None:
    names = picture.named()
    due = [seat for seat in match.to_move if seat is not None]
    assert ending(names, "turn") == set(map(str, due))
    assert ending(names, "winner") == set(map(str, match.winners or ()))
    words = [text.words for text in picture.texts()]
    assert (match.game.sheet.title in words) == (match.over and not match.winners)
    assert ("to play" in words) == bool(due)
    assert ("the deal" in words) == (match.to_move == (None,))
    assert any(text.startswith("wins") for text in words) == (len(match.winners or ()) == 1)
    numbers = [number for text in words for number in re.findall(r"\b\d+\b", text)]
    assert ending(names, "score") == set(map(str, range(len(seen.scores or ()))))
    assert not Counter(map(str, seen.scores or ())) - Counter(numbers)


def texts_of_the_board_stay_within_its_size(seen: Observation) -> None:
    shown = draw_board(seen.board, seen)
    width, height = shown.width * shown.unit, shown.height * shown.unit
    alone = Scene(round(width), round(height), (Group("board", shown.shapes, scale=shown.unit),))
    for text in alone.texts():
        left, top, right, bottom = fonts.box(text)
        assert 0 <= left < right <= width, text.words
        assert 0 <= top < bottom <= height, text.words


def round_things_lie_on_the_page(picture: Scene) -> None:
    for shape, (x, y), scale in picture.placed():
        if isinstance(shape, Disc):
            at = x + shape.at[0] * scale, y + shape.at[1] * scale
            reach = shape.radius * scale
            assert reach <= at[0] <= picture.width - reach
            assert reach <= at[1] <= picture.height - reach


def only_legal_moves_are_offered_and_none_at_the_end(match: Match, picture: Scene) -> None:
    offered = ending(picture.named(), "choice")
    legal = match.legal()
    assert legal is None or offered <= set(legal)
    if match.over:
        assert not offered


def test_names_of_groups_are_unique() -> None:
    twice = Scene(10, 10, (Group("stone 1", ()), Group("stone 1", ())))
    with pytest.raises(ValueError, match="stone 1"):
        twice.named()


def test_shapes_are_in_units_of_their_group() -> None:
    inner = Group("inner", (Text((1, 0), "here", 2),), (2, 1), 3)
    drawn = Scene(200, 100, (Group("outer", (inner,), (100, 50), 10),))
    assert drawn.named() == {"outer": (100, 50), "inner": (120, 60)}
    assert [(text.at, text.size) for text in drawn.texts()] == [((150, 60), 60)]


def ending(names: Iterable[str], kind: str) -> set[str]:
    """Return the rest of every name that begins with `kind`."""
    return {name.removeprefix(f"{kind} ") for name in names if name.startswith(f"{kind} ")}


def overlapping(one: fonts.Box, other: fonts.Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
