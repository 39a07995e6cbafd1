"""The picture of a maze."""

from render.board import Board, board
from render.games.maze.drawing import drawing
from render.games.maze.filling import filling
from render.games.maze.grid import Grid
from rules.core.match import Observation
from rules.games.maze import MazeView


@board.register
def picture(view: MazeView, seen: Observation) -> Board:
    grid = Grid(view.size)
    shapes = filling(view, seen, grid) if view.sections else drawing(view, seen, grid)
    return Board(grid.reach, grid.reach, 1, tuple(shapes))
