"""The places of a picture at which moves are entered by touch."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import dist

from render.board.game_board import draw_board
from render.engine.scene import Group, Point, Scene
from rules.core.match import Observation
from rules.core.notation import Cell


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a move in page units: a point, or the points of a line from its start to its end.

    `reach` is the distance from a point to the edge of what is drawn there.
    """

    move: str
    points: tuple[Point, ...]
    reach: float


def places(observation: Observation, scene: Scene, moves: Iterable[str]) -> tuple[Place, ...]:
    """Return the places of these moves in a scene that `render.picture.scene` made of this observation.

    Moves without a place, such as rows of cards, are left out.
    """
    origin, unit = _board(scene)
    board = draw_board(observation.board, observation)
    found = []
    for move in moves:
        if (spot := board.spot(move)) is not None:
            points = tuple((origin[0] + x * unit, origin[1] + y * unit) for x, y in spot.points)
            found.append(Place(move, points, spot.reach * unit))
    return tuple(found)


NEAR = 44.0
"""The distance in page units within which a touch means a place, even if the place is smaller."""
_MOST = 26
"""Columns and rows of the largest boards."""


def named(
    observation: Observation, scene: Scene, touched: Sequence[Point], moves: Sequence[str]
) -> str | None:
    """Return the text of a move through the places nearest to these page points, legal or not.

    `moves` are legal moves, which show whether places have numbers or cells. None if no place is near a point.
    """
    origin, unit = _board(scene)
    board = draw_board(observation.board, observation)
    numbered = all(move[0].isdecimal() for move in moves)
    spots = [(name, it) for name in _names(numbered=numbered) if (it := board.spot(name)) is not None]
    found = []
    for x, y in touched:
        point = (x - origin[0]) / unit, (y - origin[1]) / unit
        near = [
            (dist(point, it.middle), name)
            for name, it in spots
            if dist(point, it.middle) * unit < NEAR + it.reach * unit
        ]
        if not near:
            return None
        found.append(min(near)[1])
    return "-".join(found)


def _names(*, numbered: bool) -> Iterator[str]:
    if numbered:
        yield from map(str, range(1, _MOST * _MOST))
    else:
        yield from (str(Cell(column, row)) for column in range(_MOST) for row in range(_MOST))


def _board(scene: Scene) -> tuple[Point, float]:
    """Return the page point of the origin of the board, and the page units in one of its units."""
    for shape, (x, y), scale in scene.placed():
        if isinstance(shape, Group) and shape.name == "board":
            return (x + shape.at[0] * scale, y + shape.at[1] * scale), scale * shape.scale
    raise ValueError("The scene has no board.")
