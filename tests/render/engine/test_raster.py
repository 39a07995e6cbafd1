"""Pictures are the same whatever was drawn before, although the pixels of their ground and their lines are kept."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.engine import sketch
from render.engine.raster import GROUNDS, KEPT, paint, png
from render.engine.scene import Area, Disc, Group, Ring, Role, Scene, Stroke, Text
from render.engine.theme import THEMES
from render.games import HOSTED_GAMES
from render.picture import draw, scene
from render.replay import positions
from rules.core.game import Game
from rules.core.match import Match
from rules.games import find
from tests.rules.walks import finish, starts, step, trials

pytestmark = pytest.mark.slow


def forget() -> None:
    """Draw the next picture as if it were the first one."""
    GROUNDS.clear()
    sketch.forget()
    KEPT.clear()


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.key, marks=() if game.key == "palindromes" else pytest.mark.soak)
        for game in HOSTED_GAMES
    ],
)
@trials(6)
@given(data=st.data())
def test_picture_does_not_depend_on_earlier_ones(game: Game[Any, Any], data: st.DataObject) -> None:
    """Over the moves of a game, for everybody and for a player, in both themes."""
    match = data.draw(starts(game))
    chance = random.Random(data.draw(st.integers(0, 9999)))
    match = finish(match, chance, chance.randrange(40))
    seen = []
    for _ in range(2):
        seats = [None, *range(match.setup.players)]
        seen += [(scene(match.observe(chance.choice(seats))), chance.choice([*THEMES]))]
        match = match if match.over else step(match, chance)
    kept = [png(*one) for one in seen]
    for (page, theme), picture in zip(seen, kept, strict=True):
        forget()
        assert png(page, theme) == picture


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=lambda game: game.key)
def test_ground_shows_what_everybody_sees(game: Game[Any, Any]) -> None:
    match = Match.start(game, {}, game.seats[0])
    for moves in range(0, 40, 4):
        at = finish(match, random.Random(3), moves)
        grounds = [scene(at.observe(viewer)).ground for viewer in (None, *range(at.setup.players))]
        assert grounds == [grounds[0]] * len(grounds)


def test_picture_of_one_player_does_not_reach_another() -> None:
    """The rows of Palindromes are hidden. Whatever was drawn before, a picture shows what it shows when drawn first."""
    match = Match.start(find("palindromes"), {}, 2)
    match = finish(match, random.Random(4), 1)
    viewers = None, 0, 1
    alone = {}
    for viewer in viewers:
        forget()
        alone[viewer] = draw(match.observe(viewer))
    assert len(set(alone.values())) == len(viewers)
    for first in viewers:
        forget()
        draw(match.observe(first))
        for then in viewers:
            assert draw(match.observe(then)) == alone[then]


_AT = st.tuples(st.floats(-20, 180), st.floats(-20, 120))
_INK = st.sampled_from((Role.INK, Role.PASTA, Role.SEAT_1))
_WIDTH = st.floats(0.5, 12)
_POINTS = st.lists(_AT, min_size=3, max_size=4, unique=True).map(tuple)
_LEAF = st.one_of(
    st.builds(Disc, _AT, _WIDTH, _INK),
    st.builds(
        Ring, _AT, st.floats(4, 40), _WIDTH, _INK, st.sampled_from((0, 7)), st.sampled_from((0.0, 1.0))
    ),
    st.builds(Stroke, _POINTS, _WIDTH, _INK, st.sampled_from((0.0, 1.0)), st.booleans()),
    st.builds(Area, _POINTS, _INK, st.sampled_from((0.0, 1.0))),
    st.builds(
        Text, _AT, st.sampled_from(("a1", "Wj")), st.floats(10, 30), _INK, anchor=st.sampled_from("lmr")
    ),
)
_SHAPE = st.one_of(_LEAF, st.builds(Group, st.just(""), st.tuples(_LEAF, _LEAF), _AT, st.floats(0.3, 2)))


@trials(40)
@given(data=st.data())
def test_kept_pictures_change_no_pixel(data: st.DataObject) -> None:
    """Pages share some of their shapes, in the same or another order, above the same ground."""
    pool = data.draw(st.lists(_SHAPE, min_size=2, max_size=9))
    ground = (data.draw(_SHAPE),)
    width = data.draw(st.sampled_from((None, 113)))
    orders = [data.draw(st.lists(st.sampled_from(pool), max_size=9)) for _ in range(2)]
    some = [[it for it in pool if data.draw(st.booleans())] for _ in range(3)]
    pages = [Scene(160, 100, tuple(shapes), ground) for shapes in (pool, *some, *orders)]
    forget()
    kept = [paint(page, "paper", width).tobytes() for page in pages]
    for page, pixels in zip(pages, kept, strict=True):
        forget()
        assert paint(page, "paper", width).tobytes() == pixels


def test_only_what_differs_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second page has another disc, far from the others; a third page that is equal needs nothing."""
    pieces: list[Image.Image] = []
    quantize = Image.Image.quantize

    def counted(piece: Image.Image, *args: Any, **options: Any) -> Image.Image:
        pieces.append(piece)
        return quantize(piece, *args, **options)

    monkeypatch.setattr(Image.Image, "quantize", counted)
    discs = Disc((30, 30), 10, Role.INK), Disc((130, 30), 10, Role.INK)
    sizes = []
    for shapes in (discs, (*discs, Disc((30, 130), 10, Role.SEAT_1)), discs[:1], discs[:1]):
        pieces.clear()
        paint(Scene(160, 160, shapes), "paper")
        sizes.append([piece.size for piece in pieces])
    assert sizes == [[(160, 160)], [(24, 24)], [(24, 24)], []]


