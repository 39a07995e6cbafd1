"""The two themes: pencil on paper, which is light, and chalk on slate, which is dark."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from render.engine.scene import Ink, Mix, Role

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Theme:
    """A colour for every role, each channel from 0 to 255."""

    name: str
    colours: Mapping[Role, Rgb]

    def rgb(self, ink: Ink) -> Rgb:
        if isinstance(ink, Role):
            return self.colours[ink]
        return self._between(self.colours[ink.over], self.colours[ink.role], ink.share)

    @staticmethod
    def _between(start: Rgb, end: Rgb, share: float) -> Rgb:
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
        return red, green, blue


SEATS = (Role.SEAT_1, Role.SEAT_2, Role.SEAT_3, Role.SEAT_4, Role.SEAT_5, Role.SEAT_6)

PAPER = Theme(
    "paper",
    MappingProxyType(
        {
            Role.PAGE: (247, 241, 227),
            Role.INK: (52, 50, 48),
            Role.MUTED: (98, 91, 78),
            Role.GRID: (206, 196, 174),
            Role.ACCENT: (255, 186, 66),
            Role.FORBIDDEN: (110, 100, 88),
            Role.PATCH: (236, 219, 183),
            Role.GROOVE: (190, 164, 116),
            Role.RIDGE: (247, 236, 211),
            Role.PALE: (255, 253, 246),
            Role.DEEP: (70, 58, 46),
            Role.MEAT: (160, 100, 60),
            Role.CRUST: (100, 58, 34),
            Role.PASTA: (255, 226, 150),
            Role.SUIT: (184, 34, 46),
            Role.CORRECTION: (215, 0, 90),
            Role.SEAT_1: (196, 66, 40),
            Role.SEAT_2: (28, 98, 158),
            Role.SEAT_3: (0, 140, 105),
            Role.SEAT_4: (190, 122, 6),
            Role.SEAT_5: (148, 60, 196),
            Role.SEAT_6: (76, 50, 46),
        }
    ),
)

SLATE = Theme(
    "slate",
    MappingProxyType(
        {
            Role.PAGE: (38, 42, 46),
            Role.INK: (236, 233, 224),
            Role.MUTED: (170, 173, 175),
            Role.GRID: (74, 80, 86),
            Role.ACCENT: (232, 168, 60),
            Role.FORBIDDEN: (160, 160, 158),
            Role.PATCH: (66, 61, 54),
            Role.GROOVE: (38, 34, 30),
            Role.RIDGE: (100, 92, 79),
            Role.PALE: (236, 231, 217),
            Role.DEEP: (44, 38, 34),
            Role.MEAT: (172, 112, 70),
            Role.CRUST: (100, 60, 38),
            Role.PASTA: (250, 230, 170),
            Role.SUIT: (172, 36, 44),
            Role.CORRECTION: (255, 70, 200),
            Role.SEAT_1: (255, 138, 101),
            Role.SEAT_2: (116, 185, 255),
            Role.SEAT_3: (110, 214, 170),
            Role.SEAT_4: (255, 204, 104),
            Role.SEAT_5: (190, 104, 240),
            Role.SEAT_6: (128, 138, 146),
        }
    ),
)

THEMES: Mapping[str, Theme] = MappingProxyType({theme.name: theme for theme in (PAPER, SLATE)})

_RAMPS: tuple[tuple[Role, tuple[Role, ...], int], ...] = (
    (Role.PAGE, (Role.INK,), 14),
    (Role.PAGE, (Role.MUTED, Role.GRID, Role.FORBIDDEN, Role.PATCH, Role.ACCENT, Role.DEEP, *SEATS), 8),
    (Role.PATCH, (Role.INK, Role.MUTED, Role.GROOVE, Role.RIDGE, Role.PALE, Role.DEEP, Role.ACCENT), 9),
    (Role.PAGE, (Role.CORRECTION,), 6),
    (Role.MEAT, (Role.CRUST, Role.PAGE), 5),
    (Role.PASTA, SEATS[:2], 5),
    (Role.PALE, (Role.DEEP, Role.SUIT, Role.ACCENT, Role.GROOVE, *SEATS[:2]), 6),
)
"""The colours that meet on an edge, and the number of shades between them on a smooth edge."""


_APART = 9
"""The least difference, in one channel at least, between any two colours of the palette."""


@cache
def palette(name: str) -> tuple[Rgb, ...]:
    """Return the colours of every picture in this theme, at most 256, so that frames can share one palette."""
    theme = THEMES[name]
    steps = [
        theme.rgb(Mix(role, step / count, over))
        for over, roles, count in _RAMPS
        for role in roles
        for step in range(1, count + 1)
    ]
    colours = list(theme.colours.values())
    for step in steps:
        # Pillow looks up colours in cells a few shades wide, and would confuse colours that are too close.
        if all(max(abs(a - b) for a, b in zip(step, other, strict=True)) >= _APART for other in colours):
            colours.append(step)
    assert len(colours) <= 256, f"{len(colours)} colours do not fit a palette of 256"
    return tuple(colours)
