"""The places of a picture at which moves are entered by touch."""

from collections.abc import Iterable
from dataclasses import dataclass

from render.board.game_board import draw_board
from render.engine.scene import Group, Point, Scene
from rules.core.match import Observation


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


def _board(scene: Scene) -> tuple[Point, float]:
    """Return the page point of the origin of the board, and the page units in one of its units."""
    for shape, (x, y), scale in scene.placed():
        if isinstance(shape, Group) and shape.name == "board":
            return (x + shape.at[0] * scale, y + shape.at[1] * scale), scale * shape.scale
    raise ValueError("The scene has no board.")