def test_packed_pictures_change_no_pixel() -> None:
    """Twelve games with grounds of their own are drawn in turn, so most pictures and grounds are packed meanwhile."""
    places = [(10 * number, 7 * number) for number in range(2, 14)]
    pages = [
        Scene(160, 160, discs, (Ring(at, 12, 3, Role.PASTA),))
        for discs in ((), (Disc((30, 130), 10, Role.SEAT_1),))
        for at in places
    ]
    seen = [png(page, "paper") for page in pages]
    assert [it.image is None for it in KEPT._pictures].count(True) == len(pages) - 8
    for page, file in zip(pages, seen, strict=True):
        forget()
        assert png(page, "paper") == file


def test_frames_are_as_high_as_their_pages() -> None:
    """The pages of a whole game have different heights: with scores, a legend or neither."""
    match = finish(Match.start(find("maze"), {"size": 3}, 2), random.Random(1), 100)
    pages = [scene(seen) for seen in positions(match)]
    assert len({page.height for page in pages}) > 1
    for page in pages[::7]:
        assert paint(page, "paper", 420).size == (420, round(page.height * 420 / page.width))


def test_threads_draw_what_one_draws() -> None:
    starts = [Match.start(game, {}, game.seats[0]) for game in HOSTED_GAMES]
    pages = [scene(finish(it, random.Random(2), 4).observe(None)) for it in starts]
    alone = [png(page, "paper") for page in pages]
    forget()
    with ThreadPoolExecutor(4) as pool:
        shared = list(pool.map(lambda page: png(page, "paper"), [*pages, *reversed(pages)]))
    assert shared == [*alone, *reversed(alone)]


def test_png_holds_the_pixels_of_the_picture() -> None:
    page = Scene(131, 70, (Disc((40, 30), 20, Role.SEAT_1),), (Disc((90, 30), 20, Role.SEAT_2),))
    with Image.open(BytesIO(png(page, "paper"))) as picture:
        assert picture.convert("RGB").tobytes() == paint(page, "paper").convert("RGB").tobytes()
        points = [picture.convert("RGB").getpixel(point) for point in ((40, 30), (90, 30), (2, 2))]
    assert points == [THEMES["paper"].rgb(role) for role in (Role.SEAT_1, Role.SEAT_2, Role.PAGE)]
