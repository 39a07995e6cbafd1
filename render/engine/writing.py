"""Words on a picture: each is set once and kept as a mask."""

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from render.engine import fonts
from render.engine.scene import Face, Text
from render.engine.theme import Rgb

_Corner = tuple[int, int]


def write(picture: Image.Image, text: Text, colour: Rgb, corner: _Corner = (0, 0)) -> None:
    """Write a text, which is in page units, on a picture whose top left pixel is `corner` on the whole page."""
    x, y = text.at
    (left, top), mask = _mask(
        text.words, text.face, round(text.size), text.anchor, math.modf(x)[0], math.modf(y)[0]
    )
    at = int(x) + left - corner[0], int(y) + top - corner[1]
    picture.paste(colour, (*at, at[0] + mask.width, at[1] + mask.height), mask)


@lru_cache(maxsize=1024)
def _mask(words: str, face: Face, size: int, anchor: str, x: float, y: float) -> tuple[_Corner, Image.Image]:
    """Return what words cover when they stand at a point between 0 and 1, and the top left corner of that."""
    font = fonts.font(face, size)
    box = font.getbbox(words, anchor=anchor + "m")
    left, top = math.floor(box[0]) - 1, math.floor(box[1]) - 1
    width, height = math.ceil(box[2]) + 2 - left, math.ceil(box[3]) + 2 - top
    mask = Image.new("L", (max(1, width), max(1, height)))
    ImageDraw.Draw(mask).text((x - left, y - top), words, font=font, fill=255, anchor=anchor + "m")
    return (left, top), mask
