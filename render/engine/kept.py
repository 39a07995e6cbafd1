"""Pictures that are kept, so that the next one is drawn only where it differs.

A kept picture is used for a page with the same ground, and only outside the boxes of all parts in which the two pages
differ. There the page itself has the same parts in the same order, so its picture can show nothing that it does not
contain.
"""

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from threading import Lock

from isal import isal_zlib
from PIL import Image

from render.engine.fonts import Box
from render.engine.sketch import Part

Area = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; the right column and the bottom row do not belong to it."""

_FEW = 0.35
"""The share of differing parts at which no other picture is compared: this one is of the same game."""
_GROUND = 3 << 20
"""Bytes of the largest usual ground. A larger one takes somewhat longer to unpack."""
_AROUND = 120
"""The pixels by which a side of an area is longer on average, measured by the time to draw the area on its own."""
MOST_DIFFERENT = 150
"""The number of differing parts above which drawing the whole page is quicker than comparing and separating them."""


@dataclass(slots=True, eq=False)
class Picture:
    """A picture of parts on a page. Its image must not be changed."""

    page: Hashable
    parts: tuple[Part, ...]
    known: frozenset[Part]
    image: Image.Image | None
    """None if some other pictures were drawn since; the file takes a twentieth of the memory."""
    file: bytes = b""
    """The image as a file, once it is encoded."""


class KeptPictures:
    """The last pictures that were drawn. Threads may use them at the same time."""

    drawn = 0
    """The number of pictures that were drawn since the start."""

    def __init__(self, limit: int, images: int) -> None:
        """Keep `limit` pictures, the last `images` of them with their images."""
        self._pictures: deque[Picture] = deque(maxlen=limit)
        self._images = images
        self._lock = Lock()

    def clear(self) -> None:
        with self._lock:
            self._pictures.clear()

    def add(self, picture: Picture) -> None:
        """Keep a picture. The oldest one is removed."""
        with self._lock:
            self._pictures.append(picture)
            self.drawn += 1
            if len(self._pictures) > self._images:
                older = self._pictures[~self._images]
                if older.file:
                    older.image = None
                else:
                    self._pictures.remove(older)

    def most_similar(
        self, page: Hashable, parts: tuple[Part, ...], size: tuple[int, int]
    ) -> tuple[Picture | None, list[Area]]:
        """Return the kept picture of an equal `page` with fewest other parts, and the areas where it differs.

        The area is the whole page if there is no such picture, or if drawing it is quicker. The areas do not overlap.
        """
        with self._lock:
            pictures = [it for it in reversed(self._pictures) if it.page == page]
        new = frozenset(parts)
        best, different = None, frozenset[Part]()
        for picture in pictures:
            if best is None or len(picture.known ^ new) < len(different):
                best, different = picture, picture.known ^ new
            if len(different) < _FEW * len(parts):
                break
        # In another order the shared parts may cover each other in another way.
        if (
            best is None
            or len(different) > MOST_DIFFERENT
            or [it for it in best.parts if it in new] != [it for it in parts if it in best.known]
        ):
            return None, [(0, 0, *size)]
        boxes = [_on_page(it.box, size) for it in different]
        areas = [*_separate([it for it in boxes if it[0] < it[2] and it[1] < it[3]], 1)]
        effort = sum((it[2] - it[0] + _AROUND) * (it[3] - it[1] + _AROUND) for it in areas)
        return (best, areas) if effort < 0.9 * size[0] * size[1] else (None, [(0, 0, *size)])


class KeptGrounds:
    """The pixels of the last grounds, of which all but a few are packed. Threads may use them at the same time."""

    def __init__(self, limit: int, unpacked: int) -> None:
        self._limit, self._unpacked = limit, unpacked
        self._pixels: dict[Hashable, bytes] = {}
        self._packed: dict[Hashable, bytes] = {}
        self._lock = Lock()

    def clear(self) -> None:
        with self._lock:
            self._pixels.clear()
            self._packed.clear()

    def get(self, page: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Return the pixels of a ground, which are drawn if they are not kept."""
        with self._lock:
            pixels, packed = self._pixels.pop(page, None), self._packed.get(page)
        if pixels is None:
            pixels = draw() if packed is None else isal_zlib.decompress(packed, bufsize=_GROUND)
        with self._lock:
            self._pixels[page] = pixels
            if len(self._pixels) > self._unpacked:
                oldest = next(iter(self._pixels))
                unpacked = self._pixels.pop(oldest)
                self._packed[oldest] = self._packed.pop(oldest, b"") or isal_zlib.compress(unpacked, 1)
            if len(self._packed) > self._limit:
                del self._packed[next(iter(self._packed))]
        return pixels


def _on_page(box: Box, size: tuple[int, int]) -> Area:
    left, top, right, bottom = box
    return (
        max(0, math.floor(left)),
        max(0, math.floor(top)),
        min(size[0], math.ceil(right)),
        min(size[1], math.ceil(bottom)),
    )


def _separate(boxes: list[Area], axis: int, *, joined: bool = False) -> Iterator[Area]:
    """Yield areas around the boxes, which are separated at empty rows (axis 1) and empty columns (axis 0) in turn.

    `joined` says that the other axis has no gap.
    """
    groups: list[list[Area]] = []
    end = -1
    for box in sorted(boxes, key=lambda it: it[axis]):
        if box[axis] >= end:
            groups.append([])
        groups[-1].append(box)
        end = max(end, box[axis + 2])
    for group in groups:
        if len(group) == 1 or (joined and len(groups) == 1):
            lefts, tops, rights, bottoms = zip(*group, strict=True)
            yield min(lefts), min(tops), max(rights), max(bottoms)
        else:
            yield from _separate(group, 1 - axis, joined=len(groups) == 1)
