"""The picture of a maze."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from render.board.game_board import Board, draw_board
from render.board.spots import Spot, spot_by_cells
from render.engine.icons import Icon, arc, pencil, ruled, tile
from render.engine.scene import Area, Disc, Mix, Role
from render.games.maze.drawing import drawing, to_touch
from render.games.maze.filling import filling, meaning, spot_of
from render.games.maze.grid import Grid
from rules.core.match import Observation
from rules.games.maze.state import MazeView


@draw_board.register
def picture(view: MazeView, seen: Observation) -> Board:
    grid = Grid(view.size)
    shapes = filling(view, seen, grid) if view.sections else drawing(view, seen, grid)
    legend = meaning(view) if view.sections else to_touch(view)
    return Board(grid.reach, grid.reach, 1, tuple(shapes), legend=legend, spot=partial(_spot, view, grid))


def _spot(view: MazeView, grid: Grid, name: str) -> Spot | None:
    """The spot of a section, a point or a segment between two points."""
    if name.isdecimal():
        known = 1 <= int(name) <= len(view.sections)
        return spot_of(view.sections[int(name) - 1], grid) if known else None
    return spot_by_cells(view.size + 1, view.size + 1, lambda point: grid.at(*point), 2.2 * grid.wall)(name)


def _mark() -> Icon:
    walls = (-0.5, 0.86), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0.5), (0, 0.0)
    return *tile(Mix(Role.SEAT_3, 0.25)), ruled(*walls, width=0.2)


MARK = _mark()
"""The mark of the game in titles and menus."""

ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        # A ball of thread, and its end.
        "maze.ariadne": (
            Disc((-0.12, -0.1), 0.46, Role.SEAT_1),
            pencil(*arc((-0.12, -0.1), 0.46, 0.2, 200, 340), ink=Role.PAGE, width=0.06),
            pencil(*arc((-0.12, -0.1), 0.2, 0.46, 110, 250), ink=Role.PAGE, width=0.06),
            pencil(*arc((-0.12, -0.1), 0.32, 0.46, 290, 430), ink=Role.PAGE, width=0.06),
            pencil((0.2, 0.24), (0.36, 0.42), (0.12, 0.56), (-0.3, 0.5), (-0.6, 0.62), ink=Role.SEAT_1),
        ),
        # A bull.
        "maze.minotaur": (
            Area(
                ((-0.36, -0.22), (0.36, -0.22), (0.26, 0.4), (0.14, 0.62), (-0.14, 0.62), (-0.26, 0.4)),
                Role.CRUST,
            ),
            pencil(*arc((-0.36, -0.44), 0.32, 0.3, 60, 190), width=0.13),
            pencil(*arc((0.36, -0.44), 0.32, 0.3, -10, 120), width=0.13),
            Disc((-0.17, 0.02), 0.07, Role.PALE),
            Disc((0.17, 0.02), 0.07, Role.PALE),
            Disc((-0.08, 0.47), 0.05, Role.PALE),
            Disc((0.08, 0.47), 0.05, Role.PALE),
        ),
    }
)
"""The icons of the achievements, by their keys."""
