"""Known facts about Maze, found by the referee and by a plain second implementation that shares no table with it."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest

from rules.core.bits import members
from rules.core.match import Match
from rules.core.notation import Cell
from rules.core.plane import Point
from rules.core.sections import Plan, plan
from rules.games.maze import Maze
from rules.games.maze.state import MazeState
from tests.rules.plain import maze_faces
from tests.rules.walks import finish
from tests.seeds import seeds

PERFT = {
    2: (1, 8, 36, 56, 80, 96, 64, 0),
    3: (1, 48, 1360),
    4: (1, 144),
}
"""Ways to make so many moves, from the start, by size; size 2 to the end of all its games."""

NASTY = {
    "two rules that number 15 and 16 differently": (4, "d5-d2 a5-c3 d1-c4 d1-b3 d1-b2"),
    "grid lines covered": (4, "a2-d2 e3-b3 a4-d4"),
    "all from one corner": (4, "a1-b4 a1-c4 a1-d4 a1-d3 a1-d2 a1-b3 a1-c2 c4-c3 a1-b2"),
    "slivers": (
        5,
        "a1-e2 a1-e3 a1-e4 a1-e5 a1-d5 a1-c5 a1-b5 a1-d2 a1-b2 a1-c2 a1-d3 a1-c3 a1-b3 a1-b4 a1-c4 a1-d4",
    ),
    "steep and flat": (3, "a1-b4 a1-c3 a1-c2 a1-b2 b4-b3"),
}
"""Drawings by size; some of their walls may be refused, since an earlier one took the vertex."""


def by_referee(state: MazeState, depth: int) -> int:
    if depth == 0:
        return 1
    game = Maze()
    return sum(by_referee(game.apply(state, state.mover, move), depth - 1) for move in game.legal(state))


def drawn(state: MazeState) -> list[maze_faces.Wall]:
    return [((*wall.start,), (*wall.end,)) for wall in state.walls]


def area(corners: Sequence[Point]) -> Fraction:
    sides = pairwise((*corners, corners[0]))
    return sum((Fraction(ax * by - bx * ay) for (ax, ay), (bx, by) in sides), Fraction(0)) / 2


def check_plan(size: int, walls: list[maze_faces.Wall], found: Plan) -> None:
    """The sections against the faces of the whole drawing, against Euler's formula, and the board's area."""
    faces = maze_faces.sections(size, walls)
    assert [section.centre for section in found.sections] == [face.centroid for face in faces]
    assert [area(section.corners) for section in found.sections] == [face.area for face in faces]
    assert [{*section.corners} for section in found.sections] == [{*face.walks[0]} for face in faces]
    assert len(found.sections) == maze_faces.euler(size, walls)
    assert sum(area(section.corners) for section in found.sections) == size * size
    numbers = range(len(found.sections))
    beside = [{*members(near, numbers)} for near in found.beside]
    assert beside == maze_faces.neighbours(faces, walls)
    assert all(number in beside[other] for number in numbers for other in beside[number])


@pytest.mark.parametrize("size", PERFT)
def test_games_of_so_many_moves_are_counted(size: int) -> None:
    start = Maze().start({"size": size}, 2)
    for depth, count in enumerate(PERFT[size]):
        assert by_referee(start, depth) == count


@seeds(24)
def test_sections_of_random_mazes_are_the_faces_of_the_drawing(seed: int) -> None:
    size = 2 + seed % 7
    match = Match.start(Maze(), {"size": size}, 2)
    chance = random.Random(seed)
    while match.game.phase(match.state) == "draw":
        match = finish(match, chance, len(match.log) + 1)
    check_plan(size, drawn(match.state), match.state.plan)


@pytest.mark.parametrize(("size", "text"), NASTY.values(), ids=NASTY)
def test_sections_of_nasty_mazes_are_the_faces_of_the_drawing(size: int, text: str) -> None:
    """They are also drawn from the other end of the board, which turns the sections round and nothing else."""
    taken: list[maze_faces.Wall] = []
    for wall in map(_wall, text.split()):
        if wall in maze_faces.segments(size, taken):
            taken.append(wall)
    assert len(taken) > 2
    found = plan(size, [(Cell(*start), Cell(*end)) for start, end in taken])
    check_plan(size, taken, found)
    turned = [((size - ax, size - ay), (size - bx, size - by)) for (ax, ay), (bx, by) in taken]
    after = plan(size, [(Cell(*start), Cell(*end)) for start, end in turned])
    check_plan(size, turned, after)
    centres = {(size - x, size - y) for x, y in (section.centre for section in after.sections)}
    assert centres == {section.centre for section in found.sections}


def _wall(text: str) -> maze_faces.Wall:
    (ax, ay), (bx, by) = (("abcdefghi".index(end[0]), int(end[1:]) - 1) for end in text.split("-"))
    return (ax, ay), (bx, by)


def test_sections_are_numbered_by_the_centroid_of_the_area_not_of_the_corners() -> None:
    match = Match.start(Maze(), {"size": 4}, 2)
    for move in ["d5-d2", "a5-c3", "d1-c4", "d1-b3", "d1-b2"]:
        match = match.play(match.to_move[0], move)
    sections = match.state.plan.sections
    first, second = sections[14:16]
    assert first.square == second.square
    assert first.centre[1] > second.centre[1]
    (left, low), (right, high) = _mean(first.corners), _mean(second.corners)
    assert (-high, right) < (-low, left)


def _mean(corners: Sequence[Point]) -> Point:
    x, y = (sum(map(Fraction, values), Fraction(0)) / len(corners) for values in zip(*corners, strict=True))
    return x, y


def test_every_maze_can_be_finished() -> None:
    """Whatever has been drawn, there is a segment to the last untouched vertex; no turn is ever without a move."""
    for seed in range(30):
        match = finish(Match.start(Maze(), {"size": 2 + seed % 4}, 2), random.Random(seed), 1000)
        assert match.over
        assert match.game.phase(match.state) == "fill"
