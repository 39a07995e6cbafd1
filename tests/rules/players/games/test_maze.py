"""The computer of "Maze": its exact values against a plain search over the rules."""

import random

import pytest

from rules.core.bits import Bits
from rules.core.match import Match
from rules.core.walls import walls
from rules.games.maze import Maze
from rules.games.maze.state import MazeState
from rules.players.games.maze import MazePlayer, solve_last_walls
from rules.players.games.maze.position import MazePosition
from rules.players.games.maze.solver import Trees
from tests.seeds import seeds

GAME = Maze()
PLAYER = MazePlayer()


def plain_gain(state: MazeState, known: dict[tuple[Bits, int], int]) -> int:
    """Return what the mover gains on the other one from here on, by nothing but the rules of the filling phase."""
    if state.over:
        return 0
    key = state.unfilled, state.string[-1] if state.string else -1
    if key not in known:
        known[key] = max(plain_value(state, move, known) for move in GAME.legal(state))
    return known[key]


def plain_value(state: MazeState, move: object, known: dict[tuple[Bits, int], int]) -> int:
    assert isinstance(move, int)
    after = GAME.apply(state, state.mover, move)
    return after.points[state.mover] - state.points[state.mover] - plain_gain(after, known)


def filling(size: int, seed: int, most: int) -> Match:
    """Return a random position of the filling phase with no more unfilled sections than that."""
    chance = random.Random(seed)
    match = Match.start(GAME, {"size": size}, 2)
    while match.state.plan is None or match.state.unfilled.bit_count() > most:
        match = match.play(match.to_move[0], chance.choice(match.legal() or ()))
    return match


@pytest.mark.parametrize(("size", "most"), [(2, 9), (3, 12), (4, 11), (5, 10)])
@seeds(8)
def test_solved_fillings_have_the_value_and_moves_of_the_rules(size: int, most: int, seed: int) -> None:
    match = filling(size, seed, most)
    state: MazeState = match.state
    lead = state.points[state.mover] - state.points[1 - state.mover]
    known: dict[tuple[Bits, int], int] = {}
    ends = {str(move): lead + plain_value(state, move, known) for move in GAME.legal(state)}
    best = max(ends.values())
    found = PLAYER.solved(PLAYER.position(match), 1_000_000)
    assert found is not None
    assert found.value == (1 if best > 0 else 0 if best < 0 else 0.5)
    keeping = {move for move, end in ends.items() if (end > 0) - (end < 0) == (best > 0) - (best < 0)}
    texts = [PLAYER.text(PLAYER.position(match), code) for code in found.best]
    assert set(texts) == keeping
    if best > 0:
        assert ends[texts[0]] == best


def plain_drawing(state: MazeState, known: dict[Bits, int]) -> int:
    """Return what the mover gains on the other one in a whole game, by nothing but the rules."""
    if state.plan is not None:
        return plain_gain(state, {})
    key = sum(1 << number for number, wall in enumerate(walls(state.size).every) if wall in state.walls)
    if key not in known:
        ways = (GAME.apply(state, state.mover, wall) for wall in GAME.legal(state))
        known[key] = max(-plain_drawing(after, known) for after in ways)
    return known[key]


def test_smallest_grid_solves_as_by_the_rules() -> None:
    solution = PLAYER.solve({"size": 2}, compiled=False)
    lead = plain_drawing(GAME.start({"size": 2}, 2), {})
    assert solution.margin == abs(lead)
    assert solution.winner == (None if lead == 0 else 0 if lead > 0 else 1)


@seeds(8)
def test_drawing_on_the_smallest_grid_is_solved_as_by_the_rules(seed: int) -> None:
    chance, known = random.Random(seed), dict[Bits, int]()
    match = Match.start(GAME, {"size": 2}, 2)
    while match.state.plan is None:
        state: MazeState = match.state
        ends = {
            str(move): -plain_drawing(GAME.apply(state, state.mover, move), known)
            for move in GAME.legal(state)
        }
        best = max(ends.values())
        found = PLAYER.whole(PLAYER.position(match))
        assert found is not None
        assert found.value == (1 if best > 0 else 0 if best < 0 else 0.5)
        texts = [PLAYER.text(PLAYER.position(match), code) for code in found.best]
        assert set(texts) == {
            move for move, end in ends.items() if (end > 0) - (end < 0) == (best > 0) - (best < 0)
        }
        match = match.play(match.to_move[0], chance.choice(match.legal() or ()))


@seeds(16)
def test_last_walls_are_solved_as_the_whole_drawing(seed: int) -> None:
    chance = random.Random(seed)
    match = Match.start(GAME, {"size": 3}, 2)
    for _ in range(chance.randrange(1, 4)):
        match = match.play(match.to_move[0], chance.choice(match.legal() or ()))
    position = PLAYER.position(match)
    if position.beside is not None:
        return
    found, whole = solve_last_walls(position, 10**6), PLAYER.whole(position)
    assert found is not None
    assert whole is not None
    assert found.value == whole.value
    assert set(found.best) <= set(whole.best)


def test_last_walls_that_need_too_many_positions_are_left_open() -> None:
    match = Match.start(GAME, {"size": 3}, 2)
    assert solve_last_walls(PLAYER.position(match), 50) is None


def test_long_corridor_that_ends_for_the_mover_is_hidden() -> None:
    position = PLAYER.position(filling(4, 2, 99))
    # A corridor of the sections 0 to 4, and one of 5 and 6.
    position.beside = (0b00010, 0b00101, 0b01010, 0b10100, 0b01000, 0b1000000, 0b0100000)
    position.unfilled = 0b1111111
    first = position.table.count
    assert [PLAYER.hidden(position, first + section) for section in range(7)] == [1, 0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(6, marks=pytest.mark.soak)])
@pytest.mark.parametrize("seed", range(3))
def test_sections_of_a_finished_maze_form_a_tree(size: int, seed: int) -> None:
    position = PLAYER.position(filling(size, seed, 999))
    assert position.beside is not None
    assert len(position.parts()) == 1
    assert sum(beside.bit_count() for beside in position.beside) == 2 * len(position.beside) - 2


def test_two_left_of_three_are_solved_too() -> None:
    chance = random.Random(1)
    match = Match.start(GAME, {"size": 3}, 3)
    while match.state.plan is None:
        match = match.play(match.to_move[0], chance.choice(match.legal() or ()))
    three = PLAYER.solved(PLAYER.position(match), 1_000_000)
    two = PLAYER.solved(PLAYER.position(match.play(2, "resign")), 1_000_000)
    assert three is not None
    assert len(three.shares) == 3
    assert two is not None
    assert two.shares == ()


def test_filling_that_needs_too_many_nodes_is_left_open() -> None:
    assert PLAYER.solved(PLAYER.position(filling(4, 1, 99)), 10) is None


def test_trees_of_one_shape_have_one_number() -> None:
    trees = Trees(0)
    end = trees.shape(())
    path = trees.shape((end,))
    assert trees.free(trees.shape((path,))) == trees.free(trees.shape((end, end)))
    assert trees.free(trees.shape((end, end, end))) != trees.free(trees.shape((trees.shape((path,)),)))


def test_position_is_made_of_a_match() -> None:
    assert isinstance(PLAYER.position(Match.start(GAME, {}, 4)), MazePosition)
