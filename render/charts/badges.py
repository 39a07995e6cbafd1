"""The icons of achievements, drawn like everything else: with a pencil or chalk, in the colours of the theme."""

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from render.engine.scene import Area, Disc, Group, Ink, Mix, Point, Ring, Role, Shape, Stroke

Icon = tuple[Shape, ...]

_LINE = 0.09
"""The width of a line; an icon reaches 0.7 from its middle, and its badge is a disc of radius 1."""
_WON, _OPEN = Mix(Role.ACCENT, 0.3), Role.PAGE
_FAINT = Mix(Role.INK, 0.35)


def badge(key: str, at: Point, radius: float, *, won: bool) -> Group:
    """Return the badge of an achievement: golden and in colours once it is won, dashed and faint before."""
    icon = icon_of(key)
    if won:
        ground: Icon = (Disc((0, 0), 1, _WON), Ring((0, 0), 0.97, 0.06, Role.INK, hand=0.6))
        return Group(f"won {key}", (*ground, *icon), at, radius)
    ground = (Ring((0, 0), 0.97, 0.05, Role.MUTED, dashes=22),)
    return Group(f"open {key}", (*ground, *(_faint(shape) for shape in icon)), at, radius)


def icon_of(key: str) -> Icon:
    """Return the icon of an achievement; a star for one that has none of its own."""
    return ICONS.get(key, _STAR)


def _faint(shape: Shape) -> Shape:
    """Return the shape without its colours: lines faint, areas as outlines."""
    match shape:
        case Stroke():
            ink = _OPEN if shape.ink is Role.PAGE else _FAINT
            return Stroke(shape.points, shape.width, ink, shape.hand, shape.closed)
        case Area():
            return Stroke(shape.points, 0.05, _FAINT, shape.hand, closed=True)
        case Disc():
            return Disc(shape.at, shape.radius, _OPEN if shape.ink is Role.PAGE else _FAINT)
        case Ring():
            return Ring(shape.at, shape.radius, shape.width, _FAINT, shape.dashes, shape.hand)
    return shape


def _line(*points: Point, ink: Ink = Role.INK, width: float = _LINE) -> Stroke:
    return Stroke(points, width, ink, hand=0.4)


def _round(at: Point, across: float, down: float, begin: float = 0, end: float = 360) -> tuple[Point, ...]:
    """Return the points of an ellipse or a part of it, from one angle to another (degrees from the right)."""
    steps = max(6, round((end - begin) / 15))
    angles = (math.radians(begin + (end - begin) * step / steps) for step in range(steps + 1))
    return tuple((at[0] + across * math.cos(angle), at[1] + down * math.sin(angle)) for angle in angles)


def _wave(x: float, swing: float) -> tuple[Point, ...]:
    return tuple((x + swing * math.sin(step * 0.9), -0.62 + step * 0.124) for step in range(11))


def _stones(begin: int, end: int) -> Iterator[Disc]:
    """Yield stones of a ring of ten."""
    for number in range(begin, end):
        angle = math.tau * (number - 2.5) / 10
        yield Disc((0.55 * math.cos(angle), 0.55 * math.sin(angle)), 0.13, Role.SEAT_1)


def _head(at: Point, size: float, ink: Ink) -> Icon:
    """Return a person: a head above shoulders."""
    x, y = at
    shoulders = (*_round((x, y + 1.75 * size), 1.25 * size, size, 180, 360),)
    return Disc(at, 0.62 * size, ink), Area(shoulders, ink)


def _skull(at: Point, size: float) -> Icon:
    x, y = at
    jaw = ((-0.5, 0.2), (0.5, 0.2), (0.42, 0.95), (-0.42, 0.95))
    eyes = [Disc((x + side * 0.36 * size, y + 0.02 * size), 0.24 * size, Role.PAGE) for side in (-1, 1)]
    return (
        Disc((x, y - 0.08 * size), 0.82 * size, Role.INK),
        Area(tuple((x + a * size, y + b * size) for a, b in jaw), Role.INK),
        *eyes,
        _line((x, y + 0.55 * size), (x, y + 0.9 * size), ink=Role.PAGE, width=0.1 * size),
    )


def _cross(at: Point, size: float, ink: Ink) -> Icon:
    x, y = at
    return (
        _line((x - size, y - size), (x + size, y + size), ink=ink),
        _line((x - size, y + size), (x + size, y - size), ink=ink),
    )


