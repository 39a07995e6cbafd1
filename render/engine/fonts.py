"""The two type faces and what they measure."""

from functools import lru_cache
from importlib import resources
from io import BytesIO

from PIL import ImageFont

from render.engine.scene import Face, Text

_FILES = {
    Face.TITLE: ("font_amatic_sc", "AmaticSC-Bold.ttf"),
    Face.READ: ("font_hanken_grotesk", "HankenGrotesk-SemiBold.otf"),
}

Box = tuple[float, float, float, float]


@lru_cache(maxsize=64)
def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """A face at `size` pixels to the em."""
    package, name = _FILES[face]
    content = (resources.files(package) / "files" / name).read_bytes()
    # The basic layout engine: the optional one may be missing elsewhere and would set the same text differently.
    return ImageFont.truetype(BytesIO(content), size, layout_engine=ImageFont.Layout.BASIC)


def width(words: str, face: Face, size: float) -> float:
    """How far `words` reach, in pixels."""
    return float(font(face, round(size)).getlength(words))


def fitted(words: str, face: Face, size: float, room: float) -> float:
    """`size`, or the greatest smaller one at which `words` are no wider than `room` pixels."""
    reach = width(words, face, size)
    return size if reach <= room else size * room / reach


def box(text: Text) -> Box:
    """Left, top, right and bottom of the letters of a text in page units."""
    anchor = text.anchor + "m"
    left, top, right, bottom = font(text.face, round(text.size)).getbbox(text.words, anchor=anchor)
    x, y = text.at
    return x + left, y + top, x + right, y + bottom
