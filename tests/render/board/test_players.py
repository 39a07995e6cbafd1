"""Players in pictures: their seats, their avatars and their names."""

import random
from collections.abc import Iterator

import pytest

from render import Player
from render.board.players import WIDEST, YOU, avatar, lines_of, seat_items
from render.board.seats import line_width
from render.engine.scene import SMALLEST_TEXT, Group, Scene, Shape, Text
from render.picture import scene
from rules.core.match import Match
from rules.games import find
from rules.players.levels import MOST_LEVELS
from tests.rules.walks import finish

CROWD = [Player(seat, "Crayon III", 5) for seat in range(6)]


def texts(shapes: tuple[Shape, ...]) -> Iterator[Text]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from texts(shape.shapes)
        elif isinstance(shape, Text):
            yield shape


def words(page: Scene) -> set[str]:
    return {text.words for text in texts(page.shapes)}


def test_a_picture_names_its_computer_players() -> None:
    match = Match.start(find("alaric"), {}, 2)
    shown = scene(match.observe(None), players=[Player(1, "Brush", 2)])
    assert words(shown) - words(scene(match.observe(None))) == {"Brush"}
    assert "avatar 2" in shown.named()


PLAYERS = (Player(0, "Ada"), Player(1, "Brush", 2))


def test_banner_names_the_winner_and_the_points() -> None:
    seen = finish(Match.start(find("spaghetti"), {}, 2), random.Random(3), 1000).observe(None)
    assert seen.winners == (1,)
    assert seen.scores is not None
    first, second = seen.scores
    assert {f"Brush wins {second} : {first}", "Ada", "Brush"} <= words(scene(seen, players=PLAYERS))
    assert f"wins {second} : {first}" in words(scene(seen))
    learner = Player(0, YOU), Player(1, "Brush", 2)
    assert f"you crossed {second} strands, Brush {first}" in words(scene(seen, players=learner))


@pytest.mark.parametrize(("text", "reason"), [("resign", "by resignation"), ("timeout", "on time")])
def test_banner_leaves_out_points_that_did_not_decide(text: str, reason: str) -> None:
    match = Match.start(find("alaric"), {}, 2).play(0, "1").play(0 if text == "timeout" else 1, text)
    banner = words(scene(match.observe(None), players=PLAYERS))
    assert {f"{'Brush' if text == 'timeout' else 'Ada'} wins", reason} <= banner


def test_draw_names_both_players() -> None:
    match = Match.start(find("alaric"), {}, 2).play(0, "1").play(None, "draw")
    players = [Player(0, "Ada"), Player(1, "Grace")]
    assert "Ada and Grace draw" in words(scene(match.observe(None), players=players))


def test_lines_are_not_too_wide_and_hold_everybody() -> None:
    lines = lines_of([seat_items(player.seat, player, 12, 38) for player in CROWD])
    assert all(line_width(line) <= WIDEST for line in lines)
    found = [text for line in lines for item in line for text in texts(item.shapes)]
    assert [text.words for text in found] == ["Crayon III", "12"] * 6
    assert all(text.size >= SMALLEST_TEXT for text in found)


def test_every_level_has_an_avatar_of_its_own() -> None:
    assert len({avatar(level, (0, 0), 1).shapes for level in range(1, MOST_LEVELS + 1)}) == MOST_LEVELS
