"""Candidates for a move: marked and named on the player's own board, larger where a part of it is chosen."""

import io
import random
from collections.abc import Mapping
from itertools import combinations

import pytest
import shapely
from PIL import Image

from bot.ui.moves.controls import candidates_of
from bot.ui.moves.parts import Part, divide, part_at
from render import THEMES, Candidates
from render.board.annotations.candidates import candidates_scene, candidates_text
from render.board.game_board import draw_board
from render.engine.scene import Group, Point, Role, Scene, Stroke
from render.games import HOSTED_GAMES
from render.picture import draw_candidates
from rules.core.match import Match, Observation
from rules.core.notation import letters_of
from rules.core.prompt import Prompt
from rules.games import find
from tests.render.board.test_every_picture import texts_can_be_read
from tests.rules.walks import SAMPLERS, AnyGame, finish

CASES = [
    ("skull", {"width": 8, "height": 7}, 0, "0."),
    ("xlines", {}, 3, "2."),
    ("xlines", {}, 8, "2."),
    ("polygons", {}, 3, "0."),
    ("polygons", {}, 5, "4.1."),
    ("polygons", {}, 8, "3."),
    ("spaghetti", {}, 3, "2."),
    ("spaghetti", {}, 8, "1."),
    ("spaghetti", {"size": 11}, 11, "1.2."),
    ("maze", {}, 5, "0."),
    ("maze", {"size": 8}, 5, "0."),
    ("cocomposite", {}, 0, "0."),
    ("alaric", {"size": 40}, 0, "1."),
]


def position(game: str, options: dict[str, int], plies: int) -> tuple[Observation, Prompt]:
    match = finish(Match.start(find(game), options, 2), random.Random(plies), plies)
    seen = match.observe(match.to_move[0])
    assert seen.prompt is not None
    return seen, seen.prompt


def largest(game: AnyGame) -> dict[str, int]:
    """Return the options of the largest named size."""
    return dict([*game.sizes.values()][-1])


def is_divided(game: AnyGame) -> bool:
    """Return True if the largest board has more moves at the start than buttons."""
    _, prompt = position(game.key, largest(game), 0)
    return bool(divide(prompt, Part("", prompt.choices)))


CASES += [
    (game.key, largest(game), 0, "0.")
    for game in HOSTED_GAMES
    if game.key not in {listed for listed, *_ in CASES} and game.key not in SAMPLERS and is_divided(game)
]


def chosen(game: str, options: dict[str, int], plies: int, path: str) -> tuple[Candidates, Scene]:
    seen, prompt = position(game, options, plies)
    candidates = candidates_of(prompt, part_at(prompt, path))
    return candidates, candidates_scene(draw_board(seen.board, seen), candidates)


def test_lines_that_turn_have_letters() -> None:
    candidates, drawn = chosen("xlines", {}, 8, "2.")
    letters = letters_of(candidates.names)
    assert letters
    assert sorted(it.words for it in drawn.texts() if len(it.words) == 1 and it.words.isupper()) == sorted(
        letters.values()
    )


@pytest.mark.parametrize(("game", "options", "plies", "path"), CASES)
def test_every_candidate_is_marked_and_every_name_can_be_read(
    game: str, options: dict[str, int], plies: int, path: str
) -> None:
    candidates, scene = chosen(game, options, plies, path)
    names = scene.named()
    assert {f"candidate {name}" for name in candidates.names} <= set(names)
    page = shapely.box(0, 0, scene.width, scene.height)
    assert all(page.covers(shapely.Point(names[f"candidate {name}"])) for name in candidates.names)
    texts_can_be_read(scene)
    ends = {end for name in candidates.names for end in name.split("-")[:1] + name.split("-")[-1:]}
    written = {text.words for text in scene.texts() if text.ink is Role.INK}
    assert ends <= written


def test_what_is_not_on_offer_is_dimmed() -> None:
    """The numbers of the rim stay strong only where a candidate begins or ends."""
    candidates, scene = chosen("spaghetti", {"size": 11}, 11, "1.2.")
    strong = {text.words for text in scene.texts() if text.ink is Role.INK}
    assert strong == {end for name in candidates.names for end in name.split("-")}
    assert {text.words for text in scene.texts()} > strong


