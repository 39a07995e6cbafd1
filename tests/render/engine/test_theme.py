"""Both themes are legible, and seats differ, for people with any colour vision.

Contrast as in WCAG 2; colour blindness simulated with the matrices of Machado, Oliveira and Fernandes (2009) for the
full strength of each kind; distances in CIE 1976 L*a*b*.
"""

from itertools import combinations
from math import dist

import pytest

from render.engine.scene import Ink, Mix, Role
from render.engine.theme import SEATS, THEMES, Rgb, Theme, palette

Triple = tuple[float, float, float]

SIGHT: dict[str, tuple[Triple, Triple, Triple]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

TEXTS: tuple[tuple[Ink, Ink], ...] = (
    (Role.INK, Role.PAGE),
    (Role.MUTED, Role.PAGE),
    (Role.INK, Role.PATCH),
    (Role.MUTED, Role.PATCH),
    (Role.SUIT, Role.PALE),
    (Role.DEEP, Role.PALE),
    (Role.DEEP, Role.ACCENT),
    (Role.PALE, Role.CRUST),
    (Role.INK, Mix(Role.MUTED, 0.375, Role.PATCH)),
    (Role.INK, Mix(Role.ACCENT, 0.375)),
    (Role.INK, Mix(Role.SEAT_1, 0.5)),
    (Role.INK, Mix(Role.SEAT_2, 0.125)),
    *((Role.INK, Mix(seat, 0.25)) for seat in SEATS),
    *((Role.INK, Mix(seat, 0.375)) for seat in SEATS),
)
"""Text and what it stands on."""

MARKS: tuple[tuple[Ink, Ink], ...] = (
    *((seat, Role.PAGE) for seat in SEATS),
    (Role.FORBIDDEN, Role.PAGE),
    *((Role.FORBIDDEN, Mix(seat, 0.22)) for seat in SEATS),
    (Role.DEEP, Role.PALE),
    (Mix(Role.MUTED, 0.85, Role.PATCH), Role.PATCH),
    (Role.INK, Mix(Role.ACCENT, 0.6)),
    (Mix(Role.MUTED, 0.75), Role.PAGE),
    (Role.SEAT_2, Mix(Role.SEAT_2, 0.125)),
    (Role.MEAT, Role.PAGE),
    (Role.CORRECTION, Role.PAGE),
)
"""Marks that tell something and what they lie on. The mark within a seat's piece is of the colour of the page."""


@pytest.fixture(params=THEMES.values(), ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest) -> Theme:
    chosen: Theme = request.param
    return chosen


def test_text_has_a_contrast_of_4_5(theme: Theme) -> None:
    for ink, ground in TEXTS:
        assert contrast(theme.rgb(ink), theme.rgb(ground)) >= 4.5, (ink, ground)


def test_marks_have_a_contrast_of_3(theme: Theme) -> None:
    for ink, ground in MARKS:
        assert contrast(theme.rgb(ink), theme.rgb(ground)) >= 3, (ink, ground)


@pytest.mark.parametrize("sight", SIGHT)
def test_seats_stay_apart(theme: Theme, sight: str) -> None:
    for one, other in combinations(SEATS, 2):
        assert distance(theme.rgb(one), theme.rgb(other), sight) >= 12, (one, other)


@pytest.mark.parametrize("sight", SIGHT)
def test_the_first_two_seats_are_far_apart(theme: Theme, sight: str) -> None:
    assert distance(theme.rgb(SEATS[0]), theme.rgb(SEATS[1]), sight) >= 60


@pytest.mark.parametrize("sight", SIGHT)
def test_a_correction_stays_apart_from_what_it_corrects(theme: Theme, sight: str) -> None:
    for other in (*SEATS, Role.INK, Role.MUTED):
        assert distance(theme.rgb(Role.CORRECTION), theme.rgb(other), sight) >= 12, other


def test_every_role_has_a_colour_and_the_palette_holds_it(theme: Theme) -> None:
    assert set(theme.colours) == set(Role)
    assert set(theme.colours.values()) <= set(palette(theme.name))


def contrast(one: Rgb, other: Rgb) -> float:
    darker, lighter = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(rgb), strict=True)) for rgb in (one, other)
    )
    return (lighter + 0.05) / (darker + 0.05)


def distance(one: Rgb, other: Rgb, sight: str) -> float:
    return dist(lab(seen(one, sight)), lab(seen(other, sight)))


def seen(rgb: Rgb, sight: str) -> Triple:
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear(rgb), strict=True)))) for row in SIGHT[sight]
    )
    return red, green, blue


def linear(rgb: Rgb) -> Triple:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (c / 255 for c in rgb)
    )
    return red, green, blue


def lab(light: Triple) -> Triple:
    red, green, blue = light
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
