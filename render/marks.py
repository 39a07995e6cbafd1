"""A small mark of each game: recognisable 20 pixels high, on light and on dark ground, without a page of its own."""

import math
from collections.abc import Mapping
from types import MappingProxyType

from render.board.seats import piece
from render.engine.icons import Icon, arc, pencil, tile
from render.engine.raster import cut_out
from render.engine.scene import Area, Disc, Group, Ink, Mix, Point, Ring, Role, Scene, Shape, Stroke, Text
from render.games import MODULES
from rules.core.game import Seat
from rules.games import find

MARK_SIZE = 128
"""The width and height of the picture of a mark, in pixels."""


def mark_png(game: str) -> bytes:
    """Return the mark of a game as a PNG with a transparent ground."""
    half = MARK_SIZE / 2
    return cut_out(Scene(MARK_SIZE, MARK_SIZE, (Group(game, mark_of(game), (half, half), half),)))


def seat_png(seat: Seat) -> bytes:
    """Return the piece of a seat as a PNG with a transparent ground."""
    half = MARK_SIZE / 2
    return cut_out(Scene(MARK_SIZE, MARK_SIZE, (piece("", seat, (half, half), half),)))


def mark_of(game: str) -> Icon:
    """Return the `MARK` of the game's module, or else a tile with the first two letters of its title."""
    initials = Text((0, -0.03), find(game).sheet.title[:2], 1.1, Role.INK)
    return getattr(MODULES[game], "MARK", (*tile(Mix(Role.SEAT_4, 0.25)), initials))


_WON, _OPEN = Mix(Role.ACCENT, 0.3), Role.PAGE
_FAINT = Mix(Role.INK, 0.35)


def badge(key: str, at: Point, radius: float, *, won: bool) -> Group:
    """Return the badge of an achievement: golden and in colours once it is won, dashed and faint before."""
    icon = ICONS.get(key, STAR)
    if won:
        ground: Icon = (Disc((0, 0), 1, _WON), Ring((0, 0), 0.97, 0.06, Role.INK, wobble=0.6))
        return Group(f"won {key}", (*ground, *icon), at, radius)
    ground = (Ring((0, 0), 0.97, 0.05, Role.MUTED, dashes=22),)
    return Group(f"open {key}", (*ground, *(_faint(shape) for shape in icon)), at, radius)


def _faint(shape: Shape) -> Shape:
    """Return the shape without its colours: lines faint, areas as outlines."""
    match shape:
        case Stroke():
            ink = _OPEN if shape.ink is Role.PAGE else _FAINT
            return Stroke(shape.points, shape.width, ink, shape.wobble, shape.closed)
        case Area():
            return Stroke(shape.points, 0.05, _FAINT, shape.wobble, closed=True)
        case Disc():
            return Disc(shape.at, shape.radius, _OPEN if shape.ink is Role.PAGE else _FAINT)
        case Ring():
            return Ring(shape.at, shape.radius, shape.width, _FAINT, shape.dashes, shape.wobble)
    return shape


def _head(at: Point, size: float, ink: Ink) -> Icon:
    """Return a person: a head above shoulders."""
    x, y = at
    shoulders = (*arc((x, y + 1.75 * size), 1.25 * size, size, 180, 360),)
    return Disc(at, 0.62 * size, ink), Area(shoulders, ink)


STAR: Icon = (
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
        **{key: icon for module in MODULES.values() for key, icon in getattr(module, "ICONS", {}).items()},
        # A puppet on its strings.
        "puppeteer": (
            pencil((-0.5, -0.56), (0.5, -0.56), ink=Role.MEAT, width=0.14),
            pencil((-0.42, -0.5), (-0.36, 0.24), width=0.04),
            pencil((0.42, -0.5), (0.36, 0.0), width=0.04),
            pencil((0, -0.5), (0, -0.16), width=0.04),
            Disc((0, -0.06), 0.15, Role.SEAT_2),
            pencil((0, 0.08), (0, 0.36)),
            pencil((-0.36, 0.26), (0, 0.14), (0.36, 0.02)),
            pencil((-0.2, 0.68), (0, 0.36), (0.2, 0.68)),
        ),
        # The sun comes up again.
        "lazarus": (
            Area(arc((0, 0.3), 0.36, 0.36, 180, 360), Role.SEAT_4),
            pencil((-0.66, 0.32), (0.66, 0.32)),
            pencil((-0.4, 0.54), (0.4, 0.54)),
            *(
                pencil(
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
"""The icons by the keys of the achievements: the `ICONS` of the games' modules, and those for any game."""
