"""A picture of bands is what other programs read in it."""

import random
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.engine.png import band, png
from tests.rules.walks import trials

COLOURS = [(red, 255 - red, 7) for red in range(200)]


@trials(60)
@given(
    width=st.integers(1, 300),
    heights=st.lists(st.integers(1, 40), min_size=1, max_size=8),
    seed=st.integers(0, 99),
)
def test_bands_make_one_picture(width: int, heights: list[int], seed: int) -> None:
    chance = random.Random(seed)
    rows = [[chance.choices(range(200), k=width) for _ in range(height)] for height in heights]
    bands = [band(b"".join(b"\0" + bytes(row) for row in part)) for part in rows]
    with Image.open(BytesIO(png(width, sum(heights), COLOURS, bands))) as picture:
        assert picture.size == (width, sum(heights))
        picture.load()
        assert picture.tobytes() == b"".join(bytes(row) for part in rows for row in part)
        palette = picture.getpalette()
    assert palette is not None
    assert palette[: 3 * len(COLOURS)] == [channel for colour in COLOURS for channel in colour]
