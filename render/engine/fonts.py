"""The two type faces: text is measured and written."""

import math
from functools import lru_cache
from importlib import resources

from PIL import Image, ImageDraw, ImageFont

from render.engine.scene import Face, Text
from render.engine.theme import Rgb

_FILES = {
    Face.TITLE: ("font_amatic_sc", "AmaticSC-Bold.ttf"),
    Face.READ: ("font_hanken_grotesk", "HankenGrotesk-SemiBold.otf"),
}


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def font_file(face: Face) -> bytes:
    package, name = _FILES[face]
    return (resources.files(package) / "files" / name).read_bytes()


@lru_cache(maxsize=16)
def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """Return a face at `size` pixels to the em."""
    package, name = _FILES[face]
    with resources.as_file(resources.files(package) / "files" / name) as file:
        # From the file, because of bytes every size would keep two copies.
        # The basic layout engine: the other one is optional and places the same text differently.
        return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def _length(words: str, face: Face, size: int) -> float:
    return float(font(face, size).getlength(words))


@lru_cache(maxsize=2048)
def _bounds(words: str, face: Face, size: int, anchor: str) -> Box:
    return font(face, size).getbbox(words, anchor=anchor + "m")


def width(words: str, face: Face, size: float) -> float:
    """Return the width of `words` in pixels."""
    return _length(words, face, round(size))


def baseline(face: Face, size: float) -> float:
    """Return how far below the middle of a text in pixels the line is on which its letters stand."""
    ascent, descent = font(face, round(size)).getmetrics()
    return (ascent - descent) / 2


def fitted(words: str, face: Face, size: float, room: float) -> float:
    """Return `size`, or the largest size below it at which `words` are at most `room` pixels wide."""
    reach = width(words, face, size)
    return size if reach <= room else size * room / reach


def box(text: Text) -> Box:
    """Return left, top, right and bottom of a text in page units."""
    left, top, right, bottom = _bounds(text.words, text.face, round(text.size), text.anchor)
    x, y = text.at
    return x + left, y + top, x + right, y + bottom


def covered(text: Text) -> Box:
    """Return a box around all pixels that writing a text, which is in page units, may change."""
    left, top, right, bottom = box(text)
    return left - 3, top - 3, right + 3, bottom + 3


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
    type_face = font(face, size)
    box = type_face.getbbox(words, anchor=anchor + "m")
    left, top = math.floor(box[0]) - 1, math.floor(box[1]) - 1
    width, height = math.ceil(box[2]) + 2 - left, math.ceil(box[3]) + 2 - top
    mask = Image.new("L", (max(1, width), max(1, height)))
    ImageDraw.Draw(mask).text((x - left, y - top), words, font=type_face, fill=255, anchor=anchor + "m")
    return (left, top), mask
