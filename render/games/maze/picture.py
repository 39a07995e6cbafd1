"""The picture of a maze."""

from functools import partial

from render.board.game_board import Board, draw_board
from render.board.spots import Spot, spot_by_cells
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
