"""The two type faces, and measures of text."""

from functools import lru_cache
from importlib import resources

from PIL import ImageFont

from render.engine.scene import Face, Text

_FILES = {
    Face.TITLE: ("font_amatic_sc", "AmaticSC-Bold.ttf"),
    Face.READ: ("font_hanken_grotesk", "HankenGrotesk-SemiBold.otf"),
}

Box = tuple[float, float, float, float]


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


def fitted(words: str, face: Face, size: float, room: float) -> float:
    """Return `size`, or the largest size below it at which `words` are at most `room` pixels wide."""
    reach = width(words, face, size)
    return size if reach <= room else size * room / reach


def box(text: Text) -> Box:
    """Return left, top, right and bottom of a text in page units."""
    left, top, right, bottom = _bounds(text.words, text.face, round(text.size), text.anchor)
    x, y = text.at
    return x + left, y + top, x + right, y + bottom
