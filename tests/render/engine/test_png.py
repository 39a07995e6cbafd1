"""A picture of bands is what other programs read in it."""

import random
from io import BytesIO

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.engine.png import band, pixels_of, png
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
    rows = [
        np.array([chance.choices(range(200), k=width) for _ in range(height)], np.uint8) for height in heights
    ]
    bands = [band(part) for part in rows]
    assert all((pixels_of(one) == part).all() for one, part in zip(bands, rows, strict=True))
    with Image.open(BytesIO(png(width, sum(heights), COLOURS, bands))) as picture:
        assert picture.size == (width, sum(heights))
        picture.load()
        assert picture.tobytes() == b"".join(part.tobytes() for part in rows)
        palette = picture.getpalette()
    assert palette is not None
    assert palette[: 3 * len(COLOURS)] == [channel for colour in COLOURS for channel in colour]