def test_places_are_ringed_and_the_chosen_one_is_filled() -> None:
    candidates, scene = chosen("spaghetti", {"size": 11}, 11, "1.")
    assert all(name.isdecimal() for name in candidates.names)
    assert candidates.place is None
    candidates, scene = chosen("polygons", {}, 8, "3.")
    assert f"chosen {candidates.place}" in scene.named()


def test_a_part_is_larger_than_on_the_board() -> None:
    seen, prompt = position("polygons", {}, 3)
    board = draw_board(seen.board, seen)
    whole = candidates_scene(board, candidates_of(prompt, Part("", prompt.choices))).named()
    part = candidates_scene(board, candidates_of(prompt, part_at(prompt, "0."))).named()

    def apart(places: Mapping[str, Point], mark: str) -> float:
        return places[f"{mark} b23"][0] - places[f"{mark} a23"][0]

    assert apart(part, "candidate") > 3 * apart(whole, "choice")


def test_routes_of_lines_do_not_cover_each_other() -> None:
    """All lines from one x can be told apart."""
    seen, prompt = position("xlines", {"size": 8}, 8)
    place = prompt.choices[0].split("-")[0]
    names = tuple(name for name in prompt.choices if name.startswith(f"{place}-"))
    assert sum(name.count("-") == 2 for name in names) > 8
    board = draw_board(seen.board, seen)
    scene = candidates_scene(board, Candidates(names, place))
    groups = {shape.name: shape for shape, _, _ in scene.placed() if isinstance(shape, Group)}
    routes = [
        next(it for it in groups[f"candidate {name}"].shapes if isinstance(it, Stroke)) for name in names
    ]
    lines = [shapely.LineString(route.points) for route in routes]
    assert all(one.intersection(other).length == 0 for one, other in combinations(lines, 2))


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_are_as_wide_as_a_page_at_most(theme: str) -> None:
    seen, prompt = position("xlines", {}, 3)
    candidates = candidates_of(prompt, part_at(prompt, "2."))
    with Image.open(io.BytesIO(draw_candidates(seen, candidates, theme))) as picture:
        assert max(picture.size) <= 900
    assert candidates_text(candidates).startswith("To choose from: a4, b4")


def test_parts_of_an_empty_board_have_their_names() -> None:
    """The places in them are not marked: there are hundreds."""
    candidates, drawn = chosen("cocomposite", {}, 0, "")
    words = [text.words for text in drawn.texts()]
    assert {str(part) for part in candidates.parts} <= set(words)
    assert "h8" not in words
    assert not any(name.startswith(("candidate", "choice")) for name in drawn.named())
    assert candidates_text(candidates).startswith("To choose from: a13–d16, e13–h16")


def test_parts_are_outlined() -> None:
    _, prompt = position("polygons", {}, 3)
    part = part_at(prompt, "0.")
    candidates = candidates_of(prompt, part)
    assert len(candidates.parts) == sum(bool(it.moves) for row in divide(prompt, part) for it in row) == 4


def test_a_part_is_shown_on_the_whole_board_if_names_fit() -> None:
    """So a player still sees what else is on the board."""
    for game, whole in (("xlines", True), ("polygons", True), ("spaghetti", True), ("cocomposite", False)):
        seen, prompt = position(game, dict(find(game).sizes["standard"]), 0)
        board = draw_board(seen.board, seen)
        drawn = candidates_scene(board, candidates_of(prompt, part_at(prompt, "1.")))
        shown = {text.words for text in drawn.texts()}
        assert ("1" in shown) == whole, game


def test_a_part_is_cut_off_between_rows() -> None:
    for path in ("0.", "12."):
        seen, prompt = position("cocomposite", {}, 0)
        drawn = candidates_scene(draw_board(seen.board, seen), candidates_of(prompt, part_at(prompt, path)))
        names = drawn.named()
        rows = sorted({names[name][1] for name in names if name.startswith("candidate ")})
        pitch = rows[1] - rows[0]
        if path == "0.":
            assert (drawn.height - rows[-1]) % pitch == pytest.approx(pitch / 2 + 12, abs=1)
        else:
            assert rows[0] % pitch == pytest.approx(pitch / 2 + 12, abs=1)
