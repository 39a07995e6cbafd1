"""Pictures that are kept, so that the next one is drawn only where it differs.

A kept picture is used for a page with the same ground, and only outside the boxes of all parts in which the two pages
differ. There the page itself has the same parts in the same order, so its picture can show nothing that it does not
contain.
"""

import math
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from threading import Lock

from PIL import Image

from render.engine.fonts import Box
from render.engine.sketch import Part

Area = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; the right column and the bottom row do not belong to it."""

_FEW = 0.2
"""The share of differing parts at which no other picture is compared: this one is of the same game."""
MOST_DIFFERENT = 150
"""The number of differing parts above which drawing the whole page is quicker than comparing and separating them."""


@dataclass(slots=True, eq=False)
class Picture:
    """A picture of parts on a page. Its image must not be changed."""

    page: Hashable
    parts: tuple[Part, ...]
    known: frozenset[Part]
    image: Image.Image
    file: bytes = b""
    """The image as a file, once it is encoded."""


class KeptPictures:
    """The last pictures that were drawn. Threads may use them at the same time."""

    drawn = 0
    """The number of pictures that were drawn since the start."""

    def __init__(self, limit: int) -> None:
        self._pictures: deque[Picture] = deque(maxlen=limit)
        self._lock = Lock()

    def clear(self) -> None:
        with self._lock:
            self._pictures.clear()

    def add(self, picture: Picture) -> None:
        """Keep a picture. The oldest one is removed."""
        with self._lock:
            self._pictures.append(picture)
            self.drawn += 1

    def most_similar(
        self, page: Hashable, parts: tuple[Part, ...], size: tuple[int, int]
    ) -> tuple[Picture | None, list[Area]]:
        """Return the kept picture of an equal `page` with fewest other parts, and the areas where it differs.

        Without such a picture the area is the whole page. The areas do not overlap.
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
        return best, [*_separate([it for it in boxes if it[0] < it[2] and it[1] < it[3]], 1)]


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