_STAR: Icon = (
    Area(
        tuple(
            (reach * math.sin(math.pi * turn / 5), -reach * math.cos(math.pi * turn / 5))
            for turn in range(10)
            for reach in ((0.68, 0.3)[turn % 2],)
        ),
        Role.SEAT_4,
    ),
)

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # The ring turns for ever.
        "alaric.eternal": (
            _line(*_round((0, 0), 0.55, 0.55, -60, 130)),
            _line(*_round((0, 0), 0.55, 0.55, 150, 290)),
            Area(((-0.52, 0.5), (-0.14, 0.66), (-0.22, 0.3)), Role.INK),
            Disc((0, 0), 0.2, Role.SEAT_2),
        ),
        # Half of the ring stands, half is rubble.
        "alaric.sack": (
            *_stones(0, 5),
            _line((-0.02, 0.62), (-0.2, 0.38)),
            _line((-0.34, 0.56), (-0.56, 0.4)),
            _line((-0.44, 0.1), (-0.68, 0.12)),
            _line((-0.4, -0.2), (-0.62, -0.34)),
            _line((-0.2, -0.42), (-0.26, -0.66)),
            Disc((-0.12, 0.02), 0.07, Role.INK),
        ),
        # A root under which nine dots stand in a square.
        "cocomposite.roots": (
            _line((-0.72, 0.06), (-0.56, -0.02), (-0.36, 0.52), (-0.14, -0.56), (0.7, -0.56)),
            *(
                Disc((0.08 + 0.24 * column, -0.24 + 0.24 * row), 0.08, Role.SEAT_3)
                for column in range(3)
                for row in range(3)
            ),
        ),
        # A ball of thread, and its end.
        "maze.ariadne": (
            Disc((-0.12, -0.1), 0.46, Role.SEAT_1),
            _line(*_round((-0.12, -0.1), 0.46, 0.2, 200, 340), ink=Role.PAGE, width=0.06),
            _line(*_round((-0.12, -0.1), 0.2, 0.46, 110, 250), ink=Role.PAGE, width=0.06),
            _line(*_round((-0.12, -0.1), 0.32, 0.46, 290, 430), ink=Role.PAGE, width=0.06),
            _line((0.2, 0.24), (0.36, 0.42), (0.12, 0.56), (-0.3, 0.5), (-0.6, 0.62), ink=Role.SEAT_1),
        ),
        # A bull.
        "maze.minotaur": (
            Area(
                ((-0.36, -0.22), (0.36, -0.22), (0.26, 0.4), (0.14, 0.62), (-0.14, 0.62), (-0.26, 0.4)),
                Role.CRUST,
            ),
            _line(*_round((-0.36, -0.44), 0.32, 0.3, 60, 190), width=0.13),
            _line(*_round((0.36, -0.44), 0.32, 0.3, -10, 120), width=0.13),
            Disc((-0.17, 0.02), 0.07, Role.PALE),
            Disc((0.17, 0.02), 0.07, Role.PALE),
            Disc((-0.08, 0.47), 0.05, Role.PALE),
            Disc((0.08, 0.47), 0.05, Role.PALE),
        ),
        # A tree in which nothing is straight.
        "palindromes.crooked": (
            _line(
                (0.06, 0.66),
                (-0.1, 0.34),
                (0.12, 0.06),
                (-0.08, -0.2),
                (0.08, -0.56),
                ink=Role.MEAT,
                width=0.2,
            ),
            _line((0.08, 0.1), (0.36, -0.04), (0.38, -0.32), ink=Role.MEAT, width=0.12),
            _line((-0.06, -0.16), (-0.38, -0.18), (-0.52, -0.44), ink=Role.MEAT, width=0.12),
            Disc((0.4, -0.4), 0.15, Role.SEAT_3),
            Disc((-0.54, -0.5), 0.15, Role.SEAT_3),
            Disc((0.08, -0.6), 0.15, Role.SEAT_3),
        ),
        # A mirror with a handle.
        "palindromes.mirror": (
            _line((0.0, 0.28), (0.0, 0.7), width=0.18, ink=Role.MEAT),
            Area(_round((0, -0.2), 0.48, 0.54), Role.INK),
            Area(_round((0, -0.2), 0.38, 0.44), Mix(Role.SEAT_2, 0.45)),
            _line((-0.2, -0.12), (0.08, -0.46), ink=Role.PALE, width=0.07),
            _line((-0.02, 0.02), (0.2, -0.24), ink=Role.PALE, width=0.07),
        ),
        # A square that outdoes a triangle.
        "polygons.odds": (
            Area(((-0.6, -0.46), (0.16, -0.56), (0.2, 0.2), (-0.54, 0.24)), Mix(Role.SEAT_2, 0.7)),
            Stroke(
                ((-0.6, -0.46), (0.16, -0.56), (0.2, 0.2), (-0.54, 0.24)), 0.07, Role.INK, 0.4, closed=True
            ),
            Stroke(((0.14, 0.6), (0.64, 0.6), (0.42, 0.18)), 0.07, Role.SEAT_1, 0.4, closed=True),
        ),
        "skull.yorick": _skull((0, -0.04), 0.66),
        # A skull in every corner of the board.
        "skull.corners": (
            Stroke(
                ((-0.56, -0.56), (0.56, -0.56), (0.56, 0.56), (-0.56, 0.56)),
                0.06,
                Role.MUTED,
                0.4,
                closed=True,
            ),
            *(shape for x in (-0.44, 0.44) for y in (-0.46, 0.4) for shape in _skull((x, y), 0.24)),
        ),
        # Strands that do not touch.
        "spaghetti.al_dente": tuple(
            _line(*_wave(x, 0.07), ink=ink, width=width)
            for x in (-0.4, 0.0, 0.4)
            for ink, width in ((Role.INK, 0.2), (Role.PASTA, 0.13))
        ),
        # Two who share one strand.
        "spaghetti.tramp": (
            _line(*_round((0, -0.26), 0.34, 0.34, 10, 170), ink=Role.INK, width=0.17),
            _line(*_round((0, -0.26), 0.34, 0.34, 10, 170), ink=Role.PASTA, width=0.1),
            Disc((-0.46, -0.26), 0.22, Role.SEAT_1),
            Disc((0.46, -0.26), 0.22, Role.SEAT_2),
            _line((-0.62, 0.42), (0.62, 0.42)),
            _line(*_round((0, 0.42), 0.44, 0.22, 0, 180)),
        ),
        # A line that ends before the x's do.
        "xlines.stuck": (
            *_cross((-0.44, 0.4), 0.14, Role.INK),
            *_cross((0.44, -0.42), 0.14, Role.MUTED),
            *_cross((0.46, 0.4), 0.14, Role.MUTED),
            _line((-0.44, 0.24), (-0.4, -0.34), (0.08, -0.3), ink=Role.SEAT_1, width=0.11),
            _line((0.12, -0.52), (0.14, -0.06), width=0.13),
        ),
        # A puppet on its strings.
        "puppeteer": (
            _line((-0.5, -0.56), (0.5, -0.56), ink=Role.MEAT, width=0.14),
            _line((-0.42, -0.5), (-0.36, 0.24), width=0.04),
            _line((0.42, -0.5), (0.36, 0.0), width=0.04),
            _line((0, -0.5), (0, -0.16), width=0.04),
            Disc((0, -0.06), 0.15, Role.SEAT_2),
            _line((0, 0.08), (0, 0.36)),
            _line((-0.36, 0.26), (0, 0.14), (0.36, 0.02)),
            _line((-0.2, 0.68), (0, 0.36), (0.2, 0.68)),
        ),
        # The sun comes up again.
        "lazarus": (
            Area(_round((0, 0.3), 0.36, 0.36, 180, 360), Role.SEAT_4),
            _line((-0.66, 0.32), (0.66, 0.32)),
            _line((-0.4, 0.54), (0.4, 0.54)),
            *(
                _line(
                    (0.48 * math.cos(turn), 0.3 - 0.48 * math.sin(turn)),
                    (0.72 * math.cos(turn), 0.3 - 0.72 * math.sin(turn)),
                    ink=Role.SEAT_4,
                )
                for turn in (math.radians(angle) for angle in (25, 57.5, 90, 122.5, 155))
            ),
        ),
        # One in front of three.
        "crowd": (
            *_head((-0.42, -0.34), 0.26, Role.MUTED),
            *_head((0.42, -0.34), 0.26, Role.MUTED),
            *_head((0, -0.44), 0.26, Role.MUTED),
            *_head((0, 0.06), 0.36, Role.SEAT_1),
        ),
    }
)
